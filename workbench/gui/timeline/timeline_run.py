"""One run as the timeline keeps it, grown event by event or read from the journal."""

from __future__ import annotations

import time
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from workbench.engine.journal.events import RunEvent, RunId
from workbench.errors import StoreFailed, WorkbenchError
from workbench.gui.control.background import Job
from workbench.gui.control.running.run_host import RunHost
from workbench.gui.timeline.bars.bar_fold import BarFold
from workbench.gui.timeline.bars.bar_words import BarWords
from workbench.gui.timeline.bars.bars import Bar
from workbench.gui.timeline.events.event_store import EventStore
from workbench.gui.words.values import duration_text
from workbench.i18n import _, ngettext
from workbench.model.snapshot import Snapshot


class TimelineRun:
    """Grows with each batch of events. *ran*: the text that runs, None where it is lost."""

    def __init__(self, ran: Snapshot | None) -> None:
        self.ran = ran
        self.words = BarWords(ran)
        self.events = EventStore()
        self._first_seq = 0
        self.is_live = True
        self._fold = BarFold(self.words.step_kind)
        self._positions = array("q")
        self.table = self._fold.table

    def take(self, batch: Sequence[RunEvent]) -> None:
        """Add the events of *batch*."""
        if batch and not len(self.events):
            self._first_seq = batch[0].seq
        self.events.extend(batch)
        for event in batch:
            self._fold.take(event)
            self._positions.append(self._fold.clock.position_ns)

    def now_ns(self) -> int:
        """Where the present lies on the run's time line; the end, once it is over."""
        return self._fold.clock.position_at(time.monotonic_ns()) if self.is_live else self.table.end_ns

    def summary(self) -> str:
        """How much there is to see, on one line."""
        words = [ngettext("{count} bar", "{count} bars", self.table.count()), duration_text(self.table.end_ns)]
        if self.table.failures:
            words.append(ngettext("{count} failed", "{count} failed", len(self.table.failures)))
        return " · ".join(words)

    def bar_of(self, event: RunEvent) -> Bar | None:
        """The innermost bar that *event* lies in."""
        index = event.seq - self._first_seq
        if not 0 <= index < len(self._positions):
            return None
        at_ns = self._positions[index]
        for lane in reversed(range(len(self.table.lanes))):
            bar = self.table.bar_at(lane, at_ns, 0)
            if bar is not None and bar.seq <= event.seq:
                return bar
        return None


@dataclass(frozen=True, slots=True)
class _NotRead:
    """Why the run *id* could not be read."""

    id: RunId
    error: WorkbenchError


@dataclass(frozen=True, slots=True)
class ReadRun:
    """*run* as the timeline keeps it; nobody else holds it."""

    id: RunId
    run: TimelineRun


class RunReader(QObject):
    """Of several runs that were asked for, only the last one is handed on, or why it could not be read."""

    run_read = Signal(object)  # TimelineRun
    failed = Signal(object)  # WorkbenchError

    def __init__(self, host: RunHost, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._host = host
        self._wanted: RunId | None = None

    def read(self, run: RunId) -> None:
        """Hand on *run* as soon as it is read."""
        self._wanted = run
        job = Job(partial(_try_to_read, self._host, run))
        job.outcome.done.connect(self._on_read)
        job.outcome.failed.connect(self._on_failed)
        job.start()

    def forget(self) -> None:
        """What is being read is not wanted any more."""
        self._wanted = None

    @Slot(object)
    def _on_read(self, read: ReadRun | _NotRead) -> None:
        if read.id != self._wanted:
            return
        self._wanted = None
        if isinstance(read, ReadRun):
            self.run_read.emit(read.run)
        else:
            self.failed.emit(read.error)

    @Slot(object)
    def _on_failed(self, mistake: Exception) -> None:
        """A mistake of ours: it is to be told on the window's thread."""
        raise mistake


def _try_to_read(host: RunHost, run: RunId) -> ReadRun | _NotRead:
    try:
        return read_run(host, run)
    except WorkbenchError as error:
        return _NotRead(run, error)


def read_run(host: RunHost, run: RunId) -> ReadRun:
    """*run* from the journal of *host*. Raises StoreFailed where it is not there."""
    events = host.events(run)
    if not events:
        raise StoreFailed(_("This run is not in the journal on this computer, so it cannot be shown."))
    found = TimelineRun(host.text_of(events))
    found.is_live = False
    found.take(events)
    return ReadRun(run, found)
