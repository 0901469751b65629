"""Reads an earlier run from the journal, beside the window: a long run takes seconds."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal, Slot

from workbench.engine.events import RunId
from workbench.errors import StoreFailed, WorkbenchError
from workbench.gui.control.run_host import RunHost
from workbench.gui.timeline.timeline_run import TimelineRun
from workbench.i18n import _


@dataclass(frozen=True, slots=True)
class ReadRun:
    """*run* as the timeline keeps it; nobody else holds it."""

    id: RunId
    run: TimelineRun


class RunReader(QObject):
    """Reads one run at a time; of several that were asked for, only the last one is handed on."""

    run_read = Signal(object)  # TimelineRun
    failed = Signal(object)  # WorkbenchError

    def __init__(self, host: RunHost, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._host = host
        self._wanted: RunId | None = None

    def read(self, run: RunId) -> None:
        """Hand on *run* as soon as it is read."""
        self._wanted = run
        reading = _Reading(self._host, run)
        reading.outcome.read.connect(self._on_read)
        reading.outcome.failed.connect(self.failed)
        QThreadPool.globalInstance().start(reading)

    def forget(self) -> None:
        """What is being read is not wanted any more."""
        self._wanted = None

    @Slot(object)
    def _on_read(self, read: ReadRun) -> None:
        if read.id == self._wanted:
            self._wanted = None
            self.run_read.emit(read.run)


class _Outcome(QObject):
    """Carries what was read to the window's thread."""

    read = Signal(object)  # ReadRun
    failed = Signal(object)  # WorkbenchError


class _Reading(QRunnable):
    """One reading; owns its signals, so that it may outlive whoever asked."""

    def __init__(self, host: RunHost, run: RunId) -> None:
        super().__init__()
        self.outcome = _Outcome()
        self._host = host
        self._run = run

    def run(self) -> None:
        """Read, on a thread of the pool."""
        try:
            events = self._host.events(self._run)
            if not events:
                raise StoreFailed(_("This run is not in the journal on this machine, so it cannot be shown."))
            found = TimelineRun(self._host.text_of(events))
        except WorkbenchError as error:
            self.outcome.failed.emit(error)
            return
        found.is_live = False
        found.take(events)
        self.outcome.read.emit(ReadRun(self._run, found))
