"""All safe fixes of a document at once: those after which everything still means what it meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.editing.merge import line_change
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.diagnostics import Diagnostic, Fix
from workbench.syntax.text import TextChange, TextEdit

ROUNDS = 50
"""A fix may show a further finding; after this many rounds what is left is told instead."""


@dataclass(frozen=True, slots=True)
class SafeFixes:
    """*edits* make all safe fixes of a text; *count*: how many that are."""

    edits: tuple[TextEdit, ...]
    count: int


def one_round(snapshot: Snapshot) -> tuple[tuple[Diagnostic, Fix], ...]:
    """The safe fixes of *snapshot* that do not touch each other, each with what it mends."""
    taken: list[TextEdit] = []
    made: list[tuple[Diagnostic, Fix]] = []
    for finding in snapshot.diagnostics:
        fix = next((one for one in finding.fixes if one.is_safe), None)
        if fix is not None and not _touches(fix, taken):
            taken += fix.edits
            made.append((finding, fix))
    return tuple(made)


def after(snapshot: Snapshot, fixes: Sequence[Fix]) -> Snapshot:
    """*snapshot* with *fixes*, which do not touch each other."""
    edits = tuple(edit for fix in fixes for edit in fix.edits)
    return derive(snapshot.source.with_text(TextChange(edits).apply(snapshot.text)))


def all_safe_fixes(snapshot: Snapshot) -> SafeFixes:
    """Every safe fix of *snapshot*, and of what they bring to light, as one change of its text."""
    fixed, count = snapshot, 0
    for _round in range(ROUNDS):
        made = one_round(fixed)
        if not made:
            break
        count += len(made)
        fixed = after(fixed, [fix for _finding, fix in made])
    return SafeFixes(line_change(snapshot.text, fixed.text).edits, count)


def _touches(fix: Fix, taken: Sequence[TextEdit]) -> bool:
    return any(
        mine.span.start <= other.span.end and other.span.start <= mine.span.end for mine in fix.edits for other in taken
    )
