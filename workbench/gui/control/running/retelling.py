"""Tells a run from the journal as if it went on now: read beside the window, handed on in batches.

A run may have a million events. So its beginning is told while the rest is being read, and no more is read ahead than
is soon told. One that goes on in another window or program is followed: what is written there is read now and then.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from workbench.errors import StoreBusy, StoreFailed, WorkbenchError
from workbench.gui.control.background import Job
from workbench.gui.control.running.run_feed import RunFeed
from workbench.i18n import _

if TYPE_CHECKING:
    from workbench.engine.journal.events import RunEvent, RunId
    from workbench.engine.journal.lease import Owner
    from workbench.engine.journal.run_events import RunCreated
    from workbench.engine.journal.run_list import RunSummary
    from workbench.gui.control.running.run_host import RunHost
    from workbench.model.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class EarlierText:
    """What was carried out before the event number *end*, with which a fork went over to another text; None: lost."""

    end: int
    ran: Snapshot | None


@dataclass(frozen=True, slots=True)
class RunView:
    """A run as the panes are told of it. *origin*: how it was started. *ran*: its text, None where that is lost.

    *earlier*: of a fork with another text, those that stood there before, the oldest first.
    """

    id: RunId
    origin: RunCreated
    ran: Snapshot | None
    earlier: tuple[EarlierText, ...] = ()

    @property
    def texts(self) -> tuple[tuple[int, Snapshot | None], ...]:
        """The earlier texts as ``RunWords`` takes them."""
        return tuple((each.end, each.ran) for each in self.earlier)

    @property
    def name(self) -> str:
        """The playbook that runs, by the title of its heading; the goal, where one is made of it."""
        if self.origin.is_cycle:
            return str(self.origin.arguments.get("goal") or self.origin.playbook)
        playbook = self.ran.program.playbook(self.origin.playbook) if self.ran is not None else None
        return playbook.title if playbook is not None else self.origin.playbook


@dataclass(frozen=True, slots=True)
class ReadRun:
    """A run as it stands in the journal: its first *events* of *count*. *owner*: who carries it out."""

    view: RunView
    events: tuple[RunEvent, ...]
    is_resumable: bool
    count: int
    owner: Owner | None = None


def read_run(host: RunHost, run: RunId) -> ReadRun:
    """*run* from the journal of *host*. Raises StoreFailed where it is not there."""
    from workbench.engine.journal.run_events import RunCreated  # noqa: PLC0415 - events are loaded with the first run

    owner = host.journal.owner(run)
    events = host.events(run, 0, _FIRST)
    origin = events[0].payload if events else None
    if not isinstance(origin, RunCreated):
        raise StoreFailed(_("This run is not in the journal on this computer, so it cannot be shown."))
    summaries = {each.id: each for each in host.runs()}
    summary = summaries.get(run)
    is_resumable = summary is not None and summary.is_resumable
    count = summary.events if summary is not None else len(events)
    forks = forks_of(host, run, summaries)
    view = RunView(run, origin, host.text_of((events[0], *forks)), earlier_texts(host, events[0], forks))
    return ReadRun(view, events, is_resumable, count, owner)


def forks_of(host: RunHost, run: RunId, summaries: Mapping[RunId, RunSummary]) -> tuple[RunEvent, ...]:
    """The events with which *run* parted from another one, and that from another in turn; the oldest first.

    *summaries*: of all runs. Where one of those runs is gone, they are looked for in what it has left here.
    """
    from workbench.engine.journal.fork_events import RunForked  # noqa: PLC0415 - loaded with the first run

    found: list[RunEvent] = []
    source, end = run, sys.maxsize
    while source in summaries and (fork := summaries[source].fork) is not None and fork.seq < end:
        told = host.events(run, fork.seq, _FORK_NEAR)
        event = next((each for each in told if isinstance(each.payload, RunForked)), None)
        if event is None or not isinstance(event.payload, RunForked):
            return tuple(found)
        found.insert(0, event)
        source, end = fork.source, fork.seq
    if not found or not source or source in summaries:
        return tuple(found)
    before = host.events(run, 0, found[0].seq)
    return (*(each for each in before if isinstance(each.payload, RunForked)), *found)


def earlier_texts(host: RunHost, created: RunEvent, forks: Sequence[RunEvent]) -> tuple[EarlierText, ...]:
    """What was carried out before each of *forks* that went over to another text, in a run begun with *created*."""
    from workbench.engine.journal.fork_events import RunForked  # noqa: PLC0415 - loaded with the first run

    return tuple(
        EarlierText(event.seq, host.text_of((created, *forks[:number])))
        for number, event in enumerate(forks)
        if isinstance(event.payload, RunForked) and event.payload.text is not None
    )


# Nobody follows what happened long ago: one turn comes after the other, each within a frame with its painting.
BUDGET_MS = 5.0
TICK_MS = 2

_FORK_NEAR = 4
_FIRST = 1_000
_PAGE = 8_000
_AHEAD = 16_000
_LOOK_MS = 200
_REST_MS = 50


class _Backlog:
    """The events that are still to be told; one that is there already is not taken again.

    *count*: how many there are in the journal. *is_held*: none is told just now. *is_read*: no more will be read from
    there. *is_reading*: some are just being read.
    """

    def __init__(self, count: int) -> None:
        self._events = deque["RunEvent"]()
        self._last = -1
        self.count = count
        self.is_read = self.is_reading = self.is_held = False

    def add(self, events: Iterable[RunEvent]) -> None:
        new = [event for event in events if event.seq > self._last]
        if new:
            self._events.extend(new)
            self._last = new[-1].seq

    @property
    def next(self) -> int:
        """The number of the event that is to be read next."""
        return self._last + 1

    @property
    def is_empty(self) -> bool:
        """Whether all that was read has been told."""
        return not self._events

    @property
    def is_wanting(self) -> bool:
        """Whether it is time to read on."""
        return not self.is_read and not self.is_reading and len(self._events) < _AHEAD

    @property
    def share(self) -> float:
        """How much of the run was told, from 0 to 1."""
        return min(1.0, (self.next - len(self._events)) / max(1, self.count))

    @property
    def is_finished(self) -> bool:
        return self.is_read and not self._events

    def drain(self, limit: int = 10000) -> list[RunEvent]:
        return [] if self.is_held else [self._events.popleft() for _event in range(min(limit, len(self._events)))]


class Retelling(QObject):
    """Tells one run at a time. Of several that were asked for, only the last is told, or why it cannot be."""

    begun = Signal(object)  # ReadRun: its events follow
    owner_changed = Signal(object)  # Owner | None: all was read so far, and that is who writes more
    told = Signal(object)  # tuple[RunEvent, ...]
    over = Signal()  # all of them were told
    failed = Signal(object)  # WorkbenchError

    def __init__(self, host: RunHost, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._host = host
        self.run: RunId | None = None
        self._asked = 0
        self._is_followed = False
        self._owner: Owner | None = None
        self._look = QTimer(self, interval=_LOOK_MS, singleShot=True)
        self._since: list[RunEvent] = []
        self._backlog: _Backlog | None = None
        self._feed = RunFeed(self, BUDGET_MS, TICK_MS)
        self._feed.batch_arrived.connect(self.told)
        self._feed.ticked.connect(self._read_on)
        self._feed.emptied.connect(self._on_emptied)

    def tell(self, run: RunId, *, is_followed: bool = False) -> None:
        """Tell *run* as soon as it is read, and nothing that was asked for before.

        *is_followed*: while somebody else carries it out, what happens meanwhile is told as well.
        """
        self.forget()
        self.run, self._is_followed = run, is_followed
        self._asked += 1
        job = Job(partial(_tried, self._host, run, self._asked))
        job.outcome.done.connect(self._on_read)
        job.outcome.failed.connect(self._on_mistake)
        job.start()

    @property
    def share(self) -> float:
        """How much of the run was told, from 0 to 1; 1 where none is being told."""
        return self._backlog.share if self._backlog is not None else 1.0

    @property
    def count(self) -> int:
        """How many events the run that is being told has in the journal; 0 where none is being told."""
        return self._backlog.count if self._backlog is not None else 0

    def hold(self) -> None:
        """Tell nothing of the run that is being told until it goes on, since something else comes first."""
        if self._backlog is not None:
            self._backlog.is_held = True

    @Slot()
    def go_on(self) -> None:
        """Tell what was held."""
        if self._backlog is not None:
            self._backlog.is_held = False

    @Slot()
    def stop(self) -> None:
        """Leave it at what was told."""
        if self._backlog is not None:
            self.forget()
            self.over.emit()

    def forget(self) -> None:
        """Tell nothing more."""
        self.run, self._backlog, self._since = None, None, []
        self._owner = None
        self._look.stop()
        self._feed.leave()

    def add(self, batch: tuple[RunEvent, ...]) -> None:
        """Tell what has happened meanwhile in the same run after all that happened before."""
        if self._backlog is not None and self._backlog.is_read:
            self._backlog.add(batch)
        else:
            self._since += batch

    @Slot(object)
    def _on_read(self, outcome: tuple[int, ReadRun | WorkbenchError]) -> None:
        """What was read for an earlier wish, even of the same run, lacks what was told to nobody since."""
        asked, read = outcome
        if asked != self._asked or self.run is None or self._backlog is not None:
            return
        if not isinstance(read, ReadRun):
            self.run = None
            self.failed.emit(read)
            return
        self._backlog = _Backlog(read.count)
        self._feed.watch(self._backlog)
        self.begun.emit(read)
        if self._backlog is not None:
            self._take(self._backlog, read.events, len(read.events) == _FIRST, read.owner)

    def _take(self, backlog: _Backlog, events: tuple[RunEvent, ...], is_more: bool, owner: Owner | None) -> None:
        """Take what was read. If there is no more, all is read, unless *owner* goes on; what happened since follows."""
        backlog.add(events)
        backlog.count = max(backlog.count, backlog.next)
        is_followed = self._is_followed and owner is not None
        backlog.is_reading, backlog.is_read = False, not is_more and not is_followed
        if backlog.is_read:
            backlog.add(self._since)
            self._since = []
        if not is_more and self._is_followed:
            self._look.start()
            if owner != self._owner:
                self._owner = owner
                self.owner_changed.emit(owner)

    @Slot()
    def _read_on(self) -> None:
        backlog = self._backlog
        if backlog is None or self.run is None:
            return
        is_at_rest = self._look.isActive()
        self._feed.look_every(_REST_MS if is_at_rest and backlog.is_empty else TICK_MS)
        if is_at_rest or not backlog.is_wanting:
            return
        backlog.is_reading = True
        job = Job(partial(_tried_on, self._host, self.run, backlog, backlog.next))
        job.outcome.done.connect(self._on_read_on)
        job.outcome.failed.connect(self._on_mistake)
        job.start()

    @Slot(object)
    def _on_read_on(self, outcome: tuple[_Backlog, _ReadOn | WorkbenchError]) -> None:
        backlog, read = outcome
        if backlog is not self._backlog:
            return
        if isinstance(read, StoreBusy) and self._owner is not None:
            read = (), self._owner  # there is another look soon
        if isinstance(read, WorkbenchError):
            self.failed.emit(read)
            read = (), None  # what was read so far stays
        self._take(backlog, read[0], len(read[0]) == _PAGE, read[1])

    @Slot()
    def _on_emptied(self) -> None:
        self.run, self._backlog = None, None
        self.over.emit()

    @Slot(object)
    def _on_mistake(self, mistake: Exception) -> None:
        """A mistake of ours: it is to be told on the window's thread."""
        raise mistake


def _tried(host: RunHost, run: RunId, asked: int) -> tuple[int, ReadRun | WorkbenchError]:
    try:
        return asked, read_run(host, run)
    except WorkbenchError as error:
        return asked, error


_ReadOn = tuple[tuple["RunEvent", ...], "Owner | None"]
"""Some events, and who carried the run out before they were read: whoever has gone has written them all."""


def _tried_on(host: RunHost, run: RunId, backlog: _Backlog, first: int) -> tuple[_Backlog, _ReadOn | WorkbenchError]:
    try:
        owner = host.journal.owner(run)
        return backlog, (host.events(run, first, _PAGE), owner)
    except WorkbenchError as error:
        return backlog, error
