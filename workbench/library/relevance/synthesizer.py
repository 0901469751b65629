"""Leaves out texts that say nearly the same as an earlier one, without comparing all with all."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from workbench.library.entries import PatternEntry, sequence_text, worked
from workbench.library.relevance.content_words import NEGATIONS, TokenCount, content_words, cut_to, words
from workbench.regex import regex

THRESHOLD = 0.8
"""Texts whose words agree this much (shared by all words) are taken for the same."""
_ARROW = regex(r"\s*(?:->|=>|→|➜|➔)\s*")
_NUMBER = regex(r"\d+(?:[.,:]\d+)*")
Signature = tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[str, ...], ...]]
DEFAULT_BUDGET = 4500
_WORTH = {"learnings": 0.70, "graph": 0.65, "playbook": 0.60, "conversation": 0.50, "summaries": 0.40}
_WORTH_OF_OTHERS = 0.50
_LINE_ENDS = regex(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")


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


@dataclass(frozen=True, slots=True)
class Fragment:
    """A piece of knowledge. *relevance*: 0 to 1; None: what others from the same *source* are worth.

    Raises ValueError for content that is no text and for a relevance outside 0 to 1.
    """

    source: str
    content: str
    relevance: float | None = None
    timestamp: str = ""

    def __post_init__(self) -> None:
        if not all(isinstance(each, str) for each in (self.content, self.source)):
            raise ValueError("source and content of a fragment must be text")
        if not 0 <= self.worth <= 1:
            raise ValueError(f"the relevance must lie between 0 and 1, not at {self.relevance}")

    @property
    def worth(self) -> float:
        """How relevant it is before anything is asked."""
        return _WORTH.get(self.source, _WORTH_OF_OTHERS) if self.relevance is None else self.relevance


def pattern_fragments(entries: Iterable[PatternEntry]) -> tuple[Fragment, ...]:
    """One fragment per pattern, each pattern once."""
    once = {entry.pattern_id: entry for entry in entries}
    return tuple(Fragment("playbook", pattern_line(entry), timestamp=entry.last_seen) for entry in once.values())


def pattern_line(entry: PatternEntry) -> str:
    """*Free the disk (worked 5 of 6 times): du -> rm -> df*, and the hint where there is one."""
    arrows = sequence_text(entry.tool_sequence).replace(" → ", " -> ")
    line = f"{entry.title} ({worked(entry.success_count, entry.attempts)}): {arrows}"
    return f"{line}\n{entry.prompt_template}" if entry.prompt_template else line


def score(fragment: Fragment, query: str) -> float:
    """How well *fragment* fits: its base where nothing is asked, else half the base and half the shared words."""
    return _score(fragment, content_words(query), frozenset(words(fragment.content)))


def synthesize(fragments: Sequence[Fragment], query: str = "", budget: int = DEFAULT_BUDGET) -> str:
    """The lines ``[source] content`` that fit *budget* tokens, best first.

    A line that does not fit is left out and smaller ones after it are tried; when none fits,
    the best is cut at a word.
    """
    asked = content_words(query)
    bags = [frozenset(words(fragment.content)) for fragment in fragments]
    scores = [_score(fragment, asked, bag) for fragment, bag in zip(fragments, bags, strict=True)]
    order = sorted(range(len(fragments)), key=lambda number: -scores[number])
    kept = without_near_duplicates([(fragments[number].content, bags[number]) for number in order])
    return _within([_line(fragments[order[place]]) for place in kept], budget)


def _score(fragment: Fragment, asked: frozenset[str], bag: frozenset[str]) -> float:
    if not asked:
        return fragment.worth
    return 0.5 * fragment.worth + 0.5 * len(asked & bag) / len(asked)


def _line(fragment: Fragment) -> str:
    """The fragment as text; later lines are indented, so that none can pass for a fragment of its own."""
    first, *rest = _LINE_ENDS.split(fragment.content)
    source = " ".join(fragment.source.split())
    return "\n".join((f"[{source}] {first}", *(f"    {line}" for line in rest)))


def _within(lines: Sequence[str], budget: int) -> str:
    taken: list[str] = []
    used = TokenCount()
    for line in lines:
        more = used.with_text(f"\n{line}" if taken else line)
        if more.tokens <= budget:
            taken.append(line)
            used = more
    if not taken and lines:
        return cut_to(lines[0], budget)
    return "\n".join(taken)
