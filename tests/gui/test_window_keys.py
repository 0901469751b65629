"""Keys in the real window: they reach what has the focus, and never steal from a text field."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QApplication, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from workbench.gui.shell.main_window import MainWindow

TEXT = "# Desk\n\n## Main\n\n### Steps\n\n- Ask user for $name\n- Tell user their order status\n- End program\n"
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def opened(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> MainWindow:
    """The window with a small playbook, in front."""
    path = tmp_path / "desk.md"
    path.write_text(TEXT)
    with qtbot.waitActive(window):
        window.activateWindow()
    window.files.open_path(path)
    return window


def text_of(window: MainWindow) -> str:
    """The document as it is now."""
    return window.context.documents.snapshot.text


def select(window: MainWindow, index: int) -> None:
    """Select the step at *index*."""
    window.context.selection.select((window.context.documents.snapshot.program.playbooks[0].steps[index].id,))


def test_the_flowchart_has_the_focus_after_opening(opened: MainWindow) -> None:
    assert opened.centre.canvas.isAncestorOf(opened.focusWidget())


def test_undo_takes_back_typing_in_the_source_once(opened: MainWindow, qtbot: QtBot) -> None:
    opened.centre.source.setFocus()
    qtbot.keyClicks(opened.focusWidget(), "x")
    assert text_of(opened) == f"x{TEXT}"
    qtbot.keyClick(opened.focusWidget(), Qt.Key.Key_Z, CONTROL)
    assert text_of(opened) == TEXT


def test_undo_from_the_flowchart_takes_back_what_was_typed_in_the_source(opened: MainWindow, qtbot: QtBot) -> None:
    opened.centre.source.setFocus()
    qtbot.keyClicks(opened.focusWidget(), "x")
    opened.centre.canvas.setFocus()
    qtbot.keyClick(opened.focusWidget(), Qt.Key.Key_Z, CONTROL)
    assert text_of(opened) == TEXT


def test_delete_in_the_flowchart_deletes_the_selected_step(opened: MainWindow, qtbot: QtBot) -> None:
    select(opened, 1)
    qtbot.keyClick(opened.focusWidget(), Qt.Key.Key_Delete)
    assert "order status" not in text_of(opened)


def test_delete_and_backspace_in_a_field_leave_the_selected_step_alone(opened: MainWindow, qtbot: QtBot) -> None:
    select(opened, 1)
    qtbot.keyClick(opened.focusWidget(), Qt.Key.Key_F, CONTROL)
    qtbot.keyClicks(opened.find_bar.field, "ab")
    for key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace, Qt.Key.Key_Backspace, Qt.Key.Key_Backspace):
        qtbot.keyClick(opened.find_bar.field, key)
    assert text_of(opened) == TEXT


def test_alt_and_arrows_move_the_selected_step(opened: MainWindow, qtbot: QtBot) -> None:
    select(opened, 1)
    qtbot.keyClick(opened.focusWidget(), Qt.Key.Key_Up, ALT)
    assert text_of(opened).index("order status") < text_of(opened).index("$name")


def test_the_command_palette_opens_and_gives_the_focus_back(opened: MainWindow, qtbot: QtBot) -> None:
    before = opened.focusWidget()
    qtbot.keyClick(before, Qt.Key.Key_P, CONTROL | SHIFT)
    assert opened.command_palette.isVisible()
    qtbot.keyClick(opened.command_palette.field, Qt.Key.Key_Escape)
    assert not opened.command_palette.isVisible()
    assert opened.focusWidget() is before


def test_find_can_be_left_with_escape(opened: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(opened.focusWidget(), Qt.Key.Key_F, CONTROL)
    qtbot.keyClick(opened.find_bar.field, Qt.Key.Key_Escape)
    assert not opened.find_bar.isVisible()
    assert opened.centre.canvas.isAncestorOf(opened.focusWidget())


def test_save_writes_the_file(opened: MainWindow, qtbot: QtBot) -> None:
    select(opened, 2)
    qtbot.keyClick(opened.focusWidget(), Qt.Key.Key_Delete)
    qtbot.keyClick(opened.focusWidget(), Qt.Key.Key_S, CONTROL)
    path = opened.context.documents.file_state.path
    assert path is not None
    assert path.read_text() == text_of(opened) != TEXT


def test_every_pane_can_be_reached_with_the_keyboard(opened: MainWindow, qtbot: QtBot) -> None:
    reached = set()
    places = {
        "canvas": opened.centre.canvas,
        "source": opened.centre.source,
        **{name: opened.panes.panel(name) for name in ("outline", "palette", "run")},
    }
    for _step in range(8):
        qtbot.keyClick(opened.focusWidget(), Qt.Key.Key_F6, CONTROL)
        reached |= {name for name, pane in places.items() if pane.isAncestorOf(opened.focusWidget())}
    assert reached == set(places)


def test_the_way_back_is_the_same(opened: MainWindow, qtbot: QtBot) -> None:
    before = opened.focusWidget()
    qtbot.keyClick(before, Qt.Key.Key_F6, CONTROL)
    qtbot.keyClick(opened.focusWidget(), Qt.Key.Key_F6, CONTROL | SHIFT)
    assert opened.focusWidget() is before


def test_closing_the_find_bar_gives_the_keys_back_to_who_had_them(opened: MainWindow, qtbot: QtBot) -> None:
    source = opened.centre.source.editor
    for came_from in (source, opened.centre.canvas.view):
        came_from.setFocus()
        qtbot.keyClick(came_from, Qt.Key.Key_F, CONTROL)
        qtbot.keyClick(opened.find_bar.field, Qt.Key.Key_Escape)
        assert opened.focusWidget() is came_from


def test_a_click_in_the_source_ends_the_writing_in_a_block_and_keeps_the_keys(opened: MainWindow, qtbot: QtBot) -> None:
    select(opened, 1)
    opened.context.actions.trigger("step.edit")
    qtbot.keyClicks(opened.centre.canvas.tools.writing.editor, " now")
    qtbot.mouseClick(opened.centre.source.editor.viewport(), Qt.MouseButton.LeftButton)
    assert opened.focusWidget() is opened.centre.source.editor
    assert "order status now" in text_of(opened)


def test_tab_goes_through_all_that_can_be_seen_and_through_nothing_else(opened: MainWindow, qtbot: QtBot) -> None:
    opened.panes.fill()
    first = opened.panes.panel("outline").focusProxy()
    assert first is not None
    first.setFocus()
    reached: list[QWidget] = []
    while not reached or opened.focusWidget() is not first:
        opened.focusNextPrevChild(True)
        reached.append(opened.focusWidget())
        assert len(reached) < 100
    seen = [each.isVisible() and opened.rect().contains(each.mapTo(opened, each.rect().center())) for each in reached]
    assert [each for each, is_seen in zip(reached, seen, strict=True) if not is_seen] == []
    assert {opened.centre.canvas.view, opened.centre.source.editor} < set(reached)
    opened.focusNextPrevChild(False)
    assert opened.focusWidget() is reached[-2]
    tables = [each for each in opened.findChildren(QAbstractItemView) if each.tabKeyNavigation()]
    texts = [
        each for each in opened.findChildren(QPlainTextEdit) if not each.tabChangesFocus() and not each.isReadOnly()
    ]
    assert [each for each in tables if each.focusPolicy() & Qt.FocusPolicy.TabFocus] == []
    assert texts == [opened.centre.source.editor], "all others let Tab go on"


def test_tab_in_the_outline_goes_on_and_inserts_nothing(opened: MainWindow, qtbot: QtBot) -> None:
    select(opened, 1)
    opened.panes.panel("outline").setFocus()
    tree = opened.focusWidget()
    qtbot.keyClick(tree, Qt.Key.Key_Tab)
    assert opened.focusWidget() is not tree
    assert not opened.centre.canvas.isAncestorOf(opened.focusWidget())


def test_keys_enlarge_move_float_and_close_the_pane_they_go_to(opened: MainWindow, qtbot: QtBot) -> None:
    dock, area = opened.panes.dock("outline"), Qt.DockWidgetArea
    opened.panes.panel("outline").setFocus()
    before = dock.width()

    def has_keys() -> bool:
        focused = QApplication.focusWidget()
        return focused is not None and dock.isAncestorOf(focused)

    do = opened.context.actions.trigger
    do("view.enlarge-pane")
    QApplication.processEvents()
    assert dock.width() > before
    do("view.move-pane")
    assert opened.dockWidgetArea(dock) is area.BottomDockWidgetArea
    do("view.float-pane")
    assert dock.isFloating()
    qtbot.waitUntil(has_keys)
    do("view.float-pane")
    assert not dock.isFloating()
    qtbot.waitUntil(has_keys)
    do("view.close-pane")
    assert not dock.isVisible()
    opened.centre.source.setFocus()
    do("view.enlarge-pane")
    assert not opened.centre.canvas.isVisible()
    do("view.enlarge-pane")
    assert opened.centre.canvas.isVisible()
    do("view.move-pane")
    assert opened.centre.isVisible()
