"""``workbench check FILE…``: what is doubtful or wrong, for people or as JSON."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from workbench.cli.checking.finding_formats import FindingFormat, kind_facts, show_findings, show_index
from workbench.cli.reading import (
    ReadProgram,
    add_import_option,
    add_kind_option,
    files_named,
    kind_of_file,
    read_program,
)
from workbench.cli.terminal import (
    FINDINGS,
    FINE,
    UNUSABLE,
    Commands,
    add_command,
    complain,
    read_all_bytes,
    show,
    show_difference,
    show_json,
)
from workbench.disk.files import read_file
from workbench.disk.places import places
from workbench.editing.keeping.storage import load, save
from workbench.editing.safe_fixes import ROUNDS, after, one_round
from workbench.errors import CannotRead, CannotSave
from workbench.i18n import _
from workbench.model.checks.rules import rule_codes, rule_page
from workbench.model.derivers import why
from workbench.model.kinds import kind_named
from workbench.model.snapshot import Snapshot, derive
from workbench.settings import load_settings
from workbench.syntax.diagnostics import Diagnostic, Fix, Severity

_NICENESS = 3  # the window comes first, and still something is done where all processors are busy
_BETWEEN_COLLECTING = 50


def register(commands: Commands) -> None:
    """Add the command to *commands*."""
    parser = add_command(
        commands,
        "check",
        _("check playbooks for errors and warnings"),
        "check playbooks/*.md --fix --dry-run",
        _("Exit code: 0 no errors, 1 some errors, 2 a file could not be read."),
    )
    parser.add_argument(
        "files", nargs="*", type=Path, metavar="FILE", help=_("files, or patterns such as desk/**/*.pb")
    )
    _add_machine_options(parser)
    parser.add_argument("--fix", action="store_true", help=_("apply every fix that cannot change the meaning"))
    parser.add_argument("--dry-run", action="store_true", help=_("with --fix: print the changes without writing them"))
    parser.add_argument("--explain", metavar="CODE", default="", help=_("explain a finding code"))
    parser.add_argument("--list-kinds", action="store_true", help=_("say what each file is, and why, instead"))
    add_import_option(parser)
    add_kind_option(parser)
    parser.set_defaults(execute=execute, parser=parser)


def _add_machine_options(parser: argparse.ArgumentParser) -> None:
    """Let *parser* take what other programs want of it."""
    parser.add_argument(
        "--format",
        choices=[each.value for each in FindingFormat],
        help=_(
            "print the findings for machines: JSON, a line of JSON for each file as soon as it is checked, what the "
            "window keeps of each file, annotations of GitHub, or SARIF"
        ),
    )
    parser.add_argument(
        "--json", action="store_const", const="json", dest="format", help=_("the same as --format json")
    )
    parser.add_argument(
        "--files-from",
        type=Path,
        metavar="LIST",
        help=_("also check the files that this file names, one in a line; - is the standard input"),
    )
    parser.add_argument("--give-way", action="store_true", help=_("let other programs have the processor first"))
    parser.add_argument(
        "--unchecked", action="store_true", help=_("with --format index: do not look for errors and warnings")
    )
    parser.add_argument("--together", action="store_true", help=_("read all files as one program"))


def execute(options: argparse.Namespace) -> int:
    """Explain, fix or check; a file that cannot be read does not hide what is found in the others."""
    if options.explain:
        return _explain(options.explain)
    if options.give_way and hasattr(os, "nice"):
        os.nice(_NICENESS)
    named = [*options.files, *(_listed_in(options.files_from) if options.files_from is not None else ())]
    if not named and options.files_from is None:
        options.parser.error(_("FILE is missing"))
    if options.dry_run and not options.fix:
        options.parser.error(_("--dry-run works only with --fix"))
    return _tell_index(named, options) if options.format == FindingFormat.INDEX.value else _check(named, options)


def _check(named: Sequence[Path], options: argparse.Namespace) -> int:
    files = files_named(named)
    if options.fix:
        unfixable = _fix_all(files, options)
        if options.dry_run:
            return UNUSABLE if unfixable else FINE
    groups = [files] if options.together and files else [[path] for path in files]
    if options.format == FindingFormat.LINES.value and not options.list_kinds:
        return _check_in_lines(groups, options)
    programs, unreadable = _read_all(groups, options)
    if options.list_kinds:
        _show_kinds(programs, is_json=options.format == FindingFormat.JSON.value)
        return UNUSABLE if unreadable else FINE
    _show_all(programs, options.format)
    if unreadable:
        return UNUSABLE
    return FINDINGS if any(_has_errors(program) for program in programs) else FINE


def _listed_in(path: Path) -> list[Path]:
    """The names in the file *path*, or in the standard input. Raises CannotRead."""
    data = read_all_bytes() if str(path) == "-" else read_file(path)
    return [Path(os.fsdecode(line)) for line in data.splitlines() if line.strip()]


def _check_in_lines(groups: Sequence[list[Path]], options: argparse.Namespace) -> int:
    """Tell of one file after the other, so that whoever reads along need not wait for the last one."""
    code = FINE
    for group in groups:
        programs, unreadable = _read_all([group], options)
        show_findings(programs, FindingFormat.LINES)
        sys.stdout.flush()
        has_errors = any(_has_errors(program) for program in programs)
        code = max(code, UNUSABLE if unreadable else FINDINGS if has_errors else FINE)
    return code


def _tell_index(files: Sequence[Path], options: argparse.Namespace) -> int:
    """Tell of one file after the other what a window keeps of it; of what cannot be read, nothing."""
    gc.disable()  # what one file has left in circles goes with that of the next ones
    code, settings = FINE, load_settings(places())
    for count, path in enumerate(files, 1):
        try:
            program = read_program([path], options.import_from, options.kind, is_own_wanted=True, settings=settings)
            show_index(program, is_checked=not options.unchecked)
        except CannotRead:
            code = UNUSABLE
        sys.stdout.flush()
        if count % _BETWEEN_COLLECTING == 0:
            gc.collect()
            gc.freeze()  # what has come so far stays, and need not be looked at again
    return code


def _show_all(programs: list[ReadProgram], form: str | None) -> None:
    """Print what was found in *programs*, for people where no *form* is named."""
    if form:
        show_findings(programs, FindingFormat(form))
        return
    for program in programs:
        _show(program)


def _has_errors(program: ReadProgram) -> bool:
    """True when something keeps a playbook in *program* from running as written."""
    return any(finding.severity is Severity.ERROR for finding in program.diagnostics)


def _explain(code: str) -> int:
    """Print the page of *code*; with a name that is not known, the nearest ones."""
    page = rule_page(code)
    if page is not None:
        show(page.text.rstrip())
        return FINE
    near = ", ".join(get_close_matches(code, rule_codes(), 3, 0.5))
    message = _("There is no finding called “{code}”.").format(code=code)
    complain(message + (" " + _("Similar ones: {near}.").format(near=near) if near else ""))
    return UNUSABLE


def _fix_all(files: list[Path], options: argparse.Namespace) -> bool:
    """Make the safe fixes of *files*, and say which; True where a file could not be read or saved."""
    is_unusable = False
    for path in files:
        try:
            fixed = fix_file(path, options.kind, is_dry_run=options.dry_run)
        except (CannotRead, CannotSave) as error:
            if options.dry_run or isinstance(error, CannotSave):
                complain(str(error))
            is_unusable = True
            continue
        if options.dry_run:
            show_difference(path, fixed.before, fixed.after)
        elif not options.format:
            for one in fixed.made:
                show(
                    _("{path}:{line}: fixed: {title} [{code}]").format(
                        path=path, line=one.line, title=one.title, code=one.code
                    )
                )
    return is_unusable


def _read_all(groups: list[list[Path]], options: argparse.Namespace) -> tuple[list[ReadProgram], int]:
    """The programs that could be read, and how many could not; the reasons are printed."""
    programs: list[ReadProgram] = []
    for paths in groups:
        try:
            programs.append(read_program(paths, options.import_from, options.kind))
        except CannotRead as error:
            complain(str(error))
    return programs, len(groups) - len(programs)


def _show_kinds(programs: list[ReadProgram], *, is_json: bool) -> None:
    """Print what the files of *programs* are, and by what that was seen."""
    read = [(str(each.path), each.snapshot, why(each.snapshot.deriver, each.snapshot.text)) for each in programs]
    if is_json:
        show_json([{"path": path, **kind_facts(snapshot), "why": reason} for path, snapshot, reason in read])
        return
    for path, snapshot, reason in read:
        show(f"{path}: {snapshot.program.kind}. {reason}")


def _show(program: ReadProgram) -> None:
    """Print the findings of one program, in the form that editors make links of."""
    kind, foreign = program.snapshot.program.kind, program.snapshot.program.foreign
    if not program.diagnostics and foreign:
        show(f"{program.path}: {foreign}")
    elif not program.diagnostics:
        show(_("{path}: no problems ({kind})").format(path=program.path, kind=kind))
    for finding in program.diagnostics:
        path, line, column = program.place(finding.span.start)
        show(f"{path}:{line}:{column}: {finding.severity.value}: {finding.message} [{finding.code}]")
        for fix in finding.fixes:
            show(_("    fix: {title}").format(title=fix.title))


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


def fix_file(path: Path, kind: str = "", *, is_dry_run: bool) -> Fixed:
    """Make all safe fixes in *path*, read as *kind*; save it unless it *is_dry_run*. Raises CannotRead, CannotSave."""
    loaded = load(path)
    if loaded.is_binary:
        raise CannotRead(_("“{name}” is not a text file, so it contains no playbook.").format(name=path.name))
    snapshot = derive(loaded.source, wanted=kind_named(kind) or kind_of_file(path))
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
