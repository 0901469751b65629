"""Turns decisions into journaled events, and hands them on once they are written.

Events of the run's own making are written in groups: lost with a crash, they are made again,
exactly the same. What the world answered is written before anything is done with it, and
what will be asked of the world before it is asked.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from workbench.engine.clock import WALL_CLOCK, Clock
from workbench.engine.decider import Draft
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.state.fold import RunFold
from workbench.engine.state.run_state import RunState

Heard = Callable[[RunEvent], None]
_GROUP = 256
_GROUP_S = 0.025


class Appends(Protocol):
    """Where events are written: the journal, or nothing that lasts where a run is only tried."""

    def append(self, events: Sequence[RunEvent]) -> Sequence[RunEvent]:
        """*events* of one run, as they were written."""
        ...

    def append_synced(self, events: Sequence[RunEvent]) -> Sequence[RunEvent]:
        """The same, down to the disk."""
        ...


class Recorder:
    """The one writer of a run.

    Life cycle of an event: a draft gets its number and its time and is folded at once, so that the next decision sees
    it; then it waits until a group is written; once it is written it is handed on by ``drain``, never before. So
    nobody sees an event that a crash could take back. Only ``drain`` and ``state`` may be called from other threads.

    *heard*: who else folds the events, at the same time: what a decider needs besides the state. *watched*: who only
    looks at them then.
    """

    watched: Heard | None = None

    def __init__(
        self, run: RunId, journal: Appends, state: RunState, heard: Heard | None = None, clock: Clock = WALL_CLOCK
    ) -> None:
        self.fold = RunFold(state)
        self._heard = heard
        self.clock = clock
        self._run = run
        self._journal = journal
        self._waiting: list[RunEvent] = []
        self._written_at = time.monotonic()
        self._published: deque[RunEvent] = deque()
        self._lock = threading.Lock()

    def record(self, drafts: Iterable[Draft]) -> None:
        """Take *drafts* into the state; they are written soon."""
        with self._lock:
            for draft in drafts:
                event = self._event(draft)
                self.fold.apply(event)
                if self._heard is not None:
                    self._heard(event)
                if self.watched is not None:
                    self.watched(event)
                self._waiting.append(event)
        if len(self._waiting) >= _GROUP or time.monotonic() - self._written_at > _GROUP_S:
            self.write()

    def record_written(self, drafts: Iterable[Draft]) -> None:
        """Take *drafts* into the state; they are written, and so seen, when this returns."""
        self.record(drafts)
        self.write()

    def record_synced(self, drafts: Iterable[Draft]) -> None:
        """Take *drafts* into the state; they are on the disk when this returns."""
        self.record(drafts)
        self.write_synced()

    def _event(self, draft: Draft) -> RunEvent:
        place = (draft.span, draft.parent, draft.step, draft.line, draft.attempt, draft.actor)
        return RunEvent(self._run, self.fold.next_seq, draft.payload, self.clock.now_ns(), time.monotonic_ns(), *place)

    def write(self) -> None:
        """Write what is waiting."""
        self._publish(self._journal.append(self._waiting))

    def write_synced(self) -> None:
        """Write what is waiting, down to the disk."""
        self._publish(self._journal.append_synced(self._waiting))

    def _publish(self, written: Iterable[RunEvent]) -> None:
        self._published.extend(written)
        self._waiting = []
        self._written_at = time.monotonic()

    def drain(self, limit: int) -> list[RunEvent]:
        """At most *limit* written events that were not handed on yet."""
        events: list[RunEvent] = []
        while len(events) < limit:
            try:
                events.append(self._published.popleft())
            except IndexError:
                break
        return events

    def state(self) -> RunState:
        """Where the run stands."""
        with self._lock:
            return self.fold.state()
