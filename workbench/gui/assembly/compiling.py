"""Compiles beside the window: a thousand steps take longer than a keystroke may."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal, Slot

from workbench.gui.assembly.patches import MOST_ROWS, Patch, Rows, patches_between
from workbench.gui.source.border import shown
from workbench.model.assembly import Assembly, AssemblyOrigin, compile_assembly
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
        self._asked: Snapshot | None = None
        self._shown: Rows = ()
        self._is_busy = False

    def start_over(self) -> None:
        """Nothing is shown any more, and what is being compiled is not wanted."""
        self._asked = None
        self._shown = ()

    def compile(self, snapshot: Snapshot) -> None:
        """Hand on the assembly of *snapshot* as soon as it is there."""
        self._asked = snapshot
        if not self._is_busy:
            self._begin(snapshot)

    def _begin(self, snapshot: Snapshot) -> None:
        self._is_busy = True
        job = _Compilation(snapshot, self._shown)
        job.outcome.done.connect(self._on_done)
        job.outcome.failed.connect(self._on_failed)
        QThreadPool.globalInstance().start(job)

    @Slot(object)
    def _on_done(self, compiled: CompiledRows) -> None:
        self._is_busy = False
        if self._asked is compiled.snapshot:
            self._shown = compiled.rows
            self.compiled.emit(compiled)
        elif self._asked is not None:
            self._begin(self._asked)

    @Slot(object)
    def _on_failed(self, mistake: Exception) -> None:
        """A mistake of ours: it is to be told on the window's thread."""
        self._is_busy = False
        raise mistake


class _Outcome(QObject):
    """Carries the assembly to the window's thread."""

    done = Signal(object)  # CompiledRows
    failed = Signal(object)  # Exception


class _Compilation(QRunnable):
    """One compilation; owns its signals, so that it may outlive whoever asked."""

    def __init__(self, snapshot: Snapshot, before: Rows) -> None:
        super().__init__()
        self.outcome = _Outcome()
        self._snapshot = snapshot
        self._before = before

    def run(self) -> None:
        """Compile, on a thread of the pool."""
        try:
            compiled = compiled_rows(self._snapshot, self._before)
        except Exception as mistake:  # noqa: BLE001 - handed over, and raised again on the window's thread
            self.outcome.failed.emit(mistake)
            return
        self.outcome.done.emit(compiled)
