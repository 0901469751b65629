"""Files as the commands read them: a program of one or several files, or a reason why there is none."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.disk.files import absolute, fitting, is_in_project, is_there, real_path
from workbench.disk.places import places
from workbench.editing.keeping.storage import load
from workbench.errors import CannotRead
from workbench.i18n import _
from workbench.model.derivers import Chapters, deriver_of
from workbench.model.format import is_half_steplist, is_named_steplist
from workbench.model.kinds import FileKind, kind_named
from workbench.model.program import Step
from workbench.model.snapshot import Snapshot, derive
from workbench.settings import Settings, load_settings
from workbench.syntax.diagnostics import Diagnostic, Severity
from workbench.syntax.text import SourceText

if TYPE_CHECKING:
    from workbench.syntax.imports import Origin

_NO_PLAYBOOK = frozenset({"no-heading", "empty-file"})
_GLOB_MARKS = frozenset("*?[")


@dataclass(frozen=True)
class ReadProgram:
    """A program as it was read. *origins*: of each line, empty where it is one file without imports.

    *own*: what the first file means by itself, where it is not the whole program.
    """

    path: Path
    snapshot: Snapshot
    origins: tuple[Origin, ...] = ()
    findings: tuple[Diagnostic, ...] = ()
    own: Snapshot | None = None

    @cached_property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All findings: in what the program means, and in how its files were joined.

        A file that is called as step lists are and is no playbook is judged by what loads step lists, unless it has
        keys of its own: then it is made for another program, and nobody asked what we think of it.
        """
        found = [*self.snapshot.diagnostics]
        if self.snapshot.asks_beside:
            from workbench.planning.lessons import findings_beside  # noqa: PLC0415 - it loads the engine and the library

            found = [*findings_beside(self.snapshot, str(real_path(self.path)), is_joined=bool(self.origins))]
        # a program of several files links from each of them
        if self.snapshot.may_link_files and not self.origins:
            from workbench.project.around import link_findings  # noqa: PLC0415 - few files have links

            found += link_findings(self.snapshot, str(absolute(self.path)))
        if is_in_project(self.path):
            from workbench.project.around import project_findings  # noqa: PLC0415 - few folders are projects

            found += project_findings(self.snapshot, str(absolute(self.path)))
        found += self.findings
        if self._is_damaged_steplist:
            from workbench.model.loader.loading import read_steplist  # noqa: PLC0415 - few files are step lists

            judged = read_steplist(self.snapshot.text).diagnostics
            found = [] if any(one.code == "unknown-key" for one in judged) else [*judged]
        return tuple(sorted(found, key=lambda one: (one.span.start, one.span.end, one.code)))

    @property
    def _is_damaged_steplist(self) -> bool:
        program = self.snapshot.program
        if self.origins or program.format.is_steplist or not is_named_steplist(self.path):
            return False
        if program.foreign:
            return is_half_steplist(self.snapshot.text)
        return any(one.code in _NO_PLAYBOOK for one in self.snapshot.diagnostics)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """What keeps the text from being whole."""
        return tuple(finding for finding in self.findings if finding.severity is Severity.ERROR)

    def place(self, offset: int) -> tuple[Path, int, int]:
        """The file, line and column (from 1) of *offset* in the whole text."""
        line, column = self.snapshot.lines.position(offset)
        if not self.origins:
            return self.path, line + 1, column + 1
        origin = self.origins[min(line, len(self.origins) - 1)]
        extra = max(line - len(self.origins) + 1, 0)
        return origin.file, origin.line + extra, max(column - origin.indent, 0) + 1


def add_import_option(parser: argparse.ArgumentParser) -> None:
    """Let *parser* take what imports may be read from besides the project folder."""
    parser.add_argument(
        "--import-from",
        action="append",
        default=[],
        type=Path,
        metavar="PATH",
        help=_("also import from this folder or file outside the project folder"),
    )


def add_kind_option(parser: argparse.ArgumentParser) -> None:
    """Let *parser* take what the files are, where their content says something else."""
    parser.add_argument(
        "--kind",
        choices=[kind.value for kind in FileKind],
        default="",
        help=_("read the files as this kind, instead of what their content says"),
    )


def kind_of_file(path: Path) -> FileKind | None:
    """What the person has said that the file *path* is; None: its content says it."""
    return kind_named(load_settings(places()).kind_of(path))


def chapters_of_file(path: Path) -> Chapters:
    """Which chapters of the file *path* are carried out, as far as the person has said so."""
    return tuple(load_settings(places()).chapters_of(path).items())


def read_snapshot(path: Path, outside: Sequence[Path] = ()) -> Snapshot:
    """What the file *path* means, with the files that it imports; see ``join_program`` for *outside*.

    Raises CannotRead for what is missing, a folder, too large, not text, or the file of another program.
    """
    return of_ours(read_program([path], outside)).snapshot


def _may_import(text: str, wanted: FileKind | None) -> bool:
    """False for a text that only speaks of imports: no procedure has any."""
    return "!import" in text and not deriver_of(text, wanted).is_procedure


def read_program(
    paths: Sequence[Path],
    outside: Sequence[Path] = (),
    kind: str = "",
    *,
    is_own_wanted: bool = False,
    settings: Settings | None = None,
) -> ReadProgram:
    """What the files *paths* mean together, with the files that they import, read as *kind*. Raises CannotRead.

    *is_own_wanted*: also what the first of them means by itself. *settings*: those of the person, where they are known.
    """
    sources = [(path, read_source(path)) for path in paths]
    said = settings if settings is not None else load_settings(places())
    wanted = kind_named(kind) or kind_named(said.kind_of(paths[0]))
    chapters = tuple(said.chapters_of(paths[0]).items())
    if len(sources) == 1 and not _may_import(sources[0][1].text, wanted):
        return ReadProgram(paths[0], derive(sources[0][1], wanted=wanted, chapters=chapters))
    from workbench.syntax.imports import has_imports, join_program  # noqa: PLC0415 - most programs are one file

    if len(sources) == 1 and not has_imports(sources[0][1].text):
        return ReadProgram(paths[0], derive(sources[0][1], wanted=wanted, chapters=chapters))
    joined = join_program(
        [(path, source.text) for path, source in sources], lambda path: read_source(path).text, outside
    )
    whole = derive(SourceText(joined.text), wanted=wanted)
    own = derive(sources[0][1], wanted=wanted) if is_own_wanted else None
    return ReadProgram(paths[0], whole, joined.origins, joined.diagnostics, own)


def of_ours(program: ReadProgram) -> ReadProgram:
    """*program*; raises CannotRead where it is the file of another program."""
    reason = program.snapshot.program.foreign
    if reason:
        message = _("“{name}”: {reason} It has no steps that could be drawn, compiled or run here.")
        raise CannotRead(message.format(name=program.path.name, reason=reason))
    return program


def whole_program(paths: Sequence[Path], outside: Sequence[Path] = (), kind: str = "") -> ReadProgram:
    """The same, of which nothing may be missing: raises CannotRead where an import cannot be read as well."""
    program = of_ours(read_program(paths, outside, kind))
    for finding in program.errors:
        path, line, _column = program.place(finding.span.start)
        raise CannotRead(f"{path}:{line}: {finding.message}")
    return program


def read_source(path: Path) -> SourceText:
    """The text of the file *path*. Raises CannotRead where it holds none."""
    loaded = load(path)
    if loaded.is_binary:
        raise CannotRead(_("“{name}” is not a text file, so it contains no playbook.").format(name=path.name))
    return loaded.source


def files_named(written: Sequence[Path]) -> list[Path]:
    """The files that *written* names: ``*``, ``?`` and ``[…]`` stand for what fits, ``**`` for folders of any depth.

    Each file comes once, where it was named first; what fits one pattern is sorted. Raises
    CannotRead where nothing fits a pattern.
    """
    found: dict[Path, Path] = {}
    for path in written:
        for one in _fitting(path):
            found.setdefault(real_path(one), one)
    return list(found.values())


def _fitting(path: Path) -> Iterator[Path]:
    if not _GLOB_MARKS & set(str(path)) or is_there(path):
        yield path
        return
    parts = path.parts
    first = next(at for at, part in enumerate(parts) if _GLOB_MARKS & set(part))
    pattern = str(Path(*parts[first:]))
    matches = fitting(Path(*parts[:first]), pattern)
    if not matches:
        raise CannotRead(_("No file matches “{pattern}”.").format(pattern=path))
    yield from matches


def step_at(snapshot: Snapshot, address: str) -> Step:
    """The step with *address* (``Main:02.01``).

    Raises CannotRead, naming the addresses that come nearest, where there is none.
    """
    step = snapshot.at_address(address)
    if step is not None:
        return step
    names = ", ".join(playbook.address for playbook in snapshot.program.playbooks)
    if not names:
        raise CannotRead(_("There is no step “{address}”: the file has no playbook.").format(address=address))
    message = _("There is no step “{address}”. Steps are written like Main:02.01. Playbooks here: {names}.")
    raise CannotRead(message.format(address=address, names=names))
