"""Compiles beside the window, and tells how the rows of before become the new ones in small pieces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot

from workbench.gui.control.background import BackgroundWork
from workbench.gui.source.position_map import units
from workbench.gui.words.widget_text import shown
from workbench.model.assembly.compiling import Assembly, AssemblyOrigin, compile_assembly
from workbench.model.snapshot import Snapshot
from workbench.regex import regex
from workbench.syntax.differences import Window, common_ends, kept, windows_between
from workbench.syntax.text import split_lines

MOST_ROWS = 80
"""So many rows are replaced in a few milliseconds."""
_NUMBER = regex(r"^(\s*- )[\dTN.]+(?=[: ])")
Rows = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RowsPatch:
    """The rows *old* become the rows *new*."""

    old: range
    new: Rows


@dataclass(frozen=True, slots=True)
class WordsPatch:
    """In *row*, *removed* UTF-16 units at *start* become *added*."""

    row: int
    start: int
    removed: int
    added: str


Patch = RowsPatch | WordsPatch


def patches_between(before: Rows, after: Rows) -> tuple[Patch, ...]:
    """What turns *before* into *after*, from top to bottom; all against *before*, none of them large.

    Rows that differ in their numbers only are taken for the same.
    """
    windows = windows_between([_NUMBER.sub(r"\1", row) for row in before], [_NUMBER.sub(r"\1", row) for row in after])
    patches: list[Patch] = []
    for (old, new), window in zip(kept(windows, len(before)), (*windows, None), strict=True):
        first = old.start
        pairs = zip(before[old], after[new], strict=True)
        patches += [_words(first + index, was, now) for index, (was, now) in enumerate(pairs) if was != now]
        if window is not None:
            patches += _pieces(window, after)
    return tuple(patches)


def _words(row: int, was: str, now: str) -> WordsPatch:
    """Only what differs, so that a caret in the row stays where it is."""
    head, tail = common_ends(was, now)
    removed = was[head : len(was) - tail]
    return WordsPatch(row, units(was[:head]), units(removed), now[head : len(now) - tail])


def _pieces(window: Window, after: Rows) -> Iterator[RowsPatch]:
    """*window* in pieces: the first takes away what was there, the others come below it."""
    starts = range(window.new.start, window.new.stop, MOST_ROWS) or range(window.new.start, window.new.start + 1)
    for start in starts:
        old = window.old if start == window.new.start else range(window.old.stop, window.old.stop)
        yield RowsPatch(old, after[start : min(start + MOST_ROWS, window.new.stop)])


@dataclass(frozen=True, slots=True)
class CompiledRows:
    """The assembly of *snapshot*, row by row.

    *patches*: what leads here from the rows that were shown, or from the first rows where nothing was.
    """

    snapshot: Snapshot
    rows: Rows
    origins: tuple[AssemblyOrigin, ...]
    patches: tuple[Patch, ...]
    assembly: Assembly

    def rows_for(self, source_line: int) -> range:
        """The 0-based rows that come from *source_line*, or from the nearest line above it."""
        first = self.assembly.line_for_source(source_line) - 1
        while first < len(self.rows) - 1 and not self.rows[first]:
            first += 1
        origin = self.origins[first].source_line if first < len(self.origins) else 0
        end = first
        while end < len(self.origins) and self.origins[end].source_line == origin:
            end += 1
        return range(first, end)


def compiled_rows(snapshot: Snapshot, before: Rows) -> CompiledRows:
    """The assembly of *snapshot*, compared with the rows *before*."""
    assembly = compile_assembly(snapshot)
    rows = rows_of(assembly)
    return CompiledRows(snapshot, rows, assembly.origins, patches_between(before or rows[:MOST_ROWS], rows), assembly)


def rows_of(assembly: Assembly) -> Rows:
    """The lines as a widget can show them, one for each origin."""
    lines = split_lines(assembly.text)
    if len(lines) != len(assembly.origins):  # a carriage return inside a step begins no line of assembly
        lines = assembly.text.split("\n")
    return tuple([shown(line.rstrip("\r\n")).replace("\n", " ") for line in lines[: len(assembly.origins)]])


class AssemblyCompiler(QObject):
    """Compiles one snapshot at a time; of several that were asked for meanwhile, only the last."""

    compiled = Signal(object)  # CompiledRows

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._shown: Rows = ()
        self._background = BackgroundWork(self)
        self._background.done.connect(self._on_done)

    def start_over(self) -> None:
        """Nothing is shown any more, and what is being compiled is not wanted."""
        self._background.forget()
        self._shown = ()

    def compile(self, snapshot: Snapshot) -> None:
        """Hand on the assembly of *snapshot* as soon as it is there."""
        self._background.ask(lambda: compiled_rows(snapshot, self._shown))

    @Slot(object)
    def _on_done(self, compiled: CompiledRows) -> None:
        self._shown = compiled.rows
        self.compiled.emit(compiled)
