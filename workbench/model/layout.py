"""Where everything stands on the canvas: a tree layout, O(n), deterministic, in source order.

The main path is one straight spine per playbook; *then* goes on along it, other branches go
to the right, loops are containers. What belongs to one top-level step (or one if/otherwise
chain) is a ``Fragment`` in its own coordinates, cached by identity, so that an edit lays out
only what it touched and shifts the rest by one number. Units: pixels at 100 %.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from workbench.model.meaning import StepKind
from workbench.model.program import Step, StepId

BLOCK_WIDTH = 240.0
LINE_HEIGHT = 18.0
GAP = 32.0


class Shape(enum.Enum):
    """The outline of a box."""

    BLOCK = enum.auto()
    DECISION = enum.auto()
    LOOP = enum.auto()
    CALL = enum.auto()
    PILL = enum.auto()
    NOTE = enum.auto()
    RAW = enum.auto()
    TITLE = enum.auto()
    CHIP = enum.auto()


@dataclass(frozen=True, slots=True)
class Rect:
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


@dataclass(frozen=True, slots=True, eq=False)
class Box:
    """One drawn thing. *step* is None for a playbook's title and for implied start and end.

    *rect*: in the coordinates of its fragment. A LOOP's rect is the whole container;
    *header_height* is the part that carries its text. *number*: like ``02.01``, empty for
    what has none; relative to the fragment's first step (see ``Placed.number``).
    *hidden*: how many steps a folded box stands for.
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


class RouteKind(enum.Enum):
    """The kind of an edge, as in the flow graph."""

    NEXT = "next"
    YES = "yes"
    NO = "no"
    REPEAT = "repeat"
    CALL = "call"
    JUMP = "jump"


@dataclass(frozen=True, slots=True, eq=False)
class Slot:
    """A place where a step can be put: as child of *parent* (None: top level) after *after* (None: first).

    *rect*: a thin horizontal bar, in the coordinates of its fragment.
    """

    parent: StepId | None
    after: StepId | None
    rect: Rect


@dataclass(frozen=True, slots=True, eq=False)
class Route:
    """A drawn edge: an orthogonal polyline, in the coordinates of its fragment."""

    kind: RouteKind
    points: tuple[tuple[float, float], ...]
    source: StepId | None = None
    target: StepId | None = None
    has_arrow: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Fragment:
    """What one top-level step or chain looks like, its top left at (0, 0), its spine at *spine*.

    *steps*: the top-level steps that it shows, in order.
    """

    steps: tuple[Step, ...]
    width: float
    height: float
    spine: float
    boxes: tuple[Box, ...]
    routes: tuple[Route, ...]
    slots: tuple[Slot, ...]
    ends: bool = False


@dataclass(frozen=True, slots=True)
class Placed:
    """A fragment and where it stands. *first_number*: the ordinal of its first numbered step."""

    fragment: Fragment
    x: float
    y: float
    first_number: int = 1
