"""The events of a run as rows of a table; rows are made when they are looked at."""

from __future__ import annotations

import enum
from bisect import bisect_left
from collections.abc import Sequence

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from workbench.engine.events import RunEvent
from workbench.gui.theme import Theme
from workbench.gui.timeline.event_words import clock_text, is_failure, matches, moment_text, summary
from workbench.i18n import _

AnyIndex = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()


class Column(enum.IntEnum):
    """The columns, in order."""

    SEQ = 0
    TIME = 1
    TYPE = 2
    STEP = 3
    SUMMARY = 4


_TITLES = (_("No."), _("Time"), _("Event"), _("Step"), _("What happened"))


class EventModel(QAbstractTableModel):
    """All events, or those that match the filter. Grows at its end only."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._events: list[RunEvent] = []
        self._rows: list[int] = []  # indices into the events
        self._words: tuple[str, ...] = ()

    @property
    def events(self) -> Sequence[RunEvent]:
        """All events, shown or not."""
        return self._events

    def show_events(self, events: Sequence[RunEvent]) -> None:
        """Another run."""
        self.beginResetModel()
        self._events = list(events)
        self._rows = [row for row, event in enumerate(self._events) if matches(event, self._words)]
        self.endResetModel()

    def append(self, batch: Sequence[RunEvent]) -> None:
        """More events of the same run."""
        first = len(self._events)
        self._events.extend(batch)
        fitting = [first + at for at, event in enumerate(batch) if matches(event, self._words)]
        if fitting:
            self.beginInsertRows(_NO_INDEX, len(self._rows), len(self._rows) + len(fitting) - 1)
            self._rows.extend(fitting)
            self.endInsertRows()

    def set_filter(self, text: str) -> None:
        """Show only events in which all words of *text* occur."""
        words = tuple(text.lower().split())
        if words != self._words:
            self._words = words
            self.show_events(self._events)

    def show_theme(self, theme: Theme) -> None:
        """Take the colours of *theme*."""
        self._theme = theme
        if self._rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, len(Column) - 1))

    def event_at(self, row: int) -> RunEvent:
        """The event in *row*."""
        return self._events[self._rows[row]]

    def row_of(self, seq: int) -> int | None:
        """The row of the event with number *seq*, or of the next one that is shown."""
        if not self._events:
            return None
        row = bisect_left(self._rows, seq - self._events[0].seq)  # numbers have no gaps
        return row if row < len(self._rows) else None

    def next_failure(self, after_row: int) -> int | None:
        """The row of the first failure below *after_row*, going round at the end."""
        rows = [*range(after_row + 1, len(self._rows)), *range(min(after_row + 1, len(self._rows)))]
        return next((row for row in rows if is_failure(self.event_at(row))), None)

    def rowCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        """How many events are shown."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        """How many columns there are."""
        return 0 if parent.isValid() else len(Column)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The titles of the columns."""
        is_title = orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole
        return _TITLES[section] if is_title else None

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """One cell."""
        event = self.event_at(index.row())
        column = Column(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return cell_text(event, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return moment_text(event) if column is Column.TIME else cell_text(event, column)
        if role == Qt.ItemDataRole.ForegroundRole:
            return QColor(self._color(event, column))
        if role == Qt.ItemDataRole.TextAlignmentRole and column is Column.SEQ:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def _color(self, event: RunEvent, column: Column) -> str:
        if is_failure(event):
            return self._theme.failed
        return self._theme.muted if column in {Column.SEQ, Column.TIME} else self._theme.text


def cell_text(event: RunEvent, column: Column) -> str:
    """The words of one cell."""
    match column:
        case Column.SEQ:
            return f"{event.seq:,}"
        case Column.TIME:
            return clock_text(event)
        case Column.TYPE:
            return event.type
        case Column.STEP:
            return event.step
        case Column.SUMMARY:
            return summary(event)
