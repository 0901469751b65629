"""Texts among steps, drawn as what they are: paragraphs, lists, code with its language, tables."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from workbench.gui.canvas.content.box_content import COPY_PX, TEXT_X, BoxContent, drawable_words, right_margin
from workbench.gui.canvas.painting.text_layout import TextFrame, WordInk, draw_text, sized, small_font
from workbench.gui.look.icons import pixmap
from workbench.gui.look.theming import Theme
from workbench.gui.words.values import drawable_line
from workbench.model.layout.shapes import LINE_HEIGHT
from workbench.model.layout.texts import placed_parts
from workbench.model.showing.texts import Part, PartKind, more_words

_WORDS_PX = 13
_CODE_PX = 12
_CELL_PX = 12
_DEEPER_PX = 14.0
_SIGN_PX = 16.0
_COLUMN_GAP = 12.0
_CODE_RADIUS = 4.0
_LONGEST = 400


def paint_text(painter: QPainter, content: BoxContent, theme: Theme) -> None:
    """Paint the parts of *content*, a text, with its top left at the origin."""
    width = content.width - TEXT_X - right_margin(content)
    for part, top, height in placed_parts(content.shown_text):
        area = QRectF(TEXT_X, top, width, height)
        if part.kind is PartKind.CODE:
            _paint_code(painter, part, area, theme)
        elif part.kind is PartKind.TABLE:
            _paint_table(painter, part, area, theme)
        elif part.kind is PartKind.MORE:
            _paint_line(painter, more_words(part), area, small_font(theme), theme.muted)
        else:
            _paint_words(painter, part, area, theme)


def _paint_words(painter: QPainter, part: Part, area: QRectF, theme: Theme) -> None:
    """A paragraph, a heading, or an item behind its sign."""
    font = sized(theme.body_font(), _WORDS_PX)
    left = area.left()
    if part.sign:
        left += part.depth * _DEEPER_PX
        sign = QRectF(left, area.top(), _SIGN_PX * 2, LINE_HEIGHT)
        _paint_line(painter, part.sign, sign, font, theme.muted)
        left += max(_SIGN_PX, QFontMetricsF(font).horizontalAdvance(part.sign) + 6)
    words = drawable_words(part.words)
    width = area.right() - left
    frame = TextFrame(left, area.top(), width, width, area.height(), most=part.lines, is_centred=False)
    text = "".join([each.text for each in words])
    draw_text(painter, text, frame, WordInk(font, theme, theme.text, None, words))


def _paint_code(painter: QPainter, part: Part, area: QRectF, theme: Theme) -> None:
    """Lines that do not break, on a ground of their own; the language and the sign that copies at the top right."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.hover))
    painter.drawRoundedRect(area.adjusted(-6, -4, 4, 4), _CODE_RADIUS, _CODE_RADIUS)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    scale = painter.transform().m11()
    sign = QPointF(area.right() - COPY_PX, area.top() + (LINE_HEIGHT - COPY_PX) / 2)
    painter.drawPixmap(sign, pixmap("copy", theme.muted, COPY_PX, scale))
    taken = COPY_PX + 6.0
    if part.language:
        small = small_font(theme)
        taken += QFontMetricsF(small).horizontalAdvance(part.language) + 6
        label = QRectF(area.right() - taken + 6, area.top(), taken, LINE_HEIGHT)
        _paint_line(painter, part.language, label, small, theme.muted)
    font = sized(theme.mono_font(), _CODE_PX)
    for index, (line,) in enumerate(part.rows):
        room = area.width() - (taken if index == 0 else 0)
        place = QRectF(area.left(), area.top() + index * LINE_HEIGHT, room, LINE_HEIGHT)
        _paint_line(painter, line, place, font, theme.text)


def _paint_table(painter: QPainter, part: Part, area: QRectF, theme: Theme) -> None:
    """Rows on even lines, the head above a hairline."""
    font = sized(theme.body_font(), _CELL_PX)
    head = QFont(font)
    head.setWeight(QFont.Weight.DemiBold)
    widths = column_widths(part.rows, area.width(), QFontMetricsF(head))
    for index, row in enumerate(part.rows):
        left, top = area.left(), area.top() + index * LINE_HEIGHT
        for cell, width in zip(row, widths, strict=False):
            place = QRectF(left, top, width - _COLUMN_GAP, LINE_HEIGHT)
            _paint_line(painter, cell, place, font if index else head, theme.text)
            left += width
        painter.setPen(QPen(QColor(theme.border), 1))
        if index == 0 or index + 1 < len(part.rows):
            painter.drawLine(
                QPointF(area.left(), top + LINE_HEIGHT - 0.5), QPointF(area.right(), top + LINE_HEIGHT - 0.5)
            )


def column_widths(rows: Sequence[Sequence[str]], room_px: float, metrics: QFontMetricsF) -> list[float]:
    """How wide each column is: as wide as its words, or its share of what there is room for."""
    count = max((len(row) for row in rows), default=0)
    wanted = [
        max(metrics.horizontalAdvance(row[column][:60]) for row in rows if column < len(row)) + _COLUMN_GAP
        for column in range(count)
    ]
    shares: list[float] = []
    for column, each in enumerate(wanted):
        rest = room_px - sum(shares)
        fair = rest / (count - column)
        later = sum(wanted[column + 1 :])
        shares.append(min(each, max(fair, rest - later)))
    return shares


def _paint_line(painter: QPainter, text: str, area: QRectF, font: QFont, color: str) -> None:
    """*text* on one line, the end left out where there is no room."""
    painter.setFont(font)
    painter.setPen(QColor(color))
    shown = QFontMetricsF(font).elidedText(drawable_line(text[:_LONGEST]), Qt.TextElideMode.ElideRight, area.width())
    painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, shown)
