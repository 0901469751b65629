"""Breakpoints in the window: set beside the text and on the flowchart, kept with their steps, and stopped at."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from workbench.editing.commands import DeleteSteps, InsertStep, Place
from workbench.engine.debugging.breakpoints import Breakpoint, StopKind
from workbench.engine.journal.choices import RunStatus
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.breakpoints import DocumentStop
from workbench.gui.control.running.run_marks import MarkStatus
from workbench.gui.runs.breakpoints_dialog import BreakpointDialog, BreakpointsDialog
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.timeline.events.event_list import Column
from workbench.gui.timeline.timeline_panel import TimelinePanel
from workbench.gui.timeline.timeline_view import told_near
from workbench.gui.variables.variable_tree import VALUE
from workbench.gui.variables.variables_panel import VariablesPanel
from workbench.gui.words.values import read_form, written_form
from workbench.model.program import StepId

TEXT = """# Shop

## Main

### Steps

- $a = 1
- $b = Double($a)
- $c = $b + 1
- Return $c

## Double($x)

### Steps

- $y = $x * 2
- Return $y
"""


@pytest.fixture
def shop(window: MainWindow, tmp_path: Path) -> MainWindow:
    """A window with the shop open."""
    file = tmp_path / "shop.md"
    file.write_text(TEXT, "utf-8")
    window.context.documents.open(file)
    return window


def step(context: WindowContext, address: str) -> StepId:
    """The step of the document at *address*."""
    found = context.documents.snapshot.at_address(address)
    assert found is not None
    return found.id


def select(context: WindowContext, address: str) -> None:
    """Select one step."""
    context.selection.select((step(context, address),))


def stops(context: WindowContext) -> list[str]:
    """What stops a run of the document as it is now."""
    return [str(each) for each in context.breakpoints.of_document()]


def wait_for_stop(qtbot: QtBot, context: WindowContext, address: str) -> None:
    """Wait until the run is held before the step at *address*."""

    def is_held() -> bool:
        state, mark = context.runs.state, context.shown.marks.get(step(context, address))
        is_next = mark is not None and mark.status is MarkStatus.NEXT
        return state is not None and state.status is RunStatus.PAUSED and is_next

    qtbot.waitUntil(is_held)


def end(qtbot: QtBot, context: WindowContext) -> object:
    """Let the run go on to its end; what it gives."""
    with qtbot.waitSignal(context.runs.run_finished):
        context.actions.action("run.go-on").trigger()
    assert context.runs.run is not None
    return context.runs.run.result


# Setting them


def test_the_number_of_a_step_sets_a_breakpoint_and_takes_it_away(qtbot: QtBot, shop: MainWindow) -> None:
    gutter = shop.centre.source.editor.gutter
    for wanted in (["Main:01"], []):
        block = shop.centre.source.editor.document().findBlockByNumber(6)
        rect = shop.centre.source.editor.blockBoundingGeometry(block)
        rect.translate(shop.centre.source.editor.contentOffset())
        qtbot.mouseClick(gutter, Qt.MouseButton.LeftButton, pos=QPoint(gutter.width() - 10, round(rect.center().y())))
        assert stops(shop.context) == wanted


def test_a_line_without_a_step_says_that_no_run_can_stop_there(shop: MainWindow) -> None:
    told: list[object] = []
    shop.context.notices.noticed.connect(told.append)
    shop.centre.source.editor.gutter.number_clicked.emit(0)
    assert stops(shop.context) == [] and len(told) == 1


def test_the_key_sets_a_breakpoint_at_the_selected_step(shop: MainWindow) -> None:
    select(shop.context, "Main:02")
    shop.context.actions.action("step.breakpoint").trigger()
    assert stops(shop.context) == ["Main:02"]
    assert shop.centre.canvas.view.look.signs.keys() == {step(shop.context, "Main:02")}
    assert shop.centre.source.editor.gutter.sign_of(7) is not None


def test_a_note_cannot_have_one(window: MainWindow) -> None:
    context = window.context
    context.documents.open_text("# A\n## M\n### Steps\n- $a = 1\n### Notes\n- Be kind\n")
    (note,) = (
        part.steps[0].id
        for part in context.documents.snapshot.program.playbooks[0].sections
        if part.kind.value == "notes"
    )
    context.selection.select((note,))
    context.actions.action("step.breakpoint").trigger()
    assert stops(context) == []


def test_a_breakpoint_stays_with_its_step_and_comes_back_with_it(shop: MainWindow) -> None:
    context = shop.context
    wanted = step(context, "Main:02")
    context.breakpoints.toggle(wanted)
    context.documents.execute(InsertStep(Place("Main", None, None), "$z = 0"))
    assert stops(context) == ["Main:03"]
    context.documents.execute(DeleteSteps((wanted,)))
    context.documents.undo()
    assert stops(context) == ["Main:03"] and context.breakpoints.at(wanted) is not None


def test_breakpoints_are_there_again_when_the_file_is_opened_again(
    shop: MainWindow, another_window: MainWindow
) -> None:
    context = shop.context
    context.breakpoints.put(step(context, "Main:03"), Breakpoint(StopKind.STEP, "Main:03", "$b > 1"))
    context.documents.execute(InsertStep(Place("Main", None, None), "$z = 0"))
    context.documents.save()
    path = context.documents.document.path
    assert path is not None
    another_window.context.documents.open(path)
    assert stops(another_window.context) == ["Main:04 if $b > 1"]


def test_another_file_has_none_of_them(shop: MainWindow) -> None:
    shop.context.breakpoints.toggle(step(shop.context, "Main:02"))
    shop.context.documents.open_text(TEXT)
    assert stops(shop.context) == [] and shop.centre.canvas.view.look.signs == {}


# Stopping at them


def test_a_run_stops_where_the_dot_is_and_goes_on(qtbot: QtBot, shop: MainWindow) -> None:
    context = shop.context
    context.breakpoints.toggle(step(context, "Double:02"))
    context.actions.action("run.start").trigger()
    wait_for_stop(qtbot, context, "Double:02")
    assert end(qtbot, context) == 3


def test_the_keys_step_into_and_out_of_a_call(qtbot: QtBot, shop: MainWindow) -> None:
    context = shop.context
    context.breakpoints.toggle(step(context, "Main:02"))
    context.actions.action("run.start").trigger()
    wait_for_stop(qtbot, context, "Main:02")
    context.actions.action("run.step-into").trigger()
    wait_for_stop(qtbot, context, "Double:01")
    context.actions.action("run.step-out").trigger()
    wait_for_stop(qtbot, context, "Main:03")
    end(qtbot, context)


def test_a_step_goes_over_what_it_calls(qtbot: QtBot, shop: MainWindow) -> None:
    context = shop.context
    context.actions.action("run.step").trigger()
    for address in ("Main:01", "Main:02", "Main:03"):
        wait_for_stop(qtbot, context, address)
        context.actions.action("run.step").trigger()
    wait_for_stop(qtbot, context, "Main:04")
    end(qtbot, context)


def test_a_run_goes_up_to_the_selected_step(qtbot: QtBot, shop: MainWindow) -> None:
    context = shop.context
    select(context, "Double:01")
    context.actions.action("step.run-to").trigger()
    wait_for_stop(qtbot, context, "Double:01")
    select(context, "Main:04")
    context.actions.action("step.run-to").trigger()
    wait_for_stop(qtbot, context, "Main:04")
    end(qtbot, context)


def test_a_step_is_skipped(qtbot: QtBot, shop: MainWindow) -> None:
    context = shop.context
    select(context, "Main:03")
    context.actions.action("step.run-to").trigger()
    wait_for_stop(qtbot, context, "Main:03")
    context.actions.action("run.skip").trigger()
    wait_for_stop(qtbot, context, "Main:04")
    with qtbot.waitSignal(context.runs.run_finished):
        context.runs.go_on()
    assert context.runs.state is not None and context.runs.state.status is RunStatus.FAILED


def test_a_breakpoint_that_is_set_while_the_run_waits_counts(qtbot: QtBot, shop: MainWindow) -> None:
    context = shop.context
    context.actions.action("run.step").trigger()
    wait_for_stop(qtbot, context, "Main:01")
    context.breakpoints.toggle(step(context, "Double:02"))
    context.actions.action("run.go-on").trigger()
    wait_for_stop(qtbot, context, "Double:02")
    context.breakpoints.toggle(step(context, "Double:02"))
    end(qtbot, context)


# The dialogs


def test_a_condition_is_said_in_the_dialog(qtbot: QtBot, shop: MainWindow) -> None:
    context = shop.context
    dialog = BreakpointDialog(context, step(context, "Main:03"), shop)
    qtbot.addWidget(dialog)
    dialog.condition.setText("$b >")
    dialog.buttons.accepted.emit()
    assert dialog.problem.text() and stops(context) == []
    dialog.condition.setText("$b > 1")
    dialog.from_hit.setValue(2)
    dialog.log.setText("b is {$b}")
    dialog.buttons.accepted.emit()
    assert stops(context) == ["Main:03 if $b > 1 from 2 log b is {$b}"]


def test_all_breakpoints_are_listed_added_switched_off_and_removed(qtbot: QtBot, shop: MainWindow) -> None:
    context = shop.context
    context.breakpoints.toggle(step(context, "Main:02"))
    dialog = BreakpointsDialog(context, shop)
    qtbot.addWidget(dialog)
    dialog.written.setText("Main:99")
    dialog.add.click()
    assert "Main:99" in dialog.problem.text()
    dialog.written.setText("tool:refund if $a > 1")
    dialog.add.click()
    dialog.switch(StopKind.ERROR, is_on=True)
    assert stops(context) == ["Main:02", "tool:refund if $a > 1", "error"]
    dialog.list.item(0).setCheckState(Qt.CheckState.Unchecked)
    assert [each.is_on for each in context.breakpoints.of_document()] == [False, True, True]
    dialog.list.setCurrentRow(1)
    dialog.remove.click()
    assert stops(context) == ["Main:02", "error"]


def test_a_breakpoint_at_no_step_is_kept_with_the_file(shop: MainWindow, another_window: MainWindow) -> None:
    shop.context.breakpoints.replace_all([DocumentStop(Breakpoint(StopKind.ERROR))])
    path = shop.context.documents.document.path
    assert path is not None
    another_window.context.documents.open(path)
    assert stops(another_window.context) == ["error"]


# Variables


def test_a_variable_of_a_held_run_is_changed_where_it_is_shown(qtbot: QtBot, shop: MainWindow) -> None:
    context = shop.context
    panel = shop.panes.panel("variables")
    assert isinstance(panel, VariablesPanel)
    context.breakpoints.toggle(step(context, "Main:03"))
    context.actions.action("run.start").trigger()
    wait_for_stop(qtbot, context, "Main:03")
    panel._refresh()
    row = panel.tree.row_of("$b")
    assert row is not None
    panel.tree.setCurrentItem(row, VALUE)
    panel.editing.edit_current()
    line = panel.tree.findChild(QLineEdit)
    assert line is not None and line.text() == "2"
    line.setText("41")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: context.runs.state is not None and context.runs.state.variables.get("b") == 41)
    assert end(qtbot, context) == 42


def test_a_variable_of_a_run_that_goes_on_is_not_changed(qtbot: QtBot, shop: MainWindow) -> None:
    context = shop.context
    panel = shop.panes.panel("variables")
    assert isinstance(panel, VariablesPanel)
    with qtbot.waitSignal(context.runs.run_finished):
        context.actions.action("run.start").trigger()
    assert not panel.editing.can_edit


@pytest.mark.parametrize("value", ["a text", "5", "[1]", "true", "", "null", 5, 1.5, None, True, [1, "a"], {"k": "ü"}])
def test_a_value_is_typed_as_it_is_shown(value: object) -> None:
    assert read_form(written_form(value)) == value


def timeline_of(window: MainWindow) -> TimelinePanel:
    """The pane of *window*."""
    found = window.panes.panel("timeline")
    assert isinstance(found, TimelinePanel)
    return found


def test_a_log_point_is_asked_of_the_run_that_is_shown(qtbot: QtBot, shop: MainWindow) -> None:
    context = shop.context
    timeline_of(shop)
    assert not BreakpointDialog(context, step(context, "Double:02"), shop).past.button.isEnabled()
    with qtbot.waitSignal(context.runs.run_finished):
        context.runs.start()
    dialog = BreakpointDialog(context, step(context, "Double:02"), shop)
    dialog.log.setText("{$x} gives {$y}")
    dialog.past.button.click()
    qtbot.waitUntil(lambda: dialog.past.lines.count() == 1)
    line = dialog.past.lines.item(0)
    assert line.text().endswith("  1 gives 2")
    board = timeline_of(shop).board
    (seq,) = context.shown.lines.told
    qtbot.waitUntil(lambda: board.events.model.rowCount() > seq)  # events are listed a little after they are told
    cell = board.events.model.index(seq, Column.SUMMARY)
    assert cell.data().startswith("◆ 1 gives 2")
    ((at_ns, _words),) = board.view.lines
    assert told_near(board.view, QPointF(board.view.navigator.window.x_of(at_ns), 3)) == ["1 gives 2"]
    hide = next(each for each in board.events.table.actions() if each.isVisible() and "log point" in each.text())
    hide.trigger()
    assert not board.view.lines and not cell.data().startswith("◆") and not hide.isVisible()
    dialog.past.lines.itemActivated.emit(line)
    qtbot.waitUntil(lambda: context.shown.moments.moment is not None)
    dialog.condition.setText("$x >")
    dialog.past.button.click()
    assert "cannot be read" in dialog.past.lines.item(0).text()
