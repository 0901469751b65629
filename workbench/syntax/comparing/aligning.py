"""Which things of two rows belong together: what came in, what is gone, and what only has other words."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import TypeVar

Thing = TypeVar("Thing")
Places = tuple[int, int]
"""Where two things stand that belong together."""
Rule = Callable[[Sequence[Thing], Sequence[Thing]], list[Places]]
"""Which things of two rows belong together, in an order that is that of both."""

_ALIKE = 0.6
_FEW = 12


def aligned(
    old: Sequence[Thing], new: Sequence[Thing], rules: Iterable[Rule[Thing]]
) -> Iterator[tuple[int | None, int | None]]:
    """*old* and *new* side by side, as places; None where a thing has no other.

    Each of *rules* is tried in the gaps that those before it leave, so what they found holds.
    """
    pairs: list[Places] = []
    for rule in rules:
        found = [
            (first.start + was, second.start + now)
            for first, second in _gaps(pairs, len(old), len(new))
            if first and second
            for was, now in rule(old[first.start : first.stop], new[second.start : second.stop])
        ]
        pairs = sorted([*pairs, *found])
    for index, (first, second) in enumerate(_gaps(pairs, len(old), len(new))):
        yield from ((place, None) for place in first)
        yield from ((None, place) for place in second)
        yield from pairs[index : index + 1]


def _gaps(pairs: Sequence[Places], old: int, new: int) -> Iterator[tuple[range, range]]:
    """What lies before, between and behind *pairs*."""
    for (was, now), (next_was, next_now) in pairwise([(-1, -1), *pairs, (old, new)]):
        yield range(was + 1, next_was), range(now + 1, next_now)


def by_key(key: Callable[[Thing], Hashable]) -> Rule[Thing]:
    """Those with the same *key* belong together: the most that stand in the same order in both."""
    return lambda old, new: _shared(_counted(map(key, old)), _counted(map(key, new)))


def _counted(keys: Iterable[Hashable]) -> list[tuple[Hashable, int]]:
    """*keys*, each with how often it has stood there so far: so no two are the same."""
    seen: Counter[Hashable] = Counter()
    found: list[tuple[Hashable, int]] = []
    for key in keys:
        seen[key] += 1
        found.append((key, seen[key]))
    return found


def _shared(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[Places]:
    """The longest row of things that both have in one order. No thing stands twice in either.

    So it is the longest row of places that grow, which takes n log n.
    """
    places = {thing: place for place, thing in enumerate(new)}
    common = [(place, places[thing]) for place, thing in enumerate(old) if thing in places]
    ends: list[int] = []  # with which place a row of each length ends: the smallest
    rows: list[int] = []  # and which of *common* that is
    before: list[int] = []
    for index, (_place, place) in enumerate(common):
        length = bisect_left(ends, place)
        before.append(rows[length - 1] if length else -1)
        ends[length : length + 1] = [place]
        rows[length : length + 1] = [index]
    found: list[Places] = []
    index = rows[-1] if rows else -1
    while index >= 0:
        found.append(common[index])
        index = before[index]
    return found[::-1]


def by_words(words: Callable[[Thing], str], ahead: int = 0) -> Rule[Thing]:
    """Those whose *words* are alike belong together.

    Since that takes time, only a few are compared with all others; many with the *ahead* next ones of the others.
    """

    def rule(old: Sequence[Thing], new: Sequence[Thing]) -> list[Places]:
        found: list[Places] = []
        room = len(new) if max(len(old), len(new)) <= _FEW else ahead
        begin = 0
        for was, thing in enumerate(old if room else ()):
            near = range(begin, min(begin + room, len(new)))
            now = next((at for at in near if _are_alike(words(thing), words(new[at]))), None)
            if now is not None:
                found.append((was, now))
                begin = now + 1
        return found

    return rule


def _are_alike(first: str, second: str) -> bool:
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    # the quick ones are never below the exact one
    return all(ratio() >= _ALIKE for ratio in (matcher.real_quick_ratio, matcher.quick_ratio, matcher.ratio))
