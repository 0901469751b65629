"""The ruler above the bars, and the hairlines that run down from it."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from workbench.gui.look.theme import Theme
from workbench.gui.timeline.time_window import TICK_WIDTH_PX, TimeWindow, tick_step_ns, tick_text, ticks


def paint_grid(painter: QPainter, window: TimeWindow, area: QRectF, theme: Theme) -> None:
    """One hairline per tick over *area*."""
    painter.setPen(QPen(QColor(theme.border), 0))
    xs = [round(window.x_of(tick)) + 0.5 for tick in ticks(window)]
    painter.drawLines([QLineF(x, area.top(), x, area.bottom()) for x in xs])


def paint_ruler(painter: QPainter, window: TimeWindow, area: QRectF, theme: Theme) -> None:
    """The times of the ticks in *area*, with a line below."""
    painter.fillRect(area, QColor(theme.window))
    painter.setFont(theme.secondary_font())
    step_ns = tick_step_ns(window.ns_per_px * TICK_WIDTH_PX)
    metrics = QFontMetricsF(theme.secondary_font())
    for tick in ticks(window):
        x = round(window.x_of(tick))
        words = tick_text(tick, step_ns)
        painter.setPen(QColor(theme.muted))
        painter.drawText(
            QRectF(x + 4, area.top(), metrics.horizontalAdvance(words) + 4, area.height()),
            Qt.AlignmentFlag.AlignVCenter,
            words,
        )
        painter.setPen(QPen(QColor(theme.border), 0))
        painter.drawLine(QLineF(x + 0.5, area.center().y(), x + 0.5, area.bottom()))
    painter.drawLine(QLineF(area.left(), area.bottom() - 0.5, area.right(), area.bottom() - 0.5))
