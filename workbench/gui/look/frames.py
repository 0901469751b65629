"""Outlines: around what has the keys, and around what is pointed at."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFocusEvent, QPainter, QPen
from PySide6.QtWidgets import QAbstractScrollArea

from workbench.gui.look.theming import current_theme

RING_PX = 2.0


def draw_frame(painter: QPainter, area: QRectF | QRect, color: str, width_px: float) -> None:
    """Draw the outline of *area* and nothing in it, whatever the painter has filled before."""
    painter.setPen(QPen(QColor(color), width_px))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(QRectF(area))


def draw_ring(painter: QPainter, area: QRect) -> None:
    """Draw the ring of the focus along the inner edge of *area*."""
    draw_frame(painter, QRectF(area).adjusted(1, 1, -1, -1), current_theme().accent, RING_PX)


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
