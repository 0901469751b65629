"""Runs of step lists in the background: the handle that a window and a terminal steer them by."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import PATIENCE_S
from tests.core.steplist_driver import Counting, Watching
from workbench.engine.backends.person import PersonBackend
from workbench.engine.journal.choices import RunStatus, StepStatus
from workbench.engine.journal.codec import encoded
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.journal import Journal
from workbench.engine.options import RunOptions
from workbench.engine.ports import Answer, InDoubtChoice, Purpose, Request
from workbench.engine.running.run import Run
from workbench.engine.scripts import ScriptedCall
from workbench.engine.starting import resume_run, start_run
from workbench.engine.state.fold import fold
from workbench.errors import RunFailed, StoreFailed
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText

REFUND = """\
id: refund
name: Refund
steps:
  - id: find
    description: Find the order
    expected_tools: [lookup]
    hints: [The number is on the confirmation]
  - id: tell
    description: Tell the customer
  - id: gift
    description: Send a gift
    expected_tools: [send_gift]
    required: false
  - id: pay
    description: Pay it back
    expected_tools: [refund]
"""


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    """An empty journal."""
    opened = Journal(tmp_path / "runs.sqlite")
    yield opened
    opened.close()


def started(journal: Journal, text: str = REFUND, **options: Any) -> Run:
    return start_run(derive(SourceText(text)), journal, PersonBackend(), RunOptions(**options))


def question(run: Run, after: Request | None = None) -> Request:
    """The question that *run* comes to after the question *after*."""
    for _round in range(PATIENCE_S * 200):
        pending = run.pending
        if pending is not None and pending != after:
            return pending
        assert not run.wait(0.005), run.state.error
    raise AssertionError("no question came")


def enter(run: Run, action: str, result: str = "", **more: Any) -> Request:
    """Answer the question at hand; the question that was answered."""
    asked = question(run)
    values = {"action": action, "result": result, **more}
    assert run.answer(asked.id, Answer(tuple(values.items())))
    return asked


def walk(run: Run, *actions: str) -> None:
    """Answer one question after the other, each time when the next one has come."""
    asked: Request | None = None
    for action in actions:
        asked = question(run, asked)
        enter(run, action)


def kinds(events: tuple[RunEvent, ...]) -> list[str]:
    return [event.name for event in events]


def test_a_person_walks_the_list_to_its_end(journal: Journal) -> None:
    run = started(journal)
    walk(run, "lookup", "done", "skip", "refund")
    assert run.wait(PATIENCE_S)
    assert run.state.status is RunStatus.COMPLETED
    assert dict(run.state.step_statuses) == {
        "refund:01": StepStatus.DONE,
        "refund:02": StepStatus.DONE,
        "refund:03": StepStatus.SKIPPED,
        "refund:04": StepStatus.DONE,
    }


def test_a_call_that_comes_too_early_is_refused_and_not_recorded_as_done(journal: Journal) -> None:
    run = started(journal)
    first = enter(run, "refund", "paid")
    second = question(run, first)
    told = dict(second.context)
    assert "does not belong to the current step" in told["refused"][0]
    assert told["hints"] == ["The number is on the confirmation"]
    run.stop()
    assert run.wait(PATIENCE_S)
    events = journal.check(run.id)
    assert "tool.call" not in kinds(events)
    blocked = next(event for event in events if event.name == "tool.blocked")
    assert (blocked.step, encoded(blocked.payload)["tool"], blocked.actor) == ("refund:01", "refund", "user")


def test_each_turn_offers_the_expected_tools_first_and_what_may_be_said(journal: Journal) -> None:
    run = started(journal)
    first = question(run)
    assert (first.purpose, first.step, first.choices) == (Purpose.TURN, "refund:01", ("lookup", "finish"))
    enter(run, "lookup")
    second = question(run, first)
    assert second.choices == ("done",)
    enter(run, "done", "told by mail")
    assert question(run, second).choices == ("send_gift", "skip", "finish")
    run.stop()
    run.wait(PATIENCE_S)


def test_what_failed_counts_as_failed(journal: Journal) -> None:
    run = started(journal)
    first = enter(run, "lookup", failure="the register is down")
    assert dict(question(run, first).context)["refused"] == ["the register is down"]
    run.stop()
    run.wait(PATIENCE_S)
    assert "effect.error" in kinds(journal.check(run.id))


def test_finishing_early_is_refused_once_and_then_recorded(journal: Journal) -> None:
    run = started(journal)
    walk(run, "finish", "finish")
    assert run.wait(PATIENCE_S)
    assert run.state.status is RunStatus.FAILED
    assert "find" in run.state.error


def test_an_answer_without_a_tool_is_not_taken(journal: Journal) -> None:
    run = started(journal)
    asked = question(run)
    assert not run.answer(asked.id, Answer((("action", " "),)))
    run.stop()
    assert run.wait(PATIENCE_S)


def test_stopping_ends_the_run_as_cancelled(journal: Journal) -> None:
    run = started(journal)
    question(run)
    run.stop()
    assert run.wait(PATIENCE_S)
    assert run.state.status is RunStatus.CANCELLED
    assert [summary.status for summary in journal.runs()] == [RunStatus.CANCELLED]


def test_a_paused_run_waits_between_turns(journal: Journal) -> None:
    run = started(journal, start_paused=True)
    while run.state.status is not RunStatus.PAUSED:
        assert not run.wait(0.005)
    assert run.pending is None
    run.step()
    enter(run, "lookup")
    run.go_on()
    assert question(run).step
    run.stop()
    assert run.wait(PATIENCE_S)


def test_a_run_that_was_let_go_of_goes_on_where_it_was(journal: Journal) -> None:
    run = started(journal)
    walk(run, "lookup")
    question(run, None)
    while run.pending is None or run.pending.step != "refund:02":
        run.wait(0.005)
    run.leave()
    assert run.wait(PATIENCE_S)
    again = resume_run(run.id, journal, PersonBackend())
    walk(again, "done", "skip", "refund")
    assert again.wait(PATIENCE_S)
    events = journal.check(run.id)
    assert again.state.status is RunStatus.COMPLETED
    assert [encoded(event.payload)["tool"] for event in events if event.name == "tool.call"] == ["lookup", "refund"]
    assert [event.step for event in events if event.name == "step.entered"] == [
        f"refund:0{number}" for number in range(1, 5)
    ]


def test_a_run_is_carried_out_by_one_process_at_a_time(journal: Journal) -> None:
    run = started(journal)
    question(run)
    with pytest.raises(StoreFailed):
        resume_run(run.id, journal, PersonBackend())
    run.stop()
    assert run.wait(PATIENCE_S)


def cut_off_at(journal: Journal, run: Run, kind: str) -> Journal:
    """A journal that ends with the first event of *kind* of *run*, as if it had been killed there."""
    events = journal.check(run.id)
    other = Journal(journal.path.with_name("cut.sqlite"))
    for name in ("pb_hash", "plan_hash"):
        other.keep(journal.kept(encoded(events[0].payload)[name]))
    other.append(events[: kinds(events).index(kind) + 1])
    return other


@pytest.mark.parametrize("kind", ["input.given", "llm.response", "tool.call"])
def test_what_a_person_has_entered_is_not_asked_about_again(journal: Journal, kind: str) -> None:
    run = started(journal)
    asked = enter(run, "lookup", "120 EUR")
    question(run, asked)
    run.leave()
    run.wait(PATIENCE_S)
    cut = cut_off_at(journal, run, kind)
    again = resume_run(run.id, cut, PersonBackend())
    assert question(again).step == "refund:02"
    assert dict(again.state.variables) == {"lookup": "120 EUR"}
    again.stop()
    again.wait(PATIENCE_S)
    cut.close()


def test_a_call_of_somebody_else_that_may_have_been_made_is_asked_about_with_its_result(journal: Journal) -> None:
    text = derive(SourceText(REFUND))
    walker = Watching(ScriptedCall("lookup")).using(Counting().tools("lookup", "send_gift", "refund"))
    run = start_run(text, journal, walker, RunOptions())
    assert run.wait(PATIENCE_S)
    cut = cut_off_at(journal, run, "tool.call")
    again = resume_run(run.id, cut, PersonBackend())
    doubt = question(again)
    assert doubt.choices == ("done", "skip")
    assert again.answer(doubt.id, Answer((("result", "120 EUR"),), choice=InDoubtChoice.DONE))
    assert question(again, doubt).step == "refund:02"
    assert dict(again.state.variables) == {"lookup": "120 EUR"}
    again.stop()
    again.wait(PATIENCE_S)
    cut.close()


def test_the_state_is_the_fold_of_the_journal(journal: Journal) -> None:
    run = started(journal)
    walk(run, "refund", "lookup", "done", "refund")
    assert run.wait(PATIENCE_S)
    assert fold(journal.check(run.id)) == run.state
    assert run.state.frames == ()
    assert tuple(run.drain()) == journal.check(run.id)


def test_what_a_tool_gave_is_a_variable_of_the_run(journal: Journal) -> None:
    run = started(journal)
    asked = enter(run, "lookup", "120 EUR")
    question(run, asked)
    assert dict(run.state.variables) == {"lookup": "120 EUR"}
    run.stop()
    run.wait(PATIENCE_S)


def test_a_required_step_that_keeps_failing_ends_the_run(journal: Journal) -> None:
    run = started(journal)
    asked: Request | None = None
    for _round in range(3):
        asked = question(run, asked)
        enter(run, "lookup", failure="the register is down")
    assert run.wait(PATIENCE_S)
    assert run.state.status is RunStatus.FAILED
    assert dict(run.state.step_statuses) == {"refund:01": StepStatus.FAILED}
    assert fold(journal.check(run.id)) == run.state


def test_steps_without_an_order_may_end_in_any(journal: Journal) -> None:
    text = (
        "id: list\nname: List\nstrict_sequence: false\nsteps:\n"
        "  - {id: a, description: A, expected_tools: [one, two]}\n"
        "  - {id: b, description: B, expected_tools: [three, four]}\n"
    )
    run = started(journal, text)
    walk(run, "one", "three", "two", "four")
    assert run.wait(PATIENCE_S)
    assert run.state.status is RunStatus.COMPLETED
    exits = [event.step for event in journal.check(run.id) if event.name == "step.exited"]
    assert exits == ["list:01", "list:02"]
    assert fold(journal.check(run.id)) == run.state


def test_spans_nest_run_step_call(journal: Journal) -> None:
    run = started(journal)
    walk(run, "lookup", "done", "refund")
    assert run.wait(PATIENCE_S)
    by_kind = {event.name: event for event in reversed(journal.check(run.id))}
    assert by_kind["step.entered"].parent == by_kind["playbook.entered"].span
    assert by_kind["tool.call"].parent == by_kind["step.entered"].span
    assert by_kind["llm.request"].parent == by_kind["step.entered"].span
    assert by_kind["step.entered"].line == 5


def test_steps_in_groups_have_the_addresses_of_the_text(journal: Journal) -> None:
    text = (
        "id: refund\nname: Refund\nstep_groups:\n  - id: prep\n    title: Prepare\n    steps:\n"
        "      - id: find\n        description: Find it\n        expected_tools: [lookup]\n"
    )
    run = started(journal, text)
    step = run.snapshot.at_address(question(run).step)
    assert step is not None
    assert step.text == "Find it"
    run.stop()
    run.wait(PATIENCE_S)


def test_where_nothing_is_blocked_everything_is_noted(journal: Journal) -> None:
    run = started(journal, is_recording_only=True)
    walk(run, "refund", "finish", "finish")
    assert run.wait(PATIENCE_S)
    events = journal.check(run.id)
    assert "tool.blocked" not in kinds(events)
    assert "plan.violation" in kinds(events)


@pytest.mark.parametrize("text", ["id: x\nname: X\nsteps: 3\n", "version: playbook.v2\nid: x\nname: X\nsteps: []\n"])
def test_what_cannot_be_run_is_refused_with_a_reason(journal: Journal, text: str) -> None:
    with pytest.raises(RunFailed):
        started(journal, text)
    assert journal.runs() == ()


def test_a_run_that_is_over_is_not_resumed_and_not_held(journal: Journal) -> None:
    run = started(journal)
    walk(run, "lookup", "done", "skip", "refund")
    assert run.wait(PATIENCE_S)
    with pytest.raises(RunFailed, match="cannot be resumed"):
        resume_run(run.id, journal, PersonBackend())
    assert not journal.runs()[0].is_live
