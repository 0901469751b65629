"""Playbooks in Python: a box for each function, below its triggers; what it does stands in the source alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from workbench.model.layout.lines import height_of
from workbench.model.layout.pieces import HALF
from workbench.model.layout.shapes import BLOCK_WIDTH, GAP, Box, Rect, Route, Shape
from workbench.model.meaning import RouteKind, StepKind
from workbench.model.program import PythonFunction

_LANE = 24.0
_APART = 64.0
_COLUMN_HEIGHT = 1_600.0


@dataclass(frozen=True, slots=True)
class FunctionLayout:
    """Where one function stands: the box with its name, last, and those of its triggers above it; absolute."""

    function: PythonFunction
    rect: Rect
    boxes: tuple[Box, ...]
    routes: tuple[Route, ...]


def layout_functions(functions: Iterable[PythonFunction], left: float, top: float) -> Iterator[FunctionLayout]:
    """*functions* below one another, in further columns where they are many."""
    y = top
    for function in functions:
        placed = _placed(function, left, y)
        if y > top and placed.rect.y + placed.rect.height > top + _COLUMN_HEIGHT:
            left, y = left + placed.rect.width + _APART, top
            placed = _placed(function, left, y)
        yield placed
        y += placed.rect.height + _APART


def _placed(function: PythonFunction, left: float, top: float) -> FunctionLayout:
    spine, y = left + _LANE + HALF, top
    boxes: list[Box] = []
    for text in function.triggers:
        boxes.append(_box(text, Shape.PILL, StepKind.TRIGGER, (spine, y)))
        y += boxes[-1].rect.height + GAP
    routes = tuple([_way(box.rect, spine, y, is_last=box is boxes[-1]) for box in boxes])
    parameters = ", ".join([one.name for one in function.parameters])
    boxes.append(_box(f"{function.name}({parameters})", Shape.CALL, StepKind.CALL, (spine, y)))
    rect = Rect(left, top, _LANE + BLOCK_WIDTH, y + boxes[-1].rect.height - top)
    return FunctionLayout(function, rect, tuple(boxes), routes)


def _box(text: str, shape: Shape, kind: StepKind, at: tuple[float, float]) -> Box:
    height, lines = height_of(text)
    return Box(None, shape, kind, Rect(at[0] - HALF, at[1], BLOCK_WIDTH, height), text, lines=lines)


def _way(trigger: Rect, spine: float, goal: float, *, is_last: bool) -> Route:
    """From *trigger* down to the function, beside those in between."""
    if is_last:
        return Route(RouteKind.NEXT, ((spine, goal - GAP), (spine, goal)))
    lane, low, middle = trigger.x - _LANE * 2 / 3, goal - GAP / 2, trigger.y + trigger.height / 2
    return Route(RouteKind.NEXT, ((trigger.x, middle), (lane, middle), (lane, low), (spine, low)), has_arrow=False)
