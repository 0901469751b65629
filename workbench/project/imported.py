"""What a file has through its imports: playbooks that it can call, and other findings than it has by itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from workbench.disk.files import read_file, real_path
from workbench.model.program import Playbook
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.diagnostics import Diagnostic
from workbench.syntax.imports import Joined, has_imports, join_program
from workbench.syntax.text import LineIndex, SourceText, Span

_MARK = "!import"


def import_lines(text: str) -> tuple[str, ...]:
    """The lines of *text* that may be imports, so that somebody can see whether they have changed."""
    found, at = [], text.find(_MARK)
    while at >= 0:
        end = text.find("\n", at)
        found.append(text[text.rfind("\n", 0, at) + 1 : end if end >= 0 else len(text)])
        at = text.find(_MARK, at + len(_MARK))
    return tuple(found)


def imported_playbooks(path: Path, text: str) -> tuple[Playbook, ...]:
    """The playbooks of the files that *text*, the file at *path*, imports, those of imports in imports as well.

    What cannot be read is left out: the check of the file says so.
    """
    if not has_imports(text):
        return ()
    own = {playbook.name for playbook in derive(SourceText(text)).program.playbooks}
    whole = derive(SourceText(_joined(path, text).text)).program
    return tuple(each for each in whole.playbooks if each.name and each.name not in own and not each.is_chapter)


def findings_with_imports(snapshot: Snapshot, path: Path) -> tuple[Diagnostic, ...]:
    """The findings in *snapshot*, the file at *path*, as they are together with the files that it imports.

    A call of an imported playbook is no call of something unknown, but can have too few arguments. What is doubtful
    in another file is told where that one is looked at.
    """
    if not snapshot.may_import or not has_imports(snapshot.text):
        return snapshot.diagnostics
    joined = _joined(path, snapshot.text)
    mapped = _Mapping(joined, real_path(path), snapshot.text)
    own = {(each.code, each.span): each for each in snapshot.diagnostics}
    found: dict[tuple[str, Span], Diagnostic] = {}
    for each in (*derive(SourceText(joined.text)).diagnostics, *joined.diagnostics):
        span = mapped.own(each.span)
        if span is not None:
            # fixes know where they belong only in the text that they were found in
            found[each.code, span] = own.get((each.code, span), replace(each, span=span, fixes=()))
    return tuple(found.values())


def _joined(path: Path, text: str) -> Joined:
    return join_program([(path, text)], lambda place: SourceText.decode(read_file(place)).text)


class _Mapping:
    """Leads from a joined text back to the text of the one file *path*."""

    def __init__(self, joined: Joined, path: Path, text: str) -> None:
        self._joined = joined
        self._lines = LineIndex.of(joined.text)
        self._is_ours = {file: real_path(file) == path for file in {origin.file for origin in joined.origins}}
        self._own = LineIndex.of(text)
        self._text = text

    def own(self, span: Span) -> Span | None:
        """Where *span* of the joined text stands in the file; None where it is not from there."""
        start, end = self._offset(span.start), self._offset(span.end)
        if start is None:
            return None
        there = Span(start, end if end is not None and end >= start else start + len(span))
        return there if there.of(self._text) == span.of(self._joined.text) else None

    def _offset(self, offset: int) -> int | None:
        line, column = self._lines.position(offset)
        origins = self._joined.origins
        if line >= len(origins):
            return len(self._text) if origins and self._is_ours[origins[-1].file] else None
        origin = origins[line]
        if origin.indent or not self._is_ours[origin.file]:
            return None
        return self._own.offset(origin.line - 1, column)
