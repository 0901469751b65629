"""Several documents in one window: each has its tab, its history and its view, and nothing is lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QMessageBox
from pytestqt.qtbot import QtBot

from tests.gui.conftest import Windows
from workbench.editing.commands import AddPlaybook, EditText
from workbench.editing.keeping.storage import DiskState
from workbench.gui.control.document_controller import KeptDocument
from workbench.gui.control.running.window_runs import Phase
from workbench.gui.control.tabs.session import SESSION_NAME
from workbench.gui.files import file_dialogs
from workbench.gui.shell.main_window import MainWindow
from workbench.model.program import StepId
from workbench.syntax.change import TextEdit
from workbench.syntax.text import Span

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def text_of(name: str, steps: int = 40) -> str:
    lines = "".join(f"- Tell user {name} {number}\n" for number in range(steps))
    return f"# {name}\n\n## Main\n\n### Steps\n\n- If $x is 1\n  - Tell user inside\n{lines}"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    paths = tuple(tmp_path / f"{name}.md" for name in ("one", "two", "three"))
    for path in paths:
        path.write_text(text_of(path.stem))
    return paths[0], paths[1], paths[2]


def names(window: MainWindow) -> list[str]:
    """What the tabs say."""
    return [window.tab_bar.tabText(place) for place in range(window.tab_bar.count())]


def open_all(window: MainWindow, files: tuple[Path, ...]) -> None:
    for path in files:
        window.files.open_path(path)


def do(window: MainWindow, action: str) -> None:
    window.context.actions.trigger(action)


def edit(window: MainWindow, name: str = "Other") -> None:
    window.context.documents.execute(AddPlaybook(name))


def shown(window: MainWindow) -> str:
    path = window.context.documents.file_state.path
    return path.name if path is not None else ""


def answer(window: MainWindow, button: QMessageBox.StandardButton) -> None:
    dialog = window.files.guard.dialog
    assert dialog is not None
    dialog.button(button).click()


def marked_steps(window: MainWindow) -> set[StepId]:
    """The steps of the shown document that have a mark of a run."""
    marks = window.context.shown.marks
    return {step for step in window.context.documents.snapshot.where if marks.get(step) is not None}


def test_a_second_file_gets_a_tab_of_its_own_and_nothing_is_asked(
    window: MainWindow, files: tuple[Path, ...], tmp_path: Path
) -> None:
    window.files.open_path(files[0])
    edit(window)
    open_all(window, files[1:])
    assert window.files.guard.dialog is None
    assert names(window) == ["● one.md", "two.md", "three.md"]
    assert window.tab_bar.tabToolTip(0) == f"{files[0]}\nunsaved changes"
    window.files.open_path(tmp_path / "." / "two.md")
    assert (shown(window), len(names(window))) == ("two.md", 3)
    other = tmp_path / "below" / "one.md"
    other.parent.mkdir()
    other.write_text("# Other\n")
    window.files.open_path(other)
    assert names(window)[0] == f"● one.md – {tmp_path.name}"
    assert "one.md – below" in names(window)


def test_a_tab_comes_back_as_it_was_left(window: MainWindow, files: tuple[Path, ...]) -> None:
    documents, source, canvas = window.context.documents, window.centre.source, window.centre.canvas
    window.files.open_path(files[0])
    edit(window)
    steps = [step.id for step in documents.snapshot.program.playbooks[0].steps]
    canvas.tools.folding.toggle(steps[0])
    window.context.selection.select((steps[30],))
    source.editor.place_caret(len(documents.snapshot.text) - 9, len(documents.snapshot.text) - 12)
    window.context.actions.trigger("view.zoom-in")
    before = documents.views.put_away()
    step_ids = set(documents.snapshot.where)
    window.files.open_path(files[1])
    assert step_ids.isdisjoint(documents.snapshot.where)
    edit(window, "Second")
    assert step_ids.isdisjoint(documents.snapshot.where)
    do(window, "tab.previous")
    assert documents.views.put_away() == before
    assert documents.file_state.is_dirty
    documents.undo()
    assert documents.snapshot.text == text_of("one")
    do(window, "tab.next")
    assert "## Second" in documents.snapshot.text


def test_tabs_can_be_moved_and_closed_and_opened_again_where_they_were(
    window: MainWindow, files: tuple[Path, ...], qtbot: QtBot
) -> None:
    open_all(window, files)
    qtbot.keyClick(window, Qt.Key.Key_PageUp, CONTROL | SHIFT)
    assert names(window) == ["one.md", "three.md", "two.md"]
    window.centre.source.editor.place_caret(30)
    qtbot.keyClick(window, Qt.Key.Key_W, CONTROL)
    assert (names(window), shown(window)) == (["one.md", "two.md"], "two.md")
    qtbot.keyClick(window, Qt.Key.Key_T, CONTROL | SHIFT)
    assert (names(window), shown(window)) == (["one.md", "three.md", "two.md"], "three.md")
    assert window.centre.source.sync.caret == 30
    place = window.tab_bar.tabRect(0).center()
    qtbot.mouseClick(window.tab_bar, Qt.MouseButton.MiddleButton, pos=place)
    assert (names(window), shown(window)) == (["three.md", "two.md"], "three.md")
    do(window, "file.close-others")
    do(window, "file.close")
    assert window.tab_bar.isHidden()
    assert window.centre.currentWidget() is window.centre.welcome
    files[2].unlink()
    do(window, "file.reopen")
    assert "three.md" in window.banners.banners[0].notice.text


def test_ctrl_tab_goes_through_the_files_in_the_order_of_use(
    window: MainWindow, files: tuple[Path, ...], qtbot: QtBot
) -> None:
    open_all(window, files)
    do(window, "tab.recent")
    assert shown(window) == "two.md"
    do(window, "tab.recent")
    assert shown(window) == "three.md"
    window.centre.source.setFocus()
    keys = window.windowHandle()
    QTest.keyPress(keys, Qt.Key.Key_Tab, CONTROL)
    QTest.keyPress(keys, Qt.Key.Key_Tab, CONTROL)
    switcher = window.tab_switcher
    assert switcher.isVisible()
    assert [switcher.list.item(row).text().split()[0] for row in range(3)] == ["three.md", "two.md", "one.md"]
    QTest.keyRelease(keys, Qt.Key.Key_Tab, CONTROL)
    assert not switcher.isVisible()
    assert shown(window) == "one.md"


def test_the_menu_of_a_tab_is_about_that_tab(window: MainWindow, files: tuple[Path, ...], qtbot: QtBot) -> None:
    open_all(window, files)
    edit(window)
    place = window.tab_bar.tabRect(0).center()
    QApplication.clipboard().clear()
    for words, left in (("Copy path", 3), ("Close others", 3), ("Close saved files", 1)):
        qtbot.mouseMove(window.tab_bar, place)
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, window.tab_bar.mapToGlobal(place))
        QApplication.sendEvent(window.tab_bar, event)
        (menu,) = (each for each in window.tab_bar.findChildren(QMenu) if each.isVisible())
        next(each for each in menu.actions() if each.text() == words).trigger()
        menu.close()
        if words == "Close others":
            answer(window, QMessageBox.StandardButton.Cancel)
        assert len(names(window)) == left
    assert QApplication.clipboard().text() == str(files[0])


def test_closing_the_window_asks_for_each_unsaved_file(
    window: MainWindow, files: tuple[Path, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    open_all(window, files)
    for name in ("one.md", "two.md"):
        window.files.open_path(tmp_path / name)
        edit(window)
    window.context.tabs.open_document(KeptDocument(window.context.documents.beside("# New\n")))
    edit(window)
    window.close()
    assert shown(window) == "one.md"
    answer(window, QMessageBox.StandardButton.Discard)
    assert shown(window) == "two.md"
    assert window.isVisible()
    monkeypatch.setattr(file_dialogs, "ask_where_to_save", lambda *_: tmp_path / "new.md")
    answer(window, QMessageBox.StandardButton.SaveAll)
    assert not window.isVisible()
    assert files[0].read_text() == text_of("one")
    assert "## Other" in files[1].read_text()
    assert "## Other" in (tmp_path / "new.md").read_text()


def test_save_all_saves_every_file_and_goes_back_to_the_shown_one(window: MainWindow, files: tuple[Path, ...]) -> None:
    for path in files:
        window.files.open_path(path)
        edit(window)
    window.files.open_path(files[1])
    do(window, "file.save-all")
    assert all("## Other" in path.read_text() for path in files)
    assert shown(window) == "two.md"
    assert not window.context.tabs.dirty


def test_a_file_that_changes_behind_its_tab_is_taken_or_told(
    window: MainWindow, files: tuple[Path, ...], qtbot: QtBot
) -> None:
    open_all(window, files[:2])
    edit(window)
    window.files.open_path(files[2])
    for path in files[:2]:
        path.write_text(text_of("another"))
    tabs = window.context.tabs.tabs
    qtbot.waitUntil(lambda: tabs[1].state.disk is DiskState.CHANGED)
    assert window.tab_bar.tabToolTip(1).endswith("unsaved changes\nchanged by another program")
    kept = tabs[0].kept
    assert kept is not None
    qtbot.waitUntil(lambda: kept.document.snapshot.text == text_of("another"))
    window.files.open_path(files[1])
    assert "two.md" in window.banners.banners[0].notice.text
    window.files.open_path(files[0])
    assert window.banners.banners == ()
    window.context.documents.undo()
    assert window.context.documents.snapshot.text == text_of("one")


def test_a_run_of_a_file_behind_another_goes_on_and_its_tab_says_so(
    window: MainWindow, tmp_path: Path, files: tuple[Path, ...], qtbot: QtBot
) -> None:
    asking = tmp_path / "ask.md"
    asking.write_text("# A\n## Main\n### Triggers\n- At the beginning\n### Steps\n- Ask user for $name\n")
    window.files.open_path(asking)
    window.context.runs.start()
    qtbot.waitUntil(lambda: any(run.phase is Phase.ASKS for run in window.context.runs.going))
    marked = marked_steps(window)
    assert marked
    window.files.open_path(files[0])
    assert window.tab_bar.tabToolTip(0).endswith("a run waits for you")
    assert not window.tab_bar.tabIcon(0).isNull()
    window.context.runs.stop()
    qtbot.waitUntil(lambda: not window.context.runs.going)
    qtbot.waitUntil(lambda: window.tab_bar.tabIcon(0).isNull())
    window.files.open_path(asking)
    qtbot.waitUntil(lambda: marked_steps(window) == marked)


def test_the_session_is_there_again_and_only_the_shown_file_is_read(
    window: MainWindow, open_window: Windows, files: tuple[Path, ...]
) -> None:
    window.show_session(is_in_front=True)
    open_all(window, files)
    window.centre.source.editor.place_caret(50)
    do(window, "tab.previous")
    window.centre.source.editor.place_caret(40)
    window.close()
    files[0].unlink()
    again = open_window.in_front()
    again.show_session(is_in_front=True)
    assert (names(again), shown(again)) == (["one.md", "two.md", "three.md"], "two.md")
    assert again.centre.source.sync.caret == 40
    assert str(files[0]) in again.banners.banners[0].notice.text
    assert [tab.kept for tab in again.context.tabs.tabs] == [None, None, None]
    do(again, "tab.next")
    assert (shown(again), again.centre.source.sync.caret) == ("three.md", 50)
    do(again, "tab.next")
    assert (shown(again), len(names(again))) == ("three.md", 3)
    assert "one.md" in again.banners.banners[-1].notice.text


DAMAGED_VIEWS = {
    "canvas": {"place": [1, "a", -4], "folded": 3},
    "source": {"caret": [99999, 7], "top": [-1], "folded": [12345]},
}


DAMAGED = [
    *("{", "[]", '{"tabs": 3}', '{"windows": 3}', '{"windows": [3, {}, {"sides": [3, []], "geometry": "§"}]}'),
    '{"tabs": [3, {}, {"path": 1}, {"path": PATH}]}',
    '{"windows": [{"sides": [[], [{"path": PATH}], 4], "front": 7, "widths": ["a", -1], "geometry": 3}]}',
]


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_session_keeps_no_window_from_opening(
    window: MainWindow, files: tuple[Path, ...], damage: str
) -> None:
    session = window.context.places.windows_dir / SESSION_NAME
    session.parent.mkdir(parents=True, exist_ok=True)
    session.write_text(damage.replace("PATH", f'{json.dumps(str(files[0]))}, "views": {json.dumps(DAMAGED_VIEWS)}'))
    window.show_session(is_in_front=True)
    assert names(window) == (["one.md"] if "PATH" in damage else [])


def test_what_is_only_looked_at_gives_its_tab_to_the_next(window: MainWindow, files: tuple[Path, ...]) -> None:
    tabs = window.context.tabs
    window.files.open_path(files[0])
    tabs.open(files[1], is_preview=True)
    tabs.open(files[2], is_preview=True)
    assert names(window) == ["one.md", "three.md"]
    window.context.documents.execute(EditText((TextEdit(Span(0, 0), "x"),)))
    tabs.open(files[1], is_preview=True)
    assert names(window) == ["one.md", "● three.md", "two.md"]
    window.tab_bar.tabBarDoubleClicked.emit(2)
    assert not any(tab.is_preview for tab in tabs.tabs)


def test_a_banner_about_the_text_stands_above_its_own_document_only(
    window: MainWindow, files: tuple[Path, ...]
) -> None:
    window.files.open_path(files[0])
    edit(window)
    files[0].write_text(text_of("another") + "## Third\n")
    window.context.documents.check_disk()
    window.banners.banners[0].buttons[0].click()
    topics = [banner.topic for banner in window.banners.banners]
    assert "conflicts" in topics
    window.files.open_path(files[1])
    assert window.banners.banners == ()
    window.files.open_path(files[0])
    assert [banner.topic for banner in window.banners.banners] == topics
