"""Makes the safe fixes of a file: those after which everything still means what it meant."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from workbench.editing.keeping.storage import load, save
from workbench.editing.safe_fixes import ROUNDS, after, one_round
from workbench.errors import CannotRead
from workbench.i18n import _
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.diagnostics import Diagnostic, Fix


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
        raise CannotRead(_("“{name}” is not a text file, so it contains no playbook.").format(name=path.name))
    snapshot = derive(loaded.source)
    made: list[MadeFix] = []
    for _round in range(ROUNDS):
        fixes = one_round(snapshot)
        if not fixes:
            break
        made += [_made(snapshot, finding, fix) for finding, fix in fixes]
        snapshot = after(snapshot, [fix for _finding, fix in fixes])
    if made and not is_dry_run:
        save(path, snapshot.source.encode(), loaded.digest)
    return Fixed(path, loaded.source.text, snapshot.text, tuple(made))


def _made(snapshot: Snapshot, finding: Diagnostic, fix: Fix) -> MadeFix:
    return MadeFix(snapshot.lines.line(finding.span.start) + 1, finding.code, fix.title)
