"""Paints what lies behind the blocks: edges, the frames of loops, and the lanes of agents."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from workbench.gui.canvas.painting.outlines import area_of, blended, edge_color
from workbench.gui.canvas.painting.text_layout import SMALL_PX, sized, small_font
from workbench.gui.look.theming import BLOCK_RADIUS_PX, Theme
from workbench.gui.words.directions import ordered
from workbench.gui.words.values import drawable_line
from workbench.i18n import _
from workbench.model.layout.program import Lane, Layout
from workbench.model.layout.shapes import Box, Fragment, Rect, Route
from workbench.model.meaning import RouteKind, StepKind
from workbench.model.program import StepId

if TYPE_CHECKING:  # loaded with the first run
    from workbench.model.layout.ways_taken import WaysTaken

_CORNER_PX = 6.0
_ARROW_PX = 5.0
_CACHED = 4000
# Calls and jumps are shown as badges; their lines appear only for what is selected or under the pointer.
_HIDDEN_KINDS = frozenset({RouteKind.CALL, RouteKind.JUMP})
Point = tuple[float, float]
_TAKEN_PX = 3.0
# how often a way was taken stands behind its word
_COUNT_LETTERS = 6
_HEADER_PX = 32
_PAD_PX = 40.0


@dataclass(frozen=True, slots=True, eq=False)
class RouteInk:
    """One edge, ready to draw: *route*. *is_dashed*: nothing goes that way by itself."""

    route: Route
    bounds: Rect
    path: QPainterPath
    arrow: QPolygonF | None
    label: str
    label_at: QPointF
    is_dashed: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Ink:
    """What is drawn behind the blocks of one fragment or playbook, in its own coordinates."""

    frames: tuple[tuple[StepKind, Rect], ...]
    routes: tuple[RouteInk, ...]


class InkStore:
    """Prepared ink, by identity: a fragment or an edge that an edit did not touch keeps its ink.

    *taken*: what the run that is shown has done on the ways; None while none is shown.
    """

    def __init__(self) -> None:
        self.taken: WaysTaken | None = None
        self._known: OrderedDict[int, tuple[object, Ink]] = OrderedDict()
        self._ways: OrderedDict[int, tuple[Route, tuple[RouteInk, ...]]] = OrderedDict()

    def ink_of(self, drawn: Fragment) -> Ink:
        """The ink of *drawn*."""
        found = self._known.get(id(drawn))
        if found is not None:
            return found[1]
        loops = frozenset(box.step.id for box in drawn.boxes if box.kind is StepKind.LOOP and box.step is not None)
        ink = Ink(frames_of(drawn.boxes), route_inks(drawn.routes, loops))
        self._known[id(drawn)] = (drawn, ink)
        if len(self._known) > _CACHED:
            self._known.popitem(last=False)
        return ink

    def inks_of(self, routes: Iterable[Route]) -> Iterator[RouteInk]:
        """The ink of *routes* that belong to no fragment."""
        for route in routes:
            found = self._ways.get(id(route))
            if found is None:
                found = (route, route_inks((route,)))
                self._ways[id(route)] = found
                if len(self._ways) > _CACHED:
                    self._ways.popitem(last=False)
            yield from found[1]


def frames_of(boxes: Iterable[Box]) -> tuple[tuple[StepKind, Rect], ...]:
    """The frames of the containers among *boxes*, the outer ones first."""
    return tuple((box.kind, box.rect) for box in boxes if 0 < box.header_height < box.rect.height)


def route_inks(routes: Iterable[Route], loops: frozenset[StepId] = frozenset()) -> tuple[RouteInk, ...]:
    """The visible ones of *routes*, ready to draw; the way into the body of one of *loops* needs no word."""
    shown = (route for route in routes if route.kind not in _HIDDEN_KINDS and len(route.points) > 1)
    return tuple(route_ink(route, _label_of(route, loops)) for route in shown)


def _label_of(route: Route, loops: frozenset[StepId]) -> str:
    return "" if route.source in loops else drawable_line(route.label) or word_on(route.kind)


def word_on(kind: RouteKind) -> str:
    """What stands on an edge of *kind*."""
    return {RouteKind.YES: _("yes"), RouteKind.NO: _("no")}.get(kind, "")


def route_ink(route: Route, label: str = "") -> RouteInk:
    """*route* with *label*, ready to draw."""
    xs, ys = [x for x, _y in route.points], [y for _x, y in route.points]
    # the word may be drawn right of everything else; hardly a letter is wider than its font is high
    reach = max(40, 6 + SMALL_PX * (len(label) + _COUNT_LETTERS))
    # around the line: the arrow head (8) and a line of words above its beginning or below it (16, 24)
    bounds = Rect(min(xs) - 8, min(ys) - 16, max(xs) - min(xs) + 8 + reach, max(ys) - min(ys) + 24)
    arrow = arrow_head(route.points) if route.has_arrow else None
    is_dashed = route.kind is RouteKind.LINK
    return RouteInk(route, bounds, rounded_path(route.points), arrow, label, _label_place(route), is_dashed)


def rounded_path(points: Sequence[Point]) -> QPainterPath:
    """The polyline through *points* with small round corners."""
    path = QPainterPath(QPointF(*points[0]))
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        path.lineTo(_towards(corner, before))
        path.quadTo(QPointF(*corner), _towards(corner, after))
    path.lineTo(QPointF(*points[-1]))
    return path


def _towards(start: Point, goal: Point) -> QPointF:
    """The point one corner radius from *start* on the way to *goal*, at most half way."""
    dx, dy = goal[0] - start[0], goal[1] - start[1]
    length = math.hypot(dx, dy) or 1.0
    part = min(_CORNER_PX, length / 2) / length
    return QPointF(start[0] + dx * part, start[1] + dy * part)


def arrow_head(points: Sequence[Point]) -> QPolygonF:
    """A small triangle at the end of the polyline."""
    tip = points[-1]
    back = next((point for point in reversed(points[:-1]) if point != tip), tip)
    angle = math.atan2(tip[1] - back[1], tip[0] - back[0])
    corners = [QPointF(*tip)]
    for turn in (math.pi - 0.45, math.pi + 0.45):
        reach = _ARROW_PX * 1.5
        corners.append(QPointF(tip[0] + reach * math.cos(angle + turn), tip[1] + reach * math.sin(angle + turn)))
    return QPolygonF(corners)


def _label_place(route: Route) -> QPointF:
    """Where the left end of the word on an edge stands: above or beside the first stretch, its own at the arrow."""
    if route.label:
        return QPointF(route.points[-1][0] + 6, route.points[-1][1] - 4)
    (x, y), (next_x, next_y) = route.points[0], route.points[1]
    is_level = abs(next_x - x) > abs(next_y - y)
    return QPointF(x + 6, y - 4) if is_level else QPointF(x + 6, y + 14)


def paint_frames(painter: QPainter, ink: Ink, exposed: Rect, theme: Theme) -> None:
    """Draw the containers of loops and groups: a faint ground and a hairline."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for kind, frame in ink.frames:
        if frame.meets(exposed):
            color = theme.kind_color(kind)
            area = QRectF(frame.x + 0.5, frame.y + 0.5, frame.width - 1, frame.height - 1)
            # a rounded or translucent ground would cost some milliseconds where loops are large
            painter.fillRect(area.adjusted(1, 1, -1, -1), blended(color, theme.window, 0.06))
            painter.setPen(QPen(blended(color, theme.window, 0.45), 1))
            painter.drawRoundedRect(area, BLOCK_RADIUS_PX, BLOCK_RADIUS_PX)


def routes_in(routes: Iterable[Route], exposed: Rect) -> list[Route]:
    """Those of *routes* that may be seen in *exposed*."""
    right, bottom = exposed.x + exposed.width, exposed.y + exposed.height
    near: list[Route] = []
    for route in routes:
        xs, ys = [x for x, _y in route.points], [y for _x, y in route.points]
        if min(xs) <= right and max(xs) >= exposed.x and min(ys) <= bottom and max(ys) >= exposed.y:
            near.append(route)
    return near


def paint_routes(
    painter: QPainter, inks: Iterable[RouteInk], exposed: Rect, theme: Theme, taken: WaysTaken | None = None
) -> None:
    """Draw the edges that meet *exposed*: those that were *taken* thicker, with how often where that is more."""
    color = edge_color(theme)
    pen, dashed = QPen(color, 1.5), QPen(color, 1, Qt.PenStyle.DashLine)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    thick = QPen(QColor(theme.done), _TAKEN_PX)
    thick.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    near = [(taken is not None and taken.times(ink.route) > 0, ink) for ink in inks if ink.bounds.meets(exposed)]
    near.sort(key=itemgetter(0))  # where ways meet, what was taken lies on top
    font = small_font(theme)
    for is_taken, ink in near:
        painter.setPen(thick if is_taken else dashed if ink.is_dashed else pen)
        painter.drawPath(ink.path)
        if ink.arrow is not None:
            painter.setBrush(thick.color() if is_taken else color)
            painter.drawPolygon(ink.arrow)
            painter.setBrush(Qt.BrushStyle.NoBrush)
        label = f"{ink.label} {taken.words(ink.route)}".strip() if taken is not None else ink.label
        if label:
            painter.setPen(QColor(theme.muted))
            painter.setFont(font)
            painter.drawText(ink.label_at, label)


def paint_ground(painter: QPainter, layout: Layout, exposed: Rect, store: InkStore, theme: Theme) -> None:
    """Draw everything that lies behind the blocks in *exposed*: edges, and the frames of containers."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for placed in layout.visible(exposed):
        ink = store.ink_of(placed.fragment)
        painter.translate(placed.x, placed.y)
        inside = exposed.moved(-placed.x, -placed.y)
        paint_frames(painter, ink, inside, theme)
        paint_routes(painter, ink.routes, inside, theme, store.taken)
        painter.translate(-placed.x, -placed.y)
    for playbook in layout.playbooks:
        # above the frames: the edges of a graph lead from one container into another
        if playbook.rect.meets(exposed):
            paint_routes(painter, store.inks_of(routes_in(playbook.routes, exposed)), exposed, theme, store.taken)
    paint_routes(painter, store.inks_of(routes_in(layout.ways, exposed)), exposed, theme, store.taken)
    for function in layout.functions:
        paint_routes(painter, store.inks_of(routes_in(function.routes, exposed)), exposed, theme)


def kind_words(kind: str) -> str:
    """What a person calls an agent of *kind*."""
    return {"Human": _("Person"), "MCP": _("Tool server")}.get(kind, _("AI agent"))


def paint_lanes(painter: QPainter, layout: Layout, exposed: Rect, theme: Theme) -> None:
    """Draw the lanes that meet *exposed*, each with its title."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for lane in layout.lanes:
        if lane.rect.meets(exposed):
            painter.fillRect(area_of(lane.rect), blended(theme.surface, theme.window, 0.6))
            painter.setPen(QPen(QColor(theme.border), 1))
            painter.drawRoundedRect(area_of(lane.rect), BLOCK_RADIUS_PX, BLOCK_RADIUS_PX)
            _paint_title(painter, lane, theme)


def paint_far_lanes(painter: QPainter, layout: Layout, exposed: Rect, theme: Theme) -> None:
    """Draw the lanes as they are seen from afar: plain frames."""
    painter.setPen(QPen(QColor(theme.border), 0))
    painter.setBrush(blended(theme.surface, theme.window, 0.6))
    painter.drawRects([area_of(lane.rect) for lane in layout.lanes if lane.rect.meets(exposed)])
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _paint_title(painter: QPainter, lane: Lane, theme: Theme) -> None:
    """The agent's name, and its kind muted behind it."""
    font = sized(theme.body_font(), 13)
    font.setBold(True)
    metrics = QFontMetricsF(font)
    room = lane.rect.width - 2 * _PAD_PX
    name = metrics.elidedText(drawable_line(lane.name), Qt.TextElideMode.ElideRight, room * 0.7)
    baseline = lane.rect.y + (_HEADER_PX + metrics.ascent() - metrics.descent()) / 2
    painter.setFont(font)
    painter.setPen(QColor(theme.text))
    painter.drawText(QPointF(lane.rect.x + _PAD_PX, baseline), ordered(name))
    used = metrics.horizontalAdvance(name) + 8
    font.setBold(False)
    painter.setFont(font)
    painter.setPen(QColor(theme.muted))
    kind = QFontMetricsF(font).elidedText(kind_words(lane.kind), Qt.TextElideMode.ElideRight, room - used)
    painter.drawText(QPointF(lane.rect.x + _PAD_PX + used, baseline), kind)
