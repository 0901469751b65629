"""Scrolls by itself while a drag is near an edge of the viewport."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPointF, QTimer, Signal, Slot

from workbench.gui.canvas.view.camera import Spot, show_spot, spot_of
from workbench.gui.canvas.view.canvas_view import CanvasView

_TICK_MS = 16
_EDGE_PX = 36.0
_LARGEST_STEP_PX = 18.0


class AutoScroll(QObject):
    """Tells after each step, so that the gesture can follow the canvas under a pointer that rests."""

    scrolled = Signal()

    def __init__(self, view: CanvasView, parent: QObject) -> None:
        super().__init__(parent)
        self._view = view
        self._at = QPointF()
        self._start: Spot | None = None
        self._timer = QTimer(self, interval=_TICK_MS)
        self._timer.timeout.connect(self._on_tick)

    @property
    def at(self) -> QPointF:
        """Where the pointer was last."""
        return self._at

    def watch(self, at: QPointF) -> None:
        """The pointer is at *at* of the viewport: scroll while that is near an edge."""
        self._at = at
        if self._speed() == (0, 0):
            self._timer.stop()
        elif not self._timer.isActive():
            self._timer.start()

    def stop(self, *, goes_back: bool = False) -> None:
        """Scroll no more; *goes_back*: nothing came of the drag, so the canvas is where it was before."""
        self._timer.stop()
        start, self._start = self._start, None
        if goes_back and start is not None:
            show_spot(self._view, start)

    @Slot()
    def _on_tick(self) -> None:
        dx, dy = self._speed()
        across, down = self._view.horizontalScrollBar(), self._view.verticalScrollBar()
        before = (across.value(), down.value())
        self._start = self._start or spot_of(self._view)
        layout, area = self._view.state.layout, self._view.viewport()
        across.setValue(_kept(before[0], dx, layout.width * self._view.zoom, area.width()))
        down.setValue(_kept(before[1], dy, layout.height * self._view.zoom, area.height()))
        if (across.value(), down.value()) == before:
            self._timer.stop()
        else:
            self.scrolled.emit()

    def _speed(self) -> tuple[int, int]:
        area = self._view.viewport()
        return _pull(self._at.x(), area.width()), _pull(self._at.y(), area.height())


def _kept(value: int, by: int, content: float, room: int) -> int:
    """*value* moved *by* pixels, as long as the middle of the view stays on the content."""
    least, most = min(value, -room // 2), max(value, round(content) - room // 2)
    return max(least, min(most, value + by))


def _pull(position: float, length: int) -> int:
    """Pixels per tick: the deeper in the edge, the faster; none where the pointer has left for another pane."""
    if not -_EDGE_PX <= position <= length + _EDGE_PX:
        return 0
    if position < _EDGE_PX:
        return -round(min(1.0, (_EDGE_PX - position) / _EDGE_PX) * _LARGEST_STEP_PX)
    if position > length - _EDGE_PX:
        return round(min(1.0, (position - length + _EDGE_PX) / _EDGE_PX) * _LARGEST_STEP_PX)
    return 0
