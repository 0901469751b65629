"""Enter, Tab and Shift+Tab in lists of the source: what they add is text that can be taken back."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from workbench.gui.source.editor import DEFAULT_INDENT, SourceEditor
from workbench.regex import regex

_ITEM = regex(
    r"^(?P<indent>[ \t]*)(?P<marker>[-*+]|(?P<number>[0-9]{1,9})(?P<sign>[.)]))(?P<blank>[ \t]+)(?P<words>.*)$"
)
_INDENT = regex(r"[ \t]*")
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_NO_MODIFIERS = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)


def after_enter(line: str, column: int) -> str | None:
    """What Enter at *column* of *line* adds behind the new line's start; None where nothing helps.

    On an item without words there is nothing to go on with: see ``ends_list``.
    """
    item = _ITEM.match(line)
    if item is None:
        indent = _INDENT.match(line)
        return indent.group() if indent and indent.group() and column >= len(indent.group()) else None
    if column < item.start("words") or not item["words"].strip():
        return None
    marker = f"{int(item['number']) + 1}{item['sign']}" if item["number"] else item["marker"]
    return item["indent"] + marker + item["blank"]


def ends_list(line: str, column: int) -> bool:
    """True where Enter on *line* should take away an empty item instead of adding one."""
    item = _ITEM.match(line)
    return item is not None and not item["words"].strip() and column >= item.start("words")


def indented(line: str) -> str:
    """*line* one level deeper."""
    indent = _INDENT.match(line)
    unit = "\t" if indent and indent.group().startswith("\t") else DEFAULT_INDENT
    return unit + line


def dedented(line: str) -> str:
    """*line* one level less deep."""
    if line.startswith("\t"):
        return line[1:]
    blanks = len(line) - len(line.lstrip(" "))
    return line[min(blanks, len(DEFAULT_INDENT)) :]


class ListKeys:
    """Helps with lists, after everybody else who takes keys."""

    def __init__(self, editor: SourceEditor) -> None:
        self._editor = editor
        editor.takers.append(self)

    def claims(self, event: QKeyEvent) -> bool:
        """None of these keys means anything else in a text."""
        return False

    def takes(self, event: QKeyEvent) -> bool:
        """Act on Enter, Tab and Shift+Tab where they mean something in a list."""
        return handle_key(self._editor, event)


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
