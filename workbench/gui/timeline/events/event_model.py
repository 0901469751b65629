"""The events of a run as rows of a table; rows are made when they are looked at."""

from __future__ import annotations

import enum
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from workbench.engine.journal.events import RunEvent
from workbench.gui.look.theming import Ink, current_theme
from workbench.gui.timeline.events.event_words import clock_text, is_failure, matches, moment_text, summary
from workbench.gui.words.values import drawable_line, tip
from workbench.i18n import N_, numeral

AnyIndex = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()


class Column(enum.IntEnum):
    """The columns, in order."""

    SEQ = 0
    TIME = 1
    TYPE = 2
    STEP = 3
    SUMMARY = 4


_TITLES = (N_("No."), N_("Time"), N_("Event"), N_("Step"), N_("What happened"))


class EventModel(QAbstractTableModel):
    """All events, or those that match the filter. Shows a sequence that somebody else lets grow at its end."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._events: Sequence[RunEvent] = ()
        self._count = 0  # how many of the events are shown, or were found not to match
        self._rows = array("l")  # with a filter: the indices of the events that match
        self._words: tuple[str, ...] = ()

    @property
    def events(self) -> Sequence[RunEvent]:
        """All events, shown or not."""
        return self._events

    def show_events(self, events: Sequence[RunEvent]) -> None:
        """Another run."""
        self.beginResetModel()
        self._events, self._count = events, len(events)
        self._rows = array("l", self._matching(enumerate(events))) if self._words else array("l")
        self.endResetModel()

    def catch_up(self) -> None:
        """Show what has been added since."""
        fresh = range(self._count, len(self._events))
        fitting = array("l", self._matching((at, self._events[at]) for at in fresh)) if self._words else fresh
        if fitting:
            shown = self.rowCount()
            self.beginInsertRows(_NO_INDEX, shown, shown + len(fitting) - 1)
            if self._words:
                self._rows.extend(fitting)
            self._count = len(self._events)
            self.endInsertRows()
        self._count = len(self._events)

    def set_filter(self, text: str) -> None:
        """Show only events in which all words of *text* occur."""
        words = tuple(text.lower().split())
        if words != self._words:
            self._words = words
            self.show_events(self._events)

    def event_at(self, row: int) -> RunEvent:
        """The event in *row*."""
        return self._events[self._rows[row] if self._words else row]

    def row_of(self, seq: int) -> int | None:
        """The row of the event with number *seq*, or of the next one that is shown."""
        if not self._count:
            return None
        index = seq - self._events[0].seq  # numbers have no gaps
        row = bisect_left(self._rows, index) if self._words else index
        return row if 0 <= row < self.rowCount() else None

    def next_failure(self, after_row: int) -> int | None:
        """The row of the first failure below *after_row*, going round at the end."""
        failures = [row for row, event in enumerate(self._shown()) if is_failure(event)]
        return next((row for row in failures if row > after_row), failures[0] if failures else None)

    def _shown(self) -> Iterator[RunEvent]:
        if not self._words:
            return islice(self._events, self._count)
        return (self._events[index] for index in self._rows)

    def _matching(self, numbered: Iterable[tuple[int, RunEvent]]) -> Iterator[int]:
        return (at for at, event in numbered if matches(event, self._words))

    def rowCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        """How many events are shown."""
        if parent.isValid():
            return 0
        return len(self._rows) if self._words else self._count

    def columnCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        """How many columns there are."""
        return 0 if parent.isValid() else len(Column)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The titles of the columns."""
        is_title = orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole
        return str(_TITLES[section]) if is_title else None

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """One cell."""
        event = self.event_at(index.row())
        column = Column(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return drawable_line(cell_text(event, column))
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(moment_text(event) if column is Column.TIME else cell_text(event, column))
        if role == Qt.ItemDataRole.ForegroundRole:
            return QColor(current_theme().color(_ink_of(event, column)))
        if role == Qt.ItemDataRole.TextAlignmentRole and column is Column.SEQ:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None


def _ink_of(event: RunEvent, column: Column) -> Ink:
    if is_failure(event):
        return Ink.FAILED
    return Ink.MUTED if column in {Column.SEQ, Column.TIME} else Ink.TEXT


def cell_text(event: RunEvent, column: Column) -> str:
    """The words of one cell."""
    match column:
        case Column.SEQ:
            return numeral(event.seq)
        case Column.TIME:
            return clock_text(event)
        case Column.TYPE:
            return event.name
        case Column.STEP:
            return event.step
        case Column.SUMMARY:
            return summary(event)
