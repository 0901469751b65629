"""One run as the timeline keeps it, grown event by event."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence

from workbench.engine.journal.events import RunEvent
from workbench.gui.timeline.bars.bar_fold import BarFold
from workbench.gui.timeline.bars.bar_words import BarWords
from workbench.gui.timeline.bars.bars import Bar
from workbench.gui.timeline.events.event_store import EventStore
from workbench.gui.words.values import duration_text
from workbench.i18n import ngettext
from workbench.model.snapshot import Snapshot


class TimelineRun:
    """Grows with each batch of events. *ran*: the text that runs, None where it is lost. *now_ns*: its present."""

    def __init__(self, ran: Snapshot | None, now_ns: Callable[[], int]) -> None:
        self.now_ns = now_ns
        self.words = BarWords(ran)
        self.events = EventStore()
        self._first_seq = 0
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

    def summary(self) -> str:
        """How much there is to see, on one line."""
        words = [ngettext("{count} bar", "{count} bars", self.table.count()), duration_text(self.now_ns())]
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
