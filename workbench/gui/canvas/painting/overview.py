"""The canvas from afar: all blocks and edges drawn as a few batches, without one call per block.

Neighbouring fragments of a column form chunks. A chunk keeps its rectangles by kind in its
own coordinates, and is found again after an edit as long as the same fragments stand in it
in the same order, so that an edit prepares one chunk and not ten thousand blocks. Chunks of
a document that is seen from afar for the first time are prepared a few at a time.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from workbench.gui.canvas.content.box_content import drawn_height
from workbench.gui.canvas.content.shown_boxes import ShownBox
from workbench.gui.canvas.painting.outlines import area_of, blended, edge_color, overview_color
from workbench.gui.canvas.painting.route_painter import paint_far_lanes
from workbench.gui.control.running.run_marks import MarkStatus, StepMark
from workbench.gui.look.theming import Theme
from workbench.model.layout.functions import FunctionLayout
from workbench.model.layout.program import Layout, PlaybookLayout
from workbench.model.layout.shapes import Box, Fragment, Rect, Route, Shape
from workbench.model.meaning import RouteKind, StepKind
from workbench.model.program import StepId
from workbench.model.showing.heat import Warmth

# A chunk ends where the identity of a fragment says so, on average after 256 of them. Borders after every 256th would
# shift with each inserted step, and every chunk below would have to be prepared again. The lowest bits of an identity
# are always the same, since objects begin at even places in memory.
_CHUNK_MASK = 255
_SAME_BITS = 5
_HIDDEN_ROUTES = frozenset({RouteKind.CALL, RouteKind.JUMP})
ChunkKey = tuple[int, ...]
_RING_PX = 2.0
_FAR_EDGE = 0.5
# From here on it is cheaper to look at every box than to look for each step.
_MANY = 200
# So many chunks are prepared at once, however long that takes: nobody sees the parts of a short document come.
_AT_ONCE = 2
_SLICE_S = 0.008


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """The batches of some neighbouring fragments: x counts from their spine, y from the top of the first.

    *fragments* are held so that their identities, which name the chunk, stay theirs.
    """

    fragments: tuple[Fragment, ...]
    bounds: Rect
    rects: tuple[tuple[StepKind, list[QRectF]], ...]
    frames: list[QRectF]
    lines: QPainterPath
    groups: tuple[tuple[Box, Rect], ...] = ()


@dataclass(slots=True)
class PlacedChunk:
    """Neighbouring fragments, where their spine and their top are, and their chunk, once it is prepared."""

    fragments: tuple[Fragment, ...]
    x: float
    y: float
    chunk: Chunk | None = None

    @property
    def bounds(self) -> Rect:
        """The part of the canvas that it covers."""
        chunk = self.chunk
        return (chunk.bounds if chunk is not None else bounds_of(self.fragments)).moved(self.x, self.y)


class Overview:
    """The batches of one layout. *is_complete*: all of them are prepared."""

    def __init__(self) -> None:
        self._known: dict[ChunkKey, Chunk] = {}
        self._placed: list[PlacedChunk] | None = None
        self._due: list[PlacedChunk] = []
        self._layout: Layout | None = None

    def set_layout(self, layout: Layout) -> None:
        """Show *layout* from now on; nothing is prepared before somebody asks."""
        if layout is not self._layout:
            self._layout = layout
            self._placed = None
            self._due = []

    @property
    def is_complete(self) -> bool:
        """Whether everything there is would be drawn."""
        return self._placed is not None and not self._due

    def prepare(self, budget_s: float = _SLICE_S) -> list[Rect]:
        """Prepare some of what is missing, for about *budget_s*; the parts of the canvas that can be drawn now."""
        if self._placed is None:
            self._placed = self._arranged()
            self._due = [each for each in reversed(self._placed) if each.chunk is None]
        end, made = time.perf_counter() + budget_s, 0
        ready: list[Rect] = []
        while self._due and (made < _AT_ONCE or time.perf_counter() < end):
            placed = self._due.pop()
            placed.chunk = self._known[tuple(map(id, placed.fragments))] = chunk_of(placed.fragments)
            ready.append(placed.bounds)
            made += 1
        return ready

    def groups(self) -> Iterator[tuple[Box, Rect]]:
        """The groups of what is prepared, and where they stand."""
        for placed in self._placed or ():
            for box, rect in placed.chunk.groups if placed.chunk is not None else ():
                yield box, rect.moved(placed.x, placed.y)

    def paint(self, painter: QPainter, exposed: Rect, theme: Theme) -> None:
        """Draw everything that meets *exposed*, in scene coordinates."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        if self._layout is not None:
            paint_far_lanes(painter, self._layout, exposed, theme)
        for placed in self._placed or ():
            if not placed.bounds.meets(exposed):
                continue
            if placed.chunk is None:
                painter.fillRect(area_of(placed.bounds), blended(theme.border, theme.window, 0.4))
            else:
                painter.translate(placed.x, placed.y)
                _paint_chunk(painter, placed.chunk, theme)
                painter.translate(-placed.x, -placed.y)
        for playbook in self._layout.playbooks if self._layout is not None else ():
            if playbook.rect.meets(exposed):
                _paint_own(painter, playbook, theme)
        if self._layout is not None:
            _paint_ways(painter, self._layout.ways, theme)
        for function in self._layout.functions if self._layout is not None else ():
            if function.rect.meets(exposed):
                _paint_own(painter, function, theme)

    def _arranged(self) -> list[PlacedChunk]:
        """The chunks of the layout; those that are known are used again."""
        known, self._known = self._known, {}
        placed: list[PlacedChunk] = []
        for playbook in self._layout.playbooks if self._layout is not None else ():
            for spine, top, group in groups_of(playbook):
                key = tuple(map(id, group))
                chunk = known.get(key)
                if chunk is not None:
                    self._known[key] = chunk
                placed.append(PlacedChunk(group, spine, top, chunk))
        return placed


def groups_of(playbook: PlaybookLayout) -> Iterator[tuple[float, float, tuple[Fragment, ...]]]:
    """The fragments of *playbook* in groups of neighbours, each with its spine and its top."""
    for column in playbook.columns:
        start = column.first
        inner = playbook.fragments[column.first : column.last]
        numbered = enumerate(inner, column.first + 1)
        borders = [index for index, each in numbered if not (id(each) >> _SAME_BITS) & _CHUNK_MASK]
        for end in (*borders, column.last):
            if end > start:
                yield column.spine, playbook.tops[start], playbook.fragments[start:end]
                start = end


def chunk_of(fragments: tuple[Fragment, ...]) -> Chunk:
    """The batches of *fragments*, which stand below one another on one spine."""
    by_kind: dict[StepKind, list[QRectF]] = {}
    frames: list[QRectF] = []
    groups: list[tuple[Box, Rect]] = []
    lines = QPainterPath()
    top = 0.0
    for fragment in fragments:
        left = -fragment.spine
        for box in fragment.boxes:
            _add_box(box, left, top, by_kind, frames)
            if box.shape is Shape.GROUP and not box.hidden:
                groups.append((box, box.rect.moved(left, top)))
        _add_lines(lines, fragment.routes, left, top)
        top += fragment.height
    return Chunk(fragments, bounds_of(fragments), tuple(by_kind.items()), frames, lines, tuple(groups))


def bounds_of(fragments: tuple[Fragment, ...]) -> Rect:
    """What *fragments* cover that stand below one another, with their spine at 0 and their top at 0."""
    left = max([fragment.spine for fragment in fragments])
    right = max([fragment.right for fragment in fragments])
    return Rect(-left, 0.0, left + right, sum([fragment.height for fragment in fragments]))


def _add_box(box: Box, dx: float, dy: float, by_kind: dict[StepKind, list[QRectF]], frames: list[QRectF]) -> None:
    """Put *box* among the batches, moved by (*dx*, *dy*)."""
    rect = box.rect
    height = drawn_height(box)
    if height < rect.height:
        frames.append(QRectF(rect.x + dx, rect.y + dy, rect.width, rect.height))
    area = QRectF(rect.x + dx, rect.y + dy, rect.width, height)
    if box.kind in by_kind:
        by_kind[box.kind].append(area)
    else:
        by_kind[box.kind] = [area]


def _add_lines(path: QPainterPath, routes: Iterable[Route], dx: float = 0.0, dy: float = 0.0) -> None:
    """Add *routes* to *path*, moved by (*dx*, *dy*)."""
    for route in routes:
        if route.kind not in _HIDDEN_ROUTES:
            (x, y), *others = route.points
            path.moveTo(x + dx, y + dy)
            for x, y in others:
                path.lineTo(x + dx, y + dy)


def _paint_chunk(painter: QPainter, chunk: Chunk, theme: Theme) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    # softer than near: where thousands of them stand side by side, they would be all that is seen
    painter.setPen(QPen(blended(theme.muted, theme.window, _FAR_EDGE), 0))
    painter.drawPath(chunk.lines)
    if chunk.frames:
        painter.setPen(QPen(blended(theme.kind_color(StepKind.LOOP), theme.window, 0.5), 0))
        painter.drawRects(chunk.frames)
    painter.setPen(Qt.PenStyle.NoPen)
    for kind, rects in chunk.rects:
        painter.setBrush(overview_color(kind, theme))
        painter.drawRects(rects)


def _paint_ways(painter: QPainter, routes: Iterable[Route], theme: Theme) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(edge_color(theme), 0))
    ways = QPainterPath()
    _add_lines(ways, routes)
    painter.drawPath(ways)


def _paint_own(painter: QPainter, playbook: PlaybookLayout | FunctionLayout, theme: Theme) -> None:
    """The title, the implied end and the ways between columns; or all of a function."""
    _paint_ways(painter, playbook.routes, theme)
    painter.setPen(Qt.PenStyle.NoPen)
    for box in playbook.boxes:
        is_title = box.shape is Shape.TITLE
        painter.setBrush(QColor(theme.text) if is_title else overview_color(box.kind, theme))
        painter.drawRect(title_bar(box.rect) if is_title else area_of(box.rect))
    painter.setBrush(Qt.BrushStyle.NoBrush)


def paint_blanks(painter: QPainter, boxes: Iterable[ShownBox], theme: Theme) -> None:
    """Plain rectangles where the pictures of blocks are still to come."""
    painter.setPen(Qt.PenStyle.NoPen)
    for box in boxes:
        if box.content.shape is not Shape.TITLE:
            painter.setBrush(overview_color(box.content.kind, theme))
            painter.drawRect(area_of(box.rect))
    painter.setBrush(Qt.BrushStyle.NoBrush)


def title_bar(rect: Rect) -> QRectF:
    """The bar that stands for the title of a playbook."""
    return QRectF(rect.x, rect.y + rect.height * 0.2, rect.width * 0.6, rect.height * 0.35)


class FarSelection:
    """The rings of the last selection in the last layout."""

    def __init__(self) -> None:
        self._layout: Layout | None = None
        self._selected: frozenset[StepId] = frozenset()
        self._rects: list[QRectF] = []

    def rects(self, layout: Layout, selected: frozenset[StepId]) -> list[QRectF]:
        """Where the *selected* steps stand in *layout*."""
        if layout is not self._layout or selected is not self._selected:
            self._layout, self._selected = layout, selected
            self._rects = [area_of(rect) for rect in _places(layout, selected)]
        return self._rects


def _places(layout: Layout, selected: frozenset[StepId]) -> Iterator[Rect]:
    if len(selected) < _MANY:
        yield from (place for step in selected if (place := layout.place_of(step)) is not None)
        return
    for placed in layout.visible(Rect(0, 0, layout.width, layout.height)):
        for box in placed.fragment.boxes:
            if box.step is not None and box.step.id in selected:
                yield placed.words_rect(box)


def paint_far_overlay(painter: QPainter, rects: list[QRectF], theme: Theme) -> None:
    """Draw rings that are as wide on the screen at any zoom."""
    pen = QPen(QColor(theme.accent), _RING_PX)
    pen.setCosmetic(True)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRects(rects)


def paint_far_marks(painter: QPainter, layout: Layout, marks: Mapping[StepId, StepMark], theme: Theme) -> None:
    """Fill the steps that a person may look for: running, waiting, failed, blocked."""
    loud = ((step, mark) for step, mark in marks.items() if mark.status in _LOUD)
    painter.setPen(Qt.PenStyle.NoPen)
    for step, mark in islice(loud, _MANY):
        place = layout.place_of(step)
        if place is not None:
            painter.setBrush(QColor(theme.status_color(mark.status.value)))
            painter.drawRect(QRectF(place.x, place.y, place.width, min(place.height, _LOUD_HEIGHT_PX)))
    painter.setBrush(Qt.BrushStyle.NoBrush)


def paint_far_heat(painter: QPainter, heat: Iterable[tuple[Warmth, list[QRectF]]], theme: Theme) -> None:
    """Draw how warm steps are: the warmer, the stronger, and the more of its width a step takes."""
    painter.setPen(Qt.PenStyle.NoPen)
    for warmth, rects in heat:
        painter.setBrush(blended(theme.blocked, theme.window, 0.3 + 0.7 * warmth.level / warmth.levels))
        painter.drawRects(rects)
    painter.setBrush(Qt.BrushStyle.NoBrush)


_LOUD = frozenset({MarkStatus.RUNNING, MarkStatus.WAITING, MarkStatus.FAILED, MarkStatus.BLOCKED})
_LOUD_HEIGHT_PX = 64.0
