"""Steps that keep no order, side by side; and the edges of a graph, drawn around its boxes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from workbench.model.layout.folds import NOTHING_FOLDED, Folds
from workbench.model.layout.lines import lines_of
from workbench.model.layout.pieces import HALF, Path, Piece, Stub, stub_fragment
from workbench.model.layout.shapes import (
    BLOCK_WIDTH,
    GAP,
    LINE_HEIGHT,
    Box,
    Fragment,
    Rect,
    Route,
    Shape,
    Slot,
    slot_at,
)
from workbench.model.layout.tree import PADDING, piece_of
from workbench.model.program import Playbook, Step, StepId
from workbench.model.steplists.edges import depths_of, edges_of

_PER_ROW = 3
_ACROSS = BLOCK_WIDTH + 40.0
_HEADER_PADDING = 28.0
_LANE = 12.0
_FIRST_LANE = 20.0
_LONGEST_LABEL = 24


def loose_fragments(steps: tuple[Step, ...], folds: Folds) -> tuple[Fragment, ...]:
    """Fragments of steps without an order: up to three beside one another, groups on their own."""
    fragments: list[Fragment] = []
    for is_left_out, stretch in groupby(steps, lambda step: step.id in folds.left_out):
        if is_left_out:
            fragments.append(stub_fragment(tuple(stretch), folds))
        else:
            fragments += [_fragment(row, folds) for row in _side_by_side(stretch)]
    return tuple(fragments)


def _side_by_side(steps: Iterable[Step]) -> Iterator[tuple[Step, ...]]:
    """*steps* in rows, a group in one of its own."""
    row: list[Step] = []
    for step in steps:
        is_plain = not step.children and step.item is not None
        if row and (not is_plain or len(row) == _PER_ROW):
            yield tuple(row)
            row = []
        if is_plain:
            row.append(step)
        else:
            yield (step,)
    if row:
        yield tuple(row)


def _fragment(steps: tuple[Step, ...], folds: Folds) -> Fragment:
    shown = folds.among(steps)
    numbered = 0 if steps[0].item is None else len(steps)
    piece: Piece
    if steps[0].children:
        piece = _LooseGroup(steps[0], (0,), shown)
    else:
        piece = _Grid(steps, [list(range(len(steps)))], None, (), 0)
    return Fragment(steps, piece.right, piece.height + GAP, piece.left, piece, numbered, shown, ends=True)


class _Grid(Piece):
    """Boxes in rows, nothing between them. *parent*: the group they stand in."""

    __slots__ = ("cells", "parent")

    def __init__(
        self, steps: Sequence[Step], rows: list[list[int]], parent: StepId | None, path: Path, depth: int
    ) -> None:
        super().__init__(None, path, depth)
        self.parent = parent
        self.cells: list[tuple[Piece, StepId, float, float]] = []
        y = 0.0
        for row in rows:
            pieces = [
                piece_of((steps[index],), self._path_of(steps[index], index), depth, NOTHING_FOLDED) for index in row
            ]
            for column, (piece, index) in enumerate(zip(pieces, row, strict=True)):
                self.cells.append((piece, steps[index].id, column * _ACROSS, y))
            y += max(piece.height for piece in pieces) + GAP
        self.height = max(y - GAP, 0.0)
        self.right = HALF + (max((len(row) for row in rows), default=1) - 1) * _ACROSS
        self.exits = False

    def leave_out(self, steps: Sequence[Step]) -> None:
        """Put one stub, below all others, in the place of *steps*."""
        hidden = {step.id for step in steps}
        if hidden:
            lines = groupby((cell for cell in self.cells if cell[1] not in hidden), lambda cell: cell[3])
            self.cells, y = [], 0.0
            for _line, cells in lines:
                row = [(piece, step, index * _ACROSS, y) for index, (piece, step, _x, _y) in enumerate(cells)]
                self.cells += row
                y += max(piece.height for piece, _step, _x, _y in row) + GAP
            stub = Stub(tuple(steps), self.depth)
            self.cells.append((stub, steps[-1].id, 0.0, y))
            self.height = y + stub.height

    def _path_of(self, step: Step, index: int) -> Path:
        if step.item is None:
            return ()
        return (*self.path, index + 1) if self.parent is not None else (index,)

    def draw(self, boxes: list[Box], routes: list[Route], x: float, y: float) -> None:
        for piece, _step, across, down in self.cells:
            piece.draw(boxes, routes, x + across, y + down)

    def find_slots(self, slots: list[Slot], x: float, y: float) -> None:
        if self.parent is not None:
            slots.append(slot_at(self.parent, None, x, y - GAP / 2))
        last = self.cells[-1][1] if self.cells else None
        for piece, step, across, down in self.cells:
            if self.parent is not None or step != last:
                slots.append(slot_at(self.parent, step, x + across, y + down + piece.height + GAP / 2))


class _LooseGroup(Piece):
    """A phase: a header around its steps; in a graph they stand below what they wait for."""

    __slots__ = ("body", "header", "hidden", "lines", "step")

    def __init__(self, step: Step, path: Path, folds: Folds) -> None:
        super().__init__(step.id, path, 0)
        self.step = step
        self.lines = lines_of(step)
        self.header = _HEADER_PADDING + self.lines * LINE_HEIGHT
        self.height = self.header
        self.exits = False
        self.hidden = len(step.children) if folds.hides_inside(step) else 0
        self.body: _Grid | None = None
        if not self.hidden:
            self.body = _Grid(step.children, _rows(step.children), step.id, path, 1)
            self.body.leave_out([child for child in step.children if child.id in folds.left_out])
            self.left = self.body.left + PADDING
            self.right = self.body.right + PADDING
            self.height = self.header + GAP + self.body.height + GAP

    def draw(self, boxes: list[Box], routes: list[Route], x: float, y: float) -> None:
        step = self.step
        rect = Rect(x - self.left, y, self.left + self.right, self.height)
        boxes.append(
            Box(step, Shape.GROUP, step.kind, rect, step.text, self.path, self.header, self.hidden, 0, self.lines)
        )
        if self.body is not None:
            self.body.draw(boxes, routes, x, y + self.header + GAP)

    def find_slots(self, slots: list[Slot], x: float, y: float) -> None:
        if self.body is not None:
            self.body.find_slots(slots, x, y + self.header + GAP)


def _rows(steps: Sequence[Step]) -> list[list[int]]:
    """The indices of *steps* in rows: below what they wait for, at most three beside one another."""
    rows: dict[int, list[int]] = {}
    for index, depth in enumerate(depths_of(steps)):
        rows.setdefault(depth, []).append(index)
    found = [rows[depth] for depth in sorted(rows)]
    return [row[at : at + _PER_ROW] for row in found for at in range(0, len(row), _PER_ROW)]


def edge_routes(playbook: Playbook, places: Mapping[StepId, Rect], right: float) -> tuple[list[Route], float]:
    """The edges of a graph between boxes at *places*, in lanes right of *right*; and how far they reach."""
    routes: list[Route] = []
    for edge in edges_of(playbook):
        source, target = places.get(edge.source), places.get(edge.target)
        if source is None or target is None or edge.source == edge.target:
            continue
        if _is_below(source, target):
            points = _down(source, target)
        else:
            right += _LANE
            points = _around(source, target, right + _FIRST_LANE)
        routes.append(Route(edge.kind, points, edge.source, edge.target, label=edge.label[:_LONGEST_LABEL]))
    return routes, right + _FIRST_LANE if routes else right


def _is_below(source: Rect, target: Rect) -> bool:
    """True where nothing stands between the two."""
    gap = target.y - (source.y + source.height)
    return 0 < gap <= 1.5 * GAP


def _down(source: Rect, target: Rect) -> tuple[tuple[float, float], ...]:
    start = (source.x + source.width / 2, source.y + source.height)
    end = (target.x + target.width / 2, target.y)
    if start[0] == end[0]:
        return (start, end)
    middle = end[1] - GAP / 2
    return (start, (start[0], middle), (end[0], middle), end)


def _around(source: Rect, target: Rect, lane: float) -> tuple[tuple[float, float], ...]:
    """Out below the source, along the lane, and in above the target."""
    low = source.y + source.height + GAP / 2 - 4
    high = target.y - GAP / 2 + 4
    x, end = source.x + source.width / 2 + 12, target.x + target.width / 2 + 12
    return ((x, source.y + source.height), (x, low), (lane, low), (lane, high), (end, high), (end, target.y))
