"""Starting, steering and resuming real runs from the window's controllers."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from workbench.disk.places import Places
from workbench.editing.commands import InsertStep, Place
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.run_events import PlaybookEntered
from workbench.engine.options import RunOptions
from workbench.engine.ports import Answer
from workbench.gui.control.context import WindowContext, window_context
from workbench.gui.control.running.run_feed import BUDGET_MS, LARGEST_BATCH, SMALLEST_BATCH, next_limit
from workbench.gui.control.running.run_marks import MarkStatus
from workbench.gui.control.running.run_questions import ArgumentsQuestion, TrustQuestion

HEAD = "# Desk\n\n## Main\n\n### Steps\n\n"
ASKING = HEAD + '- $n = 1\n- Ask user for $name\n- Tell user "Hello, $name!"\n- Return $name\n'
LOOPING = HEAD + "- $n = 0\n- While $n < 300\n  - $n = $n + 1\n- Return $n\n"
FAILING = HEAD + "- If 1 < 2\n  - $n = 1 / 0\n"
FENCE = "```python\n@playbook\ndef two() -> int:\n    return 2\n```\n\n"
PYTHON = f"# Desk\n\n{FENCE}## Main\n\n### Steps\n\n- $n = two()\n- Return $n\n"


def run_to_end(qtbot: QtBot, context: WindowContext, text: str) -> None:
    """Run *text*, which asks nothing."""
    context.documents.open_text(text)
    with qtbot.waitSignal(context.runs.run_finished):
        context.runs.start()


def wait_for_question(qtbot: QtBot, context: WindowContext) -> str:
    """The id of the question that the run waits for."""
    qtbot.waitUntil(lambda: context.runs.request is not None)
    assert context.runs.request is not None
    return context.runs.request.id


def status_of(context: WindowContext, address: str) -> MarkStatus:
    """The mark of a step of the document."""
    step = context.documents.snapshot.at_address(address)
    assert step is not None
    return context.shown.marks[step.id].status


def test_every_event_of_a_run_arrives_once_and_in_order(qtbot: QtBot, context: WindowContext) -> None:
    batches: list[tuple[object, ...]] = []
    context.runs.events_arrived.connect(batches.append)
    run_to_end(qtbot, context, LOOPING)
    numbers = [event.seq for batch in batches for event in batch]
    assert context.runs.run is not None
    assert numbers == list(range(len(context.runs.host.events(context.runs.run.id))))


def test_a_question_is_shown_once_all_that_led_to_it_is_told(
    qtbot: QtBot, context: WindowContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.gui.control.running.run_feed.next_limit", lambda *_: 1)
    monkeypatch.setattr("workbench.gui.control.running.run_feed.FIRST_BATCH", 1)
    told: list[str] = []
    context.runs.events_arrived.connect(lambda batch: told.extend(event.name for event in batch))
    context.documents.open_text(ASKING)
    with qtbot.waitSignal(context.runs.request_changed):
        context.runs.start()
    assert told[-1] == "input.asked"


def test_the_state_that_views_see_is_the_fold_of_all_events(qtbot: QtBot, context: WindowContext) -> None:
    run_to_end(qtbot, context, LOOPING)
    assert context.runs.run is not None
    assert context.runs.state == context.runs.run.state
    assert context.runs.state is not None
    assert context.runs.state.result == 300


def test_an_answer_goes_to_the_run_and_the_run_goes_on(qtbot: QtBot, context: WindowContext) -> None:
    context.documents.open_text(ASKING)
    context.runs.start()
    request = wait_for_question(qtbot, context)
    with qtbot.waitSignal(context.runs.run_finished):
        assert context.runs.answer(request, Answer(values=(("name", "Ada"),)))
    assert context.runs.state is not None
    assert context.runs.state.result == "Ada"


def test_marks_tell_waiting_and_done(qtbot: QtBot, context: WindowContext) -> None:
    context.documents.open_text(ASKING)
    context.runs.start()
    wait_for_question(qtbot, context)
    assert (status_of(context, "Main:01"), status_of(context, "Main:02")) == (MarkStatus.DONE, MarkStatus.WAITING)


def test_marks_stay_with_their_steps_while_the_document_is_edited(qtbot: QtBot, context: WindowContext) -> None:
    run_to_end(qtbot, context, LOOPING)
    context.documents.execute(InsertStep(Place("Main"), "$before = 1"))
    assert status_of(context, "Main:02") is MarkStatus.DONE
    first = context.documents.snapshot.at_address("Main:01")
    assert first is not None
    assert first.id not in context.shown.marks


def test_a_failed_step_is_marked_with_what_went_wrong(qtbot: QtBot, context: WindowContext) -> None:
    run_to_end(qtbot, context, FAILING)
    step = context.documents.snapshot.at_address("Main:01.01")
    assert step is not None
    assert context.shown.marks[step.id].status is MarkStatus.FAILED
    assert "zero" in context.shown.marks[step.id].detail


def test_a_loop_counts_its_rounds(qtbot: QtBot, context: WindowContext) -> None:
    run_to_end(qtbot, context, LOOPING)
    step = context.documents.snapshot.at_address("Main:02")
    assert step is not None
    assert context.shown.marks[step.id].iterations == 300


def test_a_run_can_be_stepped_from_the_start(qtbot: QtBot, context: WindowContext) -> None:
    context.documents.open_text(ASKING)
    context.runs.start(RunOptions(start_paused=True))
    qtbot.waitUntil(lambda: _status(context) is RunStatus.PAUSED)
    context.runs.step()
    qtbot.waitUntil(lambda: len(context.shown.marks) == 1 and _status(context) is RunStatus.PAUSED)
    context.runs.go_on()
    assert wait_for_question(qtbot, context)


def test_a_pause_shows_the_step_that_comes_next(qtbot: QtBot, context: WindowContext) -> None:
    context.documents.open_text(ASKING)
    context.runs.start(RunOptions(start_paused=True))
    qtbot.waitUntil(lambda: _status(context) is RunStatus.PAUSED)
    assert status_of(context, "Main:01") is MarkStatus.NEXT
    context.runs.step()
    qtbot.waitUntil(lambda: len(context.shown.marks) == 2 and _status(context) is RunStatus.PAUSED)
    assert (status_of(context, "Main:01"), status_of(context, "Main:02")) == (MarkStatus.DONE, MarkStatus.NEXT)
    second = context.documents.snapshot.at_address("Main:02")
    assert second is not None
    assert context.shown.place == second.id


def test_a_step_that_came_next_and_never_began_is_as_it_was(qtbot: QtBot, context: WindowContext) -> None:
    context.documents.open_text(ASKING)
    context.runs.start(RunOptions(start_paused=True))
    qtbot.waitUntil(lambda: _status(context) is RunStatus.PAUSED)
    with qtbot.waitSignal(context.runs.run_finished):
        context.runs.stop()
    assert len(context.shown.marks) == 0


def test_a_condition_that_did_not_hold_was_not_skipped(qtbot: QtBot, context: WindowContext) -> None:
    run_to_end(qtbot, context, HEAD + "- If 1 > 2\n  - $n = 1\n- Else if 1 > 3\n  - $n = 2\n- Return 1\n")
    assert [status_of(context, f"Main:0{number}") for number in (1, 2)] == [MarkStatus.NO, MarkStatus.NO]


def test_what_a_run_was_at_when_it_was_stopped_was_not_skipped(qtbot: QtBot, context: WindowContext) -> None:
    context.documents.open_text(ASKING)
    context.runs.start()
    wait_for_question(qtbot, context)
    with qtbot.waitSignal(context.runs.run_finished):
        context.runs.stop()
    assert status_of(context, "Main:02") is MarkStatus.STOPPED


def _status(context: WindowContext) -> RunStatus | None:
    return context.runs.state.status if context.runs.state is not None else None


def test_stop_ends_a_run_that_waits_for_an_answer(qtbot: QtBot, context: WindowContext) -> None:
    context.documents.open_text(ASKING)
    context.runs.start()
    wait_for_question(qtbot, context)
    with qtbot.waitSignal(context.runs.run_finished):
        context.runs.stop()
    assert _status(context) is RunStatus.CANCELLED
    assert context.runs.request is None


def test_a_run_that_was_left_goes_on_in_the_next_window(
    qtbot: QtBot, context: WindowContext, own_places: Places
) -> None:
    context.documents.open_text(ASKING)
    context.runs.start()
    wait_for_question(qtbot, context)
    context.runs.leave()
    later = window_context(own_places, context.documents)
    cut_off = later.runs.host.runs()[0]
    assert cut_off.is_resumable
    events: list[object] = []
    later.runs.events_arrived.connect(events.extend)
    later.runs.resume(cut_off.id)
    request = wait_for_question(qtbot, later)
    with qtbot.waitSignal(later.runs.run_finished):
        later.runs.answer(request, Answer(values=(("name", "Ada"),)))
    assert [event.seq for event in events] == list(range(len(events)))  # type: ignore[attr-defined]
    assert later.runs.state is not None
    assert later.runs.state.result == "Ada"


def test_python_runs_only_after_it_was_trusted_and_is_asked_once(qtbot: QtBot, context: WindowContext) -> None:
    context.documents.open_text(PYTHON)
    with qtbot.waitSignal(context.runs.trust_needed) as asked:
        context.runs.start()
    question = asked.args[0]
    assert isinstance(question, TrustQuestion)
    assert "def two" in question.code
    assert context.runs.run is None
    with qtbot.waitSignal(context.runs.run_finished):
        context.runs.trust(question)
    with qtbot.waitSignal(context.runs.run_finished):
        context.runs.start()
    assert context.runs.state is not None
    assert context.runs.state.result == 2


def test_changed_python_is_asked_about_again(qtbot: QtBot, context: WindowContext) -> None:
    context.settings.change(lambda settings: settings.with_trust("of other code"))
    context.documents.open_text(PYTHON.replace("return 2", "return 3"))
    with qtbot.waitSignal(context.runs.trust_needed):
        context.runs.start()


def test_parameters_without_a_value_are_asked_for(qtbot: QtBot, context: WindowContext) -> None:
    context.documents.open_text("# Desk\n\n## Main($city, $days=3)\n\n### Steps\n\n- Return $city\n")
    with qtbot.waitSignal(context.runs.arguments_needed) as asked:
        context.runs.start()
    question = asked.args[0]
    assert isinstance(question, ArgumentsQuestion)
    assert [parameter.name for parameter in question.parameters] == ["city"]


def test_a_parameter_that_is_compared_with_a_number_is_asked_for_as_one(qtbot: QtBot, context: WindowContext) -> None:
    context.documents.open_text("# Desk\n## Main($n, $zip)\n### Steps\n- If $n > 5\n  - Return $zip\n")
    with qtbot.waitSignal(context.runs.arguments_needed) as asked:
        context.runs.start()
    assert [parameter.type for parameter in asked.args[0].parameters] == ["number", ""]


def test_every_playbook_that_starts_by_itself_is_started(qtbot: QtBot, context: WindowContext) -> None:
    head = "### Triggers\n- At the beginning\n### Steps\n"
    run_to_end(qtbot, context, f"# Desk\n## One\n{head}- $n = 1\n## Two\n{head}- $n = 2\n")
    assert context.runs.run is not None
    events = context.runs.host.events(context.runs.run.id)
    entered = [event.payload.playbook for event in events if isinstance(event.payload, PlaybookEntered)]
    assert entered == ["One", "Two"]


def test_a_file_without_a_playbook_says_why_it_cannot_run(qtbot: QtBot, context: WindowContext) -> None:
    context.documents.open_text("Just words.\n")
    with qtbot.waitSignal(context.runs.run_refused) as refused:
        context.runs.start()
    assert "no playbook" in refused.args[0]


def test_a_key_that_is_pressed_twice_starts_one_run(qtbot: QtBot, context: WindowContext) -> None:
    context.documents.open_text(ASKING)
    context.runs.start()
    with qtbot.waitSignal(context.runs.run_refused):
        context.runs.start()
    wait_for_question(qtbot, context)
    assert len(context.runs.all) == 1


def test_a_journal_that_cannot_be_opened_is_told(qtbot: QtBot, context: WindowContext, own_places: Places) -> None:
    own_places.data_dir.mkdir(parents=True)
    Path(own_places.runs_file).write_bytes(b"this is no database" * 100)
    context.documents.open_text(LOOPING)
    with qtbot.waitSignal(context.runs.run_refused):
        context.runs.start()
    assert not context.runs.is_running


def test_the_path_of_the_file_is_kept_with_the_run(qtbot: QtBot, context: WindowContext, tmp_path: Path) -> None:
    file = tmp_path / "loop.md"
    file.write_text(LOOPING, encoding="utf-8")
    context.documents.open(file)
    with qtbot.waitSignal(context.runs.run_finished):
        context.runs.start()
    assert context.runs.host.runs()[0].path == str(file)


@pytest.mark.parametrize(("handled", "took_ms"), [(100, 0.0), (100, 40.0), (1, 0.01), (4096, 900.0)])
def test_batches_shrink_and_grow_within_bounds(handled: int, took_ms: float) -> None:
    limit = next_limit(handled, took_ms)
    assert SMALLEST_BATCH <= limit <= LARGEST_BATCH
    assert limit in {SMALLEST_BATCH, LARGEST_BATCH} or limit * took_ms / handled <= BUDGET_MS * 1.01


def test_a_run_that_fails_is_told_as_failed(qtbot: QtBot, context: WindowContext) -> None:
    run_to_end(qtbot, context, FAILING)
    assert context.runs.run is not None
    assert context.runs.host.events(context.runs.run.id)[-1].name == "run.failed"
    assert not context.runs.is_running


def test_another_document_is_not_marked_by_the_run_of_the_first(qtbot: QtBot, context: WindowContext) -> None:
    run_to_end(qtbot, context, LOOPING)
    address = "Main:01"
    assert context.shown.steps.id_of(address) is not None
    context.documents.open_text(ASKING)
    assert len(context.shown.marks) == 0
    assert context.shown.steps.id_of(address) is None


def test_a_trigger_that_fired_is_marked_and_does_not_run_for_ever(qtbot: QtBot, context: WindowContext) -> None:
    trigger = "\n## Count\n\n### Triggers\n\n- When $n > 1\n\n### Steps\n\n- $m = 1\n"
    run_to_end(qtbot, context, HEAD + "- $n = 2\n- Return $n\n" + trigger)
    assert status_of(context, "Count:T1") is MarkStatus.DONE
    assert status_of(context, "Count:01") is MarkStatus.DONE
