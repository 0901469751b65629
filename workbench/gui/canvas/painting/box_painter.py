"""Paints one box, by its shape: the picture that the canvas, the palette and a drag show."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPixmap

from workbench.gui.canvas.content.box_content import TEXT_X, BoxContent, right_margin
from workbench.gui.canvas.painting.box_shapes import paint_shape
from workbench.gui.canvas.painting.box_signs import (
    ICON_PX,
    icon_left,
    paint_badges,
    paint_chips,
    paint_icon,
    paint_number,
)
from workbench.gui.canvas.painting.fonts import sized, small_font
from workbench.gui.canvas.painting.text_layout import TextFrame, WordInk, draw_text
from workbench.gui.look.theme import Theme
from workbench.model.layout.shapes import Shape
from workbench.model.meaning import StepKind


def paint_box(painter: QPainter, content: BoxContent, theme: Theme) -> None:
    """Paint *content* with its top left at the origin, in pixels at 100 %."""
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    if content.shape is Shape.TITLE:
        _paint_title(painter, content, theme)
        return
    paint_shape(painter, content, theme)
    paint_icon(painter, content, theme)
    number_width = paint_number(painter, content, theme)
    _paint_words(painter, content, theme, number_width)
    left = paint_badges(painter, content, theme)
    if content.chips:
        area = QRectF(TEXT_X, content.height - content.foot - 2, left - TEXT_X, content.foot)
        paint_chips(painter, content.chips, area, small_font(theme), theme)


def picture_of(content: BoxContent, theme: Theme, scale: float) -> QPixmap:
    """*content* as a picture with *scale* device pixels per pixel at 100 %."""
    width, height = max(1, round(content.width * scale)), max(1, round(content.height * scale))
    picture = QPixmap(width, height)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.scale(scale, scale)
    paint_box(painter, content, theme)
    painter.end()
    picture.setDevicePixelRatio(scale)
    return picture


def block_font(content: BoxContent, theme: Theme) -> QFont:
    """The font of the words in a block."""
    if content.kind is StepKind.RAW:
        return sized(theme.mono_font(), 12)
    return sized(theme.body_font(), 12 if content.shape is Shape.CHIP else 13)


def words_frame(content: BoxContent, number_width: float) -> TextFrame:
    """Where the words of *content* go; its number takes *number_width* of the first line."""
    left = icon_left(content) + (ICON_PX + 8 if content.shape is not Shape.CHIP else 0)
    width = content.width - left - right_margin(content)
    vertical = 5.0 if content.height >= 32 else 2.0
    return TextFrame(left, vertical, width - number_width, width, content.height - content.foot - 2 * vertical)


def _paint_words(painter: QPainter, content: BoxContent, theme: Theme, number_width: float) -> None:
    color = theme.muted if content.shape is Shape.CHIP else theme.text
    ink = WordInk(block_font(content, theme), color, theme.muted, content.judged)
    draw_text(painter, content.text, words_frame(content, number_width), ink)


def _paint_title(painter: QPainter, content: BoxContent, theme: Theme) -> None:
    """The name of a playbook, with its parameters muted behind it."""
    font = sized(theme.title_font(), 15)
    painter.setFont(font)
    metrics = QFontMetricsF(font)
    name = metrics.elidedText(content.text, Qt.TextElideMode.ElideRight, content.width)
    painter.setPen(QColor(theme.text))
    painter.drawText(QRectF(0, 0, content.width, 24), Qt.AlignmentFlag.AlignVCenter, name)
    if content.subtitle:
        painter.setPen(QColor(theme.muted))
        painter.setFont(sized(theme.secondary_font(), 12))
        used = metrics.horizontalAdvance(name) + 8
        below = content.height >= 40
        area = QRectF(0, 22, content.width, 18) if below else QRectF(used, 1, content.width - used, 24)
        words = QFontMetricsF(painter.font()).elidedText(content.subtitle, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, words)
