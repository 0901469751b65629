"""Paints one box, by its shape: the picture that the canvas, the palette and a drag show."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPixmap, QPolygonF

from workbench.gui.canvas.box_content import (
    BADGE_PX,
    HEXAGON_INSET_PX,
    LOW_PX,
    Badge,
    BoxContent,
    fold_rect,
    problem_badge,
    right_margin,
)
from workbench.gui.canvas.chip_painter import paint_chips
from workbench.gui.canvas.text_layout import Ink, TextFrame, draw_text
from workbench.gui.look.icons import pixmap
from workbench.gui.look.theme import BLOCK_RADIUS_PX, Theme
from workbench.gui.words.kinds import icon_of
from workbench.i18n import _
from workbench.model.layout import Shape
from workbench.model.meaning import StepKind

BAR_PX = 4.0
ICON_PX = 16
_TEXT_X = 38.0
_RIGHT = 12.0
_EAR_PX = 12.0


def paint_box(painter: QPainter, content: BoxContent, theme: Theme) -> None:
    """Paint *content* with its top left at the origin, in pixels at 100 %."""
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    if content.shape is Shape.TITLE:
        _paint_title(painter, content, theme)
        return
    area = QRectF(0.5, 0.5, content.width - 1, content.height - 1)
    _OUTLINES.get(content.shape, _paint_block)(painter, area, content, theme)
    _paint_icon(painter, content, theme)
    number_width = _paint_number(painter, content, theme)
    _paint_words(painter, content, theme, number_width)
    left = _paint_badges(painter, content, theme)
    if content.chips:
        area = QRectF(_TEXT_X, content.height - content.foot - 2, left - _TEXT_X, content.foot)
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


def hexagon(area: QRectF) -> QPolygonF:
    """The flat hexagon of a decision."""
    inset = min(HEXAGON_INSET_PX, area.height() / 2)
    left, right, top, bottom = area.left(), area.right(), area.top(), area.bottom()
    middle = area.center().y()
    corners = (
        *((left + inset, top), (right - inset, top), (right, middle)),
        *((right - inset, bottom), (left + inset, bottom), (left, middle)),
    )
    return QPolygonF([QPointF(x, y) for x, y in corners])


def outline_path(shape: Shape, area: QRectF) -> QPainterPath:
    """The outline of a box of *shape*, for rings and clips."""
    path = QPainterPath()
    if shape is Shape.DECISION:
        path.addPolygon(hexagon(area))
        path.closeSubpath()
    else:
        radius = area.height() / 2 if shape is Shape.PILL else BLOCK_RADIUS_PX
        radius = 2.0 if shape is Shape.NOTE else radius
        path.addRoundedRect(area, radius, radius)
    return path


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
    left, top, right, bottom = area.left(), area.top(), area.right(), area.bottom()
    corners = ((left, top), (right - _EAR_PX, top), (right, top + _EAR_PX), (right, bottom), (left, bottom))
    path = QPainterPath()
    path.addPolygon(QPolygonF([QPointF(x, y) for x, y in corners]))
    path.closeSubpath()
    painter.fillPath(path, QColor(theme.note))
    _paint_bar(painter, path, content, theme)
    painter.setPen(QPen(QColor(theme.border), 1))
    painter.drawPath(path)
    ear = ((right - _EAR_PX, top), (right - _EAR_PX, top + _EAR_PX), (right, top + _EAR_PX))
    painter.drawPolyline([QPointF(x, y) for x, y in ear])


def _paint_raw(painter: QPainter, area: QRectF, content: BoxContent, theme: Theme) -> None:
    """A hatched block; the words stand on a clear band."""
    path = outline_path(Shape.RAW, area)
    painter.fillPath(path, QColor(theme.surface))
    painter.fillPath(path, QBrush(QColor(theme.border), Qt.BrushStyle.BDiagPattern))
    words = QRectF(_TEXT_X - 6, 6, content.width - _TEXT_X - _RIGHT + 12, content.height - 12)
    painter.fillRect(words, QColor(theme.surface))
    _paint_bar(painter, path, content, theme)
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


_OUTLINES: dict[Shape, Callable[[QPainter, QRectF, BoxContent, Theme], None]] = {
    Shape.BLOCK: _paint_block,
    Shape.DECISION: _paint_decision,
    Shape.LOOP: _paint_header,
    Shape.GROUP: _paint_header,
    Shape.CALL: _paint_call,
    Shape.PILL: _paint_pill,
    Shape.NOTE: _paint_note,
    Shape.RAW: _paint_raw,
    Shape.CHIP: _paint_chip,
}


def _left_of(content: BoxContent) -> float:
    """Where the icon starts."""
    return {Shape.DECISION: 24.0, Shape.CHIP: 10.0}.get(content.shape, 14.0)


def _paint_icon(painter: QPainter, content: BoxContent, theme: Theme) -> None:
    """The icon of the kind: beside the first line, or in the middle of what has one line."""
    if content.shape is Shape.CHIP:
        return
    is_low = content.height < LOW_PX or content.shape is Shape.PILL
    fold = fold_rect(content)
    top = (content.height - ICON_PX) / 2 if is_low else 10.0
    top = 6.0 if is_low and fold is not None else top
    _draw_icon(painter, icon_of(content.kind), theme.kind_color(content.kind), QPointF(_left_of(content), top), ICON_PX)
    if fold is not None:
        name = "unfold" if content.hidden else "fold"
        _draw_icon(painter, name, theme.muted, QPointF(fold.x, fold.y), int(fold.width))


def _draw_icon(painter: QPainter, name: str, color: str, at: QPointF, size_px: int) -> None:
    scale = painter.transform().m11()
    painter.drawPixmap(at, pixmap(name, color, size_px, scale))


def small_font(theme: Theme) -> QFont:
    """11 px, for numbers and badges."""
    font = theme.secondary_font()
    font.setPixelSize(11)
    return font


def block_font(content: BoxContent, theme: Theme) -> QFont:
    """The font of the words in a block: boxes keep their size, so the canvas grows by zoom, not by font."""
    font = theme.mono_font() if content.kind is StepKind.RAW else theme.body_font()
    font.setPixelSize(12 if content.kind is StepKind.RAW or content.shape is Shape.CHIP else 13)
    return font


def _paint_number(painter: QPainter, content: BoxContent, theme: Theme) -> float:
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


def words_frame(content: BoxContent, number_width: float = 0.0) -> TextFrame:
    """Where the words of *content* go."""
    left = _left_of(content) + (ICON_PX + 8 if content.shape is not Shape.CHIP else 0)
    width = content.width - left - right_margin(content)
    vertical = 5.0 if content.height >= 32 else 2.0
    return TextFrame(left, vertical, width - number_width, width, content.height - content.foot - 2 * vertical)


def _paint_words(painter: QPainter, content: BoxContent, theme: Theme, number_width: float) -> None:
    color = theme.muted if content.shape is Shape.CHIP else theme.text
    ink = Ink(block_font(content, theme), color, theme.muted, content.judged)
    draw_text(painter, content.text, words_frame(content, number_width), ink)


def _paint_badges(painter: QPainter, content: BoxContent, theme: Theme) -> float:
    """The small signs, from the bottom right leftwards, straddling the lower border's inside; where they end."""
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
    _draw_icon(painter, badge.icon, badge_color(badge, theme), QPointF(right - BADGE_PX, right_top.y()), BADGE_PX)
    return right - BADGE_PX - 4


def badge_color(badge: Badge, theme: Theme) -> str:
    """The theme's colour for *badge*."""
    return theme.muted if badge.color == "muted" else theme.severity_color(badge.color)


def _paint_label(painter: QPainter, words: str, right: float, top: float, theme: Theme) -> float:
    """Draw *words* small on a clear ground, ending at *right*; where the next sign ends."""
    font = small_font(theme)
    width = QFontMetricsF(font).horizontalAdvance(words) + 8
    area = QRectF(right - width, top, width, BADGE_PX)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.hover))
    painter.drawRoundedRect(area, 4, 4)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setFont(font)
    painter.setPen(QColor(theme.muted))
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter, words)
    return right - width - 4


def _paint_title(painter: QPainter, content: BoxContent, theme: Theme) -> None:
    """The name of a playbook, with its parameters muted behind it."""
    font = theme.title_font()
    font.setPixelSize(15)
    painter.setFont(font)
    metrics = QFontMetricsF(font)
    name = metrics.elidedText(content.text, Qt.TextElideMode.ElideRight, content.width)
    painter.setPen(QColor(theme.text))
    painter.drawText(QRectF(0, 0, content.width, 24), Qt.AlignmentFlag.AlignVCenter, name)
    if content.subtitle:
        painter.setPen(QColor(theme.muted))
        painter.setFont(_pixels(theme.secondary_font(), 12))
        used = metrics.horizontalAdvance(name) + 8
        below = content.height >= 40
        area = QRectF(0, 22, content.width, 18) if below else QRectF(used, 1, content.width - used, 24)
        words = QFontMetricsF(painter.font()).elidedText(content.subtitle, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, words)


def _pixels(font: QFont, size_px: int) -> QFont:
    font.setPixelSize(size_px)
    return font
