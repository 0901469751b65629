"""The open document is compared with what it was: each change is shown, and taken back by itself."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from workbench.editing.commands import EditText
from workbench.gui.files import file_dialogs
from workbench.gui.fixes.fix_preview import preview_fix
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.versions.revision_dialog import RevisionDialog
from workbench.gui.versions.version_dialog import VersionDialog
from workbench.syntax.change import TextEdit
from workbench.syntax.diagnostics import Fix
from workbench.syntax.text import Span

BOOK = "# Shop\n\n## Main\n\n- Ask user for $name\n- Pack the parcel\n- Weigh the parcel\n- Call the van\n"
CHANGED = BOOK.replace("Pack the", "Pack every").replace("- Call the van\n", "- Wait for the van\n- Close\n")


@pytest.fixture
def shop(window: MainWindow, tmp_path: Path) -> MainWindow:
    """A window with a playbook open that has unsaved changes."""
    file = tmp_path / "shop.md"
    file.write_bytes(BOOK.encode())
    window.context.documents.open(file)
    write(window, CHANGED)
    return window


def write(window: MainWindow, text: str) -> None:
    """Make *text* what the document is."""
    documents = window.context.documents
    documents.execute(EditText((TextEdit(Span(0, len(documents.snapshot.text)), text),), "Write"))


def text_of(window: MainWindow) -> str:
    return window.context.documents.snapshot.text


def opened(qtbot: QtBot, window: MainWindow) -> VersionDialog:
    """The dialog that was opened last, once it shows what differs."""
    dialog = window.findChildren(VersionDialog)[-1]
    wait_for(qtbot, dialog)
    return dialog


def wait_for(qtbot: QtBot, dialog: VersionDialog) -> None:
    """Return when *dialog* shows what differs now."""
    qtbot.waitUntil(lambda: dialog.differences is not None or bool(dialog.said.text()))


def told(dialog: VersionDialog) -> list[str]:
    model = dialog.view.changes
    return [str(model.index(row).data()) for row in range(model.rowCount())]


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", str(folder), *who, *words], check=True, capture_output=True)


def test_each_change_since_the_last_save_is_told_and_taken_back_by_itself(qtbot: QtBot, shop: MainWindow) -> None:
    shop.context.actions.trigger("version.saved")
    dialog = opened(qtbot, shop)
    assert told(dialog) == [
        "≠  Main:02\nchanged: Pack every parcel",
        "≠  Main:04\nchanged: Wait for the van",
        "+  Main:05\nadded: Close",
    ]
    assert dialog.view.current == 0
    said: list[str] = []
    shop.announcer.announced.connect(said.append)
    dialog.next.setFocus()
    QTest.keyClick(dialog, Qt.Key.Key_F7)
    assert dialog.view.current == 1
    qtbot.waitUntil(lambda: bool(said))
    assert said[0].startswith("2 of ")
    dialog.take.click()
    assert text_of(shop) == CHANGED.replace("Wait for", "Call")
    assert dialog.differences is None  # until both have been looked at again
    wait_for(qtbot, dialog)
    assert len(told(dialog)) == 2
    QTest.keyClick(dialog, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert text_of(shop) == CHANGED
    wait_for(qtbot, dialog)
    dialog.take_all.click()
    wait_for(qtbot, dialog)
    assert (text_of(shop), told(dialog), dialog.summary.text()) == (BOOK, [], "Both versions are the same.")
    assert not dialog.take_all.isEnabled()


def test_what_is_compared_follows_edits_and_saving(qtbot: QtBot, shop: MainWindow) -> None:
    shop.context.actions.trigger("version.saved")
    dialog = opened(qtbot, shop)
    write(shop, CHANGED + "- More\n")
    wait_for(qtbot, dialog)
    assert len(told(dialog)) == 4
    shop.context.documents.save()
    qtbot.waitUntil(lambda: told(dialog) == [])
    shop.context.documents.open_text("# Other\n\n- Step\n")
    assert "Another document" in dialog.said.text()
    assert not dialog.take_all.isEnabled()


def test_flowcharts_and_lines_show_the_change_that_is_chosen(qtbot: QtBot, shop: MainWindow) -> None:
    shop.context.actions.trigger("version.saved")
    dialog = opened(qtbot, shop)
    before, now = dialog.view.charts
    assert [mark.words for mark in before.marks.values()] == ["changed", "changed"]
    assert sorted(mark.words for mark in now.marks.values()) == ["added", "changed", "changed"]
    for chart in (before, now):
        chart.shown.finish()
        assert not chart.grab().isNull()
    pack = next(box for box in now.shown.boxes.values() if "Pack" in box.content.text)
    assert [pack.content.text[start:end] for start, end in pack.content.differing] == ["every"]
    call = next(box for box in before.shown.boxes.values() if "Call" in box.content.text)
    assert call.content.is_former
    place = now.state.layout.place_of(next(step for step, mark in now.marks.items() if mark.words == "added"))
    assert place is not None
    at = now.mapFromScene(place.x + place.width / 2, place.y + place.height - 3)
    QTest.mouseClick(now.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(at))
    assert dialog.view.current == 2
    lines = dialog.view.table.lines
    row = dialog.view.table.currentIndex().row()
    assert [lines.line(row, column) for column in range(2)] == [None, "- Close"]
    assert lines.index(row, 1).data(Qt.ItemDataRole.AccessibleTextRole) == "line 9, differs: - Close"
    packed = next(at for at in range(lines.rowCount()) if lines.line(at, 0) == "- Pack the parcel")
    assert (lines.line(packed, 1), lines.marks(packed, 0)) == ("- Pack every parcel", ((7, 10),))
    dialog.view.list.activated.emit(dialog.view.list.currentIndex())
    (step,) = shop.context.selection.selected
    assert shop.context.documents.snapshot.step(step).text == "Close"


def test_any_revision_of_git_can_be_compared_with(qtbot: QtBot, shop: MainWindow, tmp_path: Path) -> None:
    old = tmp_path / "store.md"
    old.write_bytes(BOOK.replace("Weigh the parcel", "Weigh it").encode())
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "store.md")
    git(tmp_path, "commit", "-q", "-m", "Begin <b>here</b>")
    git(tmp_path, "mv", "-f", "store.md", "shop.md")
    (tmp_path / "shop.md").write_bytes(BOOK.encode())
    git(tmp_path, "commit", "-q", "-am", "Weigh the parcel")
    shop.context.actions.trigger("version.head")
    dialog = opened(qtbot, shop)
    assert len(told(dialog)) == 3
    shop.context.actions.trigger("version.revision")
    choice = shop.findChild(RevisionDialog)
    qtbot.waitUntil(lambda: choice.list.topLevelItemCount() == 2)
    (first, second) = (choice.list.topLevelItem(row) for row in range(2))
    assert first is not None and second is not None
    assert [first.text(1), first.text(2), second.text(2)] == ["Ada", "Weigh the parcel", "Begin <b>here</b>"]
    choice.list.setCurrentItem(second)
    QTest.keyClick(choice.list, Qt.Key.Key_Return)
    dialog = opened(qtbot, shop)
    assert told(dialog)[1] == "≠  Main:03\nchanged: Weigh the parcel"
    dialog.view.choose(1)
    dialog.take.click()
    assert text_of(shop) == CHANGED.replace("Weigh the parcel", "Weigh it")


def test_what_another_file_has_is_taken_over(
    qtbot: QtBot, shop: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other.md"
    other.write_bytes(CHANGED.replace("- Close\n", "- Lock up\n").encode())
    monkeypatch.setattr(file_dialogs, "ask_file_to_compare", lambda *_asked: other)
    shop.context.actions.trigger("version.file")
    dialog = opened(qtbot, shop)
    assert (told(dialog), dialog.take.text()) == (["≠  Main:05\nchanged: Close"], "Take over &theirs")
    dialog.take.click()
    assert text_of(shop) == other.read_text("utf-8")
    assert "Take over" in shop.context.documents.document.undo_label


def test_a_fix_is_looked_at_side_by_side_before_it_is_made(qtbot: QtBot, shop: MainWindow) -> None:
    start = CHANGED.index("Wait")
    fix = Fix("Hurry up", (TextEdit(Span(start, start + 4), "Call"),))
    preview_fix(shop.context, fix, shop, shop.pos()).show_beside()
    dialog = opened(qtbot, shop)
    assert (told(dialog), dialog.take.isVisible()) == (["≠  Main:04\nchanged: Call for the van"], False)
    dialog.apply_button.click()
    assert text_of(shop) == CHANGED.replace("Wait for", "Call for")
    assert shop.context.documents.document.undo_label == "Hurry up"


def test_what_was_proposed_is_not_done_to_another_text(qtbot: QtBot, shop: MainWindow) -> None:
    fix = Fix("Hurry up", (TextEdit(Span(0, 1), "##"),))
    preview_fix(shop.context, fix, shop, shop.pos()).show_beside()
    dialog = opened(qtbot, shop)
    write(shop, BOOK)
    dialog.apply_button.click()
    assert text_of(shop) == BOOK


def test_what_cannot_be_compared_says_why(qtbot: QtBot, shop: MainWindow) -> None:
    shop.context.actions.trigger("version.head")
    dialog = opened(qtbot, shop)
    assert dialog.said.text()
    assert not dialog.take.isEnabled()
    assert not dialog.save.isEnabled()


def test_the_comparison_can_be_saved_as_a_page(
    qtbot: QtBot, shop: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.html"
    monkeypatch.setattr(file_dialogs, "ask_comparison_file", lambda *_asked: page)
    shop.context.actions.trigger("version.saved")
    opened(qtbot, shop).save.click()
    assert "Wait for" in page.read_text("utf-8")
