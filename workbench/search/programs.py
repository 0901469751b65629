"""Files that import each other as the one program that they are run as, with the way back to each file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

from workbench.disk.files import real_path
from workbench.errors import CannotRead
from workbench.model.snapshot import Snapshot, derive
from workbench.regex import regex
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.imports import Joined, Origin, join_program
from workbench.syntax.text import LineIndex, SourceText, Span

_IMPORT = regex(r"^[ \t]*!import[ \t]+(?P<path>[^#\r\n]*?)[ \t]*(?:#.*)?\r?$", 8)  # re.MULTILINE


class JoinedProgram:
    """The file *path* of the folder *root* with all that it imports. *texts*: those of the files, by path.

    Whatever lies in the folder is read, as far as *texts* has it.
    """

    def __init__(self, root: Path, path: str, texts: Mapping[str, str]) -> None:
        self.path = path
        self._root = real_path(root)
        self._texts = texts

    @cached_property
    def _joined(self) -> Joined:
        files = [(self._root / self.path, self._texts[self.path])]
        return join_program(files, self._read, (self._root,))

    def _read(self, place: Path) -> str:
        text = self._texts.get(self._path_of(place))
        if text is None:
            raise CannotRead(str(place))
        return text

    def _path_of(self, place: Path) -> str:
        found = real_path(place)
        return found.relative_to(self._root).as_posix() if found.is_relative_to(self._root) else ""

    @property
    def text(self) -> str:
        """The whole text."""
        return self._joined.text

    @cached_property
    def snapshot(self) -> Snapshot:
        """What the whole text means."""
        return derive(SourceText(self.text))

    @cached_property
    def _origins(self) -> tuple[tuple[str, Origin], ...]:
        """Of each line, the path of the file that it is from, and where it stands there."""
        paths = {file: self._path_of(file) for file in {each.file for each in self._joined.origins}}
        return tuple((paths[each.file], each) for each in self._joined.origins)

    @cached_property
    def _lines(self) -> LineIndex:
        return LineIndex.of(self.text)

    @cached_property
    def _numbers(self) -> Mapping[tuple[str, int], list[int]]:
        """By path and line of a file, the lines of the whole text: none, one, or as many as it is imported."""
        found: dict[tuple[str, int], list[int]] = {}
        for number, (path, origin) in enumerate(self._origins):
            found.setdefault((path, origin.line), []).append(number)
        return found

    @cached_property
    def _starts(self) -> dict[str, LineIndex]:
        return {}

    def _lines_of(self, path: str) -> LineIndex:
        if path not in self._starts:
            self._starts[path] = LineIndex.of(self._texts[path])
        return self._starts[path]

    def origin(self, span: Span) -> tuple[str, Span] | None:
        """The file that *span* of the whole text is from, and where it stands there; None where it is of several."""
        first, last = (self._origin_at(each) for each in (span.start, span.end))
        if first is None or last is None or first[0] != last[0]:
            return None
        found = Span(first[1], last[1])
        is_there = found.start <= found.end and found.of(self._texts[first[0]]) == span.of(self.text)
        return (first[0], found) if is_there else None

    def _origin_at(self, offset: int) -> tuple[str, int] | None:
        line, column = self._lines.position(offset)
        if line >= len(self._origins):
            return None
        path, origin = self._origins[line]
        if path not in self._texts or column < origin.indent:
            return None
        return path, self._lines_of(path).offset(origin.line - 1, column - origin.indent)

    def places(self, path: str, offset: int) -> Iterator[int]:
        """Where the whole text has the *offset* of the file *path*: once for each time that it is imported."""
        line, column = self._lines_of(path).position(offset)
        for number in self._numbers.get((path, line + 1), ()):
            yield self._lines.offset(number, column + self._origins[number][1].indent)

    def after(self, edits: Mapping[str, tuple[TextEdit, ...]]) -> Snapshot:
        """What the whole text means after these *edits* of its files, none of which touches an import."""
        own = {path: each for path, each in edits.items() if path in self._texts}
        texts = {path: TextChange(each).apply(self._texts[path]) for path, each in own.items()}
        return JoinedProgram(self._root, self.path, {**self._texts, **texts}).snapshot


class Programs:
    """The programs that the files of the folder *root* are parts of. *texts*: of all files, by path."""

    def __init__(self, root: Path, texts: Mapping[str, str]) -> None:
        self._root = root
        self._texts = texts
        self._known: dict[str, JoinedProgram] = {}

    @cached_property
    def _imports(self) -> Mapping[str, set[str]]:
        """By path, the files that it imports."""
        from workbench.project.index import joined_path  # noqa: PLC0415 - a window starts without it

        found: dict[str, set[str]] = {}
        for path, text in self._texts.items():
            for match in _IMPORT.finditer(text) if "!import" in text else ():
                target = joined_path(path, match["path"].removeprefix("file://"))
                if target in self._texts:
                    found.setdefault(path, set()).add(target)
        return found

    @cached_property
    def _beside(self) -> Mapping[str, set[str]]:
        """By path, the files that it imports, and those that import it."""
        found: dict[str, set[str]] = {}
        for path, targets in self._imports.items():
            for target in targets:
                found.setdefault(path, set()).add(target)
                found.setdefault(target, set()).add(path)
        return found

    def is_part(self, path: str) -> bool:
        """Whether the file *path* imports another, or is imported."""
        return path in self._beside

    def parts(self, path: str) -> tuple[str, ...]:
        """The files that *path* imports or that import it, and so on; itself among them."""
        found, waiting = {path}, [path]
        while waiting:
            for near in self._beside.get(waiting.pop(), ()):
                if near not in found:
                    found.add(near)
                    waiting.append(near)
        return tuple(sorted(found))

    def of(self, path: str, name: str) -> Iterator[JoinedProgram]:
        """The programs that the file *path* may be a part of, as far as they say *name*."""
        files = self.parts(path)
        if len(files) < 2:
            return
        importing = [each for each in files if self._imports.get(each)]
        imported = {each for one in importing for each in self._imports[one]}
        # files that import each other in a circle are all begun with
        for top in [each for each in importing if each not in imported] or importing:
            if top not in self._known:
                self._known[top] = JoinedProgram(self._root, top, {each: self._texts[each] for each in files})
            if name in self._known[top].text:
                yield self._known[top]
