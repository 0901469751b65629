"""Which blocks edits exchanged: windows over the blocks before them and after them.

Edits are made one after the other, and each counts in blocks as they are by then. Windows
count the old blocks as they were before all edits, and the new ones as they are after all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Window:
    """The blocks *old* were exchanged for the blocks *new*; one of them may be empty."""

    old: range
    new: range

    @property
    def growth(self) -> int:
        """How many blocks more there are."""
        return len(self.new) - len(self.old)

    def moved(self, by: int) -> Window:
        """The same window, its new blocks *by* further on."""
        return Window(self.old, range(self.new.start + by, self.new.stop + by))


def exchanged(windows: tuple[Window, ...], first: int, last: int, count: int) -> tuple[Window, ...]:
    """*windows* (in order, apart) after the blocks [first, last) as they are now became *count* others.

    Windows that meet become one, so that what was exchanged twice counts once.
    """
    above = [window for window in windows if window.new.stop < first]
    meeting = [window for window in windows if window.new.stop >= first and window.new.start <= last]
    below = [window for window in windows if window.new.start > last]
    start = min([first, *(window.new.start for window in meeting)])
    stop = max([last, *(window.new.stop for window in meeting)])
    shift = sum(window.growth for window in above)
    old = range(start - shift, stop - shift - sum(window.growth for window in meeting))
    growth = count - (last - first)
    joined = Window(old, range(start, stop + growth))
    return (*above, joined, *(window.moved(growth) for window in below))


def kept(windows: Sequence[Window], count: int) -> Iterator[tuple[slice, slice]]:
    """What lies outside of *windows*, among *count* old blocks: the same blocks as they were and as they are."""
    old = new = 0
    for window in windows:
        yield slice(old, window.old.start), slice(new, window.new.start)
        old, new = window.old.stop, window.new.stop
    yield slice(old, count), slice(new, new + count - old)


def part(blocks: range) -> slice:
    """*blocks*, to take them out of a row."""
    return slice(blocks.start, blocks.stop)
