"""The areas and outlines of boxes, for grounds, rings and clips."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainterPath, QPolygonF

from workbench.gui.canvas.content.box_content import HEXAGON_INSET_PX
from workbench.gui.look.theme import BLOCK_RADIUS_PX
from workbench.model.layout.shapes import Rect, Shape


def area_of(rect: Rect) -> QRectF:
    """*rect* as Qt has it."""
    return QRectF(rect.x, rect.y, rect.width, rect.height)


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
    """The outline of a box of *shape*."""
    path = QPainterPath()
    if shape is Shape.DECISION:
        path.addPolygon(hexagon(area))
        path.closeSubpath()
    else:
        radius = area.height() / 2 if shape is Shape.PILL else BLOCK_RADIUS_PX
        radius = 2.0 if shape is Shape.NOTE else radius
        path.addRoundedRect(area, radius, radius)
    return path
