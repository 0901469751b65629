"""Compiles beside the window: a thousand steps take longer than a keystroke may."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot

from workbench.gui.assembly.patches import MOST_ROWS, Patch, Rows, patches_between
from workbench.gui.control.background import BackgroundWork
from workbench.gui.source.position_map import shown
from workbench.model.assembly.compiling import Assembly, AssemblyOrigin, compile_assembly
from workbench.model.snapshot import Snapshot
from workbench.syntax.text import split_lines


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
