"""The numbers of ordered lists: ``1. 2. 3.`` goes on counting, ``1. 1. 1.`` stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class _Run:
    """A stretch of numbers that count up (*step* 1), or all stay the same (*step* 0)."""

    first: int
    step: int


def renumbered(old: Sequence[str], new: Sequence[int | str]) -> tuple[str, ...]:
    """The markers of a changed list, which had the markers *old*.

    *new*: for an item that stays, its index in *old*; for a new one, a marker in the style it
    is to have (empty: no list item). Items that stay carry on the run they were part of; new
    ones join the run above them, or the one below where there is none above.
    """
    runs = _runs(old)
    width = max((len(marker) - 1 for marker in old if marker.startswith("0")), default=0)
    markers = [old[item] if isinstance(item, int) else item for item in new]
    joined = _joined([runs[item] if isinstance(item, int) else None for item in new], markers)
    result: list[str] = []
    current: _Run | None = None
    number = 0
    for item, marker, run in zip(new, markers, joined, strict=True):
        if run is None:
            result.append(marker)
            continue
        number = number + run.step if run is current else run.first
        current = run
        is_right = isinstance(item, int) and int(marker[:-1]) == number
        result.append(marker if is_right else _written(number, marker, width))
    return tuple(result)


def permuted(old: Sequence[str], order: Sequence[int]) -> tuple[str, ...]:
    """The markers of the same items in another *order*: the numbers stay where they are, bullets go along."""
    numbers = iter(marker[:-1] for marker in old if is_ordered(marker))
    return tuple(next(numbers) + old[index][-1] if is_ordered(old[index]) else old[index] for index in order)


def is_ordered(marker: str) -> bool:
    """True for ``1.`` and ``1)``, false for bullets and for what has no marker."""
    return marker[:1].isdigit()


def _written(number: int, like: str, width: int) -> str:
    wide = max(width, len(like) - 1 if like.startswith("0") else 0)
    return f"{number:0{wide}d}{like[-1]}"


def _joined(runs: Sequence[_Run | None], markers: Sequence[str]) -> list[_Run | None]:
    """*runs* with those of new ordered items filled in from above, or from below."""
    filled: list[_Run | None] = list(runs)
    below: _Run | None = None
    for index in range(len(runs) - 1, -1, -1):
        if runs[index] is None and is_ordered(markers[index]):
            filled[index] = below
        below = runs[index] or below
    above: _Run | None = None
    for index, run in enumerate(runs):
        if run is None and is_ordered(markers[index]):
            filled[index] = above or filled[index] or _Run(1, 1)
        above = filled[index] or above
    return filled


def _runs(markers: Sequence[str]) -> list[_Run | None]:
    """For each marker the run that it is part of, None for bullets; a single number counts up."""
    places = [index for index, marker in enumerate(markers) if is_ordered(marker)]
    numbers = [int(markers[index][:-1]) for index in places]
    result: list[_Run | None] = [None] * len(markers)
    start = 0
    while start < len(numbers):
        step = 0 if start + 1 < len(numbers) and numbers[start + 1] == numbers[start] else 1
        end = start + 1
        while end < len(numbers) and numbers[end] == numbers[end - 1] + step:
            end += 1
        run = _Run(numbers[start], step)
        for index in places[start:end]:
            result[index] = run
        start = end
    return result
