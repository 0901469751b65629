"""Findings for machines: as JSON with their fixes, as annotations of GitHub, and as SARIF."""

from __future__ import annotations

import enum
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

from workbench import __version__
from workbench.cli.reading import ReadProgram
from workbench.cli.terminal import show, show_json
from workbench.disk.files import absolute, is_in_project
from workbench.model.checks.rules import rule_page
from workbench.model.format import foreign_format
from workbench.model.kinds import FileKind
from workbench.model.snapshot import Snapshot
from workbench.syntax.diagnostics import Diagnostic, Fix, Severity
from workbench.syntax.text import Span

_GITHUB = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
_SARIF = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


class FindingFormat(enum.Enum):
    """In which form findings are printed for a machine."""

    JSON = "json"
    LINES = "jsonl"
    INDEX = "index"
    GITHUB = "github"
    SARIF = "sarif"


def show_findings(programs: Sequence[ReadProgram], form: FindingFormat) -> None:
    """Print all findings of *programs*."""
    match form:
        case FindingFormat.JSON:
            show_json([_as_json(*each) for each in _all_of(programs)])
        case FindingFormat.LINES:
            for program in programs:
                show_json(as_line(program), indent=None)
        case FindingFormat.INDEX:
            for program in programs:
                show_index(program)
        case FindingFormat.GITHUB:
            for program, finding in _all_of(programs):
                show(github_line(program, finding))
        case FindingFormat.SARIF:
            show_json(sarif_log(programs))


def _all_of(programs: Sequence[ReadProgram]) -> Iterator[tuple[ReadProgram, Diagnostic]]:
    return ((program, finding) for program in programs for finding in program.diagnostics)


def kind_facts(snapshot: Snapshot) -> dict[str, str]:
    """What the file is; of another program's also its format, as far as that is known."""
    kind = snapshot.program.kind
    known = foreign_format(snapshot.text) if kind is FileKind.FOREIGN else None
    return {"kind": kind.value, **({"format": known.key} if known else {})}


def as_line(program: ReadProgram) -> dict[str, object]:
    """*program* with all of its findings. ``depends_on``: the ``file`` alone, those that it ``links`` to, or any other
    file of the ``project``.
    """
    findings = [_as_json(program, finding) for finding in program.diagnostics]
    known = {"file": str(program.path), **kind_facts(program.snapshot), "depends_on": depends_on(program)}
    return {**known, "findings": findings}


def depends_on(program: ReadProgram) -> str:
    """What the findings in *program* follow from besides its file: see ``as_line``."""
    snapshot = program.snapshot
    is_of_project = is_in_project(program.path)
    looks_around = is_of_project or bool(program.origins) or (snapshot.asks_beside and _may_ask(snapshot))
    return "project" if looks_around else "links" if snapshot.may_link_files else "file"


def show_index(program: ReadProgram, *, is_checked: bool = True) -> None:
    """Print what a window keeps of *program*, whose path is from the folder at hand on: see ``project/reading.py``."""
    from workbench.project.checked import Found, row_of_found  # noqa: PLC0415 - for the window alone
    from workbench.project.index import FileEntry, digest_of, entry_of_snapshot  # noqa: PLC0415 - likewise
    from workbench.project.kept import row_of  # noqa: PLC0415 - likewise

    own = program.own if program.own is not None else program.snapshot
    entry = FileEntry(program.path.as_posix(), 0, 0, digest=digest_of(own.source.encode()))
    told: dict[str, object] = {"entry": row_of(entry_of_snapshot(entry, own))}
    if is_checked and not own.program.foreign:
        places = ((finding, *program.place(finding.span.start)[1:]) for finding in program.diagnostics)
        found = [Found(each.severity, line, column, each.code, each.message) for each, line, column in places]
        told |= {"depends_on": depends_on(program), "found": list(map(row_of_found, found))}
    show(json.dumps(told))


def _may_ask(snapshot: Snapshot) -> bool:
    """Whether findings may follow from other files: in a step list only those about skills."""
    if not snapshot.program.format.is_steplist:
        return True
    from workbench.model.steplists.skill_checks import uses_skills  # noqa: PLC0415 - few files are step lists

    return uses_skills(snapshot.text)


def _as_json(program: ReadProgram, finding: Diagnostic) -> dict[str, object]:
    """One finding; lines and columns count from 1, in code points, and the end is exclusive."""
    return {
        "path": str(program.place(finding.span.start)[0]),
        **kind_facts(program.snapshot),
        "code": finding.code,
        "severity": finding.severity.value,
        **_range(program, finding.span),
        "message": finding.message,
        "fixes": [_fix_as_json(program, fix) for fix in finding.fixes],
    }


def _fix_as_json(program: ReadProgram, fix: Fix) -> dict[str, object]:
    edits = [{**_range(program, edit.span), "insert": edit.insert} for edit in fix.edits]
    return {"title": fix.title, "is_safe": fix.is_safe, "edits": edits}


def _range(program: ReadProgram, span: Span) -> dict[str, int]:
    _path, line, column = program.place(span.start)
    _path, end_line, end_column = program.place(span.end)
    return {"line": line, "column": column, "end_line": end_line, "end_column": end_column}


def github_line(program: ReadProgram, finding: Diagnostic) -> str:
    """The command that a workflow of GitHub makes an annotation of, beside the line of the file.

    Source: GitHub Docs, *Workflow commands for GitHub Actions*; the signs that end a part are escaped as its own
    toolkit does.
    """
    path, line, column = program.place(finding.span.start)
    _path, end_line, end_column = program.place(finding.span.end)
    facts: dict[str, object] = {"file": _relative(path), "line": line, "endLine": end_line, "col": column}
    if end_line == line and end_column > column + 1:
        facts["endColumn"] = end_column - 1  # the last column, not the one behind it
    facts["title"] = finding.code
    properties = ",".join(f"{name}={_property(str(value))}" for name, value in facts.items())
    return f"::{_GITHUB[finding.severity]} {properties}::{_data(finding.message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _relative(path: Path) -> str:
    """*path* from the current folder on, where it lies in there, with slashes."""
    here, whole = absolute(Path()), absolute(path)
    return (whole.relative_to(here) if whole.is_relative_to(here) else path).as_posix()


def sarif_log(programs: Sequence[ReadProgram]) -> dict[str, object]:
    """A log with one run and all findings. Source: SARIF 2.1.0 (OASIS); columns are code points, ends are exclusive."""
    found = list(_all_of(programs))
    codes = sorted({finding.code for _program, finding in found})
    driver = {"name": "Playbook Workbench", "version": __version__, "rules": [_rule(code) for code in codes]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(program, finding, codes.index(finding.code)) for program, finding in found],
    }
    return {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}


def _rule(code: str) -> dict[str, object]:
    page = rule_page(code)
    if page is None:
        return {"id": code}
    return {
        "id": code,
        "shortDescription": {"text": page.title},
        "help": {"text": page.text, "markdown": page.text},
    }


def _result(program: ReadProgram, finding: Diagnostic, rule: int) -> dict[str, object]:
    path = program.place(finding.span.start)[0]
    place = {"artifactLocation": {"uri": _uri(path)}, "region": _region(program, finding.span)}
    result: dict[str, object] = {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": _SARIF[finding.severity],
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": place}],
    }
    fixes = [_sarif_fix(program, fix) for fix in finding.fixes if fix.edits]
    return {**result, "fixes": fixes} if fixes else result


def _sarif_fix(program: ReadProgram, fix: Fix) -> dict[str, object]:
    changes: dict[str, list[object]] = {}
    for edit in fix.edits:
        uri = _uri(program.place(edit.span.start)[0])
        replacement = {"deletedRegion": _region(program, edit.span), "insertedContent": {"text": edit.insert}}
        changes.setdefault(uri, []).append(replacement)
    return {
        "description": {"text": fix.title},
        "artifactChanges": [
            {"artifactLocation": {"uri": uri}, "replacements": replacements} for uri, replacements in changes.items()
        ],
    }


def _region(program: ReadProgram, span: Span) -> dict[str, int]:
    found = _range(program, span)
    names = {"line": "startLine", "column": "startColumn", "end_line": "endLine", "end_column": "endColumn"}
    return {names[name]: value for name, value in found.items()}


def _uri(path: Path) -> str:
    relative = _relative(path)
    return absolute(path).as_uri() if Path(relative).is_absolute() else quote(relative)
