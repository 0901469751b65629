"""Every event of a run: a filter box, buttons, and the table to choose from, search and copy."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench.engine.journal.events import RunEvent
from workbench.gui.look.context_actions import add_context_actions
from workbench.gui.look.icons import icon
from workbench.gui.look.label import Label
from workbench.gui.look.theming import Ink, current_theme
from workbench.gui.timeline.events.event_model import Column, EventModel
from workbench.gui.timeline.events.event_words import as_json_lines
from workbench.i18n import _, ngettext, numeral

WIDTHS_PX = {Column.SEQ: 54, Column.TIME: 88, Column.TYPE: 104, Column.STEP: 96}
ROW_PX = 22
NEEDS_PX = {Column.TIME: 470, Column.STEP: 340}
FILTER_WAIT_MS = 150
APPEND_MS = 50


class EventTable(QTableView):
    """Newest below; stays at the end while nobody scrolls away from it."""

    event_chosen = Signal(object)  # RunEvent

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
        self.take_theme()
        self._add_actions()

    def catch_up(self) -> None:
        """Show the events that have been added since."""
        bar = self.verticalScrollBar()
        was_at_end = bar.value() >= bar.maximum() - 1
        self._model.catch_up()
        if was_at_end and self.isVisible():
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
        self.filter_box.setClearButtonEnabled(True)
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
        row = QHBoxLayout()
        row.setContentsMargins(8, 4, 8, 4)
        row.setSpacing(4)
        row.addWidget(self.filter_box, 1)
        row.addWidget(self._count)
        row.addWidget(self._failure_button)
        row.addWidget(self._copy_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(self.table, 1)

    def _update_count(self) -> None:
        shown, total = self.model.rowCount(), len(self.model.events)
        if shown == total:
            words = ngettext("{count} event", "{count} events", total)
        else:
            words = ngettext("{shown} of {count} event", "{shown} of {count} events", total)
        self._count.setText(words.format(shown=numeral(shown)))

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
