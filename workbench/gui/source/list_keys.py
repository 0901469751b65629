"""Enter, Tab and Shift+Tab in the source."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from workbench.gui.source.typing_help import after_enter, dedented, ends_list, indented

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_NO_MODIFIERS = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)


def handle_key(editor: QPlainTextEdit, event: QKeyEvent) -> bool:
    """Do what *event* means in a list; False where it has its usual meaning."""
    if event.key() in _ENTER and event.modifiers() in _NO_MODIFIERS:
        return _enter(editor.textCursor())
    if event.key() in _ENTER and event.modifiers() == Qt.KeyboardModifier.ShiftModifier:
        editor.textCursor().insertText("\n")  # the widget's own would be a character of its own
        return True
    if event.key() == Qt.Key.Key_Tab and event.modifiers() == Qt.KeyboardModifier.NoModifier:
        return _indent(editor.textCursor())
    if event.key() == Qt.Key.Key_Backtab:
        _each_line(editor.textCursor(), dedented)
        return True
    return False


def _enter(cursor: QTextCursor) -> bool:
    line, column = cursor.block().text(), cursor.positionInBlock()
    if cursor.hasSelection():
        return False
    if ends_list(line, column):
        cursor.select(QTextCursor.SelectionType.LineUnderCursor)
        cursor.insertText("")
        return True
    added = after_enter(line, column)
    if added is None:
        return False
    cursor.insertText("\n" + added)
    return True


def _indent(cursor: QTextCursor) -> bool:
    """Indent the lines of a selection, or the line when the caret is before its words."""
    before = cursor.block().text()[: cursor.positionInBlock()]
    if not cursor.hasSelection() and before.strip(" \t-*+0123456789.)"):
        return False
    _each_line(cursor, indented)
    return True


def _each_line(cursor: QTextCursor, change: Callable[[str], str]) -> None:
    """Replace every line that the selection touches, as one edit."""
    document = cursor.document()
    first, last = document.findBlock(cursor.selectionStart()), document.findBlock(cursor.selectionEnd())
    lines: list[str] = []
    block = first
    while block.isValid() and block.blockNumber() <= last.blockNumber():
        lines.append(change(block.text()) if block.text().strip() else block.text())
        block = block.next()
    cursor.setPosition(first.position())
    cursor.setPosition(last.position() + last.length() - 1, QTextCursor.MoveMode.KeepAnchor)
    cursor.insertText("\n".join(lines))
