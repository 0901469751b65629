"""``!import path`` lines, and several files as one text; every line knows which file it comes from.

A whole line is replaced by the file that it names, indented like the line. What cannot be
read stays in the text as it is, with a problem that says why. So does what lies outside the
project folder, unless the person allows it: a playbook of others must not gather what else
is on the disk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from workbench.disk.files import absolute, is_file, look_at, project_folder, real_path
from workbench.errors import CannotRead
from workbench.i18n import _, numeral
from workbench.regex import regex
from workbench.syntax.blocks import BlockKind
from workbench.syntax.diagnostics import Diagnostic, Severity
from workbench.syntax.scan import scan
from workbench.syntax.text import Span, split_lines

DEEPEST = 10
LARGEST_IMPORT = 1024 * 1024
LARGEST_PROGRAM = 16 * 1024 * 1024
MOST_IMPORTS = 10_000

ReadFile = Callable[[Path], str]
"""The text of a file; raises CannotRead."""

_IMPORT = regex(r"(?P<indent>[ \t]*)!import[ \t]+(?P<path>[^#\r\n]*?)[ \t]*(?:#[^\r\n]*)?(?P<end>\r\n|\r|\n|\Z)")
_FIELD = regex(r"(?P<name>[^\s:#][^:\r\n]*?)[ \t]*:(?:[ \t\r\n]|\Z)")


@dataclass(frozen=True, slots=True)
class ImportLine:
    """A line that stands for a file: *path* as written."""

    indent: str
    path: str
    end: str


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a line comes from: a file, a 1-based line in it, and how many blanks an import put before it."""

    file: Path
    line: int
    indent: int = 0


@dataclass(frozen=True, slots=True)
class Joined:
    """A program's whole text. *origins*: of each line. *diagnostics*: what could not be joined as written."""

    text: str
    origins: tuple[Origin, ...]
    diagnostics: tuple[Diagnostic, ...] = ()


def import_line(line: str) -> ImportLine | None:
    """The import that *line* is, or None: nothing may stand before or behind it but blanks and a comment."""
    if "!import" not in line:
        return None
    match = _IMPORT.fullmatch(line)
    if match is None or not match["path"]:
        return None
    return ImportLine(match["indent"], match["path"], match["end"])


def has_imports(text: str) -> bool:
    """True when some line of *text* is an import."""
    return "!import" in text and any(import_line(line) for line in split_lines(text))


def join_program(files: Sequence[tuple[Path, str]], read: ReadFile, outside: Sequence[Path] = ()) -> Joined:
    """The *files* (path and text) as one text, imports replaced, a blank line between two files.

    *outside*: folders and files outside the project folders that imports may be read from as well.

    The front matter of all files becomes that of the program; a field that two files set is a
    finding, and the first file counts. Only the first file keeps its first line ``#!…``.
    """
    bounds = _Bounds(
        tuple(dict.fromkeys(project_folder(path) for path, _text in files)), tuple(real_path(path) for path in outside)
    )
    joining = _Joining(files[0][0].parent if files else Path(), read, bounds)
    for path, text in files:
        joining.add_file(path, text)
    return joining.finish()


@dataclass(frozen=True, slots=True)
class _Bounds:
    """From where imports may be read: the folders of the projects, and what the person allows besides."""

    projects: tuple[Path, ...]
    outside: tuple[Path, ...]

    def is_inside(self, place: Path) -> bool:
        """True where *place*, links followed, is in a project."""
        return any(real_path(place).is_relative_to(folder) for folder in self.projects)

    def may_be_read(self, place: Path) -> bool:
        """True there, and where the person has allowed it."""
        return self.is_inside(place) or any(real_path(place).is_relative_to(each) for each in self.outside)


@dataclass(slots=True)
class _Joining:
    """A text that is being put together from lines."""

    base: Path
    read: ReadFile
    bounds: _Bounds
    lines: list[str] = field(default_factory=list)
    origins: list[Origin] = field(default_factory=list)
    front: list[tuple[str, Origin]] = field(default_factory=list)
    shebang: list[tuple[str, Origin]] = field(default_factory=list)
    problems: list[tuple[str, Severity, str, Origin]] = field(default_factory=list)
    size: int = 0
    count: int = 0
    _fields: dict[str, Path] = field(default_factory=dict)
    _texts: dict[Path, str] = field(default_factory=dict)

    def add_file(self, path: Path, text: str) -> None:
        """Append a file of the program."""
        body = self._without_head(path, text)
        skipped = len(split_lines(text[: len(text) - len(body)]))
        if self.lines:
            if not self.lines[-1].endswith(("\n", "\r")):
                self.lines[-1] += "\n"
            self._append("\n", self.origins[-1])
        self._expand(path, body, skipped, "", (real_path(path),))

    def finish(self) -> Joined:
        """The text, with the findings at the lines they belong to."""
        head = [*self.shebang, *self.front]
        lines = [line for line, _origin in head] + self.lines
        origins = [origin for _line, origin in head] + self.origins
        starts: dict[tuple[Path, int], Span] = {}
        at = 0
        for line, origin in zip(lines, origins, strict=True):
            starts.setdefault((origin.file, origin.line), Span(at, at + len(line.rstrip())))
            at += len(line)
        findings = [
            Diagnostic(code, severity, message, starts.get((origin.file, origin.line), Span(0, 0)))
            for code, severity, message, origin in self.problems
        ]
        return Joined("".join(lines), tuple(origins), tuple(findings))

    def _append(self, line: str, origin: Origin) -> None:
        self.lines.append(line)
        self.origins.append(origin)
        self.size += len(line)

    def _without_head(self, path: Path, text: str) -> str:
        """*text* without its first line ``#!…`` and its front matter, which are kept apart."""
        is_first = not self.lines
        done = 0
        number = 1
        for block in scan(text[:LARGEST_IMPORT] if text.startswith(("#!", "---")) else "")[:2]:
            lines = split_lines(block.text)
            if block.kind is BlockKind.SHEBANG and is_first:
                self.shebang = [(lines[0], Origin(path, 1))]
            elif block.kind is BlockKind.FRONT_MATTER:
                self._add_front(path, lines, number)
            elif block.kind is not BlockKind.SHEBANG:
                break
            done += len(block.text)
            number += len(lines)
        return text[done:]

    def _add_front(self, path: Path, lines: list[str], number: int) -> None:
        """Take over the fields that no file before has set."""
        fresh: list[tuple[str, Origin]] = []
        is_taken = False
        for at, line in enumerate(lines[1:-1], number + 1):
            name = _FIELD.match(line)
            if name is not None:
                before = self._fields.setdefault(name["name"], path)
                is_taken = before != path
                if is_taken:
                    message = _("{file} sets {name} again; the value from {first} is used.")
                    text = message.format(name=name["name"], file=path.name, first=before.name)
                    self.problems.append(("front-matter-twice", Severity.ERROR, text, Origin(path, at)))
            if not is_taken:
                fresh.append((line, Origin(path, at)))
        if self.front:
            self.front[-1:-1] = fresh
        else:
            last = Origin(path, number + len(lines) - 1)
            self.front = [(lines[0], Origin(path, number)), *fresh, (lines[-1], last)]

    def _expand(self, path: Path, text: str, skipped: int, indent: str, chain: tuple[Path, ...]) -> None:
        """Append the lines of *text*, imports replaced; *chain*: the files that are being read."""
        for number, line in enumerate(split_lines(text), skipped + 1):
            origin = Origin(path, number, len(indent))
            found = import_line(line)
            if found is None:
                self._append(indent + line if indent and line.strip() else line, origin)
                continue
            inner = self._imported(found, path, chain, origin)
            if isinstance(inner, str):
                self.problems.append(("import-refused", Severity.ERROR, inner, origin))
            if not isinstance(inner, _Opened):
                self._append(indent + line, origin)
                continue
            self._insert(inner, indent + found.indent, chain, found.end)

    def _insert(self, inner: _Opened, indent: str, chain: tuple[Path, ...], end: str) -> None:
        before = len(self.lines)
        if not self.bounds.is_inside(inner.path):
            self._tell_outside(inner.path, Severity.INFO, Origin(inner.path, inner.skipped + 1))
        self._expand(inner.path, inner.text, inner.skipped, indent, (*chain, real_path(inner.path)))
        if len(self.lines) > before and not self.lines[-1].endswith(("\n", "\r")):
            self.lines[-1] += end

    def _imported(self, found: ImportLine, path: Path, chain: tuple[Path, ...], origin: Origin) -> _Opened | str | None:
        """The file that *found* names, or why it cannot be read; None where it must not be, which is said."""
        place = _place(found.path, path.parent, self.base)
        if place is None:
            return _("There is no file “{path}”, neither next to {file} nor in the current folder.").format(
                path=found.path, file=path.name
            )
        if not self.bounds.may_be_read(place):
            self._tell_outside(place, Severity.ERROR, origin)
            return None
        if real_path(place) in chain:
            names = " → ".join(one.name for one in (*chain, place))
            return _("This file would import itself: {chain}.").format(chain=names)
        if len(chain) > DEEPEST:
            return _("Imports are nested more than {limit} deep here.").format(limit=DEEPEST)
        return self._opened(place)

    def _tell_outside(self, place: Path, severity: Severity, origin: Origin) -> None:
        text = _("“{path}” is read from outside the project folder “{folder}”.")
        if severity is Severity.ERROR:
            text = _("“{path}” was not read: it is outside the project folder “{folder}”. Allow it with --import-from.")
        message = text.format(path=real_path(place), folder=self.bounds.projects[0])
        self.problems.append(("import-outside", severity, message, origin))

    def _opened(self, place: Path) -> _Opened | str:
        self.count += 1
        if self.count > MOST_IMPORTS:
            return _("There are more than {limit} imports.").format(limit=numeral(MOST_IMPORTS))
        try:
            size = look_at(place).size
            if size > LARGEST_IMPORT:
                return _("“{name}” is larger than 1 MiB, which is too large for an import.").format(name=place.name)
            if self.size + size > LARGEST_PROGRAM:
                return _("With this import the program would be larger than 16 MiB.")
            if place not in self._texts:
                self._texts[place] = self.read(place)
            text = self._texts[place]
        except CannotRead as error:
            return str(error)
        if not text.startswith("#!"):
            return _Opened(place, text, 0)
        first = split_lines(text)[0]
        return _Opened(place, text[len(first) :], 1)


@dataclass(frozen=True, slots=True)
class _Opened:
    """An imported file: its text without a first line ``#!…``, and how many lines that were."""

    path: Path
    text: str
    skipped: int


def _place(written: str, folder: Path, base: Path) -> Path | None:
    """The file that *written* means: absolute, or beside the importing file, the program, or where we are."""
    plain = written.removeprefix("file://")
    if "://" in plain:
        return None
    return next((candidate for candidate in _candidates(Path(plain), folder, base) if is_file(candidate)), None)


def _candidates(path: Path, folder: Path, base: Path) -> Iterator[Path]:
    if path.is_absolute():
        yield path
    else:
        yield from (folder / path, base / path, absolute(path))
