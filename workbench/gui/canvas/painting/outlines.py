"""The colours, areas and outlines of boxes, for grounds, rings and clips."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainterPath, QPolygonF

from workbench.gui.canvas.content.box_content import HEXAGON_INSET_PX
from workbench.gui.look.theming import BLOCK_RADIUS_PX, Theme
from workbench.model.layout.shapes import Rect, Shape
from workbench.model.meaning import StepKind


def edge_color(theme: Theme) -> QColor:
    """The colour of edges: below muted, so that they do not shout, and with the 3 to 1 that lines need to be seen."""
    return blended(theme.muted, theme.window, 0.72)


@lru_cache(maxsize=256)
def blended(first: str, second: str, share: float) -> QColor:
    """*share* of the colour *first*, the rest of *second*. The same object for the same colours: not to be changed."""
    one, other = QColor(first), QColor(second)
    mixed = [
        round(a * share + b * (1 - share))
        for a, b in ((one.red(), other.red()), (one.green(), other.green()), (one.blue(), other.blue()))
    ]
    return QColor(*mixed)


def overview_color(kind: StepKind, theme: Theme) -> QColor:
    """The colour of a block from afar: its kind, softened by the ground."""
    ground = theme.note if kind is StepKind.NOTE else theme.surface
    return blended(theme.kind_color(kind), ground, 0.55)


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
