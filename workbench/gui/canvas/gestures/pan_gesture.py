"""Pushing the canvas around."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, Qt

from workbench.gui.canvas.gestures.gesture import CancelReason, Pointer
from workbench.gui.canvas.view.canvas_view import CanvasView


class PanGesture:
    """Pushes the canvas around."""

    def __init__(self, view: CanvasView) -> None:
        self._view = view
        self._grip = QPointF()
        self._before = QPoint()

    def start(self, pointer: Pointer) -> None:
        """Take hold of the canvas."""
        self._grip = pointer.at
        self._before = self._scrolled()
        self._view.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)

    def move(self, pointer: Pointer) -> None:
        """Keep the point that was taken under the pointer."""
        moved = (pointer.at - self._grip).toPoint()
        self._scroll_to(self._before - moved)

    def end(self, pointer: Pointer) -> None:
        """Let go."""
        self.move(pointer)
        self._view.viewport().unsetCursor()

    def cancel(self, reason: CancelReason) -> None:
        """Go back to where it was, unless the pointer just got lost on the way."""
        if reason is CancelReason.ESCAPE:
            self._scroll_to(self._before)
        self._view.viewport().unsetCursor()

    def _scrolled(self) -> QPoint:
        return QPoint(self._view.horizontalScrollBar().value(), self._view.verticalScrollBar().value())

    def _scroll_to(self, position: QPoint) -> None:
        self._view.horizontalScrollBar().setValue(position.x())
        self._view.verticalScrollBar().setValue(position.y())
