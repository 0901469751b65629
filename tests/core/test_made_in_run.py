"""Playbooks that a run writes itself: checked before, with their triggers and failures, wherever the run is cut off."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.engine_driver import Played, book, finished, play, scripted
from workbench.engine.journal.journal import Journal
from workbench.engine.options import RunOptions
from workbench.engine.starting import resume_run
from workbench.engine.state.fold import fold
from workbench.model.checks.families import check_markdown
from workbench.model.made_in_run import made_names
from workbench.syntax.diagnostics import Severity


def _made(text: str, then: str = "- $r = P()\n- Return $r\n", name: str = "P") -> str:
    written = text.replace("\n", "\\n")
    return (
        f"# B\n## Main\n### Steps\n- CreatePlaybook('{name}', '{written}')\n{then}## Own($n)\n### Steps\n- Return $n\n"
    )


WRONG = {
    "- If": "line 1: “If” leads nowhere.",
    "- $x = 1\n- While\n  - $x = 2": "line 2: “While” leads nowhere.",
    "- Otherwise\n  - $x = 2": "line 1: No matching If above; a person or model must decide this branch.",
    "- $x = 1\n- Nobody()": "line 2: There is no playbook, function or tool called Nobody. Whoever judges",
    "- Own(1, 2)": "line 1: Own is given too many arguments: 2 instead of 1.",
    "- Own(m=1)": "line 1: Own has no parameter called m.",
    "## P\n### Steps\n- Return 1\n- Nobody()": "line 4: There is no playbook, function or tool called Nobody.",
    "### Steps\n- Nobody()": "line 2: There is no playbook, function or tool called Nobody.",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_text_with_errors_is_refused_with_what_is_wrong_and_nothing_is_made(text: str, tmp_path: Path) -> None:
    played = play(book("", _made(text)), tmp_path)
    assert "P was not made, because its text is not right:" in played.state.error
    assert WRONG[text] in played.state.error
    assert (played.bodies("playbook.written"), played.state.world.written) == ([], {})


@pytest.mark.parametrize(
    "text", ["# Other\n## P\n- Return 1", "## P\n- Return 1\n## Q\n- Return 2", "```python\n1\n```"]
)
def test_a_text_that_is_not_one_playbook_is_refused(text: str, tmp_path: Path) -> None:
    error = play(book("", _made(text)), tmp_path).state.error
    assert "the text of P must contain one playbook; a list of steps is enough." in error


def test_a_text_may_call_what_the_program_has_and_what_it_makes_later(tmp_path: Path) -> None:
    then = "- CreatePlaybook('Q', '- Return 4')\n- $r = P()\n- Return $r\n"
    played = play(book("", _made("- $a = Own(3)\n- $b = Q()\n- Return $a + $b", then)), tmp_path)
    assert played.run.result == 7, played.state.error


def test_a_playbook_without_steps_sees_what_was_wrong(tmp_path: Path) -> None:
    text = "# B\n## Main\n### Steps\n- $r = Make()\n- Return $r\n## Make\nMake something.\n"
    answers = (
        "answers:\n- step: Make\n"
        "  values: {action: CreatePlaybook, arguments: {name: P, text: '- Nobody()'}, result: null}\n"
        "- step: Make\n  values: {action: done, arguments: {}, result: seen}\n"
    )
    played = play(book("", text), tmp_path, answers)
    assert played.run.result == "seen", played.state.error
    assert "called Nobody" in played.bodies("react.observed")[0]["error"]


_TRIGGERED = '### Triggers\n- When $x > 3\n### Steps\n- Say("alarm {$x}")'


def test_the_triggers_of_a_made_playbook_fire(tmp_path: Path) -> None:
    played = play(book("", _made(_TRIGGERED, "- $x = 5\n- $x = 1\n- $x = 7\n- Return $x\n")), tmp_path)
    assert (played.told(), played.run.result) == (["alarm 5", "alarm 7"], 7)
    assert fold(played.events) == played.state


def test_a_made_playbook_hears_messages(tmp_path: Path) -> None:
    text = '### Triggers\n- When the user says "hello"\n### Steps\n- Say("hi")'
    played = play(book("", _made(text, "- Return 1\n")), tmp_path, "messages: [hello]")
    assert (played.told(), played.run.result) == (["hi"], 1)


@pytest.mark.parametrize("when", ["After 5 minutes", "At the end"])
def test_a_made_playbook_waits_for_its_time_and_for_the_end(when: str, tmp_path: Path) -> None:
    text = f'### Triggers\n- {when}\n### Steps\n- Say("now")'
    played = play(
        book("", _made(text, "- Say('first')\n")), tmp_path, "clock: fast-forward\nmessages: [{after: 1 hour}]"
    )
    assert played.told() == ["first", "now"]


_RESCUE = "## Rescue($error)\n### Triggers\n- When P fails\n### Steps\n- Say('rescued')\n- Return 'instead'\n"


def test_a_made_playbook_that_fails_is_answered(tmp_path: Path) -> None:
    played = play(book("", _made("- $y = 1 / 0") + _RESCUE), tmp_path)
    assert (played.told(), played.run.result, played.bodies("input.asked")) == (["rescued"], "instead", [])


@pytest.mark.parametrize(
    ("when", "told"), [("After calling P", ["in P", "also"]), ("Before calling P", ["also", "in P"])]
)
def test_triggers_around_a_made_playbook_fire(when: str, told: list[str], tmp_path: Path) -> None:
    also = f"## Also\n### Triggers\n- {when}\n### Steps\n- Say('also')\n"
    assert play(book("", _made('- Say("in P")', "- P()\n") + also), tmp_path).told() == told


def test_what_is_made_public_can_be_called_by_others(tmp_path: Path) -> None:
    text = "## P\npublic: true\n### Steps\n- Return 4"
    other = "# C\n## Ask\npublic: true\n### Steps\n- $r = B.P()\n- Return $r\n"
    assert play(book("", _made(text, "- $r = C.Ask()\n- Return $r\n") + other), tmp_path).run.result == 4


def test_a_run_that_has_made_a_playbook_goes_on_from_wherever_it_was_cut_off(tmp_path: Path) -> None:
    then = "- $x = 5\n- Ask user for $name\n- CreatePlaybook('Q', '- $y = 1 / 0')\n- $r = Q()\n- Return [$r, $name]\n"
    snapshot = book("", _made(_TRIGGERED, then) + _RESCUE.replace("When P", "When Q"))
    script = "answers: [{values: {name: Ada}}]"
    whole = play(snapshot, tmp_path, script)
    assert (whole.told(), whole.run.result) == (["alarm 5", "rescued"], ["instead", "Ada"]), whole.state.error
    for cut in range(1, len(whole.events)):
        again = _resumed(whole, cut, tmp_path / str(cut), script)
        assert (again.run.result, again.told()) == (whole.run.result, whole.told()), (cut, again.state.error)


def _resumed(whole: Played, cut: int, folder: Path, script: str) -> Played:
    folder.mkdir()
    journal = Journal(folder / "runs.sqlite")
    journal.append(whole.events[:cut])
    journal.keep(whole.run.snapshot.source.encode())
    backend = scripted(script)
    backend.catch_up(whole.events[:cut])
    return finished(resume_run(whole.run.id, journal, backend, RunOptions()), journal)


CHECKED = [
    (_made("- Return 1"), [("made-in-run", Severity.INFO)]),
    (_made("## P($n)\n### Steps\n- Return $n", name="Other"), [("made-in-run", Severity.INFO)]),
    ("# B\n## Main($t)\n### Steps\n- CreatePlaybook('Q', $t)\n- P()\n", [("made-in-run", Severity.WARNING)]),
    ("# B\n## Main\n### Steps\n- P()\n", [("unknown-call", Severity.ERROR)]),
    ("# B\n## Main($t)\n### Steps\n- CreatePlaybook('P', $t)\n" + _RESCUE, []),
]


@pytest.mark.parametrize("number", range(len(CHECKED)))
def test_the_check_knows_that_a_name_may_be_made_in_the_run(number: int) -> None:
    text, expected = CHECKED[number]
    found = [(each.code, each.severity) for each in check_markdown(book("", text))]
    assert [each for each in found if each[0] in ("unknown-call", "made-in-run", "trigger-never-fires")] == expected


def test_names_are_read_where_playbooks_are_made() -> None:
    text = "- CreatePlaybook('add tax', '- Return 1')\n"
    text += '- CreatePlaybook(name="B", text="## Send it($x)\\n- Return 1")\n'
    assert made_names(text) == {"AddTax", "B", "SendIt"}
