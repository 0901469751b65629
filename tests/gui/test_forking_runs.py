"""A run is gone on with from an earlier event: the window shows before what comes of it, and why where it cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from workbench.engine.journal.choices import RunStatus
from workbench.gui.recorded.fork_dialog import ForkDialog
from workbench.gui.runs.asked_before import TrustDialog
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.timeline.bars.bars import BarKind
from workbench.gui.timeline.timeline_panel import TimelinePanel

TEXT = "# Shop\n\n## Main\n\n- $a = 1\n- $b = $a + 1\n- $c = $b * 10\n- Return $c\n"
FAILS = TEXT.replace("$b * 10", '$b["x"]')
PYTHON = '\n```python\n@playbook\nasync def ten(n: int) -> int:\n    """Ten times n."""\n    return n * 10\n```\n'


@pytest.fixture
def shop(window: MainWindow, tmp_path: Path) -> MainWindow:
    """A window with a playbook open."""
    file = tmp_path / "shop.md"
    file.write_text(TEXT, "utf-8")
    window.context.documents.open(file)
    return window


def ran(qtbot: QtBot, window: MainWindow, text: str = TEXT) -> None:
    """A run of *text* is over and shown."""
    opened(window, text)
    with qtbot.waitSignal(window.context.runs.run_finished):
        window.context.runs.start()
    qtbot.waitUntil(lambda: window.context.shown.is_settled)


def opened(window: MainWindow, text: str) -> None:
    file = window.context.documents.document.path
    assert file is not None
    file.write_text(text, "utf-8")
    window.context.documents.open(file)


def shown_again(qtbot: QtBot, window: MainWindow) -> None:
    """The newest run is shown, which was begun before the document was opened anew."""
    context = window.context
    context.shown.show(context.runs.host.runs()[0].id)
    qtbot.waitUntil(lambda: context.shown.is_settled)


def asked(qtbot: QtBot, window: MainWindow, action: str) -> ForkDialog:
    """The dialog, once it knows what comes of what is proposed."""
    window.context.actions.trigger(action)
    dialog = window.findChild(ForkDialog)
    known(qtbot, dialog)
    return dialog


def known(qtbot: QtBot, dialog: ForkDialog) -> None:
    qtbot.waitUntil(lambda: dialog.planned is not None or bool(dialog.said.text()))


def selected(window: MainWindow, address: str) -> None:
    step = window.context.documents.snapshot.at_address(address)
    assert step is not None
    window.context.selection.select((step.id,))


def forked(qtbot: QtBot, window: MainWindow, dialog: ForkDialog) -> object:
    """What the fork comes to."""
    runs = window.context.runs
    with qtbot.waitSignal(runs.run_finished):
        dialog.start.click()
    assert runs.state is not None
    assert runs.state.status is RunStatus.COMPLETED
    return runs.state.result


def changed(qtbot: QtBot, dialog: ForkDialog, name: str, value: str) -> None:
    """Type another *value* for the variable *name*."""
    table = dialog.variables
    names = [item.text() for row in range(table.rowCount()) if (item := table.item(row, 0)) is not None]
    cell = table.item(names.index(name), 1)
    assert cell is not None
    cell.setText(value)
    known(qtbot, dialog)


def test_a_run_is_gone_on_with_from_the_moment_that_is_shown_with_another_value(qtbot: QtBot, shop: MainWindow) -> None:
    ran(qtbot, shop)
    context = shop.context
    assert context.shown.view is not None
    events = context.runs.host.events(context.shown.view.id)
    seq = next(event.seq for event in events if event.name == "step.entered" and event.step == "Main:03") - 1
    context.shown.moments.go_to(seq)
    qtbot.waitUntil(lambda: context.shown.moment is not None)
    dialog = asked(qtbot, shop, "run.fork")
    assert dialog.point.currentText().startswith("The moment that is shown")
    assert not dialog.is_with_text.isEnabled()
    changed(qtbot, dialog, "$b", "7")
    assert "$b = 7" in dialog.lines.toPlainText()
    assert "2 steps stay done." in dialog.lines.toPlainText()
    assert forked(qtbot, shop, dialog) == 70
    fork = context.runs.host.runs()[0].fork
    assert fork is not None
    assert fork.seq == seq


def test_a_value_that_is_typed_back_changes_nothing(qtbot: QtBot, shop: MainWindow) -> None:
    ran(qtbot, shop)
    selected(shop, "Main:03")
    dialog = asked(qtbot, shop, "step.fork")
    changed(qtbot, dialog, "$b", "7")
    changed(qtbot, dialog, "$b", "2")
    assert dialog.planned is not None
    assert dialog.planned.plan.edited == ()


def test_a_run_that_failed_goes_on_before_the_selected_step_with_the_text_that_was_mended(
    qtbot: QtBot, shop: MainWindow
) -> None:
    ran(qtbot, shop, FAILS)
    opened(shop, TEXT)
    shown_again(qtbot, shop)
    selected(shop, "Main:03")
    dialog = asked(qtbot, shop, "step.fork")
    assert dialog.point.currentText() == "Before Main:03, where the run came to it last: $c = $b * 10"
    assert dialog.is_with_text.isChecked()
    assert forked(qtbot, shop, dialog) == 20


def test_the_text_that_was_carried_out_can_be_kept(qtbot: QtBot, shop: MainWindow) -> None:
    ran(qtbot, shop)
    opened(shop, TEXT.replace("* 10", "* 100"))
    shown_again(qtbot, shop)
    dialog = asked(qtbot, shop, "run.fork")
    dialog.is_with_text.setChecked(False)
    dialog.point.setCurrentIndex(dialog.point.count() - 1)
    dialog.point.activated.emit(dialog.point.currentIndex())
    known(qtbot, dialog)
    assert forked(qtbot, shop, dialog) == 20


def test_a_step_that_the_run_never_came_to_is_refused_with_the_reason(qtbot: QtBot, shop: MainWindow) -> None:
    ran(qtbot, shop, FAILS)
    selected(shop, "Main:04")
    dialog = asked(qtbot, shop, "step.fork")
    assert dialog.said.text() == "The run never came to step Main:04."
    assert not dialog.start.isEnabled()


def test_what_was_done_and_has_changed_is_told_before(qtbot: QtBot, shop: MainWindow) -> None:
    ran(qtbot, shop)
    opened(shop, TEXT.replace("$a = 1", "$a = 5"))
    shown_again(qtbot, shop)
    selected(shop, "Main:03")
    dialog = asked(qtbot, shop, "step.fork")
    told = [*dialog.lines.toPlainText().split("\n"), dialog.said.text()]
    assert any("Main:01" in line for line in told), told


def test_python_that_nobody_has_allowed_is_asked_about_before_a_fork_carries_it_out(
    qtbot: QtBot, shop: MainWindow
) -> None:
    ran(qtbot, shop)
    opened(shop, TEXT.replace("$b * 10", "ten($b)") + PYTHON)
    shown_again(qtbot, shop)
    selected(shop, "Main:03")
    dialog = asked(qtbot, shop, "step.fork")
    assert dialog.planned is not None, dialog.said.text()
    dialog.start.click()
    assert not shop.context.runs.is_running
    trust = shop.findChild(TrustDialog)
    with qtbot.waitSignal(shop.context.runs.run_finished):
        trust.accept()
    assert shop.context.runs.state is not None
    assert shop.context.runs.state.result == 20


def test_before_a_fork_with_another_text_the_text_is_shown_that_was_carried_out_there(
    qtbot: QtBot, shop: MainWindow
) -> None:
    ran(qtbot, shop)
    opened(shop, TEXT.replace("- $a = 1", "- $zero = 0\n- $a = $zero + 1").replace("$b * 10", "$b * 100"))
    shown_again(qtbot, shop)
    selected(shop, "Main:04")
    assert forked(qtbot, shop, asked(qtbot, shop, "step.fork")) == 200
    context, timeline = shop.context, shop.panes.panel("timeline")
    assert isinstance(timeline, TimelinePanel)
    for _time in ("as it goes on", "as it is read"):
        qtbot.waitUntil(lambda: context.shown.is_settled)
        table = timeline.board.view.table
        bars = [table.bar(at, index) for at, lane in enumerate(table.lanes) for index in range(len(lane))]
        labels = [timeline.board.run.words.label(bar) for bar in bars if bar.tint.kind is BarKind.STEP]
        assert labels == ["01 $a = 1", "02 $b = $a + 1", "04 $c = $b * 100", "05 Return $c"]
        document, executions = context.documents.snapshot, context.shown.executions
        assert executions is not None
        assert [executions.count(f"Main:0{number}") for number in range(1, 6)] == [0, 1, 1, 1, 1]
        context.shown.moments.go_to(bars[1].seq + 2)  # in the first step, as it stood there then
        qtbot.waitUntil(lambda: context.shown.moment is not None)
        second = document.at_address("Main:02")
        assert second is not None
        assert context.shown.place == second.id and [*context.shown.marks] == [second.id]
        shown_again(qtbot, shop)
