"""Chips at the foot of a block: as many as fit, and how many more there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
    painter.setFont(font)
    for left, width, words in chips_in(area.width(), chips, QFontMetricsF(font)):
        _paint_chip(painter, words, QRectF(area.left() + left, area.top(), width, CHIP_PX), theme)


def chips_in(room_px: float, chips: Sequence[str], metrics: QFontMetricsF) -> Iterator[tuple[float, float, str]]:
    """Where each chip starts in a row of *room_px*, how wide it is and what it says; the last may count the rest."""
    left = 0.0
    for index, chip in enumerate(chips):
        words = metrics.elidedText(chip, Qt.TextElideMode.ElideRight, _LONGEST_PX)
        more = _("+{count}").format(count=len(chips) - index)
        reserve = 0.0 if index == len(chips) - 1 else _GAP + _width(metrics, more)
        if left + _width(metrics, words) + reserve > room_px:
            if left + _width(metrics, more) <= room_px:
                yield left, _width(metrics, more), more
            return
        yield left, _width(metrics, words), words
        left += _width(metrics, words) + _GAP


def _width(metrics: QFontMetricsF, words: str) -> float:
    return metrics.horizontalAdvance(words) + 2 * _PADDING


def _paint_chip(painter: QPainter, words: str, area: QRectF, theme: Theme) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.hover))
    painter.drawRoundedRect(area, CHIP_PX / 2, CHIP_PX / 2)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QColor(theme.text))
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter, words)
