"""Where two rows of things differ, say of blocks before and after an edit: windows over both.

Edits are made one after the other, and each counts in blocks as they are by then. Windows
count the old blocks as they were before all edits, and the new ones as they are after all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from workbench.syntax.text import common_length

_NEAR = 8
"""How far apart two rows may be for what they share to be found again."""
_MOST = 32


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


def windows_between(old: Sequence[object], new: Sequence[object]) -> tuple[Window, ...]:
    """Where two rows differ: small windows where little came, went or moved, else one large one.

    Slices compare in C, so this is quick although it may look at all of them.
    """
    tail = common_length(old[::-1], new[::-1])
    head = common_length(old, new)
    tail = min(tail, len(old) - head, len(new) - head)
    old_stop, new_stop = len(old) - tail, len(new) - tail
    found: list[Window] = []
    first, second = head, head
    while first < old_stop or second < new_stop:
        left = (old_stop - first, new_stop - second)
        was, now = _next_shared(old[first:old_stop], new[second:new_stop]) if len(found) < _MOST else left
        window = Window(range(first, first + was), range(second, second + now))
        found.append(window)
        first, second = window.old.stop, window.new.stop
        same = common_length(old[first:old_stop], new[second:new_stop])
        first, second = first + same, second + same
    return tuple(found)


def _next_shared(old: Sequence[object], new: Sequence[object]) -> tuple[int, int]:
    """The nearest places in both rows with the same thing; their ends where it is not near."""
    for distance in range(1, 2 * _NEAR):
        for was in range(max(0, distance - _NEAR), min(distance, _NEAR) + 1):
            now = distance - was
            if was < len(old) and now < len(new) and old[was] == new[now]:
                return was, now
    return len(old), len(new)
