"""Paints the small things in a box: icon of its kind, number, the sign that folds, badges, and chips at its foot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from workbench.gui.canvas.content.box_content import (
    BADGE_PX,
    LOW_PX,
    TEXT_X,
    Badge,
    BoxContent,
    fold_rect,
    problem_badge,
    right_margin,
)
from workbench.gui.canvas.painting.fonts import small_font
from workbench.gui.look.icons import pixmap
from workbench.gui.look.theme import Theme
from workbench.gui.words.kinds import icon_of
from workbench.i18n import _
from workbench.model.layout.shapes import Shape

CHIP_PX = 16.0
_PADDING = 6.0
_GAP = 4.0
_LONGEST_PX = 110.0
ICON_PX = 16


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


def icon_left(content: BoxContent) -> float:
    """Where the icon starts."""
    return {Shape.DECISION: 24.0, Shape.CHIP: 10.0}.get(content.shape, 14.0)


def paint_icon(painter: QPainter, content: BoxContent, theme: Theme) -> None:
    """The icon of the kind: beside the first line, or in the middle of what has one line."""
    if content.shape is Shape.CHIP:
        return
    is_low = content.height < LOW_PX or content.shape is Shape.PILL
    fold = fold_rect(content)
    top = (content.height - ICON_PX) / 2 if is_low else 10.0
    top = 6.0 if is_low and fold is not None else top
    at = QPointF(icon_left(content), top)
    _draw_icon(painter, icon_of(content.kind), theme.kind_color(content.kind), at, ICON_PX)
    if fold is not None:
        name = "unfold" if content.hidden else "fold"
        _draw_icon(painter, name, theme.muted, QPointF(fold.x, fold.y), int(fold.width))


def _draw_icon(painter: QPainter, name: str, color: str, at: QPointF, size_px: int) -> None:
    scale = painter.transform().m11()
    painter.drawPixmap(at, pixmap(name, color, size_px, scale))


def paint_number(painter: QPainter, content: BoxContent, theme: Theme) -> float:
    """Draw the number; how much of the first line it takes."""
    if not content.number:
        return 0.0
    font = small_font(theme)
    width = QFontMetricsF(font).horizontalAdvance(content.number)
    painter.setFont(font)
    painter.setPen(QColor(theme.muted))
    right = content.width - right_margin(content)
    painter.drawText(QRectF(right - width - 1, 7, width + 2, 16), Qt.AlignmentFlag.AlignCenter, content.number)
    return width + 8


def paint_badges(painter: QPainter, content: BoxContent, theme: Theme) -> float:
    """The small signs, from the bottom right leftwards as far as there is room; where they end."""
    right = content.width - right_margin(content) + 4
    top = content.height - BADGE_PX - 3
    problem = problem_badge(content)
    if problem is not None:
        right = _paint_badge(painter, problem, QPointF(right, top), theme)
    if content.hidden and content.shape is not Shape.CHIP:
        right = _paint_label(painter, hidden_words(content.hidden), right, top, theme)
    for badge in reversed(content.badges if problem is None else content.badges[:-1]):
        right = _paint_badge(painter, badge, QPointF(right, top), theme)
    return right


def hidden_words(count: int) -> str:
    """How many steps a folded box stands for."""
    return _("1 step") if count == 1 else _("{count} steps").format(count=count)


def _paint_badge(painter: QPainter, badge: Badge, right_top: QPointF, theme: Theme) -> float:
    """Draw *badge* with its right edge at *right_top*; where the next one ends."""
    right = right_top.x()
    if badge.label:
        right = _paint_label(painter, badge.label[:24], right, right_top.y(), theme) + 2
    if right - BADGE_PX < TEXT_X:
        return right
    _draw_icon(painter, badge.icon, badge_color(badge, theme), QPointF(right - BADGE_PX, right_top.y()), BADGE_PX)
    return right - BADGE_PX - 4


def badge_color(badge: Badge, theme: Theme) -> str:
    """The theme's colour for *badge*."""
    return theme.muted if badge.color == "muted" else theme.severity_color(badge.color)


def _paint_label(painter: QPainter, words: str, right: float, top: float, theme: Theme) -> float:
    """Draw *words* small on a clear ground, ending at *right*; where the next sign ends."""
    font = small_font(theme)
    metrics = QFontMetricsF(font)
    room = right - TEXT_X - BADGE_PX - 12
    words = metrics.elidedText(words, Qt.TextElideMode.ElideRight, room)
    width = metrics.horizontalAdvance(words) + 8
    if width - 8 > room:
        return right
    area = QRectF(right - width, top, width, BADGE_PX)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.hover))
    painter.drawRoundedRect(area, 4, 4)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setFont(font)
    painter.setPen(QColor(theme.muted))
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter, words)
    return right - width - 4
