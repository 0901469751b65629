"""The timeline pane: which run it shows, its bars and its events side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

from workbench.engine.journal.events import RunEvent, RunId
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.run_controller import RunSteps, steps_of_run
from workbench.gui.control.selection import Selection
from workbench.gui.look.empty_state import EmptyState
from workbench.gui.look.layouts import in_column
from workbench.gui.resume.resume_dialog import ResumeButton
from workbench.gui.timeline.bars.bars import Bar
from workbench.gui.timeline.events.event_list import EventList
from workbench.gui.timeline.timeline_bar import RunCombo, TimelineBar
from workbench.gui.timeline.timeline_run import RunReader, TimelineRun
from workbench.gui.timeline.timeline_view import TimelineView
from workbench.i18n import _

if TYPE_CHECKING:
    from workbench.engine.running.run import Run

WIDE = 2.4
ORIGIN = "timeline"
LIVE_TICK_MS = 33


class TimelineBoard(QWidget):
    """Shows one run."""

    address_chosen = Signal(object)  # str: the step of the bar or event that was chosen

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.run: TimelineRun | None = None
        self.view = TimelineView(self)
        self.events = EventList(self)
        self._splitter = QSplitter(Qt.Orientation.Vertical, self)
        self._splitter.addWidget(self.view)
        self._splitter.addWidget(self.events)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.setStretchFactor(0, 3)
        self._splitter.setStretchFactor(1, 2)
        in_column(self, self._splitter, margins=0)
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


class TimelinePanel(QWidget):
    """Follows the run of the window, or shows an earlier one."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._live: TimelineRun | None = None
        self._live_id: RunId | None = None
        self.board = TimelineBoard(self)
        self.runs = RunCombo(context.runs.host.runs, self)
        self.resume_button = ResumeButton(context, self)
        self.bar = TimelineBar(self.runs, self.resume_button, self)
        self._reader = RunReader(context.runs.host, self)
        self._live_timer = QTimer(self, interval=LIVE_TICK_MS)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        words = _("Press Run: every step, call and question appears here as a bar while it runs.")
        self._empty = EmptyState("timeline", _("No run yet"), words, self)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.board)
        in_column(self, self.bar, (self._stack, 1), margins=0, spacing=0)

    def _connect(self) -> None:
        runs = self._context.runs
        runs.run_started.connect(self._on_run_started)
        runs.events_arrived.connect(self._on_events_arrived)
        runs.run_finished.connect(self._on_run_finished)
        runs.look_requested.connect(self._on_run_chosen)
        self._context.selection.selection_changed.connect(self._on_selection_changed)
        self._live_timer.timeout.connect(self._on_live_tick)
        self.board.address_chosen.connect(self._on_address_chosen)
        self.board.view.bar_hovered.connect(self._on_bar_hovered)
        self.board.view.mode_changed.connect(self.bar.show_mode)
        self.bar.mode_wanted.connect(self.board.view.set_mode)
        self.bar.zoom_wanted.connect(self.board.zoom)
        self.runs.run_chosen.connect(self._on_run_chosen)
        self.runs.failed.connect(self._context.notices.report)
        self._reader.run_read.connect(self._show)
        self._reader.failed.connect(self._context.notices.report)
        self._reader.failed.connect(self.bar.show_failure)

    def _steps(self) -> RunSteps:
        """Which steps of the document the shown run means."""
        run = self.board.run
        if run is None or run is self._live:
            return self._context.runs.steps
        return steps_of_run(run.ran, self._context.documents.snapshot)

    @Slot(object)
    def _show(self, run: TimelineRun) -> None:
        self.board.show_run(run)
        self.bar.show_mode(self.board.view.navigator.mode)
        self._on_selection_changed(Selection(self._context.selection.selected))
        self._show_info()
        self._stack.setCurrentWidget(self.board)

    @Slot(object)
    def _on_run_started(self, run: Run) -> None:
        self._reader.forget()
        self._live, self._live_id = TimelineRun(run.snapshot), run.id
        self._show(self._live)
        self._context.runs.note_shown(run.id)
        self.runs.show_run(run.id)
        self.resume_button.show_run(run.id)
        self._live_timer.start()

    @Slot(object)
    def _on_events_arrived(self, batch: tuple[RunEvent, ...]) -> None:
        """The live run is kept up to date even while an earlier one is looked at."""
        if self._live is not None:
            self._live.take(batch)
            if self.board.run is self._live:
                self.board.catch_up()

    @Slot(object)
    def _on_run_finished(self, _state: object) -> None:
        self._live_timer.stop()
        if self._live is not None:
            self._live.is_live = False
            self.board.grow()
            self._show_info()
            self.runs.refresh()

    @Slot()
    def _on_live_tick(self) -> None:
        """Open bars grow although nothing happens."""
        if self.board.run is self._live and self.board.isVisible():
            self.board.grow()
            self._show_info()

    @Slot(object)
    def _on_run_chosen(self, run_id: RunId) -> None:
        """Look at another run: its events are folded, nothing is executed."""
        self._context.runs.note_shown(run_id)
        self.runs.show_run(run_id)
        self.resume_button.show_run(run_id)
        if run_id == self._live_id and self._live is not None:
            self._reader.forget()
            self._show(self._live)
            return
        self.bar.show_info(_("Reading the run…"))
        self._reader.read(run_id)

    @Slot(object)
    def _on_address_chosen(self, address: str) -> None:
        step = self._steps().id_of(address)
        if step is not None:
            self._context.selection.reveal((step,), ORIGIN)

    @Slot(object)
    def _on_selection_changed(self, selection: Selection) -> None:
        address = self._steps().address_of(selection.steps[0]) if selection.steps else ""
        self.board.view.mark_step(address)

    @Slot(object)
    def _on_bar_hovered(self, bar: Bar | None) -> None:
        self._context.selection.hover(self._steps().id_of(bar.step) if bar is not None else None, ORIGIN)
        self._show_info()

    def _show_info(self) -> None:
        """Say in one line what is under the pointer, else what there is to see."""
        run, bar = self.board.run, self.board.view.hovered
        if run is not None:
            self.bar.show_info(run.words.line(bar, run.now_ns()) if bar is not None else run.summary())
