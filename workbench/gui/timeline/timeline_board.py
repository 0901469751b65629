"""Bars and events of one run side by side; what is chosen in one is shown in the other."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from workbench.engine.journal.events import RunEvent
from workbench.gui.look.theme import Theme
from workbench.gui.timeline.bars.bars import Bar
from workbench.gui.timeline.events.event_list import EventList
from workbench.gui.timeline.timeline_run import TimelineRun
from workbench.gui.timeline.timeline_view import TimelineView

WIDE = 2.4


class TimelineBoard(QWidget):
    """Shows one run."""

    address_chosen = Signal(object)  # str: the step of the bar or event that was chosen

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.run: TimelineRun | None = None
        self.view = TimelineView(theme, self)
        self.events = EventList(theme, self)
        self._splitter = QSplitter(Qt.Orientation.Vertical, self)
        self._splitter.addWidget(self.view)
        self._splitter.addWidget(self.events)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.setStretchFactor(0, 3)
        self._splitter.setStretchFactor(1, 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._splitter)
        self.view.bar_chosen.connect(self._on_bar_chosen)
        self.events.table.event_chosen.connect(self._on_event_chosen)

    def show_run(self, run: TimelineRun) -> None:
        """Another run."""
        self.run = run
        self.view.show_table(run.table, run.words)
        self.view.update_bars(run.now_ns())
        self.events.show_events(run.events)

    def catch_up(self) -> None:
        """The run has taken more events."""
        self.events.catch_up()
        self.grow()

    def grow(self) -> None:
        """Time has passed."""
        if self.run is not None:
            self.view.update_bars(self.run.now_ns())

    @Slot(object)
    def zoom(self, factor: float) -> None:
        """Show less or more time around the middle."""
        self.view.zoom(factor, self.view.viewport().width() / 2)

    def show_theme(self, theme: Theme) -> None:
        """Take the colours and sizes of *theme*."""
        self.view.show_theme(theme)
        self.events.show_theme(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a wide and low pane the events stand beside the bars, else beneath them."""
        super().resizeEvent(event)
        is_wide = self.width() > WIDE * self.height()
        wanted = Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical
        if self._splitter.orientation() is not wanted:
            self._splitter.setOrientation(wanted)
            self._splitter.setSizes([600, 400])

    @Slot(object)
    def _on_bar_chosen(self, bar: Bar) -> None:
        self.events.table.show_event(bar.seq)
        self.address_chosen.emit(bar.step)

    @Slot(object)
    def _on_event_chosen(self, event: RunEvent) -> None:
        bar = self.run.bar_of(event) if self.run is not None else None
        if bar is not None:
            self.view.point_at(bar)
        self.address_chosen.emit(event.step)
