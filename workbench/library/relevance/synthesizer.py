"""Puts what is known together for a model: the most fitting fragments first, none twice, never above the budget."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from workbench.library.entries import PatternEntry, sequence_text
from workbench.library.relevance.content_words import content_words, words
from workbench.library.relevance.near_duplicates import without_near_duplicates
from workbench.library.relevance.tokens import TokenCount, cut_to
from workbench.library.statistics import worked

DEFAULT_BUDGET = 4500

_WORTH = {"learnings": 0.70, "graph": 0.65, "playbook": 0.60, "conversation": 0.50, "summaries": 0.40}
_WORTH_OF_OTHERS = 0.50
_LINE_ENDS = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")


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
