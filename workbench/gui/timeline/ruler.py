"""The ruler above the bars, and the hairlines that run down from it."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from workbench.gui.look.theme import Theme
from workbench.gui.timeline.time_window import TICK_WIDTH_PX, TimeWindow, tick_step_ns, tick_text, ticks

_GAP_PX = 4


def paint_grid(painter: QPainter, window: TimeWindow, area: QRectF, theme: Theme) -> None:
    """One hairline per tick over *area*."""
    painter.setPen(QPen(QColor(theme.border), 0))
    xs = [round(window.x_of(tick)) + 0.5 for tick in ticks(window)]
    painter.drawLines([QLineF(x, area.top(), x, area.bottom()) for x in xs])


def paint_ruler(painter: QPainter, window: TimeWindow, area: QRectF, theme: Theme) -> None:
    """The times of the ticks in *area*, with a line below."""
    painter.fillRect(area, QColor(theme.window))
    painter.setFont(theme.secondary_font())
    painter.setPen(QColor(theme.muted))
    for place, words in labels(window, area, QFontMetricsF(theme.secondary_font())):
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, words)
    painter.setPen(QPen(QColor(theme.border), 0))
    xs = [round(window.x_of(tick)) + 0.5 for tick in ticks(window)]
    painter.drawLines([QLineF(x, area.center().y(), x, area.bottom()) for x in xs])
    painter.drawLine(QLineF(area.left(), area.bottom() - 0.5, area.right(), area.bottom() - 0.5))


def labels(window: TimeWindow, area: QRectF, metrics: QFontMetricsF) -> Iterator[tuple[QRectF, str]]:
    """The time of each tick and where it stands; none for a tick that has no room for all of it."""
    step_ns = tick_step_ns(window.ns_per_px * TICK_WIDTH_PX)
    for tick in ticks(window):
        words = tick_text(tick, step_ns)
        place = QRectF(round(window.x_of(tick)) + _GAP_PX, area.top(), metrics.horizontalAdvance(words), area.height())
        if place.right() <= area.right():
            yield place, words
