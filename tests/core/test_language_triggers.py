"""Triggers: interrupts that the runtime looks at after every step."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core.engine_driver import Played, book, play, scripted
from workbench.engine.journal.codec import encoded
from workbench.engine.language.program.book import Book
from workbench.engine.options import RunOptions
from workbench.engine.state.fold import fold
from workbench.model.snapshot import Snapshot


def _program(steps: str, trigger: str, handler: str = "- Say('fired at {$x}')\n", heading: str = "Alarm") -> Snapshot:
    """``Main`` with *steps*, and a playbook that *trigger* starts."""
    return book("", f"# B\n## Main\n### Steps\n{steps}## {heading}\n### Triggers\n- {trigger}\n### Steps\n{handler}")


def _fired(played: Played) -> list[tuple[str, str]]:
    """Each trigger that fired, and the step before it."""
    found = []
    step = ""
    for event in played.events:
        step = event.step if event.name == "step.entered" and event.step.startswith("Main") else step
        if event.name == "trigger.fired":
            found.append((encoded(event.payload)["trigger"], step))
    return found


def test_an_exact_trigger_fires_once_when_its_condition_becomes_true(tmp_path: Path) -> None:
    steps = "- $x = 1\n- $x = 5\n- $x = 6\n- $x = 2\n- $x = 7\n- Return $x\n"
    played = play(_program(steps, "When $x > 4"), tmp_path)
    assert (played.told(), played.run.result) == (["fired at 5", "fired at 7"], 7)
    assert _fired(played) == [("Alarm:T1", "Main:02"), ("Alarm:T1", "Main:05")]


def test_a_look_is_journaled_only_where_something_came_of_it(tmp_path: Path) -> None:
    played = play(_program("- $x = 1\n- $x = 5\n- $y = 6\n- $x = 0\n", "When $x > 4"), tmp_path)
    assert [body["holds"] for body in played.bodies("trigger.checked")] == [
        {"B.Alarm:T1": True},
        {"B.Alarm:T1": False},
    ]


def test_the_playbook_goes_on_where_it_was_interrupted(tmp_path: Path) -> None:
    steps = "- $x = 9\n- $sum = 0\n- For each $i in [1, 2]\n  - $sum = $sum + $i\n  - $x = 0\n  - $x = 9\n"
    handler = "- $seen = $seen + 1\n- Return 'ignored'\n"
    played = play(_program(steps + "- Return $sum\n", "When $x > 4", handler, "Alarm($seen=0)"), tmp_path)
    assert (played.run.result, len(_fired(played))) == (3, 3)


def test_the_parameters_of_a_triggered_playbook_are_the_variables_of_their_names(tmp_path: Path) -> None:
    text = _program("- $x = 9\n", "When $x > 4", "- Say('{$x} {$limit}')\n", "Alarm($x, $limit=4)")
    assert play(text, tmp_path).told() == ["9 4"]


def test_a_condition_about_a_variable_that_was_never_set_does_not_hold(tmp_path: Path) -> None:
    assert play(_program("- $y = 9\n", "When $x > 4 and $y > 1"), tmp_path).told() == []


def test_a_trigger_does_not_interrupt_its_own_playbook(tmp_path: Path) -> None:
    played = play(_program("- $x = 9\n- Return $x\n", "When $x > 4", "- $x = 0\n- $x = 8\n"), tmp_path)
    assert (played.run.result, len(_fired(played))) == (8, 1)


def test_two_triggers_that_set_each_other_off_come_to_an_end(tmp_path: Path) -> None:
    text = (
        "# B\n## Main\n### Steps\n- $a = 1\n- $b = 0\n- Return 1\n"
        "## P\n### Triggers\n- When $a == 1\n### Steps\n- $b = 1\n- $a = 0\n"
        "## Q\n### Triggers\n- When $b == 1\n### Steps\n- $a = 1\n- $b = 0\n"
    )
    played = play(book("", text), tmp_path)
    assert (played.run.result, len(_fired(played))) == (1, 2)


def test_playbooks_that_start_with_the_program_are_carried_out_in_order(tmp_path: Path) -> None:
    text = "# B\n" + "".join(
        f"## {name}\n### Triggers\n- {when}\n### Steps\n- Say('{name}')\n- Return '{name}'\n"
        for name, when in (("One", "When program starts"), ("Never", "When $x > 1"), ("Two", "At the beginning"))
    )
    played = play(book("", text), tmp_path)
    assert (played.told(), played.run.result) == (["One", "Two"], "One")


def test_a_chosen_playbook_is_carried_out_alone(tmp_path: Path) -> None:
    text = "# B\n## One\n### Triggers\n- At start\n### Steps\n- Say('One')\n## Two\n### Steps\n- Say('Two')\n"
    assert play(book("", text), tmp_path, options=RunOptions(playbook="Two")).told() == ["Two"]


_CALLS = "# B\n## Main\n### Steps\n- Say('a')\n- $r = Work()\n- Return $r\n## Work\n### Steps\n{work}"
_CALLS += "## Also{parameters}\n### Triggers\n- {trigger}\n### Steps\n{also}"


def _around(
    trigger: str, work: str = "- Say('work')\n- Return 1\n", also: str = "- Say('also')\n", parameters: str = ""
) -> Snapshot:
    """``Main`` calls ``Work``, and ``Also`` is started by *trigger*."""
    return book("", _CALLS.format(trigger=trigger, work=work, also=also, parameters=parameters))


def test_before_a_call_means_before_it(tmp_path: Path) -> None:
    played = play(_around("Before calling Work"), tmp_path)
    assert (played.told(), played.run.result) == (["a", "also", "work"], 1)


def test_after_a_call_means_when_its_result_is_kept(tmp_path: Path) -> None:
    played = play(_around("After calling Work", also="- Say('also {$r}')\n"), tmp_path)
    assert (played.told(), played.run.result) == (["a", "work", "also 1"], 1)


def test_what_a_trigger_starts_is_not_called(tmp_path: Path) -> None:
    text = _CALLS.format(trigger="After calling Work", work="- Return 1\n", also="- Say('also')\n", parameters="")
    text += "## Third\n### Triggers\n- After calling Also\n### Steps\n- Work()\n"
    assert play(book("", text), tmp_path).told() == ["a", "also"]


def test_a_failure_that_is_waited_for_is_answered(tmp_path: Path) -> None:
    work, also = "- Say('work')\n- $y = 1 / 0\n", "- Say($error)\n- Return 'instead'\n"
    played = play(_around("When Work fails", work, also, "($error)"), tmp_path)
    assert played.run.result == "instead", played.state.error
    assert [body["cause"] for body in played.bodies("trigger.fired")] == ["failure"]
    assert played.told()[2].startswith("Work:02 (line 10) failed:")


def test_a_tool_that_fails_is_answered_too(tmp_path: Path) -> None:
    text = (
        "# B\n```python\n@playbook\ndef pay(n):\n    raise ValueError('no money')\n```\n"
        "## Main\n### Steps\n- $r = pay(3)\n- Return $r\n"
        "## Later($error)\n### Triggers\n- When pay fails\n### Steps\n- Say($error)\n- Return 'later'\n"
    )
    played = play(book("", text), tmp_path)
    assert played.run.result == "later", played.state.error
    assert "no money" in played.told()[0]


def test_a_failure_in_the_answer_to_a_failure_ends_the_run(tmp_path: Path) -> None:
    played = play(_around("When Work fails", "- $y = 1 / 0\n", "- $z = 2 / 0\n"), tmp_path)
    assert played.state.error.startswith("Also:01")


_JUDGED = (
    "# B\n## Main\n### Steps\n- $mood = 'fine'\n- Say('one')\n- $n = 1\n- Say('two')\n- Say('hello')\n- Return $mood\n"
)
_JUDGED += "## Calm\n### Triggers\n- When the mood is bad\n### Steps\n- Say('calm')\n"
_JUDGED += "## Wave\n### Triggers\n- When it is time to part\n### Steps\n- Say('wave')\n"


def test_judged_triggers_are_asked_about_together(tmp_path: Path) -> None:
    answers = (
        "answers: [{step: Calm:T1, values: {}}, {step: Calm:T1, values: {Calm_T1: true}}, "
        "{step: Calm:T1, values: {Calm_T1: true, Wave_T1: true}}]"
    )
    played = play(book("", _JUDGED), tmp_path, answers)
    asked = played.bodies("input.asked")
    assert [field["name"] for field in asked[0]["fields"]] == ["Calm_T1", "Wave_T1"]
    assert {body["purpose"] for body in asked} == {"triggers"}
    assert played.told() == ["one", "two", "calm", "wave", "hello"]
    assert played.run.result == "fine"


def test_who_judges_a_trigger_reads_its_playbook_its_number_and_its_words(tmp_path: Path) -> None:
    answers = "answers: [{step: Calm:T1, values: {}}, {step: Calm:T1, values: {}}, {step: Calm:T1, values: {}}]"
    asked = play(book("", _JUDGED), tmp_path, answers).bodies("input.asked")[0]
    assert [field["name"] for field in asked["fields"]] == ["Calm_T1", "Wave_T1"]
    assert all(words in asked["text"] for words in ("Calm", "Wave"))


def test_judged_triggers_are_not_asked_about_where_nothing_happened(tmp_path: Path) -> None:
    steps = "# B\n## Main\n### Steps\n- x = 1\n- y = 2\n- Return x\n"
    played = play(book("", steps + _JUDGED[_JUDGED.index("## Calm") :]), tmp_path)
    assert played.bodies("input.asked") == []


_NAMED = (
    "# B\n## Main\n### Steps\n{steps}- Return 1\n## Calm\n### Triggers\n- When $mood sounds bad\n### Steps\n- $x = 1\n"
)


@pytest.mark.parametrize(
    ("steps", "count"),
    [
        ("- $x = 1\n- $y = 2\n", 0),
        ("- $mood = 'ill'\n", 1),
        ("- $mood = 'ill'\n- $x = 1\n- $y = 2\n", 1),
        ("- Say('hello')\n", 1),
        ("- Ask user for $name\n", 1),
        ("- Think about it\n- $x = 1\n", 1),
        ("- If it is late\n  - $x = 1\n", 1),
        ("- $m = WaitForMessage('B')\n", 0),
    ],
)
def test_judged_triggers_are_asked_about_only_where_they_can_have_come_true(
    steps: str, count: int, tmp_path: Path
) -> None:
    answers = "answers: [{step: Calm:T1, values: {}}, {values: {name: Ada}, text: done, decision: true}]"
    played = play(book("", _NAMED.format(steps=steps)), tmp_path, answers)
    assert [body.get("purpose") for body in played.bodies("input.asked")].count("triggers") == count


def test_a_script_that_says_nothing_about_triggers_says_no(tmp_path: Path) -> None:
    played = play(book("", _JUDGED), tmp_path, "answers: [{values: {other: 1}}]")
    assert (played.told(), played.run.result) == (["one", "two", "hello"], "fine")


def test_a_script_that_is_gone_on_with_keeps_its_answers_for_the_steps(tmp_path: Path) -> None:
    script = scripted("answers: [{values: {name: Ada}}, {step: Calm:T1, values: {Calm_T1: true}}]")
    program = book("", _JUDGED.replace("- Say('hello')", "- Ask user for $name"))
    events = play(program, tmp_path, "answers: [{values: {name: Ada}}]")
    before = next(index for index, event in enumerate(events.events) if event.step == "Main:05")
    script.catch_up(events.events[:before])
    asked = next(event for event in events.events if event.name == "input.asked" and event.step == "Main:05")
    assert dict(script.judge(asked.payload.request_at(asked.step)).values) == {"name": "Ada"}


def test_an_interrupt_may_end_the_program(tmp_path: Path) -> None:
    played = play(_program("- $x = 9\n- Say('no')\n", "When $x > 4", "- End program\n"), tmp_path)
    assert (played.told(), played.state.status.value) == ([], "completed")


def test_an_agent_made_in_the_run_has_its_triggers_watched(tmp_path: Path) -> None:
    text = (
        "# A\n## Main\n### Steps\n- $t = CreateAgent('T', name='Ada')\n- $t.Set(9)\n"
        "# T\n## Set($v)\npublic: true\n### Steps\n- $x = $v\n- Return 1\n"
        "## Alarm\n### Triggers\n- When $x > 4\n### Steps\n- Say('{$name} {$x}')\n"
    )
    assert play(book("", text), tmp_path).told() == ["Ada 9"]


@settings(max_examples=examples(15))
@given(st.lists(st.integers(0, 9), min_size=1, max_size=8))
def test_it_fires_as_often_as_the_condition_becomes_true(values: list[int]) -> None:
    steps = "".join(f"- $x = {value}\n" for value in values)
    with tempfile.TemporaryDirectory() as folder:
        played = play(_program(steps, "When $x > 4"), Path(folder))
    rises = sum(now > 4 and not before > 4 for before, now in zip([0, *values], values, strict=False))
    assert len(_fired(played)) == rises
    assert fold(played.events) == played.state


def test_watches_know_what_they_read() -> None:
    made = Book(_program("- $x = 1\n", "When $x > 4 and $y < 2"))
    assert made.watches.exact[0].names == {"x", "y"}
