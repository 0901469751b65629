"""Long chains of steps in columns of about equal height, and the ways from one to the next."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from operator import attrgetter

from workbench.model.layout.shapes import GAP, Fragment, Route
from workbench.model.layout.tree import HALF
from workbench.model.meaning import RouteKind

_COLUMN_GAP = 64.0
_COLUMN_HEIGHT = 12_000.0
_LEFT = attrgetter("spine")
_RIGHT = attrgetter("right")


@dataclass(frozen=True, slots=True)
class Column:
    """A stretch of a playbook's fragments that stand below one another: half-open range, spine, left, width."""

    first: int
    last: int
    spine: float
    left: float
    width: float


def columns_of(
    fragments: tuple[Fragment, ...], heights: list[float], x: float, top: float
) -> tuple[list[Column], list[float]]:
    """Columns of about equal height, and for each fragment its top."""
    sums = list(accumulate(heights, initial=0.0))
    limit = max(_COLUMN_HEIGHT, (sums[-1] * 400.0) ** 0.5)
    columns: list[Column] = []
    tops: list[float] = []
    first = 0
    while first < len(fragments) or not columns:
        last = min(len(fragments), max(first + 1, bisect_right(sums, sums[first] + limit) - 1))
        left = max(map(_LEFT, fragments[first:last]), default=HALF)
        right = max(map(_RIGHT, fragments[first:last]), default=HALF)
        left, right = max(left, HALF), max(right, HALF)
        columns.append(Column(first, last, x + left, x, left + right))
        shift = top - sums[first]
        tops += [value + shift for value in sums[first:last]]
        x += left + right + _COLUMN_GAP
        first = last
        if not fragments:
            break
    return columns, tops


def wraps_between(
    columns: list[Column], tops: list[float], heights: list[float], fragments: tuple[Fragment, ...]
) -> list[Route]:
    """The way from the foot of each column to the head of the next."""
    routes: list[Route] = []
    for column, following in zip(columns, columns[1:], strict=False):
        last = column.last - 1
        if fragments[last].ends:
            continue
        low = tops[last] + heights[last]
        high = tops[following.first] - GAP / 2
        lane = column.left + column.width + _COLUMN_GAP / 2
        points = (
            (column.spine, low),
            (lane, low),
            (lane, high),
            (following.spine, high),
            (following.spine, high + GAP / 2),
        )
        routes.append(
            Route(RouteKind.NEXT, points, fragments[last].steps[-1].id, fragments[following.first].steps[0].id)
        )
    return routes
