"""One run as the timeline holds it: its bars and events, grown by each batch that is told or read."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence

from workbench.engine.journal.events import RunEvent
from workbench.gui.timeline.bars.bar_fold import BarFold
from workbench.gui.timeline.bars.bar_reader import BarsRead
from workbench.gui.timeline.bars.bar_words import BarWords, PlannedSteps
from workbench.gui.timeline.bars.bars import Bar, BarTable
from workbench.gui.timeline.bars.lane_groups import GroupedTable, same_bar
from workbench.gui.timeline.events.event_store import EventStore
from workbench.i18n import duration_text, ngettext
from workbench.model.snapshot import Snapshot


class TimelineRun:
    """Grows with each batch of events. *ran*: the text that runs, None where it is lost. *now_ns*: its present.

    *earlier*: as at ``RunWords``.

    *is_read_ahead*: its bars are being read from the journal, quicker than its events are told. *table*: the bars by
    depth; *shown*: the same in the lanes that are wanted.
    """

    def __init__(
        self, ran: Snapshot | None, now_ns: Callable[[], int], earlier: Iterable[tuple[int, Snapshot | None]] = ()
    ) -> None:
        texts = tuple(earlier)
        self.now_ns = now_ns
        self.words = BarWords(ran, texts)
        self.events = EventStore()
        self.is_read_ahead = False
        self._first_seq = 0
        self.planned = PlannedSteps(ran, texts)
        self._fold = BarFold(self.words.step_kind, self.planned)
        self._positions = array("q")
        self.table = self.shown = self._fold.table

    def take(self, batch: Sequence[RunEvent]) -> None:
        """Add the events of *batch*."""
        if batch and not len(self.events):
            self._first_seq = batch[0].seq
        self.events.extend(batch)
        if not self.is_read_ahead:
            self._add(batch)
            self._catch_up()

    def take_bars(self, read: BarsRead) -> None:
        """Show the bars that have been *read*; after the last of them, go on with events that are told."""
        self.show_lanes(read.shown)
        self.table, self._positions = read.table, read.fold.positions
        if read.is_all:
            self.is_read_ahead = False
            self._fold = read.fold.fold
            self._fold.table = read.table
            self._add(self.events[len(self._positions) :])
            self._catch_up()

    def show_lanes(self, shown: BarTable) -> None:
        """Show the bars as they are laid out in *shown*."""
        self.shown = shown
        if not self.is_read_ahead:
            self._catch_up()

    def _catch_up(self) -> None:
        if isinstance(self.shown, GroupedTable):
            self.shown.catch_up(self.table)

    def _add(self, batch: Iterable[RunEvent]) -> None:
        for event in batch:
            if event.seq - self._first_seq >= len(self._positions):
                self._fold.take(event)
                self._positions.append(self._fold.clock.position_ns)

    def position_of(self, seq: int) -> int:
        """When the event with the number *seq* happened, on the clock of the run."""
        return self._positions[min(max(0, seq - self._first_seq), len(self._positions) - 1)]

    def seq_at(self, at_ns: int) -> int:
        """The number of the last event at or before *at_ns*."""
        return self._first_seq + max(0, bisect_right(self._positions, at_ns) - 1)

    def summary(self) -> str:
        """How much there is to see, on one line."""
        words = [
            ngettext("{count} bar", "{count} bars", self.table.count()),
            duration_text(max(self.now_ns(), self.table.end_ns)),
        ]
        if self.table.failures:
            words.append(ngettext("{count} failed", "{count} failed", len(self.table.failures)))
        return " · ".join(words)

    def times_of(self, numbers: Iterable[int]) -> Iterator[int]:
        """When the events with these *numbers* happened, as far as that is known."""
        places = (seq - self._first_seq for seq in numbers)
        return (self._positions[place] for place in places if 0 <= place < len(self._positions))

    def bar_around(self, seq: int) -> Bar | None:
        """The innermost bar that the event with number *seq* lies in, as it is shown."""
        index = seq - self._first_seq
        if not 0 <= index < len(self._positions):
            return None
        at_ns = self._positions[index]
        for lane in reversed(range(len(self.table.lanes))):
            bar = self.table.bar_at(lane, at_ns, 0)
            if bar is not None and bar.seq <= seq:
                return same_bar(self.shown, bar) if self.shown is not self.table else bar
        return None
