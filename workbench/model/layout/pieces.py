"""Measured parts of the picture, and the stubs that stand for steps that are left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workbench.model.decisions import chains
from workbench.model.layout.folds import Folds
from workbench.model.layout.shapes import BLOCK_WIDTH, GAP, Box, Drawable, Fragment, Rect, Route, Shape, Slot
from workbench.model.meaning import StepKind
from workbench.model.program import Step, StepId

HALF = BLOCK_WIDTH / 2
ENDING = frozenset({StepKind.RETURN, StepKind.END})

Path = tuple[int, ...]


class Piece(Drawable):
    """A measured part of the picture. *entry*: the step that a way into it leads to."""

    __slots__ = ("depth", "entry", "exits", "height", "left", "path", "right")

    def __init__(self, entry: StepId | None, path: Path, depth: int) -> None:
        self.entry = entry
        self.path = path
        self.depth = depth
        self.left = HALF
        self.right = HALF
        self.height = 0.0
        self.exits = True


STUB_HEIGHT = 24.0


class Stub(Piece):
    """Stands for steps that are left out; a click on it shows them."""

    __slots__ = ("hidden", "steps")

    def __init__(self, steps: tuple[Step, ...], depth: int) -> None:
        super().__init__(steps[0].id, (), depth)
        self.steps = steps
        self.hidden = sum([1 + count_below(step) for step in steps])
        self.height = STUB_HEIGHT
        self.exits = steps[-1].kind not in ENDING

    def draw(self, boxes: list[Box], routes: list[Route], x: float, y: float) -> None:
        first, rect = self.steps[0], Rect(x - HALF, y, BLOCK_WIDTH, self.height)
        boxes.append(Box(first, Shape.CHIP, first.kind, rect, "", (), 0.0, self.hidden, self.depth))

    def find_slots(self, slots: list[Slot], x: float, y: float) -> None:
        """None: nobody sees between which of them something would come."""


def stretches(steps: Sequence[Step], folds: Folds) -> Iterator[tuple[tuple[Step, ...], bool]]:
    """The chains of *steps* in order; neighbours that are left out come together, with True."""
    hidden: list[Step] = []
    for chain in chains(steps):
        if folds.leaves_out(chain):
            hidden += chain
            continue
        if hidden:
            yield tuple(hidden), True
            hidden = []
        yield chain, False
    if hidden:
        yield tuple(hidden), True


def stub_fragment(steps: tuple[Step, ...], folds: Folds) -> Fragment:
    """The stub for *steps* of the top level, with the way down to what follows."""
    stub = Stub(steps, 0)
    numbered = sum([step.kind is not StepKind.RAW for step in steps])
    shown = folds.among(steps)
    return Fragment(steps, stub.right, stub.height + GAP, stub.left, stub, numbered, shown, not stub.exits)


def count_below(step: Step) -> int:
    """How many steps stand in *step*."""
    return sum([1 for _step in step.walk()]) - 1
