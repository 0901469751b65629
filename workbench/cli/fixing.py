"""Makes the safe fixes of a file: those after which everything still means what it meant."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from workbench.editing.storage import load, save
from workbench.errors import CannotRead
from workbench.i18n import _
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.diagnostics import Diagnostic, Fix
from workbench.syntax.text import TextChange, TextEdit

_ROUNDS = 50
"""A fix may show a further finding; after this many rounds what is left is told instead."""


@dataclass(frozen=True, slots=True)
class MadeFix:
    """A fix that was made. *line*: 1-based, in the text as it was when the fix was made."""

    line: int
    code: str
    title: str


@dataclass(frozen=True, slots=True)
class Fixed:
    """A file before and after its safe fixes."""

    path: Path
    before: str
    after: str
    made: tuple[MadeFix, ...]


def fix_file(path: Path, *, is_dry_run: bool) -> Fixed:
    """Make all safe fixes in *path*, and save it unless it *is_dry_run*. Raises CannotRead, CannotSave."""
    loaded = load(path)
    if loaded.is_binary:
        raise CannotRead(_("“{name}” is not a text file, so there is no playbook in it.").format(name=path.name))
    snapshot = derive(loaded.source)
    made: list[MadeFix] = []
    for _round in range(_ROUNDS):
        edits, fixes = _safe_edits(snapshot)
        if not edits:
            break
        made += fixes
        snapshot = derive(snapshot.source.with_text(TextChange(edits).apply(snapshot.text)))
    if made and not is_dry_run:
        save(path, snapshot.source.encode(), loaded.digest)
    return Fixed(path, loaded.source.text, snapshot.text, tuple(made))


def _safe_edits(snapshot: Snapshot) -> tuple[tuple[TextEdit, ...], list[MadeFix]]:
    """The edits of all safe fixes that do not touch each other, and what they are called."""
    taken: list[TextEdit] = []
    made: list[MadeFix] = []
    for finding in snapshot.diagnostics:
        fix = next((one for one in finding.fixes if one.is_safe), None)
        if fix is not None and not _touch(fix, taken):
            taken += fix.edits
            made.append(_made(snapshot, finding, fix))
    return tuple(taken), made


def _touch(fix: Fix, taken: list[TextEdit]) -> bool:
    return any(
        mine.span.start <= other.span.end and other.span.start <= mine.span.end for mine in fix.edits for other in taken
    )


def _made(snapshot: Snapshot, finding: Diagnostic, fix: Fix) -> MadeFix:
    return MadeFix(snapshot.lines.line(finding.span.start) + 1, finding.code, fix.title)
