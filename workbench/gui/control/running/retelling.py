"""Tells a run from the journal as if it went on now: read beside the window, handed on in batches."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from workbench.engine.journal.run_events import RunCreated
from workbench.errors import StoreFailed, WorkbenchError
from workbench.gui.control.background import Job
from workbench.gui.control.running.run_feed import RunFeed
from workbench.i18n import _

if TYPE_CHECKING:
    from workbench.engine.journal.events import RunEvent, RunId
    from workbench.gui.control.running.run_host import RunHost
    from workbench.model.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class RunView:
    """A run as the panes are told of it. *origin*: how it was started. *ran*: its text, None where that is lost."""

    id: RunId
    origin: RunCreated
    ran: Snapshot | None

    @property
    def name(self) -> str:
        """The playbook that runs, by the title of its heading."""
        playbook = self.ran.program.playbook(self.origin.playbook) if self.ran is not None else None
        return playbook.title if playbook is not None else self.origin.playbook


@dataclass(frozen=True, slots=True)
class ReadRun:
    """A run as it stands in the journal."""

    view: RunView
    events: tuple[RunEvent, ...]
    is_resumable: bool


def read_run(host: RunHost, run: RunId) -> ReadRun:
    """*run* from the journal of *host*. Raises StoreFailed where it is not there."""
    events = host.events(run)
    origin = events[0].payload if events else None
    if not isinstance(origin, RunCreated):
        raise StoreFailed(_("This run is not in the journal on this computer, so it cannot be shown."))
    is_resumable = any(each.id == run and each.is_resumable for each in host.runs())
    return ReadRun(RunView(run, origin, host.text_of(events)), events, is_resumable)


# Nobody follows what happened long ago: it is told quickly, in gaps that can just be felt.
BUDGET_MS = 50.0


class _Backlog:
    """The events that are still to be told; one that is there already is not taken again."""

    def __init__(self) -> None:
        self._events = deque["RunEvent"]()
        self._last = -1

    def add(self, events: Iterable[RunEvent]) -> None:
        new = [event for event in events if event.seq > self._last]
        if new:
            self._events.extend(new)
            self._last = new[-1].seq

    @property
    def is_finished(self) -> bool:
        return not self._events

    def drain(self, limit: int = 10000) -> list[RunEvent]:
        return [self._events.popleft() for _event in range(min(limit, len(self._events)))]


class Retelling(QObject):
    """Tells one run at a time. Of several that were asked for, only the last is told, or why it cannot be."""

    begun = Signal(object)  # ReadRun: its events follow
    told = Signal(object)  # tuple[RunEvent, ...]
    over = Signal()  # all of them were told
    failed = Signal(object)  # WorkbenchError

    def __init__(self, host: RunHost, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._host = host
        self.run: RunId | None = None
        self._since: list[RunEvent] = []
        self._backlog: _Backlog | None = None
        self._feed = RunFeed(self, BUDGET_MS)
        self._feed.batch_arrived.connect(self.told)
        self._feed.emptied.connect(self._on_emptied)

    def tell(self, run: RunId) -> None:
        """Tell *run* as soon as it is read, and nothing that was asked for before."""
        self.forget()
        self.run = run
        job = Job(partial(_tried, self._host, run))
        job.outcome.done.connect(self._on_read)
        job.outcome.failed.connect(self._on_mistake)
        job.start()

    def forget(self) -> None:
        """Tell nothing more."""
        self.run, self._backlog, self._since = None, None, []
        self._feed.leave()

    def add(self, batch: tuple[RunEvent, ...]) -> None:
        """Tell what has happened meanwhile in the same run after all that happened before."""
        if self._backlog is not None:
            self._backlog.add(batch)
        else:
            self._since += batch

    @Slot(object)
    def _on_read(self, outcome: tuple[RunId, ReadRun | WorkbenchError]) -> None:
        run, read = outcome
        if run != self.run or self._backlog is not None:
            return
        if not isinstance(read, ReadRun):
            self.run = None
            self.failed.emit(read)
            return
        self._backlog = _Backlog()
        self._backlog.add(read.events)
        self._backlog.add(self._since)
        self._since = []
        self._feed.watch(self._backlog)
        self.begun.emit(read)

    @Slot()
    def _on_emptied(self) -> None:
        self.run, self._backlog = None, None
        self.over.emit()

    @Slot(object)
    def _on_mistake(self, mistake: Exception) -> None:
        """A mistake of ours: it is to be told on the window's thread."""
        raise mistake


def _tried(host: RunHost, run: RunId) -> tuple[RunId, ReadRun | WorkbenchError]:
    try:
        return run, read_run(host, run)
    except WorkbenchError as error:
        return run, error
