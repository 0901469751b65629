"""Steps → pieces of the picture: one step, a decision with its arms, a loop, a sequence.

A piece is measured when it is made and drawn when somebody looks: it knows how far it
reaches left and right of its spine, and how high it is. A parent is never centred over its
branches, so the spine of what is above never moves when a branch becomes wider.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence

from workbench.model.decisions import arm_leaves, is_total
from workbench.model.layout.folds import Folds
from workbench.model.layout.lines import BOX_PADDING, lines_of
from workbench.model.layout.pieces import ENDING, HALF, Path, Piece, Stub, count_below, stretches
from workbench.model.layout.shapes import (
    BLOCK_WIDTH,
    DETAILS_HEIGHT,
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
from workbench.model.layout.texts import TEXT_WIDTH, height_of_text, shown_in_box
from workbench.model.meaning import RouteKind, StepKind
from workbench.model.program import Step, StepId
from workbench.model.showing.texts import text_of
from workbench.model.steplists.program import has_details
from workbench.syntax.blocks import BlockKind

PADDING = 16.0
GUTTER = 28.0
_LANE = 24.0
_ARM_GAP = 40.0

_SHAPES = {
    StepKind.CALL: Shape.CALL,
    StepKind.RETURN: Shape.PILL,
    StepKind.END: Shape.PILL,
    StepKind.TRIGGER: Shape.PILL,
    StepKind.NOTE: Shape.NOTE,
}


def fragment_of(steps: tuple[Step, ...], folds: Folds) -> Fragment:
    """The picture of one top-level step or chain, with the way down to what follows."""
    shown = folds.among(steps)
    numbered = 0 if steps[0].kind is StepKind.RAW else len(steps)  # a raw block is no part of a chain
    piece = piece_of(steps, (0,) if numbered else (), 0, shown)
    return Fragment(steps, piece.right, piece.height + GAP, piece.left, piece, numbered, shown, not piece.exits)


def entry_fragment(triggers: Sequence[Step], index: int, target: StepId | None, folds: Folds) -> Fragment:
    """The picture of one of *triggers*, with its own way to *target*; without a way where there is no target."""
    trigger = triggers[index]
    shown = folds.among((trigger,))
    inner = piece_of((trigger,), (0,), 0, shown)
    place = _entry_place(index, len(triggers))
    piece = inner if target is None or len(triggers) == 1 else _Entry(inner, trigger.id, target, place)
    ends = target is None or place is not _EntryPlace.LAST
    return Fragment((trigger,), piece.right, inner.height + GAP, piece.left, piece, 1, shown, ends)


def note_fragment(note: Step, folds: Folds) -> Fragment:
    """The picture of *note*: nothing comes after it."""
    shown = folds.among((note,))
    piece = piece_of((note,), (0,), 0, shown)
    return Fragment((note,), piece.right, piece.height + GAP, piece.left, piece, 1, shown, True)


def piece_of(steps: tuple[Step, ...], path: Path, depth: int, folds: Folds) -> Piece:
    """One step, or the arms of one decision; *path* is that of the first."""
    first = steps[0]
    if first.kind is StepKind.DECISION:
        return _Decision(steps, path, depth, folds)
    if first.kind is StepKind.LOOP or first.children:
        return _Container(first, path, depth, folds)
    if first.kind is StepKind.RAW:
        return _Text(first, path, depth, folds)
    return _Single(first, path, depth)


class _Text(Piece):
    """What is kept as written, in a wider block: a few lines of it, or many where it is open."""

    __slots__ = ("is_open", "lines", "step")

    def __init__(self, step: Step, path: Path, depth: int, folds: Folds) -> None:
        super().__init__(step.id, path, depth)
        self.step = step
        self.is_open = step.id in folds.folded
        shown = shown_in_box(text_of(step), is_open=self.is_open)
        self.lines = shown.lines
        self.height = height_of_text(shown)
        self.left = self.right = HALF if step.block.kind is BlockKind.DAMAGED else TEXT_WIDTH / 2

    def draw(self, boxes: list[Box], routes: list[Route], x: float, y: float) -> None:
        step, rect = self.step, Rect(x - self.left, y, self.left + self.right, self.height)
        boxes.append(
            Box(step, Shape.RAW, step.kind, rect, step.text, self.path, 0.0, 0, self.depth, self.lines, self.is_open)
        )

    def find_slots(self, slots: list[Slot], x: float, y: float) -> None:
        """None: what comes below it belongs to the list it stands in."""


class _Single(Piece):
    """A step without children."""

    __slots__ = ("lines", "step")

    def __init__(self, step: Step, path: Path, depth: int) -> None:
        super().__init__(step.id, path, depth)
        self.step = step
        self.lines = lines_of(step)
        self.height = BOX_PADDING + self.lines * LINE_HEIGHT + (DETAILS_HEIGHT if has_details(step) else 0.0)
        self.exits = step.kind not in ENDING

    def draw(self, boxes: list[Box], routes: list[Route], x: float, y: float) -> None:
        step = self.step
        shape = _SHAPES.get(step.kind, Shape.BLOCK)
        rect = Rect(x - HALF, y, BLOCK_WIDTH, self.height)
        boxes.append(Box(step, shape, step.kind, rect, step.shown_text, self.path, 0.0, 0, self.depth, self.lines))

    def find_slots(self, slots: list[Slot], x: float, y: float) -> None:
        """None: what comes below it belongs to the list it stands in."""


class _EntryPlace(enum.Enum):
    """Where a trigger stands among those of its playbook; the only one is the last."""

    FIRST = enum.auto()
    BETWEEN = enum.auto()
    LAST = enum.auto()


def _entry_place(index: int, count: int) -> _EntryPlace:
    if index == count - 1:
        return _EntryPlace.LAST
    return _EntryPlace.FIRST if index == 0 else _EntryPlace.BETWEEN


class _Entry(Piece):
    """One of several triggers: a lane beside them takes the ways of all to the first step."""

    __slots__ = ("inner", "place", "source", "target")

    def __init__(self, inner: Piece, source: StepId, target: StepId, place: _EntryPlace) -> None:
        super().__init__(source, inner.path, 0)
        self.inner = inner
        self.source = source
        self.target = target
        self.place = place
        self.left = inner.left + _LANE
        self.right = inner.right
        self.height = inner.height

    def draw(self, boxes: list[Box], routes: list[Route], x: float, y: float) -> None:
        self.inner.draw(boxes, routes, x, y)
        lane, bottom = x - self.left + _LANE / 3, y + self.height + GAP
        if self.place is _EntryPlace.LAST:
            low = bottom - GAP / 2
            routes.append(Route(RouteKind.NEXT, ((lane, y), (lane, low), (x, low)), None, self.target, has_arrow=False))
            return
        middle = y + self.height / 2
        start = x - self.inner.left
        points = ((start, middle), (lane, middle), (lane, bottom))
        routes.append(Route(RouteKind.NEXT, points, self.source, self.target, has_arrow=False))
        if self.place is not _EntryPlace.FIRST:
            routes.append(Route(RouteKind.NEXT, ((lane, y), (lane, middle)), None, self.target, has_arrow=False))

    def find_slots(self, slots: list[Slot], x: float, y: float) -> None:
        self.inner.find_slots(slots, x, y)


class _Sequence(Piece):
    """Steps below one another, under *parent*."""

    __slots__ = ("items", "parent")

    def __init__(self, steps: Sequence[Step], parent: Step, path: Path, depth: int, folds: Folds) -> None:
        super().__init__(None, path, depth)
        self.parent = parent.id
        self.items: list[tuple[Piece, StepId, float]] = []
        y = 0.0
        ordinal = 1
        for group, is_left_out in stretches(steps, folds):
            numbered = sum([step.kind is not StepKind.RAW for step in group])
            inner = (*path, ordinal) if numbered else ()
            piece = Stub(group, depth) if is_left_out else piece_of(group, inner, depth, folds)
            self.items.append((piece, group[-1].id, y))
            self.left = max(self.left, piece.left)
            self.right = max(self.right, piece.right)
            self.exits = piece.exits
            y += piece.height + GAP
            ordinal += numbered
        self.height = max(y - GAP, 0.0)
        self.entry = self.items[0][0].entry if self.items else None

    def draw(self, boxes: list[Box], routes: list[Route], x: float, y: float) -> None:
        before: tuple[Piece, StepId, float] | None = None
        for item in self.items:
            piece, _last, top = item
            if before is not None and before[0].exits:
                points = ((x, y + top - GAP), (x, y + top))
                routes.append(Route(RouteKind.NEXT, points, before[1], piece.entry))
            piece.draw(boxes, routes, x, y + top)
            before = item

    def find_slots(self, slots: list[Slot], x: float, y: float) -> None:
        slots.append(slot_at(self.parent, None, x, y - GAP / 2))
        for piece, last, top in self.items:
            piece.find_slots(slots, x, y + top)
            slots.append(slot_at(self.parent, last, x, y + top + piece.height + GAP / 2))


class _Container(Piece):
    """A loop, or a step whose children are carried out after it: a header around its children."""

    __slots__ = ("body", "header", "hidden", "lines", "step")

    def __init__(self, step: Step, path: Path, depth: int, folds: Folds) -> None:
        super().__init__(step.id, path, depth)
        self.step = step
        self.lines = lines_of(step)
        self.header = BOX_PADDING + self.lines * LINE_HEIGHT
        self.height = self.header
        self.hidden = 0
        self.body: _Sequence | None = None
        if folds.hides_inside(step):
            self.hidden = count_below(step)
            return
        self.body = body = _Sequence(step.children, step, path, depth + 1, folds)
        self.left = body.left + PADDING + (GUTTER if self.is_loop else 0.0)
        self.right = body.right + PADDING
        self.height = self.header + GAP + body.height + GAP
        self.exits = self.is_loop or body.exits

    @property
    def is_loop(self) -> bool:
        return self.step.kind is StepKind.LOOP

    def draw(self, boxes: list[Box], routes: list[Route], x: float, y: float) -> None:
        step = self.step
        rect = Rect(x - self.left, y, self.left + self.right, self.height)
        shape = Shape.LOOP if self.is_loop else Shape.GROUP
        boxes.append(
            Box(step, shape, step.kind, rect, step.text, self.path, self.header, self.hidden, self.depth, self.lines)
        )
        if self.body is None:
            return
        top = y + self.header + GAP
        if self.body.entry is not None:
            kind = RouteKind.YES if self.is_loop else RouteKind.NEXT
            routes.append(Route(kind, ((x, y + self.header), (x, top)), step.id, self.body.entry))
        self.body.draw(boxes, routes, x, top)
        if self.is_loop and self.body.exits and self.body.entry is not None:
            routes.append(self._back_edge(x, y, top))

    def _back_edge(self, x: float, y: float, top: float) -> Route:
        """From the end of the body through the gutter back up to the header."""
        assert self.body is not None
        end = top + self.body.height
        low = end + GAP / 2
        gutter = x - self.left + GUTTER / 2
        points = ((x, end), (x, low), (gutter, low), (gutter, y + self.header))
        return Route(RouteKind.REPEAT, points, self.body.items[-1][1], self.step.id)

    def find_slots(self, slots: list[Slot], x: float, y: float) -> None:
        if self.body is not None:
            self.body.find_slots(slots, x, y + self.header + GAP)


class _Decision(Piece):
    """Arms side by side: the first one on the spine, the others to the right, in source order."""

    __slots__ = ("arms", "heads")

    def __init__(self, arms: tuple[Step, ...], path: Path, depth: int, folds: Folds) -> None:
        super().__init__(arms[0].id, path, depth)
        self.arms: list[tuple[Step, _Sequence, float]] = []
        self.heads = BOX_PADDING + max([lines_of(arm) for arm in arms]) * LINE_HEIGHT
        x = 0.0
        before: _Sequence | None = None
        for index, arm in enumerate(arms):
            steps = () if folds.hides_inside(arm) else arm.children
            body = _Sequence(steps, arm, self._path_of(index), depth + 1, folds)
            if not steps:  # what is done on the line of the arm itself may lead elsewhere
                body.exits = not arm_leaves(arm)
            if before is not None:
                x += before.right + _ARM_GAP + body.left
            self.arms.append((arm, body, x))
            before = body
        self.left = self.arms[0][1].left
        self.right = x + self.arms[-1][1].right + (0.0 if self.is_total else _LANE)
        self.height = self.heads + GAP + max([body.height for _arm, body, _x in self.arms]) + GAP / 2
        self.exits = not self.is_total or any(body.exits for _arm, body, _x in self.arms)

    @property
    def is_total(self) -> bool:
        """True when there is an *otherwise*, so that one arm is always taken."""
        return is_total([arm for arm, _body, _x in self.arms])

    def _path_of(self, index: int) -> Path:
        return (*self.path[:-1], self.path[-1] + index) if self.path else ()

    def draw(self, boxes: list[Box], routes: list[Route], x: float, y: float) -> None:
        bottom = y + self.height
        for index, (arm, body, offset) in enumerate(self.arms):
            spine = x + offset
            hidden = count_below(arm) - len(body.items) if arm.children and not body.items else 0
            rect = Rect(spine - HALF, y, BLOCK_WIDTH, self.heads)
            path = self._path_of(index)
            lines = lines_of(arm)
            boxes.append(Box(arm, Shape.DECISION, arm.kind, rect, arm.text, path, 0.0, hidden, self.depth, lines))
            self._draw_body(boxes, routes, (arm, body, spine), y)
            if body.exits:
                self._draw_join(routes, (arm, body, spine), y, (x, bottom))
        self._draw_no(routes, x, y)

    def _draw_body(self, boxes: list[Box], routes: list[Route], arm: tuple[Step, _Sequence, float], y: float) -> None:
        step, body, spine = arm
        if body.entry is None:
            return
        top = y + self.heads + GAP
        routes.append(Route(self._first_kind(step), ((spine, y + self.heads), (spine, top)), step.id, body.entry))
        body.draw(boxes, routes, spine, top)

    def _draw_join(
        self, routes: list[Route], arm: tuple[Step, _Sequence, float], y: float, join: tuple[float, float]
    ) -> None:
        """From the end of an arm down to the line where all arms come together."""
        step, body, spine = arm
        is_empty = body.entry is None
        start = y + self.heads if is_empty else y + self.heads + GAP + body.height
        points = [(spine, start), (spine, join[1])]
        if spine != join[0]:
            points.append(join)
        source = step.id if is_empty else body.items[-1][1]
        kind = self._first_kind(step) if is_empty else RouteKind.NEXT
        routes.append(Route(kind, tuple(points), source, has_arrow=False))

    def _first_kind(self, arm: Step) -> RouteKind:
        """How one comes into *arm*: an *otherwise* is where one comes to anyway."""
        return RouteKind.NEXT if self.is_total and arm is self.arms[-1][0] else RouteKind.YES

    def _draw_no(self, routes: list[Route], x: float, y: float) -> None:
        """From each arm to the next; from the last one around its body where there is no *otherwise*."""
        middle = y + self.heads / 2
        for (arm, _body, offset), (following, _next, target) in zip(self.arms, self.arms[1:], strict=False):
            points = ((x + offset + HALF, middle), (x + target - HALF, middle))
            routes.append(Route(RouteKind.NO, points, arm.id, following.id))
        if self.is_total:
            return
        arm, _body, offset = self.arms[-1]
        lane, bottom = x + self.right - 4.0, y + self.height
        around = ((x + offset + HALF, middle), (lane, middle), (lane, bottom), (x, bottom))
        routes.append(Route(RouteKind.NO, around, arm.id, has_arrow=False))

    def find_slots(self, slots: list[Slot], x: float, y: float) -> None:
        top = y + self.heads + GAP
        for _arm, body, offset in self.arms:
            body.find_slots(slots, x + offset, top)
