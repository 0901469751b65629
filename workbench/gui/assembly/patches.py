"""How rows of assembly become other rows in small pieces: a new step at the top renumbers all that follow it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from workbench.gui.source.position_map import units
from workbench.syntax.differences import Window, common_ends, kept, windows_between

MOST_ROWS = 80
"""So many rows are replaced in a few milliseconds."""
_NUMBER = re.compile(r"^(\s*- )[\dTN.]+(?=[: ])")

Rows = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RowsPatch:
    """The rows *old* become the rows *new*."""

    old: range
    new: Rows


@dataclass(frozen=True, slots=True)
class WordsPatch:
    """In *row*, *removed* UTF-16 units at *start* become *added*."""

    row: int
    start: int
    removed: int
    added: str


Patch = RowsPatch | WordsPatch


def patches_between(before: Rows, after: Rows) -> tuple[Patch, ...]:
    """What turns *before* into *after*, from top to bottom; all against *before*, none of them large.

    Rows that differ in their numbers only are taken for the same.
    """
    windows = windows_between([_NUMBER.sub(r"\1", row) for row in before], [_NUMBER.sub(r"\1", row) for row in after])
    patches: list[Patch] = []
    for (old, new), window in zip(kept(windows, len(before)), (*windows, None), strict=True):
        first = old.start
        pairs = zip(before[old], after[new], strict=True)
        patches += [_words(first + index, was, now) for index, (was, now) in enumerate(pairs) if was != now]
        if window is not None:
            patches += _pieces(window, after)
    return tuple(patches)


def _words(row: int, was: str, now: str) -> WordsPatch:
    """Only what differs, so that a caret in the row stays where it is."""
    head, tail = common_ends(was, now)
    removed = was[head : len(was) - tail]
    return WordsPatch(row, units(was[:head]), units(removed), now[head : len(now) - tail])


def _pieces(window: Window, after: Rows) -> Iterator[RowsPatch]:
    """*window* in pieces: the first takes away what was there, the others come below it."""
    starts = range(window.new.start, window.new.stop, MOST_ROWS) or range(window.new.start, window.new.start + 1)
    for start in starts:
        old = window.old if start == window.new.start else range(window.old.stop, window.old.stop)
        yield RowsPatch(old, after[start : min(start + MOST_ROWS, window.new.stop)])
