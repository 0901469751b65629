"""Completing names while words are written: variables of the file, playbooks, Python functions."""

from __future__ import annotations

import re

from PySide6.QtCore import QPoint, Qt, Slot
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QPlainTextEdit, QWidget

from workbench.i18n import _
from workbench.model.snapshot import Snapshot

_VARIABLE = re.compile(r"\$[^\W\d]\w*")
_BEGUN = re.compile(r"\$\w*$|\b[^\W\d]\w+$")
_WIDTH_PX = 220
_ROWS = 8
_OFFSET = QPoint(0, 6)


def names_in(snapshot: Snapshot) -> tuple[str, ...]:
    """Every name that a step of *snapshot* may use, sorted: ``$total``, ``CheckOrder``."""
    program = snapshot.program
    called = [playbook.name for playbook in program.playbooks] + [function.name for function in program.functions]
    return tuple(sorted({*_VARIABLE.findall(snapshot.text), *called}, key=str.casefold))


def begun_name(before_cursor: str) -> str:
    """The name that is being written at the end of *before_cursor*, empty where none is."""
    found = _BEGUN.search(before_cursor)
    return found.group() if found is not None else ""


class WordCompletion(QListWidget):
    """A list below the cursor of a field, inside the same window: Enter and Tab take a name, Esc closes it."""

    def __init__(self, field: QPlainTextEdit, parent: QWidget) -> None:
        super().__init__(parent)
        self._field = field
        self._canvas = parent
        self._names: tuple[str, ...] = ()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFixedWidth(_WIDTH_PX)
        self.setAccessibleName(_("Names"))
        self.itemClicked.connect(self._on_item_clicked)
        self.hide()

    def set_names(self, names: tuple[str, ...]) -> None:
        """Offer *names* from now on."""
        self._names = names
        self.hide()

    def offer(self) -> None:
        """Open the list where a name has been begun, close it where not."""
        begun = begun_name(self._before_cursor())
        fitting = [name for name in self._names if name.casefold().startswith(begun.casefold()) and name != begun]
        self.clear()
        if not begun or not fitting:
            self.hide()
            return
        self.addItems(fitting[:_ROWS])
        self.setCurrentRow(0)
        self.setFixedHeight(self.count() * self.sizeHintForRow(0) + 4)
        self.move(self._field.mapTo(self._canvas, self._field.cursorRect().bottomLeft()) + _OFFSET)
        self.show()
        self.raise_()

    def takes(self, key: int) -> bool:
        """Act on *key* while the list is open; false where it belongs to the field."""
        if self.isHidden():
            return False
        if key in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab}:
            self._insert(self.currentItem().text())
        elif key in {Qt.Key.Key_Up, Qt.Key.Key_Down}:
            step = 1 if key == Qt.Key.Key_Down else -1
            self.setCurrentRow((self.currentRow() + step) % self.count())
        elif key == Qt.Key.Key_Escape:
            self.hide()
        else:
            return False
        return True

    def _before_cursor(self) -> str:
        cursor = self._field.textCursor()
        cursor.movePosition(QTextCursor.MoveOperation.StartOfBlock, QTextCursor.MoveMode.KeepAnchor)
        return cursor.selectedText()

    @Slot(QListWidgetItem)
    def _on_item_clicked(self, item: QListWidgetItem) -> None:
        self._insert(item.text())

    def _insert(self, name: str) -> None:
        """Put *name* where its beginning stands."""
        cursor = self._field.textCursor()
        begun = begun_name(self._before_cursor())
        cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor, len(begun))
        cursor.insertText(name)
        self._field.setTextCursor(cursor)
        self.hide()
