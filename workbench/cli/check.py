"""``workbench check FILE…``: what is doubtful or wrong, for people or as JSON."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.cli.exit_codes import FINDINGS, FINE, UNUSABLE
from workbench.cli.reading import read_snapshot
from workbench.cli.terminal import complain, show, show_json
from workbench.errors import CannotRead
from workbench.i18n import _
from workbench.model.snapshot import Snapshot
from workbench.syntax.diagnostics import Diagnostic, Fix, Severity
from workbench.syntax.text import Span

if TYPE_CHECKING:
    from argparse import _SubParsersAction


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file that could be read."""

    path: Path
    snapshot: Snapshot

    @property
    def has_errors(self) -> bool:
        """True when something keeps a playbook in it from running as written."""
        return any(finding.severity is Severity.ERROR for finding in self.snapshot.diagnostics)


def register(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to *commands*."""
    parser = commands.add_parser(
        "check",
        help=_("list what is doubtful or wrong in playbooks"),
        description=_("Exit code: 0 no errors, 1 some errors, 2 a file could not be read."),
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--json", action="store_true", help=_("print the findings as a JSON list"))
    parser.set_defaults(execute=execute)


def execute(options: argparse.Namespace) -> int:
    """Check every file; a file that cannot be read does not hide what is found in the others."""
    checked, unreadable = _read_all(options.files)
    if options.json:
        show_json([_as_json(file, finding) for file in checked for finding in file.snapshot.diagnostics])
    else:
        for file in checked:
            _show(file)
    if unreadable:
        return UNUSABLE
    return FINDINGS if any(file.has_errors for file in checked) else FINE


def _read_all(paths: list[Path]) -> tuple[list[CheckedFile], int]:
    """The files that could be read, and how many could not; the reasons are printed."""
    checked: list[CheckedFile] = []
    for path in paths:
        try:
            checked.append(CheckedFile(path, read_snapshot(path)))
        except CannotRead as error:
            complain(str(error))
    return checked, len(paths) - len(checked)


def _show(file: CheckedFile) -> None:
    """Print the findings of one file, in the form that editors make links of."""
    findings = file.snapshot.diagnostics
    if not findings:
        show(_("{path}: nothing found.").format(path=file.path))
    for finding in findings:
        line, column = _position(file.snapshot, finding.span.start)
        show(f"{file.path}:{line}:{column}: {finding.severity.value}: {finding.message} [{finding.code}]")
        for fix in finding.fixes:
            show(_("    fix: {title}").format(title=fix.title))


def _as_json(file: CheckedFile, finding: Diagnostic) -> dict[str, object]:
    """One finding; lines and columns count from 1, in code points, and the end is exclusive."""
    return {
        "path": str(file.path),
        "kind": _kind(file.snapshot),
        "code": finding.code,
        "severity": finding.severity.value,
        **_range(file.snapshot, finding.span),
        "message": finding.message,
        "fixes": [_fix_as_json(file.snapshot, fix) for fix in finding.fixes],
    }


def _fix_as_json(snapshot: Snapshot, fix: Fix) -> dict[str, object]:
    edits = [{**_range(snapshot, edit.span), "insert": edit.insert} for edit in fix.edits]
    return {"title": fix.title, "is_safe": fix.is_safe, "edits": edits}


def _kind(snapshot: Snapshot) -> str:
    """Which kind of file it is taken for."""
    return "text" if snapshot.program.foreign else snapshot.program.format.value


def _range(snapshot: Snapshot, span: Span) -> dict[str, int]:
    line, column = _position(snapshot, span.start)
    end_line, end_column = _position(snapshot, span.end)
    return {"line": line, "column": column, "end_line": end_line, "end_column": end_column}


def _position(snapshot: Snapshot, offset: int) -> tuple[int, int]:
    """Line and column of *offset*, both from 1."""
    line, column = snapshot.lines.position(offset)
    return line + 1, column + 1
