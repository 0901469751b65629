"""All safe fixes of a document at once: those after which everything still means what it meant."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.diagnostics import Diagnostic, Fix
from workbench.syntax.text import Span

ROUNDS = 50
"""A fix may show a further finding; after this many rounds what is left is told instead."""


@dataclass(frozen=True, slots=True)
class SafeFixes:
    """*edits* make all safe fixes of a text; *count*: how many that are."""

    edits: tuple[TextEdit, ...]
    count: int


def one_round(snapshot: Snapshot) -> tuple[tuple[Diagnostic, Fix], ...]:
    """The safe fixes of *snapshot* that do not touch each other, each with what it mends."""
    taken: list[Span] = []
    made: list[tuple[Diagnostic, Fix]] = []
    for finding in snapshot.diagnostics:
        fix = next((one for one in finding.fixes if one.is_safe), None)
        if fix is not None and not _touches(fix, taken):
            for edit in fix.edits:
                insort(taken, edit.span)
            made.append((finding, fix))
    return tuple(made)


def after(snapshot: Snapshot, fixes: Sequence[Fix]) -> Snapshot:
    """*snapshot* with *fixes*, which do not touch each other."""
    return _changed(snapshot, _change_of(fixes))


def safe_fixes_by_round(snapshot: Snapshot) -> Iterator[SafeFixes]:
    """Every safe fix of *snapshot*, then with what that brings to light, and so on: each time all so far."""
    fixed, change, count = snapshot, TextChange(()), 0
    for _round in range(ROUNDS):
        made = [fix for _finding, fix in one_round(fixed)]
        if not made:
            break
        # put together and not found by comparing texts: that takes hours where many lines are alike
        step = _change_of(made)
        count += len(made)
        change = change.compose(step)
        yield SafeFixes(change.edits, count)
        fixed = _changed(fixed, step)


def _change_of(fixes: Sequence[Fix]) -> TextChange:
    return TextChange(tuple(edit for fix in fixes for edit in fix.edits))


def _changed(snapshot: Snapshot, change: TextChange) -> Snapshot:
    deriver = snapshot.deriver
    return derive(
        snapshot.source.with_text(change.apply(snapshot.text)), wanted=deriver.wanted, chapters=deriver.chapters
    )


def _touches(fix: Fix, taken: Sequence[Span]) -> bool:
    """Whether an edit of *fix* meets one of *taken*, which are in order and do not overlap."""
    for edit in fix.edits:
        index = bisect_right(taken, edit.span.end, key=_start_of)
        if index and taken[index - 1].end >= edit.span.start:
            return True
    return False


def _start_of(span: Span) -> int:
    return span.start
