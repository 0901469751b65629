"""How much of something each step has, from little to much: in a few levels that can be told apart at a glance."""

from __future__ import annotations

import enum
from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

MOST_LEVELS = 5


class Measure(enum.Enum):
    """What is looked at: how often a step was carried out, or for how many microseconds altogether."""

    COUNT = "count"
    TIME = "time"


class Warmth(NamedTuple):
    """What one step has: in *words*, and as a *level* from 1 to *levels*."""

    words: str
    level: int
    levels: int


def bounds_of(values: Iterable[int]) -> tuple[int, ...]:
    """Where each level begins, for *values* from 1 on: the first at the least of them, each later one at a multiple.

    Equal ratios and not equal steps, so that one loop of a thousand rounds leaves something to see of the rest.
    """
    found = [value for value in values if value > 0]
    if not found:
        return ()
    least, most = min(found), max(found)
    if most - least < MOST_LEVELS:
        return tuple(range(least, most + 1))
    wanted = (round(least * (most / least) ** (place / MOST_LEVELS)) for place in range(MOST_LEVELS))
    return tuple(sorted({min(max(each, least), most) for each in wanted}))


def level_of(bounds: tuple[int, ...], value: int) -> int:
    """The level of *value*, from 1 on; 0 for what is below all of them."""
    return bisect_right(bounds, value)
