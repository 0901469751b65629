"""Calls that stand in expressions: made in the order of evaluation, each once, wherever an expression stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.engine_driver import Played, book, play
from workbench.engine.journal.codec import decoded, encoded
from workbench.model.flow import flow_of_program
from workbench.model.inner_calls import calls_in
from workbench.model.meaning import Call, Judge, TriggerEvent
from workbench.model.sentences.classify import classify, classify_trigger
from workbench.syntax.expressions import ExpressionRefused, parse_expression

OTHERS = """
## Three
### Steps
- Return 3
## AddVat($net)
### Steps
- Return $net * 1.5
## Upto($n)
### Steps
- Return list(range($n))
## Next
### Steps
- $i += 1
- Return "end" if $i > 3 else "go"
## Summary($q)
### Steps
- Return "All of {$q}"
## Bump
### Steps
- $x += 10
- Return $x
## Seen($it)
### Steps
- Tell user "{$it}"
- Return $it
## Boom
### Steps
- Return 1 / 0
"""


def run(steps: str, folder: Path, script: str = "") -> Played:
    return play(steps + OTHERS, folder, script)


RESULTS = {
    "- $total = 10\n- $shipping = 2\n- $due = AddVat(net=$total) + $shipping\n- Return $due\n": 17.0,
    "- $p = Three() * 3\n- Return $p\n": 9,
    "- $p = 1\n- $p += Three()\n- Return $p\n": 4,
    "- Set $p to Three() + 1\n- Return $p\n": 4,
    "- Return AddVat(AddVat(Three() + 1))\n": 9.0,
    "- Return [Three(), AddVat(2)]\n": [3, 3.0],
    "- AddVat(Three() + 1)\n- Return $_\n": 6.0,
    '- If Three() > 2, return "yes"\n- Return "no"\n': "yes",
    '- If Three() is greater than 2\n  - Return "yes"\n- Return "no"\n': "yes",
    '- If Three()\n  - Return "yes"\n- Return "no"\n': "yes",
    '- If not Three(), return "no"\n- Else if Three() == 3, return "else"\n': "else",
    '- Unless Three() > 5, return "under"\n': "under",
    '- $i = 0\n- $n = 0\n- While Next() != "end"\n  - $n += 1\n- Return $n\n': 3,
    '- $i = 0\n- Until Next() == "end"\n  - $x = 1\n- Return $i\n': 4,
    "- $s = 0\n- For each $n in Upto(Three())\n  - $s += $n\n- Return $s\n": 3,
    "- $s = 0\n- For each $n in Upto(2) + Upto(3)\n  - $s += 1\n- Return $s\n": 5,
    "- Return [AddVat(n) for n in Upto(3) if n < Three()]\n": [0.0, 1.5, 3.0],
    "- Return {k: AddVat(k) for k in Upto(2)}\n": {"0": 0.0, "1": 1.5},
    "- Return len(Upto(Three()))\n": 3,
    '- Return "{Summary("Q1")}: {Three():03}"\n': "All of Q1: 003",
    '- Return f"{Summary("Q1")}!"\n': "All of Q1!",
    '- $s = "<{Summary("Q1")}>"\n- Return $s\n': "<All of Q1>",
    '- Return f"{Three()} of {AddVat(2)}"\n': "3 of 3.0",
    "- Return Upto(5)[Three()]\n": 3,
    "- $x = 1\n- Return [$x, Bump(), $x, Bump(), $x]\n": [1, 11, 11, 21, 21],
    "- $x = 1\n- $y = $x + Bump() * 100\n- Return [$x, $y]\n": [11, 1101],
    "- Return `Three() + 1`\n": 4,
}


@pytest.mark.parametrize("steps", RESULTS)
def test_a_call_stands_wherever_an_expression_stands(steps: str, tmp_path: Path) -> None:
    played = run(steps, tmp_path)
    assert (played.state.result, played.state.error) == (RESULTS[steps], "")
    assert played.bodies("input.asked") == []


TOLD = {
    '- Tell user "{Summary("Q1")}"\n': ["All of Q1"],
    "- Tell user {Three()} things\n": ["Tell user 3 things"],
    '- Say("user", "now " + Summary("Q2"))\n': ["now All of Q2"],
    "- $r = Seen(1) and Seen(0) and Seen(2)\n": ["1", "0"],
    "- $r = Seen(0) or Seen(2) or Seen(3)\n": ["0", "2"],
    "- $r = Seen(1) if Three() > 5 else Seen(2)\n": ["2"],
    "- $r = [Seen(n) for n in [1, 2, 3] if Three() > n]\n": ["1", "2"],
    "- $r = Seen(Seen(1) + Seen(2))\n": ["1", "2", "3"],
    "- $r = Seen(1) < Seen(0) < Seen(5)\n": ["1", "0"],
}


@pytest.mark.parametrize("steps", TOLD)
def test_calls_are_made_in_order_and_only_where_their_values_are_needed(steps: str, tmp_path: Path) -> None:
    played = run(steps, tmp_path)
    assert (played.told(), played.state.error) == (TOLD[steps], "")


def test_nothing_is_called_for_a_value_that_is_missing(tmp_path: Path) -> None:
    played = run("- $r = $never and Seen(1)\n", tmp_path)
    assert played.told() == []
    assert "$never has not been set" in played.state.error


def test_every_call_is_an_event_at_the_step(tmp_path: Path) -> None:
    played = run("- $p = AddVat(Three()) + Three()\n", tmp_path)
    entered = [(each.step, dict(encoded(each.payload))) for each in played.events if each.name == "playbook.entered"]
    assert [(step, body["playbook"], body.get("reads")) for step, body in entered] == [
        ("", "Main", None),
        ("Main:01", "Three", []),
        ("Main:01", "AddVat", []),
        ("Main:01", "Three", []),
    ]


def test_what_was_read_before_a_call_stands_in_its_event(tmp_path: Path) -> None:
    played = run("- $x = 1\n- $y = $x + Bump()\n", tmp_path)
    (event,) = [each for each in played.events if each.step == "Main:02" and each.name == "playbook.entered"]
    body = encoded(event.payload)
    assert body["reads"] == [["$x", 1]]
    assert decoded(event.name, dict(body)) == event.payload


def test_a_call_that_nothing_can_make_is_asked_for(tmp_path: Path) -> None:
    played = run("- $x = Guess(2, a=3) + 1\n- Return $x\n", tmp_path, "answers: [{values: {result: 5}}]")
    assert played.state.result == 6
    assert [each["text"] for each in played.bodies("input.asked")] == ["Guess(2, a=3)"]


def test_a_value_that_is_read_otherwise_makes_no_call_twice(tmp_path: Path) -> None:
    steps = '- $n = "7"\n- $y = $n + Seen(1)\n- Return $y\n'
    played = run(steps, tmp_path, "answers: [{step: 'Main:02', values: {reading: number}}]")
    assert (played.state.result, played.told()) == (8, ["1"])


def test_a_call_that_fails_fails_the_step(tmp_path: Path) -> None:
    assert "Division by zero" in run("- $x = Boom() + 1\n", tmp_path).state.error


def test_a_failing_call_can_be_answered_by_a_trigger(tmp_path: Path) -> None:
    handler = "## Mend\n### Triggers\n- When Boom fails\n### Steps\n- Return 41\n"
    assert play(f"- $x = Boom() + 1\n- Return $x\n{OTHERS}{handler}", tmp_path).state.result == 42


def test_a_trigger_before_a_call_fires_once(tmp_path: Path) -> None:
    handler = '## Watch\n### Triggers\n- Before calling Three\n### Steps\n- Tell user "before"\n'
    played = play(f"- $x = Three() + 1\n- Return $x\n{OTHERS}{handler}", tmp_path)
    assert (played.state.result, played.told()) == (4, ["before"])


def test_calls_of_python_and_of_tools_stand_in_expressions(tmp_path: Path) -> None:
    python = "```python\n@playbook\nasync def double(n):\n    return 2 * n\n```\n"
    made = book(f"- Return double(double(2)) + 1\n{OTHERS}", f"# Book\n{python}## Main\n### Steps\n")
    assert play(made, tmp_path).state.result == 9


def test_an_agent_in_a_variable_is_called_in_an_expression(tmp_path: Path) -> None:
    other = "# Tax\n## Rate($n)\npublic: true\n### Steps\n- Return $n + 1\n"
    steps = '- $who = CreateAgent("Tax")\n- Return $who.Rate(1) + Tax.Rate(2)\n'
    assert play(steps + other, tmp_path).state.result == 5


def test_a_step_has_an_edge_to_each_playbook_that_its_expressions_call() -> None:
    steps = "- $p = AddVat(Three()) + 1\n- Tell user \"{Summary('x')}\"\n- If Three() > 1, Seen(Bump())\n"
    snapshot = book(steps + OTHERS)
    edges = flow_of_program(snapshot).edges(data="kind")
    called = {(snapshot.address(source), target) for source, target, kind in edges if kind == "call"}
    assert called >= {
        ("Main:01", "playbook:AddVat"),
        ("Main:01", "playbook:Three"),
        ("Main:02", "playbook:Summary"),
        ("Main:03", "playbook:Three"),
        ("Main:03", "playbook:Seen"),
        ("Main:03", "playbook:Bump"),
    }


def test_the_calls_of_a_step_are_told_with_their_values() -> None:
    snapshot = book("- $p = AddVat(net=Three()) + 1\n" + OTHERS)
    (step,) = snapshot.program.playbooks[0].steps
    assert [(call.target, [(each.name, each.value.source) for each in call.arguments]) for call in calls_in(step)] == [
        ("Three", []),
        ("AddVat", [("net", "Three()")]),
    ]


@pytest.mark.parametrize(
    ("step", "code"),
    [
        ("$p = Tree() * 3", "unknown-call"),
        ("If Nobody() > 2, return", "unknown-call"),
        ("Return [AddVat() for n in $xs]", "missing-argument"),
        ("$p = Three(1) + 1", "too-many-arguments"),
        ('Tell user "{Upto(m=2)}"', "unknown-argument"),
    ],
)
def test_a_finding_says_what_does_not_fit_in_a_call_within_an_expression(step: str, code: str) -> None:
    assert code in {each.code for each in book(f"- $xs = [1]\n- {step}\n{OTHERS}").diagnostics}


@pytest.mark.parametrize("words", ["item(s)", "valid (email)", "fine (see below)", "$f(1)", "$x.run(1)", "__init__()"])
def test_words_with_brackets_are_no_call(words: str) -> None:
    with pytest.raises(ExpressionRefused):
        parse_expression(words)


def test_prose_with_a_call_in_it_stays_a_judgement() -> None:
    assert isinstance(classify("$p = the better of Three() and Four()", has_children=False), Judge)


def test_one_call_alone_stays_a_call() -> None:
    assert isinstance(classify("$p = AddVat(Three())", has_children=False), Call)


def test_a_trigger_calls_nothing() -> None:
    trigger = classify_trigger("When Three() > $x")
    assert isinstance(trigger, TriggerEvent)
    assert trigger.condition is not None
    assert trigger.condition.test is None
