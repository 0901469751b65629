"""Two sides in a window, and several windows: the one in front is meant by menus, keys and panes."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from tests.gui.conftest import Windows
from workbench.editing.commands import AddPlaybook
from workbench.gui.control.tabs.session import SESSION_NAME, load_session
from workbench.gui.outline.outline_panel import OutlinePanel
from workbench.gui.shell.main_window import MainWindow

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def text_of(name: str) -> str:
    return f"# {name}\n\n## Main\n\n### Steps\n\n- Tell user {name}\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    paths = tmp_path / "one.md", tmp_path / "two.md"
    for path in paths:
        path.write_text(text_of(path.stem))
    return paths


def other_side(window: MainWindow) -> MainWindow:
    other = window.sides.other
    assert isinstance(other, MainWindow)
    return other


def edit(window: MainWindow) -> None:
    window.context.documents.execute(AddPlaybook("Other"))


def test_the_side_in_front_is_meant_by_menus_keys_and_panes(
    window: MainWindow, files: tuple[Path, ...], qtbot: QtBot
) -> None:
    for file in files:
        window.files.open_path(file)
    edit(window)
    window.context.actions.trigger("tab.beside")
    other = other_side(window)
    assert [tab.name for tab in window.context.tabs.tabs] == ["one.md"]
    assert [tab.name for tab in other.context.tabs.tabs] == ["two.md"]
    assert window.centre.canvas.isVisible()
    assert other.centre.canvas.isVisible()
    assert window.windowTitle().startswith("two.md")
    assert window.isWindowModified()
    assert other.centre.canvas.view.hasFocus()
    outline = window.panes.dock("outline").widget()
    assert isinstance(outline, OutlinePanel)
    assert outline is other.panes.panel("outline")
    qtbot.keyClick(window, Qt.Key.Key_Z, CONTROL)
    assert other.context.documents.snapshot.text == text_of("two")
    window.centre.source.editor.setFocus()
    assert window.windowTitle().startswith("one.md")
    assert window.panes.dock("outline").widget() is window.panes.panel("outline")
    edit(window)
    qtbot.keyClick(window, Qt.Key.Key_S, CONTROL)
    assert "## Other" in files[0].read_text()
    assert files[1].read_text() == text_of("two")
    visible = [action.text() for action in window.menuBar().actions() if action.isVisible()]
    assert len(visible) == len(set(visible)) == 7
    window.context.actions.trigger("tab.other-side")
    assert other.centre.canvas.view.hasFocus()


def test_the_second_side_goes_with_its_last_tab(window: MainWindow, files: tuple[Path, ...], qtbot: QtBot) -> None:
    for file in files:
        window.files.open_path(file)
    window.context.actions.trigger("tab.beside")
    other = other_side(window)
    edit(other)
    changed = other.context.documents.snapshot.text
    other.context.actions.trigger("tab.beside")
    qtbot.waitUntil(lambda: window.sides.other is None)
    assert [tab.name for tab in window.context.tabs.tabs] == ["one.md", "two.md"]
    assert window.context.documents.snapshot.text == changed
    window.context.documents.undo()
    assert window.context.documents.snapshot.text == text_of("two")
    assert window.status.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_W, CONTROL)
    assert [tab.name for tab in window.context.tabs.tabs] == ["one.md"]
    window.context.actions.trigger("tab.beside")
    assert other_side(window).context.documents.snapshot.text == text_of("one")
    assert window.centre.welcome.isVisible()


def test_the_second_side_leaves_nothing_behind(window: MainWindow, files: tuple[Path, ...], qtbot: QtBot) -> None:
    window.files.open_path(files[0])
    window.panes.dock("outline").raise_()
    left = []
    for _each in range(2):
        window.files.open_path(files[1])
        window.context.actions.trigger("tab.beside")
        assert isinstance(window.panes.dock("outline").widget(), OutlinePanel)
        other_side(window).context.actions.trigger("tab.beside")
        qtbot.waitUntil(lambda: window.sides.other is None)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        left.append(len(QApplication.allWidgets()))
    assert len(window.findChildren(OutlinePanel)) == 1
    assert left[0] == left[1]


def test_closing_asks_for_both_sides(window: MainWindow, files: tuple[Path, ...]) -> None:
    for file in files:
        window.files.open_path(file)
        edit(window)
    window.context.actions.trigger("tab.beside")
    other = other_side(window)
    other.context.actions.trigger("file.quit")
    first = window.files.guard.dialog
    assert first is not None
    first.button(QMessageBox.StandardButton.Save).click()
    second = other.files.guard.dialog
    assert second is not None
    second.button(QMessageBox.StandardButton.Cancel).click()
    assert window.isVisible()
    window.close()
    again = other.files.guard.dialog
    assert again is not None
    again.button(QMessageBox.StandardButton.Discard).click()
    assert not window.isVisible()
    assert "## Other" in files[0].read_text()
    assert files[1].read_text() == text_of("two")


def test_a_file_that_is_open_in_another_window_says_so_and_leads_there(
    window: MainWindow, open_window: Windows, files: tuple[Path, ...], qtbot: QtBot
) -> None:
    window.files.open_path(files[0])
    window.files.open_path(files[1])
    second = open_window.in_front()
    second.files.open_path(files[0])
    (banner,) = second.banners.banners
    assert "“one.md” is also open in another window" in banner.notice.text
    banner.buttons[0].click()
    qtbot.waitUntil(lambda: window.context.documents.file_state.path == files[0])
    second.files.open_path(files[1])
    window.context.actions.trigger("file.close-others")
    window.context.actions.trigger("file.close")
    second.files.open_path(files[0])
    assert second.banners.banners == ()


def test_a_tab_goes_into_a_window_of_its_own_with_its_history(window: MainWindow, files: tuple[Path, ...]) -> None:
    for file in files:
        window.files.open_path(file)
    edit(window)
    window.context.actions.trigger("tab.new-window")
    ((context, new),) = window.windows.opened
    assert [tab.name for tab in window.context.tabs.tabs] == ["one.md"]
    assert context.documents.file_state.path == files[1]
    context.documents.undo()
    assert context.documents.snapshot.text == text_of("two")
    steps = set(context.documents.snapshot.where)
    window.files.open_path(files[1])
    assert steps.isdisjoint(window.context.documents.snapshot.where)
    assert "another window" in window.banners.banners[0].notice.text
    new.close()
    assert not new.isVisible()


def paths(window: MainWindow) -> list[Path | None]:
    return [tab.path for tab in window.context.tabs.tabs]


def test_both_sides_are_there_again_as_they_were(window: MainWindow, open_window: Windows, tmp_path: Path) -> None:
    one, two, three, four = files = [tmp_path / f"{name}.md" for name in ("one", "two", "three", "four")]
    window.show_session(is_in_front=True)
    for file in files:
        file.write_text(text_of(file.stem) + "- Tell user more\n" * 40)
        window.files.open_path(file)
    window.context.actions.trigger("tab.beside")
    other = other_side(window)
    assert window.sides.splitter is not None
    window.sides.splitter.setSizes([500, 900])
    widths = window.sides.splitter.sizes()
    window.tab_actions.show(window.context.tabs.tabs[1])
    window.sides.move(window.context.tabs.tabs[2], window)
    other.tab_actions.show(other.context.tabs.tabs[0])
    other.centre.source.editor.place_caret(70)
    window.close()
    three.unlink()
    again = open_window.in_front()
    again.show_session(is_in_front=True)
    second = other_side(again)
    assert (paths(again), again.context.documents.file_state.path) == ([one, two], two)
    assert (paths(second), second.context.documents.file_state.path) == ([four, three], four)
    assert second.centre.source.sync.caret == 70
    assert again.windowTitle().startswith("four.md")
    assert again.sides.splitter is not None
    assert again.sides.splitter.sizes() == pytest.approx(widths, abs=4)
    assert "three.md" in again.banners.banners[0].notice.text


def further(window: MainWindow) -> MainWindow:
    found = window.session.windows[1]
    assert isinstance(found, MainWindow)
    return found


def test_further_windows_come_again_unless_they_were_closed_before_the_others(
    window: MainWindow, open_window: Windows, files: tuple[Path, Path], qtbot: QtBot
) -> None:
    window.show_session(is_in_front=True)
    window.files.open_path(files[0])
    window.windows.open().tabs.open(files[1])
    new = further(window)
    new.resize(790, 650)
    edit(new)
    window.context.actions.trigger("file.quit")
    question = new.files.guard.dialog
    assert question is not None
    question.button(QMessageBox.StandardButton.Cancel).click()
    assert window.isVisible()
    assert new.isVisible()
    new.context.documents.undo()
    window.context.actions.trigger("file.quit")
    assert not window.isVisible()
    again = open_window.in_front()
    again.show_session(is_in_front=True)
    qtbot.waitUntil(lambda: len(again.session.windows) == 2)
    new = further(again)
    assert (paths(again), paths(new)) == ([files[0]], [files[1]])
    assert (new.width(), new.height()) == (790, 650)
    new.context.actions.trigger("window.close")
    again.close()
    (kept,) = load_session(again.context.places.windows_dir / SESSION_NAME)
    assert kept.paths == files[:1]
