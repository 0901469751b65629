"""One run at a time is shown, and by every pane: the one that goes on, or the one that was chosen."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolBar
from pytestqt.qtbot import QtBot

from workbench.editing.commands import InsertStep, Place
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.events import RunId
from workbench.engine.ports import Answer
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.run_marks import MarkStatus
from workbench.gui.inspector.inspector_panel import InspectorPanel
from workbench.gui.look.action_button import OfferButton
from workbench.gui.plan.plan_panel import PlanPanel
from workbench.gui.resume.resume_dialog import ResumeDialog
from workbench.gui.runs.run_panel import RunPanel
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.timeline.timeline_panel import TimelinePanel
from workbench.gui.variables.variable_tree import VALUE
from workbench.gui.variables.variables_panel import VariablesPanel
from workbench.i18n import duration_text

HEAD = "# Desk\n\n## Main\n\n"
TWO_ENDS = f'{HEAD}- Ask user for $n:int\n- If $n > 3\n  - Tell user "many"\n- Otherwise\n  - Tell user "few"\n'
ASKING = f"{HEAD}- Ask user for $name\n- Return $name\n"
STEPS = "id: tidy\nname: Tidy\nsteps:\n  - id: look\n    description: Look around\n    expected_tools: [look]\n"


def waiting(qtbot: QtBot, context: WindowContext) -> None:
    """Start a run, and wait for its question."""
    context.runs.start()
    qtbot.waitUntil(lambda: context.runs.request is not None)


def answered(qtbot: QtBot, context: WindowContext, n: int) -> RunId:
    """A run of TWO_ENDS that is over."""
    waiting(qtbot, context)
    assert context.runs.request is not None
    assert context.runs.run is not None
    with qtbot.waitSignal(context.runs.run_finished):
        context.runs.answer(context.runs.request.id, Answer(values=(("n", n),)))
    return context.runs.run.id


def stopped(qtbot: QtBot, context: WindowContext) -> RunId:
    """A run that was stopped at its question."""
    waiting(qtbot, context)
    assert context.runs.run is not None
    with qtbot.waitSignal(context.runs.run_finished):
        context.runs.stop()
    return context.runs.run.id


def looked_at(qtbot: QtBot, context: WindowContext, run: RunId) -> None:
    """Choose *run* as the list of the timeline does."""
    with qtbot.waitSignal(context.shown.settled):
        context.shown.show(run)


def status(context: WindowContext, address: str) -> MarkStatus | None:
    step = context.documents.snapshot.at_address(address)
    assert step is not None
    mark = context.shown.marks.get(step.id)
    return mark.status if mark is not None else None


def told(window: MainWindow) -> list[str]:
    """What the run pane tells."""
    panel = window.panes.panel("run")
    assert isinstance(panel, RunPanel)
    return [card.text for card in panel.conversation.cards]


def header(window: MainWindow) -> str:
    panel = window.panes.panel("run")
    assert isinstance(panel, RunPanel)
    return panel.header.words


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A playbook with two ends."""
    path = tmp_path / "ends.md"
    path.write_text(TWO_ENDS, encoding="utf-8")
    return path


@pytest.fixture
def chosen(qtbot: QtBot, window: MainWindow, file: Path) -> MainWindow:
    """The window after two runs, with the first of them chosen."""
    window.context.documents.open(file)
    first = answered(qtbot, window.context, 9)
    answered(qtbot, window.context, 1)
    looked_at(qtbot, window.context, first)
    return window


def test_the_flowchart_shows_the_run_that_was_chosen(chosen: MainWindow) -> None:
    step = chosen.context.documents.snapshot.at_address("Main:02.01")
    assert step is not None
    assert chosen.centre.canvas.view.look.marks[step.id].status is MarkStatus.DONE
    assert status(chosen.context, "Main:03.01") is None


def test_the_source_shows_the_run_that_was_chosen(chosen: MainWindow) -> None:
    status_of = chosen.centre.source.editor.gutter.status_of
    assert [status_of(line) for line in range(4, 9)] == ["done", "done", "done", None, None]


def test_the_conversation_is_that_of_the_run_that_was_chosen(chosen: MainWindow) -> None:
    assert "many" in told(chosen)
    assert "few" not in told(chosen)


def test_the_variables_are_those_of_the_run_that_was_chosen(qtbot: QtBot, chosen: MainWindow) -> None:
    panel = chosen.panes.panel("variables")
    assert isinstance(panel, VariablesPanel)
    chosen.panes.bring_forward("variables")
    qtbot.waitUntil(lambda: panel.tree.row_of("$n") is not None)
    item = panel.tree.row_of("$n")
    assert item is not None
    assert item.text(VALUE) == "9"


def test_the_inspector_tells_of_the_run_that_was_chosen(chosen: MainWindow) -> None:
    panel = chosen.panes.panel("inspector")
    assert isinstance(panel, InspectorPanel)
    step = chosen.context.documents.snapshot.at_address("Main:03.01")
    assert step is not None
    chosen.context.selection.select((step.id,))
    assert not panel.page.run.isVisible()


def test_the_timeline_shows_the_run_that_was_chosen(chosen: MainWindow) -> None:
    panel = chosen.panes.panel("timeline")
    assert isinstance(panel, TimelinePanel)
    assert chosen.context.shown.view is not None
    assert panel.runs.currentData() == chosen.context.shown.view.id
    assert panel.board.run is not None
    assert len(panel.board.run.events) == len(chosen.context.runs.host.events(chosen.context.shown.view.id))


def test_the_plan_is_that_of_the_run_that_was_chosen(qtbot: QtBot, window: MainWindow) -> None:
    window.context.documents.open_text(STEPS)
    first = stopped(qtbot, window.context)
    window.context.documents.open_text(STEPS.replace("Look around", "Look twice"))
    stopped(qtbot, window.context)
    looked_at(qtbot, window.context, first)
    panel = window.panes.panel("plan")
    assert isinstance(panel, PlanPanel)
    assert "Look around" in str(panel.table.model().index(0, 0).data())


def test_a_new_run_is_shown_instead(qtbot: QtBot, chosen: MainWindow) -> None:
    waiting(qtbot, chosen.context)
    assert chosen.context.shown.is_live
    assert told(chosen) == ["Run started", "Ask user for $n:int"]


def test_the_question_of_a_run_waits_while_another_run_is_looked_at(
    qtbot: QtBot, window: MainWindow, file: Path
) -> None:
    window.context.documents.open(file)
    first = answered(qtbot, window.context, 9)
    waiting(qtbot, window.context)
    looked_at(qtbot, window.context, first)
    panel = window.panes.panel("run")
    assert isinstance(panel, RunPanel)
    assert panel.form is None
    window.status.answer_requested.emit()
    qtbot.waitUntil(lambda: panel.form is not None and len(panel.conversation.cards) == 2)


def test_what_happens_while_a_run_is_read_is_not_lost(qtbot: QtBot, window: MainWindow, file: Path) -> None:
    window.context.documents.open(file)
    first = answered(qtbot, window.context, 9)
    waiting(qtbot, window.context)
    looked_at(qtbot, window.context, first)
    assert window.context.runs.request is not None
    window.context.shown.show_live()
    with qtbot.waitSignal(window.context.shown.settled):
        window.context.runs.answer(window.context.runs.request.id, Answer(values=(("n", 1),)))
    assert told(window)[-2:] == ["few", "Run completed"]


def test_steps_that_were_edited_since_keep_their_marks(qtbot: QtBot, window: MainWindow, file: Path) -> None:
    context = window.context
    context.documents.open(file)
    run = answered(qtbot, context, 9)
    context.documents.execute(InsertStep(Place("Main"), "$before = 1"))
    context.documents.save()
    context.documents.close()
    context.documents.open(file)
    looked_at(qtbot, context, run)
    assert [status(context, f"Main:0{number}") for number in (1, 2, 3)] == [None, MarkStatus.DONE, MarkStatus.DONE]


def test_a_run_of_another_file_marks_nothing(qtbot: QtBot, window: MainWindow, file: Path) -> None:
    window.context.documents.open(file)
    run = answered(qtbot, window.context, 9)
    window.context.documents.open_text(TWO_ENDS.replace("many", "a lot"))
    looked_at(qtbot, window.context, run)
    assert len(window.context.shown.marks) == 0
    assert header(window) == "Main in ends.md · completed"


def test_the_list_of_runs_names_their_files(chosen: MainWindow) -> None:
    panel = chosen.panes.panel("timeline")
    assert isinstance(panel, TimelinePanel)
    panel.runs.refresh()
    assert all("ends.md · Main" in panel.runs.itemText(row) for row in range(2))


def test_another_file_shows_nothing_of_the_run_of_the_first(qtbot: QtBot, window: MainWindow, file: Path) -> None:
    window.context.documents.open(file)
    answered(qtbot, window.context, 9)
    window.context.documents.open_text(ASKING)
    assert header(window) == "No run yet"
    assert told(window) == []


def test_a_run_that_goes_on_says_whose_it_is(qtbot: QtBot, window: MainWindow, file: Path) -> None:
    window.context.documents.open(file)
    waiting(qtbot, window.context)
    window.context.documents.open_text(ASKING)
    assert header(window) == "Main in ends.md · waiting for you"


def test_a_run_that_goes_on_marks_its_file_again(qtbot: QtBot, window: MainWindow, file: Path) -> None:
    window.context.documents.open(file)
    waiting(qtbot, window.context)
    window.context.documents.open_text(ASKING)
    window.context.documents.open(file)
    assert status(window.context, "Main:01") is MarkStatus.WAITING


@pytest.mark.parametrize("pane", ["run", "timeline"])
def test_a_stopped_run_can_be_resumed_where_it_is_told(qtbot: QtBot, window: MainWindow, pane: str) -> None:
    window.context.documents.open_text(ASKING)
    waiting(qtbot, window.context)
    window.panes.bring_forward(pane)
    offer = next(each for each in window.panes.panel(pane).findChildren(OfferButton))
    assert not offer.isVisible()
    with qtbot.waitSignal(window.context.runs.run_finished):
        window.context.runs.stop()
    assert offer.isVisible()
    offer.click()
    dialog = next(widget for widget in QApplication.topLevelWidgets() if isinstance(widget, ResumeDialog))
    dialog.accept()
    qtbot.waitUntil(lambda: window.context.runs.request is not None)


def test_the_run_menu_resumes_only_what_can_go_on(qtbot: QtBot, window: MainWindow, file: Path) -> None:
    action = window.context.actions.action("run.resume")
    window.context.documents.open(file)
    stopped(qtbot, window.context)
    assert action.isEnabled()
    answered(qtbot, window.context, 1)
    assert not action.isEnabled()


def test_clock_bars_and_badges_of_a_run_agree(qtbot: QtBot, window: MainWindow) -> None:
    window.context.documents.open_text(f"{HEAD}- $n = None\n- While $n is empty\n  - Ask user for $n:int\n")
    run = stopped(qtbot, window.context)
    qtbot.wait(20)
    window.context.runs.resume(run)
    qtbot.waitUntil(lambda: window.context.runs.request is not None)
    assert window.context.runs.request is not None
    with qtbot.waitSignal(window.context.shown.settled):
        window.context.runs.answer(window.context.runs.request.id, Answer(values=(("n", 1),)))
    panel = window.panes.panel("timeline")
    loop = window.context.documents.snapshot.at_address("Main:02")
    assert isinstance(panel, TimelinePanel)
    assert panel.board.run is not None
    assert loop is not None
    total_ns = window.context.shown.now_ns()
    assert duration_text(total_ns) in panel.board.run.summary()
    assert panel.board.view.table.end_ns == total_ns
    assert window.context.shown.marks[loop.id].elapsed_ms <= total_ns // 1_000_000


def test_a_live_run_lasts_until_now(qtbot: QtBot, window: MainWindow) -> None:
    window.context.documents.open_text(ASKING)
    waiting(qtbot, window.context)
    panel = window.panes.panel("timeline")
    assert isinstance(panel, TimelinePanel)
    assert panel.board.run is not None
    before_ns = panel.board.run.now_ns()
    qtbot.waitUntil(lambda: window.context.shown.now_ns() > before_ns + 20_000_000)
    assert panel.board.run.now_ns() > panel.board.view.table.end_ns + 20_000_000


def test_continue_stands_in_the_place_of_pause_and_has_its_key(qtbot: QtBot, window: MainWindow) -> None:
    window.activateWindow()
    qtbot.waitActive(window)
    window.context.documents.open_text(f"{HEAD}- $a = 1\n- $b = 2\n")
    window.context.actions.action("run.step").trigger()
    go_on, pause = (window.context.actions.action(name) for name in ("run.go-on", "run.pause"))
    qtbot.waitUntil(go_on.isEnabled)
    toolbar = next(bar for bar in window.findChildren(QToolBar))
    qtbot.waitUntil(toolbar.widgetForAction(go_on).isVisible)
    assert not toolbar.widgetForAction(pause).isVisible()
    with qtbot.waitSignal(window.context.runs.run_finished):
        QTest.keyClick(window.centre.canvas.view, Qt.Key.Key_F5)
    assert window.context.runs.state is not None
    assert window.context.runs.state.status is RunStatus.COMPLETED


def test_the_box_of_a_prompt_shows_that_the_run_is_there(qtbot: QtBot, window: MainWindow) -> None:
    context = window.context
    context.documents.open_text(
        "# Desk\n\n## Main\nexecution_mode: raw\n\nSay hello.\n\n### Triggers\n- At the beginning\n"
    )
    waiting(qtbot, context)
    qtbot.waitUntil(lambda: bool(context.shown.marks))
    marks = window.centre.canvas.view.look.marks
    assert {step: mark.status for step, mark in marks.items() if mark.visits} == {"prompt:Main": MarkStatus.WAITING}
    (box,) = (box for box in window.centre.canvas.view.shown.boxes.values() if box.content.text == "Say hello.")
    assert box.step == "prompt:Main"
    with qtbot.waitSignal(context.runs.run_finished):
        context.runs.stop()
