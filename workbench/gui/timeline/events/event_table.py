"""The table of a run's events: choose one, jump to the next failure, copy as JSON lines."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from workbench.gui.look.context_actions import add_context_actions
from workbench.gui.look.theme import Theme
from workbench.gui.timeline.events.event_model import Column, EventModel
from workbench.gui.timeline.events.event_words import as_json_lines
from workbench.i18n import _

WIDTHS_PX = {Column.SEQ: 54, Column.TIME: 88, Column.TYPE: 104, Column.STEP: 96}
ROW_PX = 22
NEEDS_PX = {Column.TIME: 470, Column.STEP: 340}


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
        self._add_actions()

    def catch_up(self) -> None:
        """Show the events that have been added since."""
        bar = self.verticalScrollBar()
        was_at_end = bar.value() >= bar.maximum() - 1
        self._model.catch_up()
        if was_at_end and self.isVisible():
            self.scrollToBottom()

    def show_theme(self, theme: Theme) -> None:
        """Take the colours and sizes of *theme*."""
        self._model.show_theme(theme)
        self.setFont(theme.secondary_font())
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
