"""What stands in braces in a description is worked out when its playbook begins, whatever kind it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.engine_driver import Played, book, play
from workbench.engine.journal.choices import RunStatus

CONSTANTS = 'LIMIT = 5\nNAMES = ["a", "b"]\nTWICE = 1\nTWICE = 2\n'
PYTHON = f"```python\n{CONSTANTS}\n@playbook\nasync def double(n):\n    return 2 * n\n```\n"
SUMMARY = '## Summary($q)\n### Steps\n- Tell user "asked"\n- Return "All of {$q}"\n'


def described(text: str, folder: Path, *, before: str = "", steps: str = "### Steps\n- Judge it\n") -> Played:
    made = book(
        f"{before}- $total = 7\n- Look(3)\n## Look($n)\n{text}\n{steps}{SUMMARY}",
        f"# Shop\n{PYTHON}## Main\n### Steps\n",
    )
    return play(made, folder)


DESCRIPTIONS = {
    "Who: {agent.klass}": "Who: Shop",
    "Id: {agent.id}": "Id: 1000",
    "State: {agent.state.total}": "State: 7",
    "At {call.playbook_name} with {call.arguments.n}": "At Look with 3",
    "So {current_playbook_call}": "So Look(n=3)",
    "At most {LIMIT} of {len(NAMES)}": "At most 5 of 2",
    "Twice {TWICE}": "Twice {TWICE}",
    '{Summary("Q1")}': "All of Q1",
    "{double($n):>4} and {Summary($total)}": "   6 and All of 7",
    "{Summary(double($n) + LIMIT)}": "All of 11",
    "{helper(3)} is nothing": "{helper(3)} is nothing",
    'Like {"a": 1}, {word} and {$n}': 'Like {"a": 1}, {word} and 3',
    "{json.dumps($n)} and {json.dumps(NAMES)}": '3 and ["a", "b"]',
}


def _about(played: Played) -> str:
    return played.state.frames[-1].description or "as written"


@pytest.mark.parametrize("text", DESCRIPTIONS)
@pytest.mark.parametrize("mode", ["### Steps\n- Judge it\n", "", "execution_mode: raw\n"])
def test_a_description_is_filled_in_when_its_playbook_begins(text: str, mode: str, tmp_path: Path) -> None:
    steps, head = (mode, text) if mode.startswith("###") else ("", f"{mode}{text}")
    played = described(head, tmp_path, steps=steps)
    assert played.state.status is RunStatus.PAUSED, played.state.error
    filled = DESCRIPTIONS[text]
    assert _about(played) == (filled if filled != text else "as written")


def test_the_calls_of_a_description_are_made_once(tmp_path: Path) -> None:
    assert described('execution_mode: raw\n{Summary("Q1")}', tmp_path, steps="").told() == ["asked"]


def test_the_question_of_a_raw_playbook_is_its_description(tmp_path: Path) -> None:
    (asked,) = described('execution_mode: raw\n{Summary("Q1")} by {agent.klass}', tmp_path, steps="").bodies(
        "input.asked"
    )
    assert asked["text"] == "All of Q1 by Shop"


def test_what_a_variable_holds_is_not_filled_in_again(tmp_path: Path) -> None:
    braces = '- $open = "{"\n- $shut = "}"\n- $text = $open + "$n" + $shut\n'
    assert _about(described("{$text} {double(1)}", tmp_path, before=braces)) == "{$n} 2"


def test_a_description_that_cannot_be_filled_in_says_what_to_do(tmp_path: Path) -> None:
    error = described("Needs {$never}", tmp_path).state.error
    assert "$never has not been set" in error
    assert "Set the variable before the playbook is called" in error


def test_the_time_is_that_of_the_run(tmp_path: Path) -> None:
    text = _about(described("At {timestamp}", tmp_path))
    assert len(text) == len("At 2026-01-31 12:00:00")
    assert text[7] == text[10] == "-"


@pytest.mark.parametrize(
    "source", ["agent.klass", "call.playbook_name", "LIMIT", "current_playbook_call", "len(timestamp)"]
)
def test_what_is_given_in_a_description_is_given_in_steps(source: str, tmp_path: Path) -> None:
    made = book(f"- Return {source}\n", f"# Shop\n{PYTHON}## Main\n### Steps\n")
    values = ["Shop", "Main", 5, "Main()", 19]
    assert play(made, tmp_path).state.result in values
    assert [each.code for each in made.diagnostics if each.code == "unset-variable"] == []


@pytest.mark.parametrize("text", ["{helper(3)}", '{Loadfile("a")}', "{$x y}", "{open(file, 'w') as f}"])
def test_a_finding_tells_of_what_is_left_as_it_is(text: str) -> None:
    made = book(f"- Look(1)\n## Look($x)\n{text}\n### Steps\n- Judge it\n")
    assert [each.code for each in made.diagnostics if each.code == "placeholder-refused"] == ["placeholder-refused"]


@pytest.mark.parametrize("text", ['{Summary("a")}', "{agent.klass}", "{word}", "{LIMIT}", '{"a": 1}'])
def test_nothing_is_told_of_what_is_filled_in_or_meant_as_it_is(text: str) -> None:
    made = book(
        f"- Look(1)\n## Look($x)\n{text}\n### Steps\n- Judge it\n{SUMMARY}", f"# A\n{PYTHON}## Main\n### Steps\n"
    )
    assert [each.code for each in made.diagnostics if "placeholder" in each.code] == []
