"""Chips at the foot of a block: as many as fit, and how many more there are."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from workbench.gui.look.theme import Theme
from workbench.i18n import _

CHIP_PX = 16.0
_PADDING = 6.0
_GAP = 4.0
_LONGEST_PX = 110.0


def paint_chips(painter: QPainter, chips: Sequence[str], area: QRectF, font: QFont, theme: Theme) -> None:
    """Paint *chips* from the left of *area*; what does not fit is counted."""
    metrics = QFontMetricsF(font)
    left = area.left()
    painter.setFont(font)
    for index, chip in enumerate(chips):
        words = metrics.elidedText(chip, Qt.TextElideMode.ElideRight, _LONGEST_PX)
        width = _width(metrics, words)
        more = _("+{count}").format(count=len(chips) - index)
        is_last = index == len(chips) - 1
        reserve = 0.0 if is_last else _width(metrics, more) + _GAP
        if left + width + reserve > area.right() and index:
            _paint_chip(painter, more, QRectF(left, area.top(), _width(metrics, more), CHIP_PX), theme)
            return
        _paint_chip(painter, words, QRectF(left, area.top(), width, CHIP_PX), theme)
        left += width + _GAP


def _width(metrics: QFontMetricsF, words: str) -> float:
    return metrics.horizontalAdvance(words) + 2 * _PADDING


def _paint_chip(painter: QPainter, words: str, area: QRectF, theme: Theme) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.hover))
    painter.drawRoundedRect(area, CHIP_PX / 2, CHIP_PX / 2)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QColor(theme.text))
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter, words)
