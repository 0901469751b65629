"""Leaves out texts that say nearly the same as an earlier one, without comparing all with all."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from workbench.library.relevance.content_words import NEGATIONS, words

THRESHOLD = 0.8
"""Texts whose words agree this much (shared by all words) are taken for the same."""

_ARROW = re.compile(r"\s*(?:->|=>|→|➜|➔)\s*")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")

Signature = tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[str, ...], ...]]


def without_near_duplicates(texts: Sequence[tuple[str, frozenset[str]]]) -> list[int]:
    """The places of the texts that stay, in order. *texts*: each with the set of its words; earlier ones win.

    Texts that differ in a number, a denial or the order of tools stay, however alike they are.
    Two similar sets share one of their rarest words (prefix filtering), so only texts that do are
    compared.
    """
    frequency = Counter(word for _text, bag in texts for word in bag)
    kept: list[int] = []
    by_word: defaultdict[tuple[Signature, str], list[int]] = defaultdict(list)
    empty: set[Signature] = set()
    for place, (text, bag) in enumerate(texts):
        mark = signature(text)
        rare = sorted(bag, key=lambda word: (frequency[word], word))[: len(bag) - math.ceil(THRESHOLD * len(bag)) + 1]
        if not bag:
            is_new = mark not in empty
            empty.add(mark)
        else:
            near = {other for word in rare for other in by_word[mark, word]}
            is_new = not any(_is_similar(bag, texts[other][1]) for other in near)
        if is_new:
            kept.append(place)
            for word in rare:
                by_word[mark, word].append(place)
    return kept


def _is_similar(first: frozenset[str], second: frozenset[str]) -> bool:
    smaller, larger = sorted((len(first), len(second)))
    if smaller < THRESHOLD * larger:
        return False
    shared = len(first & second)
    # without rounding: shared / all >= 4 / 5
    return 5 * shared >= 4 * (smaller + larger - shared)


def signature(text: str) -> Signature:
    """What must agree before two texts can be the same: numbers, denials, and tools in their order."""
    own = words(text)
    denials = tuple(sorted(word for word in own if word in NEGATIONS))
    return tuple(_NUMBER.findall(text)), denials, _sequence(text)


def _sequence(text: str) -> tuple[tuple[str, ...], ...]:
    """The words at the arrows of *text*: what stands between two, and the nearest word at both ends."""
    parts = [words(part) for part in _ARROW.split(text)]
    if len(parts) < 2:
        return ()
    return (parts[0][-1:], *parts[1:-1], parts[-1][:1])
