"""Paints one box, by its shape, with its signs: the picture that the canvas, the palette and a drag show."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPixmap, QPolygonF

from workbench.gui.canvas.content.box_content import (
    BADGE_PX,
    HEXAGON_INSET_PX,
    ICON_PX,
    TEXT_X,
    Badge,
    BoxContent,
    fold_rect,
    icon_left,
    icon_rect,
    problem_badge,
    right_margin,
)
from workbench.gui.canvas.painting.outlines import blended, outline_path
from workbench.gui.canvas.painting.text_layout import TextFrame, WordInk, draw_text, paint_text, sized, small_font
from workbench.gui.look.icons import pixmap
from workbench.gui.look.theming import BLOCK_RADIUS_PX, Theme
from workbench.gui.words.directions import ordered
from workbench.gui.words.kinds import icon_of
from workbench.i18n import _, ngettext
from workbench.model.layout.pinned import TITLE_NAME_PX
from workbench.model.layout.shapes import Shape
from workbench.model.meaning import StepKind

BAR_PX = 4.0
_RIGHT = 12.0
_EAR_PX = 12.0
CHIP_PX = 16.0
_PADDING = 6.0
_GAP = 4.0
_LONGEST_PX = 110.0
_BOXES = {False: "box-empty", True: "box-ticked"}


def paint_shape(painter: QPainter, content: BoxContent, theme: Theme) -> None:
    """Paint the ground and the border of *content* with its top left at the origin."""
    area = QRectF(0.5, 0.5, content.width - 1, content.height - 1)
    _SHAPES.get(content.shape, _paint_block)(painter, area, content, theme)


def _paint_block(painter: QPainter, area: QRectF, content: BoxContent, theme: Theme) -> None:
    """A rounded block with the bar of its kind at the left."""
    path = outline_path(content.shape, area)
    painter.fillPath(path, QColor(theme.surface))
    _paint_bar(painter, path, content, theme)
    line = Qt.PenStyle.DashLine if content.is_optional else Qt.PenStyle.SolidLine
    painter.setPen(QPen(QColor(theme.muted if content.is_optional else theme.border), 1, line))
    painter.drawPath(path)


def _paint_bar(painter: QPainter, path: QPainterPath, content: BoxContent, theme: Theme) -> None:
    painter.save()
    painter.setClipPath(path)
    painter.fillRect(QRectF(0, 0, BAR_PX + 0.5, content.height), QColor(theme.kind_color(content.kind)))
    painter.restore()


def _paint_decision(painter: QPainter, area: QRectF, content: BoxContent, theme: Theme) -> None:
    """A flat hexagon; its bar is the two left edges."""
    path = outline_path(Shape.DECISION, area)
    painter.fillPath(path, QColor(theme.surface))
    painter.save()
    painter.setClipPath(path)
    inset = min(HEXAGON_INSET_PX, area.height() / 2)
    edges = [QPointF(area.left() + inset, area.top()), QPointF(area.left(), area.center().y())]
    edges.append(QPointF(area.left() + inset, area.bottom()))
    painter.setPen(QPen(QColor(theme.kind_color(content.kind)), 2 * BAR_PX))
    painter.drawPolyline(edges)
    painter.restore()
    painter.setPen(QPen(QColor(theme.border), 1))
    painter.drawPath(path)


def _paint_call(painter: QPainter, area: QRectF, content: BoxContent, theme: Theme) -> None:
    """A block with a second border inside."""
    _paint_block(painter, area, content, theme)
    inner = QPainterPath()
    inner.addRoundedRect(area.adjusted(BAR_PX + 3, 3, -3, -3), BLOCK_RADIUS_PX - 3, BLOCK_RADIUS_PX - 3)
    painter.drawPath(inner)


def _paint_pill(painter: QPainter, area: QRectF, content: BoxContent, theme: Theme) -> None:
    """A rounded pill, outlined in the colour of its kind."""
    path = outline_path(Shape.PILL, area)
    painter.fillPath(path, QColor(theme.surface))
    painter.setPen(QPen(QColor(theme.kind_color(content.kind)), 1.25))
    painter.drawPath(path)


def _paint_note(painter: QPainter, area: QRectF, content: BoxContent, theme: Theme) -> None:
    """A sheet of paper with a folded corner."""
    _paint_sheet(painter, area, content, theme, theme.note)


def _paint_file(painter: QPainter, area: QRectF, content: BoxContent, theme: Theme) -> None:
    """The same on the ground of blocks; dashed where the file is not there."""
    _paint_sheet(painter, area, content, theme, theme.surface)


def _paint_sheet(painter: QPainter, area: QRectF, content: BoxContent, theme: Theme, ground: str) -> None:
    left, top, right, bottom = area.left(), area.top(), area.right(), area.bottom()
    corners = ((left, top), (right - _EAR_PX, top), (right, top + _EAR_PX), (right, bottom), (left, bottom))
    path = QPainterPath()
    path.addPolygon(QPolygonF([QPointF(x, y) for x, y in corners]))
    path.closeSubpath()
    painter.fillPath(path, QColor(ground))
    _paint_bar(painter, path, content, theme)
    line = Qt.PenStyle.DashLine if content.is_optional else Qt.PenStyle.SolidLine
    painter.setPen(QPen(QColor(theme.muted if content.is_optional else theme.border), 1, line))
    painter.drawPath(path)
    ear = ((right - _EAR_PX, top), (right - _EAR_PX, top + _EAR_PX), (right, top + _EAR_PX))
    painter.drawPolyline([QPointF(x, y) for x, y in ear])


def _paint_raw(painter: QPainter, area: QRectF, content: BoxContent, theme: Theme) -> None:
    """A calm block with a hatched edge where others have the bar of their kind."""
    path = outline_path(Shape.RAW, area)
    painter.fillPath(path, QColor(theme.surface))
    painter.save()
    painter.setClipPath(path)
    edge = QBrush(blended(theme.kind_color(content.kind), theme.surface, 0.5), Qt.BrushStyle.BDiagPattern)
    painter.fillRect(QRectF(0, 0, 2 * BAR_PX, content.height), edge)
    painter.restore()
    painter.setPen(QPen(QColor(theme.border), 1))
    painter.drawPath(path)


def _paint_header(painter: QPainter, area: QRectF, content: BoxContent, theme: Theme) -> None:
    """The header of a container: the frame around the body belongs to the background."""
    path = outline_path(content.shape, area)
    painter.fillPath(path, QColor(theme.surface))
    tint = QColor(theme.kind_color(content.kind))
    tint.setAlpha(28)
    painter.fillPath(path, tint)
    _paint_bar(painter, path, content, theme)
    painter.setPen(QPen(QColor(theme.border), 1))
    painter.drawPath(path)


def _paint_chip(painter: QPainter, area: QRectF, content: BoxContent, theme: Theme) -> None:
    """A small rounded sign for what is folded away."""
    path = QPainterPath()
    path.addRoundedRect(area, area.height() / 2, area.height() / 2)
    painter.fillPath(path, QColor(theme.hover))
    painter.setPen(QPen(QColor(theme.border), 1, Qt.PenStyle.DashLine))
    painter.drawPath(path)


_SHAPES: dict[Shape, Callable[[QPainter, QRectF, BoxContent, Theme], None]] = {
    Shape.BLOCK: _paint_block,
    Shape.DECISION: _paint_decision,
    Shape.LOOP: _paint_header,
    Shape.GROUP: _paint_header,
    Shape.CALL: _paint_call,
    Shape.PILL: _paint_pill,
    Shape.NOTE: _paint_note,
    Shape.RAW: _paint_raw,
    Shape.CHIP: _paint_chip,
    Shape.FILE: _paint_file,
}


def paint_chips(painter: QPainter, chips: Sequence[str], area: QRectF, font: QFont, theme: Theme) -> None:
    """Paint *chips* from the left of *area*; what does not fit is counted."""
    painter.setFont(font)
    for left, width, words in chips_in(area.width(), chips, QFontMetricsF(font)):
        _paint_foot_chip(painter, words, QRectF(area.left() + left, area.top(), width, CHIP_PX), theme)


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


def _paint_foot_chip(painter: QPainter, words: str, area: QRectF, theme: Theme) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.hover))
    painter.drawRoundedRect(area, CHIP_PX / 2, CHIP_PX / 2)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QColor(theme.text))
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter, words)


def paint_icon(painter: QPainter, content: BoxContent, theme: Theme) -> None:
    """The icon of the kind, or the box that can be ticked in its place."""
    if content.shape is Shape.CHIP:
        return
    fold, place = fold_rect(content), icon_rect(content)
    name = icon_of(content.kind) if content.is_ticked is None else _BOXES[content.is_ticked]
    _draw_icon(painter, name, theme.kind_color(content.kind), QPointF(place.x, place.y), ICON_PX)
    if fold is not None:
        is_folded = content.hidden or (content.can_open and not content.is_open)
        name = "unfold" if is_folded else "fold"
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
    return ngettext("{count} step", "{count} steps", count)


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


def paint_box(painter: QPainter, content: BoxContent, theme: Theme) -> None:
    """Paint *content* with its top left at the origin, in pixels at 100 %."""
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    if content.shape is Shape.TITLE:
        _paint_title(painter, content, theme)
        return
    paint_shape(painter, content, theme)
    paint_icon(painter, content, theme)
    if content.markdown:
        paint_text(painter, content, theme)
    else:
        _paint_words(painter, content, theme, paint_number(painter, content, theme))
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
    ink = WordInk(block_font(content, theme), theme, color, content.judged, content.words)
    ink = replace(ink, differing=content.differing, is_former=content.is_former) if content.differing else ink
    draw_text(painter, content.text, words_frame(content, number_width), ink)


def _paint_title(painter: QPainter, content: BoxContent, theme: Theme) -> None:
    """The name of a playbook, the number of a chapter before it, with its parameters muted behind it."""
    font = sized(theme.title_font(), 15)
    painter.setFont(font)
    metrics = QFontMetricsF(font)
    left = metrics.horizontalAdvance(content.number) + 8 if content.number else 0.0
    painter.setPen(QColor(theme.muted))
    painter.drawText(QRectF(0, 0, left, TITLE_NAME_PX), Qt.AlignmentFlag.AlignVCenter, content.number)
    name = ordered(metrics.elidedText(content.text, Qt.TextElideMode.ElideRight, content.width - left))
    painter.setPen(QColor(theme.muted if content.kind is StepKind.RAW else theme.text))
    painter.drawText(QRectF(left, 0, content.width - left, TITLE_NAME_PX), Qt.AlignmentFlag.AlignVCenter, name)
    if content.subtitle:
        painter.setPen(QColor(theme.muted))
        painter.setFont(sized(theme.secondary_font(), 12))
        used = metrics.horizontalAdvance(name) + 8
        below = content.height >= 40
        area = QRectF(0, 22, content.width, 18) if below else QRectF(used, 1, content.width - used, 24)
        words = QFontMetricsF(painter.font()).elidedText(content.subtitle, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, ordered(words))
