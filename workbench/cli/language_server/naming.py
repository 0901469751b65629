"""What has a name, and what leads somewhere, over the files of a project: definitions, usages, other names, links."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from lsprotocol import types as lsp

from workbench.assist.fuzzy import match_score
from workbench.cli.language_server.documents import OpenDocument, Positions, View, path_of
from workbench.disk.files import is_file, is_folder, read_file, real_path
from workbench.disk.listing import folders_below
from workbench.disk.places import places
from workbench.editing.commands import Refusal
from workbench.editing.symbol_renaming import rename_symbol
from workbench.errors import CannotRead, WorkbenchError
from workbench.i18n import _
from workbench.model.links import anchor_place, is_named_as_ours, links_of
from workbench.model.snapshot import Snapshot, derive
from workbench.project.index import LARGEST_INDEXED
from workbench.project.renaming import Renaming, renaming_of
from workbench.project.targets import place_of
from workbench.search.across import FileUsages
from workbench.search.symbols import Symbol, SymbolKind, Usage, symbol_at, usages_of
from workbench.settings import change_settings, with_renamed
from workbench.syntax.imports import import_line
from workbench.syntax.lines import span_in_title
from workbench.syntax.links import WIKIS, Link
from workbench.syntax.text import LineIndex, SourceText, Span, split_lines

_WEB = ("http:", "https:", "mailto:")
_MOST_SYMBOLS = 200


def highlights(document: OpenDocument, params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
    """Where the name at a place stands in the document; definitions as what is written, others as what is read."""
    symbol = _symbol(document, params.position)
    found = usages_of(document.snapshot, symbol) if symbol is not None else ()
    kinds = {True: lsp.DocumentHighlightKind.Write, False: lsp.DocumentHighlightKind.Read}
    return [lsp.DocumentHighlight(document.positions.range(each.span), kinds[each.is_definition]) for each in found]


def _symbol(document: OpenDocument, position: lsp.Position) -> Symbol | None:
    if not document.is_ours or not document.snapshot.blocks:
        return None
    return symbol_at(document.snapshot, document.positions.offset(position))


def _usages(view: View, document: OpenDocument, position: lsp.Position) -> Iterator[tuple[Path, FileUsages]]:
    """The files in which the name at *position* stands, each with its place."""
    symbol = _symbol(document, position)
    if symbol is None:
        return
    path, project = view.project_of(document)
    root = view.root_of(document.path) if document.path is not None else Path()
    for each in project.usages(path, symbol):
        yield root / each.file.path, each


def _location(view: View, document: OpenDocument, found: tuple[Path, FileUsages], usage: Usage) -> lsp.Location:
    place, each = found
    if not each.file.path:
        return lsp.Location(document.uri, document.positions.range(usage.span))
    return lsp.Location(view.uri_at(place), view.positions_at(place, each.file.text).range(usage.span))


def references(view: View, document: OpenDocument, params: lsp.ReferenceParams) -> list[lsp.Location]:
    """Where the name at a place stands in the project."""
    is_all = params.context.include_declaration
    return [
        _location(view, document, found, usage)
        for found in _usages(view, document, params.position)
        for usage in found[1].usages
        if is_all or not usage.is_definition
    ]


def definitions(view: View, document: OpenDocument, params: lsp.DefinitionParams) -> list[lsp.Location]:
    """Where a name is defined, or where a link leads."""
    if not document.is_ours:
        return []
    offset = document.positions.offset(params.position)
    link = next((each for each in _links(document) if each.span.start <= offset < each.span.end), None)
    if link is not None:
        found = _led_to(view, document, link)
        return [found] if found is not None else []
    symbol = _symbol(document, params.position)
    here = usages_of(document.snapshot, symbol) if symbol is not None else ()
    own = [each for each in here if each.is_definition]
    if own:
        return [lsp.Location(document.uri, document.positions.range(each.span)) for each in own]
    return [
        _location(view, document, each, usage)
        for each in _usages(view, document, params.position)
        for usage in each[1].usages
        if usage.is_definition
    ]


class _Written(NamedTuple):
    """A link or an import of a document. *link*: None for an import."""

    span: Span
    path: str
    anchor: str = ""
    link: Link | None = None


def _links(document: OpenDocument) -> Iterator[_Written]:
    snapshot = document.snapshot
    for link in links_of(snapshot):
        yield _Written(link.span, link.path, link.anchor, link)
    at = 0
    for line in split_lines(snapshot.text) if "!import" in snapshot.text else ():
        written = import_line(line)
        if written is not None:
            start = at + line.index(written.path, len(written.indent) + len("!import"))
            yield _Written(Span(start, start + len(written.path)), written.path)
        at += len(line)


def _place(view: View, document: OpenDocument, written: _Written) -> Path | None:
    """The file of the project that *written* leads to."""
    if document.path is None or not written.path:
        return None
    root = view.root_of(document.path)
    if written.link is not None and written.link.form in WIKIS:
        return _page_named(root, written.path)
    place = place_of(root, document.path, written.path)
    return place if place is not None and is_file(place) else None


def _page_named(root: Path, name: str) -> Path | None:
    """The file that wiki links call *name*: of several, the one nearest to the root."""
    wanted = {f"{name}{ending}".casefold() for ending in ("", ".md", ".markdown", ".pb", ".playbooks")}
    for folder in sorted(folders_below(root), key=lambda each: each.path.count("/")):
        for file in folder.files:
            if file.name.casefold().replace(" ", "-") in {each.replace(" ", "-") for each in wanted}:
                return root / folder.path_of(file.name)
    return None


def _led_to(view: View, document: OpenDocument, written: _Written) -> lsp.Location | None:
    """Where *written* leads: to a file, or to a heading in one."""
    place = document.path
    if written.path:
        place = _place(view, document, written)
        if place is None:
            return None
    elif not written.anchor:
        return None
    is_here = not written.path or real_path(place or Path()) == real_path(document.path or Path())
    beginning = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
    uri = document.uri if is_here else view.uri_at(place or Path())
    if not written.anchor or (place is None and not is_here):
        return lsp.Location(uri, beginning)
    snapshot = document.snapshot if is_here else _snapshot_at(view, place or Path())
    found = anchor_place(snapshot, written.anchor) if snapshot is not None else None
    if snapshot is None or found is None:
        return lsp.Location(uri, beginning)
    return lsp.Location(uri, Positions.of(snapshot.text, view.encoding).range(found))


def _snapshot_at(view: View, place: Path) -> Snapshot | None:
    document = view.by_path.get(real_path(place))
    if document is not None:
        return document.snapshot
    source = _source_at(place)
    return derive(source) if source is not None else None


def _source_at(place: Path) -> SourceText | None:
    """The text of a file that is not open; None where it holds none, or is too large."""
    try:
        data = read_file(place, LARGEST_INDEXED)
    except CannotRead:
        return None
    is_binary = b"\0" in data[:1024] and not data.startswith((b"\xff\xfe", b"\xfe\xff"))
    return None if is_binary else SourceText.decode(data)


def document_links(view: View, document: OpenDocument) -> list[lsp.DocumentLink]:
    """The links to files of the project, to pages of the web, and the files that are imported."""
    found: list[lsp.DocumentLink] = []
    for each in _links(document) if document.is_ours else ():
        if each.link is not None and each.link.is_web:
            if each.link.target.lower().startswith(_WEB):
                found.append(lsp.DocumentLink(document.positions.range(each.span), each.link.target))
            continue
        place = _place(view, document, each)
        if place is not None:
            found.append(lsp.DocumentLink(document.positions.range(each.span), view.uri_at(place)))
    return found


def rename_place(
    view: View, document: OpenDocument, params: lsp.PrepareRenameParams
) -> lsp.PrepareRenamePlaceholder | Refusal | None:
    """The name at a place, where it can be another; why it cannot."""
    symbol = _symbol(document, params.position)
    offset = document.positions.offset(params.position)
    found = usages_of(document.snapshot, symbol) if symbol is not None else ()
    usage = next((each for each in found if each.span.start - 1 <= offset <= each.span.end), None)
    if symbol is None or usage is None:
        return None
    if symbol.kind is SymbolKind.TOOL:
        everywhere = [each for _place_, files in _usages(view, document, params.position) for each in files.usages]
        if not any(each.is_definition for each in everywhere):
            words = _("“{name}” is not defined in this project, so it cannot get another name here.")
            return Refusal("defined-elsewhere", words.format(name=symbol.name))
    return lsp.PrepareRenamePlaceholder(document.positions.range(usage.span), usage.span.of(document.snapshot.text))


def renamed(view: View, document: OpenDocument, params: lsp.RenameParams) -> lsp.WorkspaceEdit | Refusal:
    """What changes in all files when the name at a place is another."""
    symbol = _symbol(document, params.position)
    if symbol is None:
        return Refusal("unknown", _("There is no variable, playbook or tool here."))
    path, project = view.project_of(document)
    changes = rename_symbol(project, path, symbol, params.new_name)
    if isinstance(changes, Refusal):
        return changes
    root = view.root_of(document.path) if document.path is not None else Path()
    edits: dict[str, list[lsp.TextEdit]] = {}
    for change in changes:
        place = root / change.path
        positions = view.positions_at(place, change.file.text) if change.path else document.positions
        edits[view.uri_at(place) if change.path else document.uri] = positions.edits(change.edits)
    return view.edit(edits)


class SymbolIndex:
    """The playbooks and functions of the files of a project; what has not changed is not read again.

    Used on one thread alone.
    """

    def __init__(self) -> None:
        self._kept: dict[Path, tuple[tuple[int, int], tuple[_Named, ...]]] = {}

    def found(self, view: View, query: str, is_over: Callable[[], bool]) -> list[lsp.WorkspaceSymbol]:
        """Those that have the letters of *query*, best first; fewer where nobody wants to know any more."""
        scored: list[tuple[int, Path, _Named]] = []
        for root in dict.fromkeys(self._roots(view)):
            for place, each in self._in_folder(view, root, is_over):
                score = match_score(query, each.name) if query else 0
                if score is not None:
                    scored.append((-score, place, each))
        scored.sort(key=lambda one: (one[0], one[2].name, one[1]))
        return [self._told(view, place, each) for _score, place, each in scored[:_MOST_SYMBOLS]]

    @staticmethod
    def _roots(view: View) -> Iterator[Path]:
        yield from (real_path(each) for each in view.folders)
        yield from (view.root_of(each.path) for each in view.documents.values() if each.path is not None)

    def _in_folder(self, view: View, root: Path, is_over: Callable[[], bool]) -> Iterator[tuple[Path, _Named]]:
        for folder in folders_below(root) if is_folder(root) else ():
            for file in folder.files:
                if is_over():
                    return
                place = root / folder.path_of(file.name)
                if not is_named_as_ours(file.name) or file.size > LARGEST_INDEXED:
                    continue
                document = view.by_path.get(real_path(place))
                if document is not None:
                    yield from ((place, each) for each in _named_in(document.snapshot))
                    continue
                state = (file.edited_ns, file.size)
                if self._kept.get(place, (None,))[0] != state:
                    source = _source_at(place) if real_path(place).is_relative_to(root) else None
                    self._kept[place] = state, tuple(_named_in(derive(source)) if source is not None else ())
                yield from ((place, each) for each in self._kept[place][1])

    @staticmethod
    def _told(view: View, place: Path, each: _Named) -> lsp.WorkspaceSymbol:
        positions = Positions(each.line_text, LineIndex.of(each.line_text), view.encoding)
        stretch = lsp.Range(
            lsp.Position(each.line, positions.position(each.column).character),
            lsp.Position(each.line, positions.position(each.column + len(each.name)).character),
        )
        return lsp.WorkspaceSymbol(
            lsp.Location(view.uri_at(place), stretch),
            each.name,
            lsp.SymbolKind.Function,
            container_name=each.agent or None,
        )


class _Named(NamedTuple):
    """A playbook or function. *line_text*: the line on which it is written, so that its columns can be counted."""

    name: str
    agent: str
    line: int
    column: int
    line_text: str


def _named_in(snapshot: Snapshot) -> Iterator[_Named]:
    """What can be called in *snapshot*, and the chapters of a procedure."""
    starts = {id(each.playbook): snapshot.block_starts[each.start] for each in snapshot.structure.placed}
    for agent in snapshot.program.agents:
        for playbook in agent.playbooks:
            start = starts.get(id(playbook))
            if start is not None and playbook.title:
                span = span_in_title(playbook.heading, playbook.written) if playbook.heading is not None else None
                yield _named_at(snapshot, playbook.title, agent.title, start + span.start if span else start)
        for function in agent.functions:
            at = snapshot.text.find(f"def {function.name}")
            if at >= 0:
                yield _named_at(snapshot, function.name, agent.title, at + len("def "))


def _named_at(snapshot: Snapshot, name: str, agent: str, offset: int) -> _Named:
    line, column = snapshot.lines.position(offset)
    start = snapshot.lines.starts[line]
    words = split_lines(snapshot.text[start : snapshot.lines.offset(line + 1)] or "\n")[0].rstrip("\r\n")
    return _Named(name, agent, line, column, words)


def edits_for_renaming(view: View, files: Sequence[lsp.FileRename]) -> lsp.WorkspaceEdit | None:
    """What changes in links when *files* get other names; what cannot be read, or is in no project, is left alone."""
    edits: dict[str, list[lsp.TextEdit]] = {}
    for renaming in _renamings(view, files):
        for change in renaming.changes:
            place = renaming.root / change.path
            document = view.by_path.get(real_path(place))
            text = document.snapshot.text if document is not None else change.source.text
            found = renaming.edits_in(change.path, text) if document is not None else change.edits
            known = edits.setdefault(view.uri_at(place), [])
            told = view.positions_at(place, text).edits(found)
            # two files that are moved together can both be meant by one link: the first one says what becomes of it
            known += [each for each in told if not any(each.range == other.range for other in known)]
    edits = {uri: found for uri, found in edits.items() if found}
    return view.edit(edits) if edits else None


def _renamings(view: View, files: Sequence[lsp.FileRename]) -> Iterator[Renaming]:
    for each in files:
        old, new = path_of(each.old_uri), path_of(each.new_uri)
        if old is None or new is None:
            continue
        root = view.root_of(old)
        place = real_path(new.parent) / new.name
        if place.is_relative_to(root):
            try:
                yield renaming_of(root, real_path(old).relative_to(root).as_posix(), place.relative_to(root).as_posix())
            except WorkbenchError:
                continue


def take_along(files: Sequence[lsp.FileRename]) -> None:
    """What the person has said of *files* goes along with their new names."""
    from workbench.engine.permissions import move_said  # noqa: PLC0415 - the engine is not needed before

    for each in files:
        old, new = path_of(each.old_uri), path_of(each.new_uri)
        if old is not None and new is not None:
            change_settings(places(), partial(with_renamed, old=old, new=new))
            move_said(places().permissions_file, old, new)
