"""Local history in the window: states are listed, named, looked at beside the text as it is now, and restored."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog
from pytestqt.qtbot import QtBot

from workbench.editing.commands import EditText
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.versions.state_dialog import StateDialog
from workbench.gui.versions.version_dialog import VersionDialog
from workbench.syntax.change import TextEdit
from workbench.syntax.text import Span

FIRST = b"# Shop\r\n\r\n## Main\r\n\r\n- Pack the parcel\r\n- Weigh it"


@pytest.fixture
def shop(window: MainWindow, tmp_path: Path) -> MainWindow:
    """A window with a playbook open that was saved once."""
    file = tmp_path / "shop.md"
    file.write_bytes(FIRST)
    window.context.documents.open(file)
    write(window, "# Shop\n\n## Main\n\n- Pack the parcel\n")
    window.context.documents.save()
    return window


def write(window: MainWindow, text: str) -> None:
    documents = window.context.documents
    documents.execute(EditText((TextEdit(Span(0, len(documents.snapshot.text)), text),), "Write"))


def opened(qtbot: QtBot, window: MainWindow, count: int) -> StateDialog:
    """The list, once it has *count* states."""
    window.context.actions.trigger("version.history")
    dialog = window.findChildren(StateDialog)[-1]
    qtbot.waitUntil(lambda: dialog.list.topLevelItemCount() == count)
    return dialog


def cells(dialog: StateDialog) -> list[tuple[str, str]]:
    rows = [dialog.list.topLevelItem(row) for row in range(dialog.list.topLevelItemCount())]
    return [(row.text(1), row.text(2)) for row in rows if row is not None]


def answer(window: MainWindow | StateDialog, name: str) -> None:
    """Give *name* to whoever asks for one."""
    asked = window.findChildren(QInputDialog)[-1]
    asked.setTextValue(name)
    asked.accept()


def test_a_state_is_looked_at_and_restored_as_one_edit(qtbot: QtBot, shop: MainWindow) -> None:
    dialog = opened(qtbot, shop, 2)
    assert cells(dialog) == [("saved", ""), ("was there before", "")]
    QTest.keyClick(dialog.list, Qt.Key.Key_End)
    QTest.keyClick(dialog.list, Qt.Key.Key_Return)
    comparison = shop.findChild(VersionDialog)
    qtbot.waitUntil(lambda: comparison.differences is not None)
    assert "was there before" in comparison.names[0]
    dialog.restore.click()
    documents = shop.context.documents
    assert documents.snapshot.source.encode() == FIRST
    documents.save()
    assert documents.document.path is not None
    assert documents.document.path.read_bytes() == FIRST
    qtbot.waitUntil(lambda: dialog.list.topLevelItemCount() == 3)  # it follows what is saved
    documents.undo()
    assert documents.snapshot.text.count("\r") == 0


def test_states_are_named_now_and_afterwards(qtbot: QtBot, shop: MainWindow) -> None:
    write(shop, "# Idea\n")
    shop.context.actions.trigger("version.name")
    answer(shop, "Before the <b>rewrite</b>")
    dialog = opened(qtbot, shop, 3)
    assert cells(dialog)[0] == ("kept", "Before the <b>rewrite</b>")
    QTest.keyClick(dialog.list, Qt.Key.Key_End)
    dialog.name.click()
    answer(dialog, "The very first")
    qtbot.waitUntil(lambda: cells(dialog)[2] == ("was there before", "The very first"))


def test_a_document_without_a_file_has_no_history(qtbot: QtBot, shop: MainWindow) -> None:
    dialog = opened(qtbot, shop, 2)
    shop.context.documents.open_text("# New\n")
    assert cells(dialog) == []
    assert not dialog.restore.isEnabled()
    assert not shop.context.actions.action("version.history").isEnabled()
