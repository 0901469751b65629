"""The flowchart: a graphics view that holds items only for what can be seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QPointF, QRect, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent, QTransform
from PySide6.QtWidgets import QFrame, QGraphicsScene, QGraphicsView, QWidget

from workbench.gui.canvas.content.canvas_state import CanvasState
from workbench.gui.canvas.painting.outlines import area_of
from workbench.gui.canvas.painting.overlay import REACH_PX, OverlayState, paint_overlay
from workbench.gui.canvas.painting.overview import paint_blanks
from workbench.gui.canvas.painting.route_painter import InkStore, paint_ground, paint_lanes, routes_in
from workbench.gui.canvas.view import zoom_levels
from workbench.gui.canvas.view.visible_items import FarView, VisibleItems, shows_names
from workbench.gui.look.theming import Theme, current_theme
from workbench.model.layout.program import Layout, PlaybookLayout
from workbench.model.layout.shapes import Rect
from workbench.model.program import StepId

if TYPE_CHECKING:  # loaded with the first run
    from workbench.model.layout.ways_taken import WaysTaken

# Beyond the layout there is this much of the viewport, so that every step can come to its middle.
_BEYOND = 0.75
_LEAST = QGraphicsView.ViewportUpdateMode.MinimalViewportUpdate
_ALL = QGraphicsView.ViewportUpdateMode.FullViewportUpdate
# What is exposed in more pieces than this is painted as one.
_MOST_PIECES = 4
# From here on repainting everything is cheaper than finding each step.
_MANY = 64


class CanvasView(QGraphicsView):
    """Shows a ``CanvasState``. What the pointer and the keys do is decided elsewhere.

    *ink*: what is drawn behind the blocks. *whole_px*: how wide it is where no map stands beside it, which comes
    and goes; 0 where there never is one.
    """

    view_moved = Signal()  # another part is visible, or the zoom changed

    def __init__(self, state: CanvasState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.state = state
        self.look = OverlayState()
        self.setScene(QGraphicsScene(self))
        self.shown = VisibleItems(self.scene(), state)
        self.shown.completed.connect(self._on_completed)
        self.ink = InkStore()
        self._drawn = state.layout
        self.far = FarView(state, self)
        self.far.advanced.connect(self.refresh)
        self.far.completed.connect(self._on_completed)
        self._exposed: tuple[QRect, ...] = ()
        self._is_moving = False
        self.whole_px = 0
        _set_up(self)
        self._fit_scene_rect()

    @property
    def theme(self) -> Theme:
        """The theme that everything is painted in."""
        return current_theme()

    @property
    def zoom(self) -> float:
        """Pixels on the screen per pixel at 100 %."""
        return self.transform().m11()

    @property
    def is_far(self) -> bool:
        """True when blocks are drawn as an overview."""
        return self.zoom < zoom_levels.OVERVIEW_BELOW

    def look_at(self, zoom: float, point: QPointF, at: QPointF) -> None:
        """Show *point* of the canvas at *at* of the viewport, at *zoom*."""
        self._is_moving = True
        if zoom != self.zoom:
            self.setViewportUpdateMode(_ALL)  # no pixels need to be scrolled that are painted anyway
            self.setTransform(QTransform.fromScale(zoom, zoom))
        self._fit_scene_rect()
        self.horizontalScrollBar().setValue(round(point.x() * zoom - at.x()))
        self.verticalScrollBar().setValue(round(point.y() * zoom - at.y()))
        self.setViewportUpdateMode(_LEAST)
        self._is_moving = False
        self.refresh_items()

    def replace_layout(self) -> None:
        """Take over the layout of the state; what is on the screen is patched, not rebuilt."""
        before, self._drawn = self._drawn, self.state.layout
        self._fit_scene_rect()
        self.shown.outdate()
        self.refresh_items()
        if shows_names(self.zoom):
            self.viewport().update()
        else:
            self.refresh(changed_rects(before, self.state.layout, visible_rect(self)))

    def take_theme(self) -> None:
        """The pictures of blocks have the colours of the theme in which they were drawn."""
        self.shown.forget_pictures()
        self.refresh_items()

    def refresh_items(self) -> None:
        """Have the items that the visible part needs."""
        if shows_names(self.zoom):
            self.far.prepare()
        if self.is_far:
            self.shown.show_nothing()
        else:
            self.shown.show(visible_rect(self), zoom_levels.picture_scale(self.zoom) * self.devicePixelRatioF())
        self.view_moved.emit()

    def show_ways(self, taken: WaysTaken | None, changed: Iterable[Rect]) -> None:
        """Draw the ways that were *taken* differently; *changed*: where that may look different now."""
        self.ink.taken = taken
        if not self.is_far:
            self.refresh(changed)

    def refresh(self, rects: Iterable[Rect]) -> None:
        """Repaint the parts of the viewport that show *rects*, with what may stand around them."""
        for rect in rects:
            area = area_of(rect).adjusted(-REACH_PX, -REACH_PX, REACH_PX, REACH_PX)
            self.viewport().update(self.mapFromScene(area).boundingRect().adjusted(-2, -2, 2, 2))

    def refresh_steps(self, steps: Iterable[StepId]) -> None:
        """Repaint what is visible of *steps*."""
        wanted = frozenset(steps)
        if not self.is_far:
            self.refresh(box.rect for box in self.shown.boxes.values() if box.step in wanted)
        elif len(wanted) > _MANY:
            self.viewport().update()
        else:
            self.refresh(rect for step in wanted if (rect := self.state.layout.place_of(step)) is not None)

    def _fit_scene_rect(self) -> None:
        layout, zoom = self.state.layout, self.zoom
        wide, high = self.viewport().width() * _BEYOND / zoom, self.viewport().height() * _BEYOND / zoom
        self.setSceneRect(-wide, -high, layout.width + 2 * wide, layout.height + 2 * high)

    @Slot()
    def _on_completed(self) -> None:
        self.viewport().update()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Scroll the pixels; items follow where another part comes into view."""
        super().scrollContentsBy(dx, dy)
        if not self._is_moving:
            self.refresh_items()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the top left where it is."""
        corner = QPointF(self.horizontalScrollBar().value(), self.verticalScrollBar().value()) / self.zoom
        super().resizeEvent(event)
        self.look_at(self.zoom, corner, QPointF(0, 0))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what is exposed, piece by piece: after a scroll, that is a strip and the place of the map."""
        region = event.region()
        self._exposed = tuple(cast(Iterable[QRect], region)) if 1 < region.rectCount() <= _MOST_PIECES else ()
        super().paintEvent(event)
        self._exposed = ()

    def drawBackground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        """The ground, the frames of loops and the edges; from afar everything."""
        painter.fillRect(rect, QColor(self.theme.window))
        for exposed in self._pieces(painter, rect):
            self._paint_piece(painter, exposed)

    def _pieces(self, painter: QPainter, rect: QRectF | QRect) -> Iterator[Rect]:
        """The parts of *rect* that are to be painted, each while *painter* paints nowhere else."""
        if not self._exposed:
            yield Rect(rect.x(), rect.y(), rect.width(), rect.height())
        for piece in self._exposed:
            area = self.mapToScene(piece.adjusted(-1, -1, 1, 1)).boundingRect()
            transform = painter.transform()
            painter.save()
            painter.resetTransform()  # whole pixels, so that nothing is painted twice where pieces meet
            painter.setClipRect(piece)
            painter.setTransform(transform)
            yield Rect(area.x(), area.y(), area.width(), area.height())
            painter.restore()

    def _paint_piece(self, painter: QPainter, exposed: Rect) -> None:
        if self.is_far:
            self.far.overview.paint(painter, exposed, self.theme)
            return
        paint_lanes(painter, self.state.layout, exposed, self.theme)
        paint_ground(painter, self.state.layout, exposed, self.ink, self.theme)
        if not self.shown.is_complete:
            paint_blanks(painter, self.shown.missing(), self.theme)

    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        """Selection, run marks and what else lies over the blocks."""
        if self.is_far:
            self.far.paint_over(painter, self.look, self.theme)
        for exposed in self._pieces(painter, rect):
            if not self.is_far:
                paint_overlay(painter, self.shown.boxes.values(), exposed, self.look, self.theme)
            if shows_names(self.zoom):
                self.far.paint_names(painter, exposed, self.zoom, self.theme)


def visible_rect(view: QGraphicsView) -> Rect:
    """The part of the canvas that the viewport of *view* shows."""
    zoom = view.transform().m11()
    left, top = view.horizontalScrollBar().value() / zoom, view.verticalScrollBar().value() / zoom
    return Rect(left, top, view.viewport().width() / zoom, view.viewport().height() / zoom)


def changed_rects(before: Layout, after: Layout, visible: Rect) -> Iterator[Rect]:
    """The parts of *visible* in which the ground looks different in *after*: what came, went or moved."""
    if before.lanes != after.lanes or before.functions != after.functions or before.ways != after.ways:
        yield visible
        return
    for old, new in zip_longest(before.playbooks, after.playbooks):
        if old is new:
            continue
        was = _ground(old, visible) if old is not None else {}
        is_now = _ground(new, visible) if new is not None else {}
        for key in was.keys() ^ is_now.keys():
            yield was[key] if key in was else is_now[key]


def _ground(playbook: PlaybookLayout, visible: Rect) -> dict[tuple[object, ...], Rect]:
    """What is drawn of *playbook* in *visible*: by identity and place, its rectangle."""
    found: dict[tuple[object, ...], Rect] = {}
    for placed in playbook.visible(visible):
        fragment = placed.fragment
        found[(id(fragment), placed.x, placed.y)] = Rect(placed.x, placed.y, fragment.width, fragment.height)
    for route in routes_in(playbook.routes, visible):
        found[route.points] = visible
    return found


def _set_up(view: QGraphicsView) -> None:
    """The settings that keep 60 frames per second, and a view that moves only when it is told to."""
    view.setFrameShape(QFrame.Shape.NoFrame)
    view.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
    view.setViewportUpdateMode(_LEAST)
    view.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
    view.setResizeAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
    view.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
    view.viewport().setMouseTracking(True)
    view.viewport().setAutoFillBackground(False)  # the ground is drawn, and twice takes twice as long
    view.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
    # its own bars would count the room beyond the flowchart: those around it are about what there is
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    view.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
