"""Lines of a text widget on a colour each: what comes and goes in a difference."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor, QTextFormat
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit

_TINT = 0.18


def tint_lines(text: QPlainTextEdit, colors: Iterable[tuple[int, str]]) -> None:
    """Put the lines of *text* with these numbers, from 0 on, on a breath of the colour of each; no others."""
    text.setExtraSelections([_tinted(text, line, color) for line, color in colors])


def _tinted(text: QPlainTextEdit, line: int, color: str) -> QTextEdit.ExtraSelection:
    mark = QTextEdit.ExtraSelection()
    mark.cursor = QTextCursor(text.document().findBlockByNumber(line))
    # all of it, where it is wrapped onto several rows
    mark.cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
    tint = QColor(color)
    tint.setAlphaF(_TINT)
    form = QTextCharFormat()
    form.setBackground(tint)
    form.setProperty(QTextFormat.Property.FullWidthSelection, True)  # noqa: FBT003 - Qt's own form
    mark.format = form
    return mark
