"""The documents that a client has open, change by change, and how places are counted between it and us.

A client counts lines and, in a line, the units of an encoding (UTF-16 where nothing else was agreed on); we count code
points of the whole text. A text is never put right on the way: what the client has is what is here, unit by unit, even
where it takes half of a character away.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

from lsprotocol import types as lsp
from pygls.capabilities import get_capability
from pygls.uris import from_fs_path, to_fs_path

from workbench.cli.reading import chapters_of_file, kind_of_file
from workbench.disk.files import absolute, real_path
from workbench.model.incremental.advancing import advance
from workbench.model.snapshot import Snapshot, derive
from workbench.project.targets import project_of
from workbench.search.across import Project
from workbench.syntax.change import TextChange, TextEdit, smallest_change
from workbench.syntax.text import LineIndex, SourceText, Span

_FILE = "file:"
_FIRST_OF_TWO, _SECOND_OF_TWO, _BEHIND = "\ud800", "\udc00", "\ue000"


class Encoding(enum.Enum):
    """What the columns of a line are counted in, by the names of the protocol."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"

    def width(self, text: str) -> int:
        """How many units *text* takes."""
        if self is Encoding.UTF32 or text.isascii():
            return len(text)
        return sum(map(self._units, text))

    def _units(self, character: str) -> int:
        if self is Encoding.UTF16:
            return 1 + (character > "\uffff")
        return len(character.encode("utf-8", "surrogatepass"))

    def within(self, text: str, units: int) -> tuple[int, int]:
        """How many characters of *text* the first *units* hold, and how many units of the next one besides."""
        if self is Encoding.UTF32 or text.isascii():
            return min(max(units, 0), len(text)), 0
        for index, character in enumerate(text):
            width = self._units(character)
            if units < width:
                return index, max(units, 0)
            units -= width
        return len(text), 0


@dataclass(frozen=True, slots=True)
class Positions:
    """Places in *text* as the client counts them. *lines*: where its lines begin."""

    text: str
    lines: LineIndex
    encoding: Encoding

    @classmethod
    def of(cls, text: str, encoding: Encoding) -> Positions:
        """Those of a text whose lines are not known yet."""
        return cls(text, LineIndex.of(text), encoding)

    def line_text(self, line: int) -> str:
        """The words of the 0-based *line*, without what ends it."""
        starts = self.lines.starts
        stop = starts[line + 1] if line + 1 < len(starts) else self.lines.length
        text = self.text[starts[line] : stop]
        return text.removesuffix("\n").removesuffix("\r") if text.endswith("\n") else text.removesuffix("\r")

    def place(self, position: lsp.Position) -> tuple[int, int]:
        """The offset of *position*, and how many units of the character there lie before it.

        What is behind the end of a line is its end, what is behind the last line the end of the text.
        """
        if position.line >= len(self.lines.starts):
            return self.lines.length, 0
        column, rest = self.encoding.within(self.line_text(position.line), position.character)
        return self.lines.starts[position.line] + column, rest

    def offset(self, position: lsp.Position) -> int:
        """The offset of *position*; that of the character that it lies in."""
        return self.place(position)[0]

    def position(self, offset: int) -> lsp.Position:
        """Where *offset* is."""
        line, column = self.lines.position(offset)
        start = self.lines.starts[line]
        return lsp.Position(line, self.encoding.width(self.text[start : start + column]))

    def span(self, stretch: lsp.Range) -> Span:
        """The stretch of text that is meant, whichever of its ends is named first."""
        start, end = sorted((self.offset(stretch.start), self.offset(stretch.end)))
        return Span(start, end)

    def range(self, span: Span) -> lsp.Range:
        """Where *span* is."""
        return lsp.Range(self.position(span.start), self.position(span.end))

    def edits(self, edits: Sequence[TextEdit]) -> list[lsp.TextEdit]:
        """*edits* for the client."""
        return [lsp.TextEdit(self.range(edit.span), edit.insert) for edit in edits]


def change_of(before: Positions, changes: Sequence[lsp.TextDocumentContentChangeEvent]) -> TextChange:
    """*changes*, each of the text that the one before it has left, as one change of the text of *before*."""
    whole, at = TextChange(()), before
    for each in changes:
        if isinstance(each, lsp.TextDocumentContentChangePartial):
            step = TextChange((_edit(at, each.range, each.text),))
        else:
            step = smallest_change(at.text, each.text)
        whole = whole.compose(step)
        if each is not changes[-1]:
            at = Positions.of(step.apply(at.text), at.encoding)
    return whole


def _edit(at: Positions, stretch: lsp.Range, insert: str) -> TextEdit:
    """The edit that replaces *stretch*: half of a pair of surrogates goes or stays, and halves that meet are one."""
    text = at.text
    (start, begun), (end, left) = sorted((at.place(stretch.start), at.place(stretch.end)))
    if at.encoding is not Encoding.UTF16:
        return TextEdit(Span(start, end), insert)
    if begun:
        insert = _halves(text[start])[0] + insert
    if left:
        insert += _halves(text[end])[1]
        end += 1
    if insert[:1] and _SECOND_OF_TWO <= insert[0] < _BEHIND and start and _is_first(text[start - 1]):
        start -= 1
        insert = text[start] + insert
    meets = insert[-1:] or text[start - 1 : start]
    if meets and _is_first(meets) and _SECOND_OF_TWO <= text[end : end + 1] < _BEHIND:
        if not insert:
            start -= 1
            insert = meets
        insert += text[end]
        end += 1
    return TextEdit(Span(start, end), _whole(insert))


def _is_first(character: str) -> bool:
    return _FIRST_OF_TWO <= character < _SECOND_OF_TWO


def _halves(character: str) -> str:
    """The two surrogates that *character* is in UTF-16."""
    number = ord(character) - 0x10000
    return chr(0xD800 + (number >> 10)) + chr(0xDC00 + (number & 0x3FF))


def _whole(text: str) -> str:
    """*text* with one character in place of two halves that belong together."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


@dataclass(frozen=True)
class OpenDocument:
    """One state of a document that the client has open; frozen, for any thread.

    *version*: its number as the client counts. *path*: None where it is no file.
    """

    uri: str
    version: int
    snapshot: Snapshot
    encoding: Encoding

    @cached_property
    def path(self) -> Path | None:
        """Where it is saved."""
        return path_of(self.uri)

    @cached_property
    def positions(self) -> Positions:
        """The places in its text."""
        return Positions(self.snapshot.text, self.snapshot.lines, self.encoding)

    @property
    def is_ours(self) -> bool:
        """Whether it is something that is drawn and run: of the files of other programs nothing is said."""
        return not self.snapshot.program.foreign

    def changed(self, params: lsp.DidChangeTextDocumentParams) -> OpenDocument:
        """What it is after a change."""
        change = change_of(self.positions, params.content_changes)
        snapshot = self.snapshot if change.is_empty else advance(self.snapshot, change)
        return OpenDocument(self.uri, params.text_document.version, snapshot, self.encoding)


def opened(item: lsp.TextDocumentItem, encoding: Encoding) -> OpenDocument:
    """A document as the client opens it. What it is follows from its text, and what the person has said of the file."""
    path = path_of(item.uri)
    wanted, chapters = (kind_of_file(path), chapters_of_file(path)) if path is not None else (None, ())
    snapshot = derive(SourceText(_whole(item.text)), wanted=wanted, chapters=chapters)
    return OpenDocument(item.uri, item.version, snapshot, encoding)


def path_of(uri: str) -> Path | None:
    """The file that *uri* names; None where it names none of this machine."""
    written = to_fs_path(uri) if uri.startswith(_FILE) else None
    return absolute(Path(written)) if written else None


def uri_of(path: Path) -> str:
    """The address of a file."""
    return str(from_fs_path(str(path)))


@dataclass(frozen=True, slots=True)
class Client:
    """What the client can do; what it does not announce it cannot. See the protocol for each."""

    capabilities: lsp.ClientCapabilities = field(default_factory=lsp.ClientCapabilities)

    def can(self, what: str) -> bool:
        """Whether it announces *what*: ``text_document.completion.completion_item.snippet_support``."""
        return bool(get_capability(self.capabilities, what, False))

    def listed(self, what: str) -> tuple[str, ...]:
        """The words that it lists under *what*."""
        found = get_capability(self.capabilities, what, None) or ()
        return tuple(str(getattr(each, "value", each)) for each in found)

    @property
    def encoding(self) -> Encoding:
        """The first of those that it offers which we know."""
        known = {each.value: each for each in Encoding}
        offered = self.listed("general.position_encodings")
        return next((known[each] for each in offered if each in known), Encoding.UTF16)


@dataclass(frozen=True)
class View:
    """All that the server knows at one moment; frozen, for any thread.

    *documents*: by address, those that are open. *folders*: what the client shows as its project.
    """

    client: Client
    encoding: Encoding = Encoding.UTF16
    documents: Mapping[str, OpenDocument] = field(default_factory=lambda: MappingProxyType({}))
    folders: tuple[Path, ...] = ()

    @cached_property
    def by_path(self) -> Mapping[Path, OpenDocument]:
        """The open documents that are files, by their real path."""
        return {real_path(each.path): each for each in self.documents.values() if each.path is not None}

    def root_of(self, path: Path) -> Path:
        """The folder of the project that the file *path* belongs to."""
        place = real_path(path)
        shown = next((each for each in self.folders if place.is_relative_to(real_path(each))), None)
        return real_path(project_of(path, str(shown) if shown else ""))

    def project_of(self, document: OpenDocument) -> tuple[str, Project]:
        """The path of *document* in its project, and that with the texts that are open in place of those on the disk.

        The path is empty where the document is no file.
        """
        if document.path is None:
            return "", Project.alone(document.snapshot.source)
        root = self.root_of(document.path)
        texts = {
            place.relative_to(root).as_posix(): each.snapshot.source
            for place, each in self.by_path.items()
            if place.is_relative_to(root)
        }
        return real_path(document.path).relative_to(root).as_posix(), Project(root, texts)

    def uri_at(self, place: Path) -> str:
        """The address of the file *place*, as the client has it where it is open."""
        document = self.by_path.get(real_path(place))
        return document.uri if document is not None else uri_of(place)

    def positions_at(self, place: Path, text: str) -> Positions:
        """The places in *text*, that of the file *place*."""
        document = self.by_path.get(real_path(place))
        if document is not None and document.snapshot.text == text:
            return document.positions
        return Positions.of(text, self.encoding)

    def edit(self, changes: Mapping[str, Sequence[lsp.TextEdit]]) -> lsp.WorkspaceEdit:
        """*changes*, by address, in the form that the client takes, with the versions that they are meant for."""
        if not self.client.can("workspace.workspace_edit.document_changes"):
            return lsp.WorkspaceEdit(changes={uri: list(edits) for uri, edits in changes.items()})
        return lsp.WorkspaceEdit(document_changes=[self._edits_of(uri, edits) for uri, edits in changes.items()])

    def _edits_of(self, uri: str, edits: Sequence[lsp.TextEdit]) -> lsp.TextDocumentEdit:
        document = self.documents.get(uri)
        version = document.version if document is not None else None
        return lsp.TextDocumentEdit(lsp.OptionalVersionedTextDocumentIdentifier(uri, version), list(edits))
