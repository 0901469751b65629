"""Paints the ground and the border of a box, by its shape."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen, QPolygonF

from workbench.gui.canvas.content.box_content import HEXAGON_INSET_PX, TEXT_X, BoxContent
from workbench.gui.canvas.painting.outlines import outline_path
from workbench.gui.look.theme import BLOCK_RADIUS_PX, Theme
from workbench.model.layout.shapes import Shape

BAR_PX = 4.0
_RIGHT = 12.0
_EAR_PX = 12.0


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
    words = QRectF(TEXT_X - 6, 6, content.width - TEXT_X - _RIGHT + 12, content.height - 12)
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
}
