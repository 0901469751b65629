"""Where two rows of things differ, say the letters of two texts or the blocks before and after an edit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_NEAR = 8
"""How far apart two rows may be for what they share to be found again."""
_MOST = 32


def common_length(first: Sequence[object], second: Sequence[object]) -> int:
    """How many things, say letters or lines, both begin with; bisects so that slices compare in C."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def common_ends(first: Sequence[object], second: Sequence[object]) -> tuple[int, int]:
    """How many things both begin with, and how many of the others both end with."""
    head = common_length(first, second)
    return head, common_length(first[head:][::-1], second[head:][::-1])


@dataclass(frozen=True, slots=True)
class Window:
    """The things *old* of one row were exchanged for the things *new* of the other; one of them may be empty."""

    old: range
    new: range

    @property
    def growth(self) -> int:
        """How many more there are."""
        return len(self.new) - len(self.old)

    def moved(self, by: int) -> Window:
        """The same window, its new things *by* further on."""
        return Window(self.old, range(self.new.start + by, self.new.stop + by))


def kept(windows: Sequence[Window], count: int) -> Iterator[tuple[slice, slice]]:
    """What lies outside of *windows*, among *count* old things: the same things as they were and as they are."""
    old = new = 0
    for window in windows:
        yield slice(old, window.old.start), slice(new, window.new.start)
        old, new = window.old.stop, window.new.stop
    yield slice(old, count), slice(new, new + count - old)


def part(things: range) -> slice:
    """*things*, to take them out of a row."""
    return slice(things.start, things.stop)


def windows_between(old: Sequence[object], new: Sequence[object]) -> tuple[Window, ...]:
    """Where two rows differ: small windows where little came, went or moved, else one large one.

    Slices compare in C, so this is quick although it may look at all of them.
    """
    head, tail = common_ends(old, new)
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
