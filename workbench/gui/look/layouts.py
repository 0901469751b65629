"""Rows and columns of widgets."""

from __future__ import annotations

from typing import TypeAlias

from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

Part: TypeAlias = QWidget | QLayout | int | tuple[QWidget | QLayout, int]
"""What stands in one: a widget, or a row or column in it; with a number, how much of the room that is left it takes.

A number alone: that much room with nothing in it.
"""
Margins: TypeAlias = int | tuple[int, int, int, int]


def in_column(
    parent: QWidget | None,
    *parts: Part,
    margins: Margins | None = None,
    spacing: int | None = None,
) -> QVBoxLayout:
    """*parts* below each other in *parent*. *margins*, *spacing*: None for those of the style."""
    column = QVBoxLayout() if parent is None else QVBoxLayout(parent)
    _fill(column, parts, margins, spacing)
    return column


def in_row(
    parent: QWidget | None,
    *parts: Part,
    margins: Margins | None = None,
    spacing: int | None = None,
) -> QHBoxLayout:
    """*parts* beside each other in *parent*."""
    row = QHBoxLayout() if parent is None else QHBoxLayout(parent)
    _fill(row, parts, margins, spacing)
    return row


def _fill(box: QBoxLayout, parts: tuple[Part, ...], margins: Margins | None, spacing: int | None) -> None:
    if margins is not None:
        box.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))
    if spacing is not None:
        box.setSpacing(spacing)
    for part in parts:
        if isinstance(part, int):
            box.addStretch(part)
            continue
        item, share = part if isinstance(part, tuple) else (part, 0)
        if isinstance(item, QWidget):
            box.addWidget(item, share)
        else:
            box.addLayout(item, share)
