"""Reads the bars of a long run beside the window: what is there so far is shown while the rest is being read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from workbench.engine.journal.storage.rows import glance
from workbench.errors import WorkbenchError
from workbench.gui.control.background import Job
from workbench.gui.timeline.bars.bar_fold import BarFold
from workbench.gui.timeline.bars.bars import BarTable, copied
from workbench.gui.timeline.bars.column_fold import ColumnFold

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.engine.journal.events import RunId
    from workbench.gui.control.running.run_host import RunHost
    from workbench.model.meaning import StepKind

LONG = 20_000
"""A run of so many events is read by its columns; a shorter one is told event by event before one has looked."""
_FIRST = 8_000
_MORE = 5
"""Each part that is read before all of it is shown is so many times as long as the one before."""


@dataclass(frozen=True, slots=True)
class BarsRead:
    """The bars of the first events of a run. *is_all*: there are no more, and *fold* can go on with what follows."""

    table: BarTable
    fold: ColumnFold
    is_all: bool


class BarReader(QObject):
    """Reads one run at a time; of several that were asked for, only the last."""

    shown = Signal(object)  # BarsRead
    over = Signal()  # all of them were shown

    def __init__(self, host: RunHost, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._host = host
        self._fold: ColumnFold | None = None

    def read(self, run: RunId, step_kind: Callable[[str], StepKind]) -> None:
        """Read *run* from its beginning."""
        self._fold = ColumnFold(BarFold(step_kind), run)
        self._begin(self._fold, _FIRST)

    def forget(self) -> None:
        """Read nothing more."""
        self._fold = None

    def _begin(self, fold: ColumnFold, until: int) -> None:
        job = Job(partial(_read, self._host, fold, until))
        job.outcome.done.connect(self._on_read)
        job.outcome.failed.connect(self._on_mistake)
        job.start()

    @Slot(object)
    def _on_read(self, read: BarsRead) -> None:
        if read.fold is not self._fold:
            return
        if read.is_all:
            self._fold = None
        else:
            self._begin(read.fold, read.fold.count * _MORE)
        self.shown.emit(read)
        if read.is_all:
            self.over.emit()

    @Slot(object)
    def _on_mistake(self, mistake: Exception) -> None:
        """A mistake of ours: it is to be told on the window's thread."""
        raise mistake


def _read(host: RunHost, fold: ColumnFold, until: int) -> BarsRead:
    """Take some more events into *fold*. A store that cannot be read ends it; whoever tells the run says why."""
    is_all = False
    while fold.count < until and not is_all:
        try:
            parts = glance(host.journal, fold.run, fold.count)
        except WorkbenchError:
            parts = ()
        before = fold.count
        for part in parts:
            fold.take(part)
        is_all = fold.count == before
    return BarsRead(copied(fold.fold.table), fold, is_all)
