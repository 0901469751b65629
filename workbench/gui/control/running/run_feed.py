"""Brings the events of a run to the window: one batch per tick, capped by time.

A signal per event would freeze the window as soon as a run is fast; a timer that empties
the run's queue a little at a time keeps every gap short, whatever the run does.
"""

from __future__ import annotations

import gc
import time
from typing import TYPE_CHECKING, Protocol
from weakref import WeakSet

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

if TYPE_CHECKING:
    from workbench.engine.journal.events import RunEvent

TICK_MS = 16
BUDGET_MS = 4.0
SMALLEST_BATCH = 200
"""What every batch costs, whatever is in it (each view is painted anew), must not make batches smaller and smaller."""
LARGEST_BATCH = 4096
FIRST_BATCH = 256
_watching = WeakSet["RunFeed"]()
"""Those that hand on events now: they share the time that there is."""


class EventSource(Protocol):
    """What a run offers to its feed."""

    @property
    def is_finished(self) -> bool:
        """Whether no further event will be queued."""
        ...

    def drain(self, limit: int = 10000) -> list[RunEvent]:
        """The events since the last drain, at most *limit*, without waiting."""
        ...


class RunFeed(QObject):
    """Drains one run every 16 ms, or each *tick_ms*. The size of a batch follows how long the last one took the views.

    Where several runs are drained as they go on, each has its part of the time.

    *is_caught_up*: all that the run had told when the last tick began has been handed on.
    """

    batch_arrived = Signal(object)  # tuple[RunEvent, ...]
    ticked = Signal()  # after each tick, with or without events
    emptied = Signal()  # the run is over and every event has been handed on

    def __init__(self, parent: QObject | None = None, budget_ms: float = BUDGET_MS, tick_ms: int = TICK_MS) -> None:
        super().__init__(parent)
        self.is_caught_up = False
        self._source: EventSource | None = None
        self._budget_ms = budget_ms
        self._limit = FIRST_BATCH
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._tick_ms = tick_ms
        self._timer.timeout.connect(self._tick)

    @property
    def is_watching(self) -> bool:
        """Whether a run is being watched."""
        return self._source is not None

    def watch(self, source: EventSource) -> None:
        """Start handing on the events of *source*.

        Everything that the window is made of is kept from the garbage collector meanwhile: a
        run makes so many objects that it would look through all the others every second, for
        up to a tenth of a second each time.
        """
        self._source = source
        self._timer.start(self._tick_ms)
        _watching.add(self)
        gc.freeze()

    def look_every(self, tick_ms: int) -> None:
        """Look for events less often from now on: there are few."""
        if self.is_watching and tick_ms != self._timer.interval():
            self._timer.start(tick_ms)

    def leave(self) -> None:
        """Stop handing on events; those still queued stay in the journal."""
        self._source = None
        self._timer.stop()
        _watching.discard(self)
        if not _watching:
            gc.unfreeze()

    @Slot()
    def _tick(self) -> None:
        source = self._source
        if source is None:
            return
        was_finished = source.is_finished  # asked before draining: nothing can arrive after it
        limit = self._limit
        batch = tuple(source.drain(limit))
        self.is_caught_up = len(batch) < limit
        if batch:
            self._hand_on(batch)
        self.ticked.emit()
        if was_finished and not batch and source is self._source:
            self.leave()
            self.emptied.emit()

    def _hand_on(self, batch: tuple[RunEvent, ...]) -> None:
        started = time.perf_counter()
        self.batch_arrived.emit(batch)
        sharing = len(_watching) if self._budget_ms <= BUDGET_MS else 1
        budget_ms = self._budget_ms / max(1, sharing)
        self._limit = next_limit(len(batch), (time.perf_counter() - started) * 1000, budget_ms)


def next_limit(handled: int, took_ms: float, budget_ms: float = BUDGET_MS) -> int:
    """How many events the next batch may have, so that handling it stays within the budget."""
    fitting = int(handled * budget_ms / max(took_ms, 0.05))
    return max(SMALLEST_BATCH, min(LARGEST_BATCH, fitting))
