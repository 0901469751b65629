"""The sign of a breakpoint: a dot, the same beside the text and on the flowchart."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from workbench.gui.look.theming import Theme

_RADIUS_PX = 5.0


@dataclass(frozen=True, slots=True)
class LineSign:
    """A breakpoint. *words*: as it is written. *is_on*: whether it counts; *is_log*: whether it only tells a text."""

    words: str
    is_on: bool = True
    is_log: bool = False


def paint_sign(painter: QPainter, theme: Theme, centre: QPointF, sign: LineSign) -> None:
    """Draw *sign* around *centre*: full where a run stops, a diamond where it only tells, a ring where it is off."""
    color, radius = QColor(theme.severity_color("error")), theme.px(10) * _RADIUS_PX / 10
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(color, 1.5))
    painter.setBrush(color if sign.is_on else Qt.BrushStyle.NoBrush)
    if sign.is_log:
        painter.translate(centre)
        painter.rotate(45)
        side = radius * 0.85
        painter.drawRect(round(-side), round(-side), round(2 * side), round(2 * side))
    else:
        painter.drawEllipse(centre, radius - 0.75, radius - 0.75)
    painter.restore()
