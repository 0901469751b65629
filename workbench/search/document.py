"""What is found in a document: in its text, and in the words of its steps as people read them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace

from workbench.model.program import StepId
from workbench.model.showing.words import plain_text
from workbench.model.snapshot import Snapshot
from workbench.search.matching import Finder, Found, Match, Query
from workbench.syntax.text import Span


def found_in(finder: Finder, query: Query, snapshot: Snapshot, within: Span | None = None) -> Found:
    """Where *query* stands in the text of *snapshot*.

    Words that marks of markdown part in the text, and that are read without them, are found as the whole step:
    ``is_as_read``.
    """
    if query.tag:
        return _found_tagged(finder, query, snapshot, within)
    found = finder.find(query, snapshot.text, within)
    if query.is_regex or not query.words.strip():
        return found
    spans = [match.span for match in found.matches]
    more = [match for match in _as_read(finder, query, snapshot, spans) if within is None or _lies_in(match, within)]
    if not more:
        return found
    both = sorted((*found.matches, *more), key=lambda match: match.span)
    return Found(tuple(both), found.trouble, found.is_cut)


def _found_tagged(finder: Finder, query: Query, snapshot: Snapshot, within: Span | None) -> Found:
    """What is found in the steps that have the tag of *query*; where no words are wanted, the words of these steps."""
    from workbench.model.showing.tags import tags_of  # noqa: PLC0415 - no start needs it

    steps = list(tags_of(snapshot).steps_with(snapshot, query.tag))
    if not query.words:
        matches = (Match(snapshot.text_span(step), is_as_read=True) for step in steps)
        return Found(tuple(match for match in matches if within is None or _lies_in(match, within)))
    found = found_in(finder, replace(query, tag=""), snapshot, within)
    spans = [snapshot.owned_span(step) for step in steps]
    starts = [span.start for span in spans]
    inside = (match for match in found.matches if _is_in(match, spans, starts))
    return Found(tuple(inside), found.trouble, found.is_cut)


def _is_in(match: Match, spans: Sequence[Span], starts: Sequence[int]) -> bool:
    """Whether *match* lies in one of *spans*, which are in order, one behind the other."""
    at = bisect_right(starts, match.span.start) - 1
    return at >= 0 and match.span.end <= spans[at].end


def _as_read(finder: Finder, query: Query, snapshot: Snapshot, spans: Sequence[Span]) -> Iterator[Match]:
    for root in snapshot.roots:
        for step in root.walk() if root is not None else ():
            words = plain_text(step)
            if words != step.text and finder.find(query, words).matches:
                span = snapshot.text_span(step.id)
                if not count_in(span, spans):
                    yield Match(span, is_as_read=True)


def _lies_in(match: Match, within: Span) -> bool:
    return within.start <= match.span.start and match.span.end <= within.end


def count_in(span: Span, spans: Sequence[Span]) -> int:
    """How many of *spans*, which are in order, begin in *span*."""
    return bisect_left(spans, Span(span.end, span.end)) - bisect_left(spans, Span(span.start, span.start))


class StepMatches:
    """How many matches each step has, counted when somebody asks."""

    def __init__(self, snapshot: Snapshot, found: Found) -> None:
        self._snapshot = snapshot
        self._starts = [match.span.start for match in found.matches]
        self._counts: dict[tuple[StepId, bool], int] = {}

    def count(self, step: StepId, folded: frozenset[StepId] = frozenset()) -> int:
        """How many begin in the lines that *step* owns; those of its children count too where it is in *folded*."""
        if not self._starts or not self._snapshot.has(step):
            return 0
        key = step, step in folded
        if key not in self._counts:
            span = self._snapshot.owned_span(step)
            children = () if key[1] else self._snapshot.step(step).children
            inside = sum(self._within(self._snapshot.owned_span(child.id)) for child in children)
            self._counts[key] = self._within(span) - inside
        return self._counts[key]

    def _within(self, span: Span) -> int:
        return bisect_right(self._starts, span.end - 1) - bisect_left(self._starts, span.start)
