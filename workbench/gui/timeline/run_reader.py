"""Reads an earlier run from the journal, beside the window: a long run takes seconds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from workbench.engine.journal.events import RunId
from workbench.errors import StoreFailed, WorkbenchError
from workbench.gui.control.beside import Job
from workbench.gui.control.running.run_host import RunHost
from workbench.gui.timeline.timeline_run import TimelineRun
from workbench.i18n import _


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
        raise StoreFailed(_("This run is not in the journal on this machine, so it cannot be shown."))
    found = TimelineRun(host.text_of(events))
    found.is_live = False
    found.take(events)
    return ReadRun(run, found)
