"""The files of a folder as texts, what is found in them, and what is to be written instead.

Only what lies in the folder is read: no link leads out of it, and what decides what may be started is left alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from workbench.disk.files import PROJECT_FILE, read_file, real_path
from workbench.disk.listing import folders_below
from workbench.errors import CannotRead
from workbench.model.showing.tags import bare
from workbench.model.snapshot import derive
from workbench.search.matching import Finder, Found, Match, Query
from workbench.search.replacing import Replacement, edits_of
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.text import LineIndex, SourceText, Span, split_lines
from workbench.tools.confinement import is_protected


@dataclass(frozen=True)
class FileText:
    """A file with its text. *path*: from the folder on. *data*: what the disk holds. *is_open*: the text is unsaved."""

    path: str
    data: bytes
    source: SourceText
    is_open: bool = False

    @property
    def text(self) -> str:
        """The text."""
        return self.source.text


@dataclass(frozen=True)
class FileFound:
    """What was found in a file."""

    file: FileText
    found: Found

    def line_of(self, match: Match) -> tuple[int, str, Span]:
        """The 1-based line on which *match* begins, its words, and where it stands in them."""
        lines = LineIndex.of(self.file.text)
        line = lines.line(match.span.start)
        start = lines.starts[line]
        words = split_lines(self.file.text[start : start + _LONGEST_LINE] + " ")[0].rstrip("\r\n")
        end = min(match.span.end - start, len(words))
        return line + 1, words, Span(min(match.span.start - start, end), end)


@dataclass(frozen=True)
class FileEdits:
    """What changes in one file."""

    file: FileText
    edits: tuple[TextEdit, ...]

    @property
    def path(self) -> str:
        """From the folder on."""
        return self.file.path

    @property
    def text_after(self) -> str:
        """Its text afterwards."""
        return TextChange(self.edits).apply(self.file.text)

    @property
    def data_after(self) -> bytes:
        """What it holds afterwards."""
        return self.file.source.with_text(self.text_after).encode()


_LONGEST_LINE = 2_000
_LARGEST = 2 * 1024 * 1024
NONE_OPEN: Mapping[str, SourceText] = MappingProxyType({})
"""By path, the texts that a window has in place of what is on the disk."""


def texts_below(
    root: Path, opened: Mapping[str, SourceText] = NONE_OPEN, only: Collection[str] = ()
) -> Iterator[FileText]:
    """The texts of all files in the folder *root*, those near it first. *only*: these paths, or what is below them."""
    root = real_path(root)
    for folder in folders_below(root):
        is_inside = real_path(root / folder.path).is_relative_to(root) if folder.path else True
        for file in folder.files if is_inside else ():
            path = folder.path_of(file.name)
            if file.size <= _LARGEST and _is_wanted(path, only) and not is_protected((file.name,)):
                found = _text_of(root, path, opened.get(path))
                if found is not None:
                    yield found


def settings_below(root: Path) -> Iterator[FileText]:
    """The files in which projects in the folder *root* say what may be called: no search changes them unasked."""
    root = real_path(root)
    for folder in folders_below(root):
        for file in folder.files:
            found = _text_of(root, folder.path_of(file.name), None) if file.name == PROJECT_FILE else None
            if found is not None:
                yield found


def _is_wanted(path: str, only: Collection[str]) -> bool:
    return not only or any(path == each or path.startswith(f"{each}/") or each in ("", ".") for each in only)


def _text_of(root: Path, path: str, opened: SourceText | None) -> FileText | None:
    place = root / path
    if not real_path(place).is_relative_to(root):
        return None
    try:
        data = read_file(place, _LARGEST)
    except CannotRead:
        return None
    if opened is not None:
        return FileText(path, data, opened, is_open=True)
    if b"\0" in data[:1024] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return None
    return FileText(path, data, SourceText.decode(data))


def search_files(finder: Finder, query: Query, files: Iterable[FileText]) -> Iterator[FileFound]:
    """What *query* finds in *files*, one after the other; those without a match are left out.

    An expression that cannot be tried in a file ends it, with its trouble in the last one. Raises Cancelled.
    """
    for file in files:
        found = _found_tagged(finder, query, file) if query.tag else finder.find(query, file.text)
        if found.matches or found.trouble:
            yield FileFound(file, found)
        if found.trouble:
            return


def _found_tagged(finder: Finder, query: Query, file: FileText) -> Found:
    from workbench.search.document import found_in  # noqa: PLC0415 - a search for words needs to know no steps

    if bare(query.tag) not in file.text.casefold():
        return Found()
    return found_in(finder, query, derive(file.source))


def replaced(found: FileFound, replacement: Replacement, left_out: Collection[int] = ()) -> FileEdits:
    """What changes in a file when all that was *found* is replaced, but for the matches at the places *left_out*."""
    matches = (match for at, match in enumerate(found.found.matches) if at not in left_out)
    return FileEdits(found.file, edits_of(found.file.text, matches, replacement))
