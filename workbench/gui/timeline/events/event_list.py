"""The events of a run as rows of a table; rows are made when they are looked at."""

from __future__ import annotations

import enum
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from PySide6.QtCore import (
    QAbstractTableModel,
    QKeyCombination,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import QColor, QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QTableView,
    QToolButton,
    QWidget,
)

from workbench.engine.journal.events import RunEvent
from workbench.gui.look.context_actions import add_context_actions
from workbench.gui.look.icons import icon
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.row_filter import add_clear_button
from workbench.gui.look.theming import Ink, current_theme
from workbench.gui.timeline.events.event_store import (
    as_json_lines,
    clock_text,
    is_failure,
    matches,
    moment_text,
    summary,
)
from workbench.gui.words.directions import ordered
from workbench.gui.words.values import drawable_line, tip
from workbench.i18n import N_, _, ngettext, numeral

AnyIndex = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()
ROW_PX = 22
_TOLD = "◆"
FILTER_WAIT_MS = 150
APPEND_MS = 50


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
        self._lines: Mapping[int, str] = {}

    def show_lines(self, lines: Mapping[int, str]) -> None:
        """Show what a log point would have told, beside the events before which it would have."""
        self._lines = lines
        if self.rowCount():
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, len(Column) - 1))

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
        told = self._lines.get(event.seq, "") if column is Column.SUMMARY else ""
        words = f"{_TOLD} {told}   {cell_text(event, column)}" if told else cell_text(event, column)
        if role == Qt.ItemDataRole.DisplayRole:
            return ordered(drawable_line(words))
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(moment_text(event) if column is Column.TIME else words)
        if role == Qt.ItemDataRole.ForegroundRole:
            return QColor(current_theme().color(Ink.ACCENT if told else _ink_of(event, column)))
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


_Key, _CONTROL = Qt.Key, Qt.KeyboardModifier.ControlModifier
_ROWS = {QKeyCombination(_Key.Key_Left): -1, QKeyCombination(_Key.Key_Right): 1}
_ACTIONS = {
    QKeyCombination(_CONTROL, _Key.Key_Left): "run.back-step",
    QKeyCombination(_CONTROL, _Key.Key_Right): "run.forward-step",
    QKeyCombination(_Key.Key_Escape): "run.now",
}
WIDTHS_PX = {Column.SEQ: 54, Column.TIME: 88, Column.TYPE: 104, Column.STEP: 96}
NEEDS_PX = {Column.TIME: 470, Column.STEP: 340}


class EventTable(QTableView):
    """Newest below; stays at the end while nobody scrolls away from it, unless it *is_held*: at an earlier moment."""

    event_chosen = Signal(object)  # RunEvent
    travel_wanted = Signal(object)  # str: the action that leads to another moment

    def __init__(self, model: EventModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.setModel(model)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        # every row has the same height, so a million of them cost nothing to lay out
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setStretchLastSection(True)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.setAccessibleName(_("Events of the run"))
        self.clicked.connect(self._on_chosen)
        self.activated.connect(self._on_chosen)
        self.setProperty("role", "secondary")
        self.is_held = False
        self.take_theme()
        self._add_actions()

    def catch_up(self) -> None:
        """Show the events that have been added since."""
        bar = self.verticalScrollBar()
        was_at_end = bar.value() >= bar.maximum() - 1
        self._model.catch_up()
        if was_at_end and self.isVisible() and not self.is_held:
            self.scrollToBottom()

    def take_theme(self) -> None:
        """Larger letters need more room."""
        theme = current_theme()
        self.verticalHeader().setDefaultSectionSize(theme.px(ROW_PX))
        for column, width_px in WIDTHS_PX.items():
            self.setColumnWidth(column, theme.px(width_px))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow pane the columns that can be done without make room for what happened."""
        super().resizeEvent(event)
        unit_px = self.verticalHeader().defaultSectionSize() / ROW_PX
        for column, needs_px in NEEDS_PX.items():
            self.setColumnHidden(column, event.size().width() < needs_px * unit_px)

    def show_event(self, seq: int) -> None:
        """Make the event with number *seq* the current one, without telling anybody."""
        row = self._model.row_of(seq)
        if row is not None:
            self._go_to(row)

    @Slot()
    def go_to_next_failure(self) -> None:
        """Make the next event that tells of a failure the current one."""
        row = self._model.next_failure(self.currentIndex().row())
        if row is not None:
            self._go_to(row)
            self.event_chosen.emit(self._model.event_at(row))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and Right walk from event to event as they are listed, with Ctrl from step to step; Escape: to now."""
        plain, action = _ROWS.get(event.keyCombination()), _ACTIONS.get(event.keyCombination())
        if plain is not None and self._model.rowCount():
            row = self.currentIndex().row()
            wanted = (row if row >= 0 else self._model.rowCount()) + plain
            self._go_to(max(0, min(wanted, self._model.rowCount() - 1)))
            self._on_chosen()
        elif action is not None:
            self.travel_wanted.emit(action)
        else:
            super().keyPressEvent(event)

    @Slot()
    def copy(self) -> None:
        """Put the selected events (none: all that are shown) on the clipboard as JSON lines."""
        rows = sorted({index.row() for index in self.selectionModel().selectedRows()})
        chosen = rows or range(self._model.rowCount())
        QGuiApplication.clipboard().setText(as_json_lines(self._model.event_at(row) for row in chosen))

    def _add_actions(self) -> None:
        """What the context menu offers; the keys work while the table has the focus."""
        entries = (
            (_("&Copy as JSON lines"), QKeySequence(QKeySequence.StandardKey.Copy), self.copy),
            (_("Next &failure"), QKeySequence("F4"), self.go_to_next_failure),
        )
        add_context_actions(self, entries)

    def _go_to(self, row: int) -> None:
        self.selectRow(row)
        self.scrollTo(self._model.index(row, 0))

    @Slot()
    def _on_chosen(self) -> None:
        row = self.currentIndex().row()
        if row >= 0:
            self.event_chosen.emit(self._model.event_at(row))


class EventList(QWidget):
    """Shows every event of one run that matches the filter."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = EventModel(self)
        self.table = EventTable(self.model, self)
        self.filter_box = QLineEdit(self)
        self._count = Label(parent=self)
        self._failure_button = QToolButton(self)
        self._copy_button = QToolButton(self)
        self._filter_timer = QTimer(self)
        self._append_timer = QTimer(self)
        self._set_up()
        self._lay_out()
        self._update_count()

    def show_events(self, events: Sequence[RunEvent]) -> None:
        """Another run."""
        self.model.show_events(events)
        self.table.scrollToBottom()
        self._update_count()

    def catch_up(self) -> None:
        """Show what was added, within a few frames: a table costs more than bars."""
        if not self._append_timer.isActive():
            self._append_timer.start()

    def _set_up(self) -> None:
        self.filter_box.setPlaceholderText(_("Filter events by type, step or content"))
        self.filter_box.setAccessibleName(_("Filter events"))
        add_clear_button(self.filter_box)
        self._failure_button.setIcon(icon("failed", Ink.FAILED))
        self._copy_button.setIcon(icon("copy"))
        for button in (self._failure_button, self._copy_button):
            button.setProperty("role", "tool")
        self._failure_button.setToolTip(_("Go to the next failure (F4)"))
        self._failure_button.setAccessibleName(_("Next failure"))
        self._copy_button.setToolTip(_("Copy the selected events, or all shown, as JSON lines"))
        self._copy_button.setAccessibleName(_("Copy events as JSON lines"))
        self._count.setProperty("role", "secondary")
        self._filter_timer.setSingleShot(True)
        self._filter_timer.setInterval(FILTER_WAIT_MS)
        self._filter_timer.timeout.connect(self._on_filter_settled)
        self._append_timer.setSingleShot(True)
        self._append_timer.setInterval(APPEND_MS)
        self._append_timer.timeout.connect(self._on_append_due)
        self.filter_box.textChanged.connect(self._on_filter_edited)
        self._failure_button.clicked.connect(self.table.go_to_next_failure)
        self._copy_button.clicked.connect(self.table.copy)

    def _lay_out(self) -> None:
        parts = ((self.filter_box, 1), self._count, self._failure_button, self._copy_button)
        row = in_row(None, *parts, margins=(8, 4, 8, 4), spacing=4)
        in_column(self, row, (self.table, 1), margins=0, spacing=0)

    def _update_count(self) -> None:
        shown, total = self.model.rowCount(), len(self.model.events)
        part = _("{place} of {count}").format(place=numeral(shown), count=numeral(total))
        self._count.setText(ngettext("{count} event", "{count} events", total) if shown == total else part)

    @Slot()
    def _on_filter_edited(self) -> None:
        """Wait until the typing pauses: filtering looks into every event."""
        self._filter_timer.start()

    @Slot()
    def _on_append_due(self) -> None:
        self.table.catch_up()
        self._update_count()

    @Slot()
    def _on_filter_settled(self) -> None:
        self.model.set_filter(self.filter_box.text())
        self._update_count()
