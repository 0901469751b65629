"""Control flow is the runtime's: branches, loops, jumps, calls and returns, exactly as written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.engine_driver import book, play
from workbench.engine.journal.choices import RunStatus, StepStatus
from workbench.engine.options import RunOptions
from workbench.model.assembly.compiling import compile_assembly

RETURNED = pytest.mark.parametrize(
    ("steps", "returned"),
    [
        ("- $a = 2\n- $b = $a * 3\n- Return $a + $b\n", 8),
        ("- $a = 1\n- If $a == 1\n  - $b = 'one'\n- Otherwise\n  - $b = 'other'\n- Return $b\n", "one"),
        ("- $a = 2\n- If $a == 1\n  - $b = 'one'\n- Otherwise\n  - $b = 'other'\n- Return $b\n", "other"),
        (
            "- $a = 2\n- If $a == 1\n  - $b = 1\n- Else if $a == 2\n  - $b = 2\n- Otherwise\n  - $b = 3\n- Return $b\n",
            2,
        ),
        ("- $a = 2\n- If $a == 1\n  - $b = 1\n\n- Otherwise\n  - $b = 3\n- Return $b\n", 3),
        ("- $a = 2\n- When $a == 2\n  - $b = 1\n- When $a > 1\n  - $b = 2\n- Otherwise\n  - $b = 3\n- Return $b\n", 1),
        ("- $a = 1\n- If $a == 1\n  - $b = 1\n- If $a == 1\n  - $b = $b + 1\n- Return $b\n", 2),
        ("- $a = 1\n- Unless $a is 1\n  - Return 1\n- Otherwise\n  - Return 2\n", 2),
        ("- $n = 0\n- While $n < 5\n  - $n = $n + 1\n- Return $n\n", 5),
        ("- $n = 0\n- Until $n == 3\n  - $n = $n + 1\n- Return $n\n", 3),
        ("- $s = 0\n- For each $x in [1, 2, 3]\n  - $s = $s + $x\n- Return $s\n", 6),
        ("- Set $s to done\n- Return $s\n", "done"),
        ("- Set $s to N/A and set $t to config.json\n- Return $s + $t\n", "N/Aconfig.json"),
        ("- Set $s to order-5\n- Return $s\n", "order-5"),
        ("- For each a in [6]\n  - Set $s to a/2\n- Return $s\n", 3),
        ("- $a = 2\n- Calculate $a * 3 as $s\n- Return $s\n", 6),
        ("- $a = 2\n- Compute $a + 1 and store the result in $s\n- Return $s\n", 3),
        ("- Set $s to five\n- Return $s + 1\n", 6),
        ("- Set $a to 5, $b to six and $c to done\n- Return [$a, $b, $c]\n", [5, 6, "done"]),
        ("- $s = 9\n- $s /= 2\n- $s %= 4\n- Return $s\n", 0.5),
        ("- $o = {'n': 8}\n- $o.n /= 2\n- Return $o.n\n", 4),
        ("- Set $s:str to five\n- Return $s\n", "five"),
        ("- $s = 2024-11-05\n- Return $s\n", "2024-11-05"),
        ("- $s = 2024-11-05\n- Return [$s < 2024-11-15, $s == '2024-11-05', 2024 - 11 - 15]\n", [True, True, 1998]),
        ("- Return N/A\n", "N/A"),
        ("- For each item in [1, 2]\n  - Set $s to item\n- Return $s\n", 2),
        ("- $o = {}\n- Set $o.state to open\n- Return $o\n", {"state": "open"}),
        ("- Set $a to high and set $b to low\n- Return $a + $b\n", "highlow"),
        ("- $s = 0\n- $end = 4\n- For $x from 2 to $end\n  - $s = $s + $x\n- Return $s\n", 9),
        ("- $s = 0\n- For each $x in 3..1: $s = 1\n- Return $s\n", 0),
        ("- $s = 0\n- For each $x in []\n  - $s = 1\n- Return $s\n", 0),
        ("- $s = 0\n- Repeat 4 times\n  - $s = $s + 2\n- Return $s\n", 8),
        ("- $n = 0\n- While $n < 9\n  - $n = $n + 1\n  - If $n == 3\n    - break\n- Return $n\n", 3),
        (
            "- $s = 0\n- For each $x in [1, 2, 3]\n  - If $x == 2\n    - continue\n  - $s = $s + $x\n- Return $s\n",
            4,
        ),
        (
            (
                "- $s = 0\n- For each $x in [1, 2]\n  - For each $y in [1, 2, 3]\n    - If $y == 2\n      - break\n"
                "    - $s = $s + $x * $y\n- Return $s\n"
            ),
            3,
        ),
        ("- $n = 0\n- $n = $n + 1\n- If $n < 3\n  - go to step 2\n- Return $n\n", 3),
        ("- $n = 1\n- If $n == 1\n  - go to step 4\n- $n = 5\n- Return $n\n", 1),
        ("- $n = 0\n- If $n == 9\n  - $n = 7\n  - Return $n\n- go to step 2.2\n", 0),
        ("- Return\n- $n = 1\n", None),
        ("- $n = 3\n- End program\n- Return $n\n", None),
        ("- x = 1\n- $x = 2\n- Return [x, $x]\n", [1, 2]),
        ("- $s = 0\n- Repeat 2 times\n  - Repeat 2 times\n    - $s = $s + 1\n    - go to step 2\n- Return $s\n", 2),
    ],
)


@RETURNED
def test_steps_return_what_they_say(steps: str, returned: object, tmp_path: Path) -> None:
    played = play(steps, tmp_path)
    assert played.state.status is RunStatus.COMPLETED, played.state.error
    assert played.run.result == returned


@RETURNED
def test_compiled_steps_return_what_their_source_says(steps: str, returned: object, tmp_path: Path) -> None:
    played = play(book("", compile_assembly(book(steps)).text), tmp_path, options=RunOptions(max_steps=100))
    assert (played.run.result, played.state.error) == (returned, "")


def test_children_of_a_plain_step_follow_it_inside_its_span(tmp_path: Path) -> None:
    played = play("- Check the mail\n  - $a = 1\n- $b = 2\n", tmp_path, 'answers: [{text: "done"}]')
    assert played.steps() == ["Main:01", "Main:01.01", "Main:02"]
    entered = {event.step: event for event in played.events if event.name == "step.entered"}
    assert entered["Main:01.01"].parent == entered["Main:01"].span


def test_notes_and_code_between_steps_are_passed_over(tmp_path: Path) -> None:
    played = play("- $a = 1\n\n```bash\nrm -rf everything\n```\n\n- Return $a\n", tmp_path)
    assert played.run.result == 1


def test_an_arm_that_is_not_taken_is_skipped(tmp_path: Path) -> None:
    played = play("- $a = 1\n- If $a == 2\n  - $b = 1\n- Return $a\n", tmp_path)
    assert played.state.step_statuses["Main:02"] is StepStatus.SKIPPED


def test_every_span_that_is_entered_is_left(tmp_path: Path) -> None:
    played = play("- $n = 0\n- While $n < 3\n  - $n = $n + 1\n  - If $n == 2\n    - break\n- Return $n\n", tmp_path)
    entered = [event.span for event in played.events if event.name == "step.entered"]
    assert sorted(entered) == sorted(event.span for event in played.events if event.name == "step.exited")


def test_playbooks_call_each_other_with_arguments_and_defaults(tmp_path: Path) -> None:
    text = (
        "# Book\n## Main\n### Steps\n- $a = Add(1, y=2)\n- $b = Add(5)\n- Return [$a, $b]\n"
        "## Add($x, $y=10)\n### Steps\n- Return $x + $y\n"
    )
    assert play(book("", text), tmp_path).run.result == [3, 15]


def test_a_recursive_playbook_keeps_its_own_parameters(tmp_path: Path) -> None:
    text = (
        "# Book\n## Main\n### Steps\n- $r = Factorial(5)\n- Return $r\n"
        "## Factorial($n)\n### Steps\n- If $n < 2\n  - Return 1\n- $below = Factorial($n - 1)\n- Return $n * $below\n"
    )
    assert play(book("", text), tmp_path).run.result == 120


def test_locals_stay_in_their_frame_and_state_is_shared(tmp_path: Path) -> None:
    text = (
        "# Book\n## Main\n### Steps\n- x = 1\n- $y = 1\n- Other()\n- Return [x, $y]\n"
        "## Other()\n### Steps\n- x = 5\n- $y = 6\n"
    )
    assert play(book("", text), tmp_path).run.result == [1, 6]


def test_another_agent_has_its_own_state(tmp_path: Path) -> None:
    text = (
        "# Desk\n## Main\n### Steps\n- $y = 1\n- $z = Almanac.Look()\n- Return [$y, $z]\n"
        "# Almanac\n## Look()\npublic: true\n### Steps\n- $y = 6\n- Return $y\n"
    )
    assert play(book("", text), tmp_path).run.result == [1, 6]


def test_end_program_inside_a_called_playbook_ends_everything(tmp_path: Path) -> None:
    text = "# Book\n## Main\n### Steps\n- Stop()\n- $a = 1\n## Stop()\n### Steps\n- End program\n"
    played = play(book("", text), tmp_path)
    assert played.state.status is RunStatus.COMPLETED
    assert played.steps() == ["Main:01", "Stop:01"]


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("# B\n## A\n### Steps\n- Return 1\n## Go\n### Triggers\n- When program starts\n### Steps\n- Return 2\n", "Go"),
        ("# B\n## A\n### Steps\n- Return 1\n## Main\n### Steps\n- Return 2\n", "Main"),
        ("# B\n## A\n### Steps\n- Return 1\n## Z\n### Steps\n- Return 2\n", "A"),
    ],
)
def test_a_run_begins_where_the_program_does(text: str, entry: str, tmp_path: Path) -> None:
    assert play(book("", text), tmp_path).state.origin.playbook == entry


def test_arguments_reach_the_parameters_and_the_state(tmp_path: Path) -> None:
    text = "# B\n## Main($a, $b=2)\n### Steps\n- Return [$a, $b, $c]\n"
    options = RunOptions(arguments={"a": 1, "c": 3})
    assert play(book("", text), tmp_path, "", options).run.result == [1, 2, 3]


def test_a_playbook_without_steps_is_one_judgement_about_its_description(tmp_path: Path) -> None:
    text = "# B\n## Main\n### Steps\n- $r = Look()\n- Return $r\n## Look() -> str\nLook outside.\n"
    played = play(book("", text), tmp_path, "answers: [{step: Look, values: {result: rain}}]")
    assert played.run.result == "rain"


def test_an_otherwise_without_an_if_is_a_judgement(tmp_path: Path) -> None:
    steps = "- $a = 1\n- Otherwise\n  - $a = 2\n- Return $a\n"
    played = play(steps, tmp_path, "answers: [{step: Main:02, decision: true}]")
    assert played.run.result == 2


def test_judged_loops_ask_before_each_round(tmp_path: Path) -> None:
    steps = "- $n = 0\n- While the kettle is cold\n  - $n = $n + 1\n- Return $n\n"
    played = play(steps, tmp_path, "answers: [{decision: true}, {decision: true}, {decision: false}]")
    assert played.run.result == 2
