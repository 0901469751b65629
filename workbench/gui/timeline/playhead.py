"""The playhead of the timeline: the moment of the run that is shown, and how the pointer moves it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from workbench.gui.look.theming import Theme

_HANDLE_PX = 6
_REACH_PX = 4
_VEIL = 0.55


def paint_playhead(painter: QPainter, x: float, area: QRectF, ruler_px: float, theme: Theme) -> None:
    """A line at *x* with a handle in the ruler; what comes after it lies behind a veil."""
    veil = QColor(theme.surface)
    veil.setAlphaF(_VEIL)
    left = max(area.left(), x)
    if left < area.right():
        painter.fillRect(QRectF(left, ruler_px, area.right() - left, area.height() - ruler_px), veil)
    if not area.left() - _HANDLE_PX <= x <= area.right() + _HANDLE_PX:
        return
    color, half = QColor(theme.accent), theme.px(_HANDLE_PX)
    at = round(x) + 0.5
    painter.setPen(QPen(color, 2))
    painter.drawLine(QPointF(at, ruler_px - half), QPointF(at, area.bottom()))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    top = ruler_px - 2 * half
    corners = ((-half, 0), (half, 0), (half, half), (0, 2 * half), (-half, half))
    painter.drawPolygon(QPolygonF([QPointF(at + dx, top + dy) for dx, dy in corners]))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)


class Scrubber(QObject):
    """Presses on the ruler of *viewport*, or on the playhead, choose a column; so does whatever is dragged from there.

    *is_handle*: whether a point lies on what can be dragged.
    """

    column_chosen = Signal(object)  # float: pixels

    def __init__(self, viewport: QWidget, is_handle: Callable[[QPointF], bool]) -> None:
        super().__init__(viewport)
        self._viewport = viewport
        self._is_handle = is_handle
        self._is_dragging = False
        viewport.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Keep what concerns the playhead from the bars below it."""
        if not isinstance(event, QMouseEvent):
            return False
        is_on = self._is_handle(event.position())
        if event.type() is QEvent.Type.MouseButtonPress and event.button() is Qt.MouseButton.LeftButton and is_on:
            self._is_dragging = True
        elif event.type() is QEvent.Type.MouseButtonRelease and self._is_dragging:
            self._is_dragging = False
            return True
        elif event.type() is QEvent.Type.MouseMove and not self._is_dragging:
            if not event.buttons():
                self._viewport.setCursor(Qt.CursorShape.SizeHorCursor if is_on else Qt.CursorShape.ArrowCursor)
            return False
        if self._is_dragging:
            self.column_chosen.emit(event.position().x())
        return self._is_dragging


def is_on_playhead(at: QPointF, playhead_x: float | None, ruler_px: float) -> bool:
    """Whether a press at *at* takes hold of the playhead: on the ruler, or on its line."""
    return at.y() < ruler_px or (playhead_x is not None and abs(at.x() - playhead_x) <= _REACH_PX)
