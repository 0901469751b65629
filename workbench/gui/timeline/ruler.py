"""The ruler above the bars, and the hairlines that run down from it."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from workbench.gui.look.theme import Theme
from workbench.gui.timeline.time_window import Tick, TimeWindow, ticks

_GAP_PX = 4


def paint_grid(painter: QPainter, window: TimeWindow, area: QRectF, theme: Theme) -> None:
    """One hairline per tick over *area*."""
    painter.setPen(QPen(QColor(theme.border), 0))
    xs = _columns(window, _ticks(window, QFontMetricsF(theme.secondary_font())))
    painter.drawLines([QLineF(x, area.top(), x, area.bottom()) for x in xs])


def paint_ruler(painter: QPainter, window: TimeWindow, area: QRectF, theme: Theme) -> None:
    """The times of the ticks in *area*, with a line below."""
    painter.fillRect(area, QColor(theme.window))
    painter.setFont(theme.secondary_font())
    painter.setPen(QColor(theme.muted))
    metrics = QFontMetricsF(theme.secondary_font())
    for place, words in labels(window, area, metrics):
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, words)
    painter.setPen(QPen(QColor(theme.border), 0))
    xs = _columns(window, _ticks(window, metrics))
    painter.drawLines([QLineF(x, area.center().y(), x, area.bottom()) for x in xs])
    painter.drawLine(QLineF(area.left(), area.bottom() - 0.5, area.right(), area.bottom() - 0.5))


def labels(window: TimeWindow, area: QRectF, metrics: QFontMetricsF) -> Iterator[tuple[QRectF, str]]:
    """The time of each tick and where it stands, side by side; none for a tick that has no room for all of it."""
    for tick in _ticks(window, metrics):
        left, width = round(window.x_of(tick.at_ns)) + _GAP_PX, metrics.horizontalAdvance(tick.words)
        if left + width <= area.right():
            yield QRectF(left, area.top(), width, area.height()), tick.words


def _ticks(window: TimeWindow, metrics: QFontMetricsF) -> tuple[Tick, ...]:
    """The ticks whose words stand side by side, with a gap before and after."""

    def room_px_for(words: str) -> float:
        return metrics.horizontalAdvance(words) + 2 * _GAP_PX

    return ticks(window, room_px_for)


def _columns(window: TimeWindow, found: tuple[Tick, ...]) -> list[float]:
    """The pixel columns of ticks, where a hairline is sharp."""
    return [round(window.x_of(tick.at_ns)) + 0.5 for tick in found]
