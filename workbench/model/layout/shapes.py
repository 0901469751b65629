"""Where everything stands on the canvas: a tree layout, O(n), deterministic, in source order.

The main path is one straight spine per playbook; *then* goes on along it, other branches go
to the right, loops are containers. What belongs to one top-level step (or one if/otherwise
chain) is a ``Fragment`` in its own coordinates, cached by identity, so that an edit lays out
only what it touched and shifts the rest by one number. Units: pixels at 100 %.

Boxes, routes and their rectangles are named tuples: a picture has tens of thousands of
them, and making a frozen dataclass takes four times as long.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

from workbench.model.layout.folds import NOTHING_FOLDED, Folds
from workbench.model.meaning import RouteKind, StepKind
from workbench.model.program import Step, StepId

BLOCK_WIDTH = 240.0
LINE_HEIGHT = 18.0
GAP = 32.0
SLOT_HEIGHT = 12.0
DETAILS_HEIGHT = 22.0
"""The row for tools and limits at the foot of a step in a step list."""


class Shape(enum.Enum):
    """The outline of a box. GROUP and LOOP are containers: a header and the steps inside. FILE: what steps link to."""

    BLOCK = enum.auto()
    GROUP = enum.auto()
    DECISION = enum.auto()
    LOOP = enum.auto()
    CALL = enum.auto()
    PILL = enum.auto()
    NOTE = enum.auto()
    RAW = enum.auto()
    TITLE = enum.auto()
    CHIP = enum.auto()
    FILE = enum.auto()


class Rect(NamedTuple):
    """A rectangle: left, top, width, height."""

    x: float
    y: float
    width: float
    height: float

    def moved(self, dx: float, dy: float) -> Rect:
        """The same size, elsewhere."""
        return Rect(self.x + dx, self.y + dy, self.width, self.height)

    def meets(self, other: Rect) -> bool:
        """True when the two share at least an edge."""
        return (
            self.x <= other.x + other.width
            and other.x <= self.x + self.width
            and self.y <= other.y + other.height
            and other.y <= self.y + self.height
        )


class Box(NamedTuple):
    """One drawn thing. *step* is None for a playbook's title and for its implied end.

    *rect*: in the coordinates of its fragment. A container's rect is the whole container;
    *header_height* is the part that carries its text. *path*: see ``number_in``; empty for
    what has no number. *hidden*: how many steps a folded box stands for. *lines*: how many
    lines of text it has room for. *is_open*: of a text, whether more than a few lines of it are shown.
    """

    step: Step | None
    shape: Shape
    kind: StepKind
    rect: Rect
    text: str
    path: tuple[int, ...] = ()
    header_height: float = 0.0
    hidden: int = 0
    depth: int = 0
    lines: int = 1
    is_open: bool = False


class Slot(NamedTuple):
    """A place where a step can be put: as child of *parent* (None: top level) after *after* (None: first).

    *rect*: a thin horizontal bar, in the coordinates of its fragment.
    """

    parent: StepId | None
    after: StepId | None
    rect: Rect


class Route(NamedTuple):
    """A drawn edge: an orthogonal polyline, in the coordinates of its fragment.

    *source*, *target*: the steps it leads from and to; None where it comes from the title,
    or goes on to whatever follows. *label*: what stands on it instead of the word for its kind.
    """

    kind: RouteKind
    points: tuple[tuple[float, float], ...]
    source: StepId | None = None
    target: StepId | None = None
    has_arrow: bool = True
    label: str = ""


class Drawable(Protocol):
    """Something with a known size whose parts are only made when somebody looks at them."""

    def draw(self, boxes: list[Box], routes: list[Route], x: float, y: float) -> None:
        """Add all boxes and routes, with the spine at *x* and the top at *y*."""
        ...

    def find_slots(self, slots: list[Slot], x: float, y: float) -> None:
        """Add all places where a step can be put, with the spine at *x* and the top at *y*."""
        ...


# not frozen: an open file has thousands of fragments, and making a frozen one takes twice as long
@dataclass(eq=False)
class Fragment:
    """What one top-level step or chain looks like, its top left at (0, 0), its spine at *spine*.

    *steps*: the top-level steps that it shows. *right*: how far it reaches to the right of its
    spine. *height* includes the way to the next
    fragment, with its slot. *numbered*: how many of its top-level steps have a number.
    *folds*: what is folded and left out among those it shows. *ends*: nothing comes after it.
    """

    steps: tuple[Step, ...]
    right: float
    height: float
    spine: float
    drawable: Drawable
    numbered: int = 1
    folds: Folds = NOTHING_FOLDED
    ends: bool = False

    @property
    def width(self) -> float:
        """All of its width."""
        return self.spine + self.right

    @cached_property
    def _drawn(self) -> tuple[tuple[Box, ...], tuple[Route, ...]]:
        boxes: list[Box] = []
        routes: list[Route] = []
        self.drawable.draw(boxes, routes, self.spine, 0.0)
        bottom = self.height - GAP
        if not self.ends:
            routes.append(Route(RouteKind.NEXT, ((self.spine, bottom), (self.spine, self.height)), self.steps[-1].id))
        return tuple(boxes), tuple(routes)

    @property
    def boxes(self) -> tuple[Box, ...]:
        """What is drawn, containers before what they hold."""
        return self._drawn[0]

    @cached_property
    def box_of(self) -> dict[StepId, Box]:
        """The box of each step that is drawn here; of several the last."""
        return {box.step.id: box for box in self.boxes if box.step is not None}

    @cached_property
    def lows(self) -> list[tuple[float, float, StepId]]:
        """Where the words of each step that is drawn here end: y and x, from the top down, and the step."""
        return sorted([(low_of(box), box.rect.x, box.step.id) for box in self.boxes if box.step is not None])

    @property
    def routes(self) -> tuple[Route, ...]:
        """The edges inside, and the way to the next fragment."""
        return self._drawn[1]

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """The places where a step can be put, the one below it included."""
        slots: list[Slot] = []
        self.drawable.find_slots(slots, self.spine, 0.0)
        slots.append(slot_at(None, self.steps[-1].id, self.spine, self.height - GAP / 2))
        return tuple(slots)


def low_of(box: Box) -> float:
    """Where the words of *box* end, in the coordinates of its fragment: those of a container are its header."""
    return box.rect.y + (box.header_height or box.rect.height)


def slot_at(parent: StepId | None, after: StepId | None, x: float, y: float) -> Slot:
    """A slot whose middle is at *x*, *y*."""
    return Slot(parent, after, Rect(x - BLOCK_WIDTH / 2, y - SLOT_HEIGHT / 2, BLOCK_WIDTH, SLOT_HEIGHT))


@dataclass(frozen=True, slots=True)
class Placed:
    """A fragment and where it stands. *first_number*: the ordinal of its first numbered step.

    *prefix*: what its numbers begin with: empty, ``T`` for triggers, ``N`` for notes.
    """

    fragment: Fragment
    x: float
    y: float
    first_number: int = 1
    prefix: str = ""

    def number(self, box: Box) -> str:
        """``02.01``, ``T1``, or empty where *box* has no number."""
        if not box.path:
            return ""
        first = self.first_number + box.path[0]
        head = f"{self.prefix}{first}" if self.prefix else f"{first:02d}"
        return head + "".join([f".{ordinal:02d}" for ordinal in box.path[1:]])

    def words_rect(self, box: Box) -> Rect:
        """The part of *box* that carries words, on the canvas: all of it, or the header of a container."""
        height = box.header_height or box.rect.height
        return Rect(self.x + box.rect.x, self.y + box.rect.y, box.rect.width, height)
