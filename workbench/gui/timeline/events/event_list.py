"""Every event of a run: a filter box, buttons, and the table."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, QTimer, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QToolButton, QVBoxLayout, QWidget

from workbench.engine.journal.events import RunEvent
from workbench.gui.look.icons import icon
from workbench.gui.look.theme import Theme
from workbench.gui.timeline.events.event_model import EventModel
from workbench.gui.timeline.events.event_table import EventTable
from workbench.i18n import _

FILTER_WAIT_MS = 150
APPEND_MS = 50
ICON_PX = 18


class EventList(QWidget):
    """Shows every event of one run that matches the filter."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = EventModel(theme, self)
        self.table = EventTable(self.model, self)
        self.filter_box = QLineEdit(self)
        self._count = QLabel(self)
        self._failure_button = QToolButton(self)
        self._copy_button = QToolButton(self)
        self._filter_timer = QTimer(self)
        self._append_timer = QTimer(self)
        self._set_up()
        self._lay_out()
        self.show_theme(theme)
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

    def show_theme(self, theme: Theme) -> None:
        """Take the colours and sizes of *theme*."""
        self.table.show_theme(theme)
        self._failure_button.setIcon(icon("failed", theme.failed))
        self._copy_button.setIcon(icon("copy", theme.text))
        for button in (self._failure_button, self._copy_button):
            button.setIconSize(QSize(theme.px(ICON_PX), theme.px(ICON_PX)))

    def _set_up(self) -> None:
        self.filter_box.setPlaceholderText(_("Filter events by type, step or content"))
        self.filter_box.setAccessibleName(_("Filter events"))
        self.filter_box.setClearButtonEnabled(True)
        self._failure_button.setToolTip(_("Jump to the next failure (F4)"))
        self._failure_button.setAccessibleName(_("Next failure"))
        self._copy_button.setToolTip(_("Copy as JSON lines: the selected events, or all that are shown"))
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
        words = _("{total} events") if shown == total else _("{shown} of {total} events")
        self._count.setText(words.format(shown=f"{shown:,}", total=f"{total:,}"))

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
