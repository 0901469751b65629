"""Outlines around what has the keys, and what is pointed at; the bar of a work of which nobody knows how long it is."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFocusEvent, QPainter, QPen
from PySide6.QtWidgets import QAbstractScrollArea, QProgressBar, QStyle, QWidget

from workbench.gui.look.theming import Theme, current_theme
from workbench.i18n import _

RING_PX = 2.0


def draw_frame(painter: QPainter, area: QRectF | QRect, color: str, width_px: float) -> None:
    """Draw the outline of *area* and nothing in it, whatever the painter has filled before."""
    painter.setPen(QPen(QColor(color), width_px))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(QRectF(area))


def draw_ring(painter: QPainter, area: QRect) -> None:
    """Draw the ring of the focus along the inner edge of *area*."""
    draw_frame(painter, QRectF(area).adjusted(1, 1, -1, -1), current_theme().accent, RING_PX)


def draw_row_ground(painter: QPainter, row: QRect, state: QStyle.StateFlag, theme: Theme) -> None:
    """Draw what is behind a row of a list that is painted by hand: chosen, pointed at, with the keys; a line below."""
    if state & QStyle.StateFlag.State_Selected:
        painter.fillRect(row, QColor(theme.selection))
    elif state & QStyle.StateFlag.State_MouseOver:
        painter.fillRect(row, QColor(theme.hover))
    painter.setPen(QColor(theme.border))
    painter.drawLine(row.bottomLeft(), row.bottomRight())
    if state & QStyle.StateFlag.State_HasFocus:
        draw_frame(painter, row.adjusted(0, 0, -1, -1), theme.accent, 1)


class RingedArea(QAbstractScrollArea):
    """A picture that scrolls. It shows by a ring that it has the keys: Qt paints only its frame again by itself."""

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The ring comes."""
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The ring goes."""
        super().focusOutEvent(event)
        self.viewport().update()

    def paint_ring(self, painter: QPainter) -> None:
        """To be called last by whatever paints the viewport."""
        if self.hasFocus():
            draw_ring(painter, self.viewport().rect())


class BusyBar(QProgressBar):
    """Something goes on, and how long is not known. With less motion, a word stands in it and nothing moves."""

    def __init__(self, words: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(words)
        self.setFormat(_("Working…"))
        self.take_theme()

    def take_theme(self) -> None:
        """Move, or not."""
        moves = current_theme().moves
        self.setRange(0, 0 if moves else 1)
        self.setValue(0)
        self.setTextVisible(not moves)
