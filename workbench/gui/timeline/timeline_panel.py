"""The timeline pane: which run it shows, grown event by event, its bars and its events side by side."""

from __future__ import annotations

from array import array

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

from workbench.engine.journal.events import RunEvent, RunId
from workbench.errors import WorkbenchError
from workbench.gui.control.context import WindowContext
from workbench.gui.control.notices import Cause
from workbench.gui.control.running.keyframes import Moment
from workbench.gui.control.running.retelling import RunView
from workbench.gui.control.running.told_run import PastLines
from workbench.gui.control.selection import Selection
from workbench.gui.forms.run_menu import NO_SPOT, RunMenu, RunSpot
from workbench.gui.look.action_button import ActionButton, OfferButton
from workbench.gui.look.empty_state import EmptyState
from workbench.gui.look.layouts import in_column
from workbench.gui.timeline.bars.bar_colors import Legend
from workbench.gui.timeline.bars.bar_reader import LONG, BarReader, BarsRead
from workbench.gui.timeline.bars.bars import Bar, BarKind
from workbench.gui.timeline.events.event_list import EventList
from workbench.gui.timeline.lanes import LaneChoice
from workbench.gui.timeline.strips import Minimap
from workbench.gui.timeline.timeline_bar import RunCombo, RunSearch, TimelineBar, searching
from workbench.gui.timeline.timeline_keys import KeyAct
from workbench.gui.timeline.timeline_run import TimelineRun
from workbench.gui.timeline.timeline_view import TimelineView
from workbench.gui.words.run_words import moment_words
from workbench.i18n import _

WIDE = 2.4
ROOMY = 7
"""How many times as high as its legend a board must be to have one."""
ORIGIN = "timeline"
OF_RUNS = ("run.compare", "run.fork", "run.save-test", "run.export-audit")
"""What the menu of the list of runs offers about the one that is shown."""
LIVE_TICK_MS = 33


class TimelineBoard(QWidget):
    """Shows one run."""

    address_chosen = Signal(object)  # tuple[str, int]: the step of the bar or event that was chosen, and that event
    moment_chosen = Signal(object)  # int: the number of the event after which the run is to be shown
    travel_wanted = Signal(object)  # str: the action that leads to another moment

    def __init__(self, search: RunSearch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.run: TimelineRun | None = None
        self.search = search
        self._splitter = QSplitter(Qt.Orientation.Vertical, self)
        picture = QWidget(self._splitter)
        self.view = TimelineView(picture)
        self.minimap = Minimap(picture)
        self.legend = Legend(picture)
        in_column(picture, self.minimap, (self.view, 1), self.legend, margins=0, spacing=0)
        self.events = EventList(self._splitter)
        self._splitter.addWidget(picture)
        self._splitter.addWidget(self.events)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.setStretchFactor(0, 3)
        self._splitter.setStretchFactor(1, 2)
        in_column(self, self._splitter, margins=0)
        self.view.bar_chosen.connect(self._on_bar_chosen)
        self.view.scrubber.column_chosen.connect(self._on_column_chosen)
        self.events.table.event_chosen.connect(self._on_event_chosen)
        for part in (self.view, self.events.table):
            part.travel_wanted.connect(self.travel_wanted)
        self.view.mode_changed.connect(self._show_window)
        self.view.search_wanted.connect(self._on_search_wanted)
        self.minimap.moved.connect(self._on_moved)
        search.changed.connect(self._on_found)
        search.event_wanted.connect(self._on_event_wanted)

    def show_run(self, run: TimelineRun) -> None:
        """Another run."""
        self.run = run
        self.view.show_table(run.shown, run.words)
        self.legend.show_table(run.table)
        self.view.update_bars(run.now_ns())
        self.events.show_events(run.events)
        self._show_window()

    def show_bars(self, read: BarsRead | None = None) -> None:
        """More bars of the run have been *read*; None: they have been laid out otherwise."""
        if self.run is not None:
            if read is not None:
                self.run.take_bars(read)
                self.legend.show_table(self.run.table)
            self.view.take_table(self.run.shown)
            self.grow()
            self._on_found()

    def catch_up(self) -> None:
        """The run has taken more events."""
        self.events.catch_up()
        self.grow()

    def grow(self) -> None:
        """Time has passed."""
        if self.run is not None:
            self.view.update_bars(self.run.now_ns())
            self._show_window()

    @Slot()
    def _show_window(self) -> None:
        table = self.run.table if self.run is not None else self.view.table
        self.minimap.show_table(table, self.view.navigator.window)

    @Slot(object)
    def _on_moved(self, at_ns: float) -> None:
        window = self.view.navigator.window
        self.view.pan(window.x_of(window.start_ns + window.span_ns / 2) - window.x_of(at_ns))

    @Slot()
    def _on_found(self) -> None:
        """Mark what was found, as far as its time is known."""
        run = self.run
        times = array("q", run.times_of(self.search.found) if run is not None else ())
        self.minimap.show_found(times)
        self.view.found = times
        self.view.viewport().update()

    @Slot(object)
    def _on_event_wanted(self, seq: int) -> None:
        bar = self.run.bar_around(seq) if self.run is not None else None
        self.events.table.show_event(seq)
        if bar is not None:
            self.view.point_at(bar)
            self.address_chosen.emit((bar.step, bar.seq))

    @Slot(object)
    def _on_search_wanted(self, act: KeyAct) -> None:
        if act is KeyAct.SEARCH:
            self.search.field.setFocus()
        else:
            current = self.view.current
            self.search.go(1 if act is KeyAct.NEXT_FOUND else -1, current.seq if current is not None else None)

    @Slot(object)
    def zoom(self, factor: float) -> None:
        """Show less or more time around the middle."""
        self.view.zoom(factor, self.view.viewport().width() / 2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a wide and low pane the events stand beside the bars, else beneath them."""
        super().resizeEvent(event)
        self.legend.setVisible(self.height() >= ROOMY * self.legend.sizeHint().height())
        is_wide = self.width() > WIDE * self.height()
        wanted = Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical
        if self._splitter.orientation() is not wanted:
            self._splitter.setOrientation(wanted)
            self._splitter.setSizes([600, 400])

    @Slot(object)
    def _on_bar_chosen(self, bar: Bar) -> None:
        self.events.table.show_event(bar.seq)
        self.address_chosen.emit((bar.step, bar.seq))
        self.moment_chosen.emit(bar.seq)

    @Slot(object)
    def _on_event_chosen(self, event: RunEvent) -> None:
        bar = self.run.bar_around(event.seq) if self.run is not None else None
        if bar is not None:
            self.view.point_at(bar)
        self.address_chosen.emit((event.step, event.seq))
        self.moment_chosen.emit(event.seq)

    @Slot(object)
    def _on_column_chosen(self, x: float) -> None:
        if self.run is not None:
            self.moment_chosen.emit(self.run.seq_at(int(self.view.navigator.window.time_at(x))))

    def show_moment(self, moment: Moment | None) -> None:
        """Put the playhead there, and mark the event that happened last."""
        self.events.table.is_held = moment is not None
        if moment is None or self.run is None:
            self.view.show_moment(None, None)
            return
        self.view.show_moment(self.run.position_of(moment.seq), self.run.bar_around(moment.seq))
        self.events.table.show_event(moment.seq)


class TimelinePanel(QWidget):
    """Shows the run that every pane shows; here another one is chosen."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.search = RunSearch(searching(context.runs.host), self)
        self._stack = QStackedWidget(self)
        self.board = TimelineBoard(self.search, self._stack)
        self.runs = RunCombo(context.runs.host.runs, self)
        offers = [OfferButton(context.actions.action(name), self) for name in ("run.resume", "run.now")]
        for name in OF_RUNS:
            self.runs.addAction(context.actions.action(name))
        compare = ActionButton(context.actions.action("run.compare"), self)
        self._reader = BarReader(context.runs.host, self)
        self.menu = BarMenu(context, self.board.view)
        self.lanes = LaneChoice(context.settings, self.board, self._reader, self)
        self.bar = TimelineBar(self.runs, [compare, *offers], (self.lanes, self.search), self)
        self._live_timer = QTimer(self, interval=LIVE_TICK_MS)
        LineMarks(context.shown.lines, self.board)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        words = _("Press Run: every step, call and question appears here as a bar while it runs.")
        self._empty = EmptyState("timeline", _("No run yet"), words, self._stack)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.board)
        in_column(self, self.bar, (self._stack, 1), margins=0, spacing=0)

    def _connect(self) -> None:
        shown = self._context.shown
        shown.run_shown.connect(self._on_run_shown)
        shown.events_arrived.connect(self._on_events_arrived)
        shown.moment_changed.connect(self._on_moment_changed)
        shown.settled.connect(self._on_settled)
        shown.failed.connect(self._on_failed)
        self._context.selection.selection_changed.connect(self._on_selection_changed)
        self._live_timer.timeout.connect(self._on_live_tick)
        self._reader.shown.connect(self.board.show_bars)
        self._reader.shown.connect(self.lanes.lay_out_again)  # it was being read when something else was chosen
        self._reader.over.connect(shown.retelling.go_on)
        self.board.address_chosen.connect(self._on_address_chosen)
        self.board.moment_chosen.connect(shown.moments.go_to)
        self.board.travel_wanted.connect(self._context.actions.trigger)
        self.board.view.bar_hovered.connect(self._on_bar_hovered)
        self.board.view.menu_opening.connect(self.menu.offer)
        self.board.view.mode_changed.connect(self.bar.show_mode)
        self.bar.mode_wanted.connect(self.board.view.set_mode)
        self.bar.zoom_wanted.connect(self.board.zoom)
        self.bar.heat_chosen.connect(self.board.view.show_heat)
        self.bar.heat_chosen.connect(self.board.legend.show_heat)
        self.board.view.heat_wanted.connect(self.bar.toggle_heat)
        self.bar.stop_wanted.connect(shown.retelling.stop)
        self.runs.run_chosen.connect(self._on_run_chosen)
        self.runs.failed.connect(self._on_list_failed)

    @Slot(object)
    def _on_run_shown(self, view: RunView | None) -> None:
        self.runs.show_run(view.id if view is not None else None)
        self._reader.forget()
        self.search.show_run(view.id if view is not None else None)
        if view is None:
            self._live_timer.stop()
            self.bar.show_info("")
            self._stack.setCurrentWidget(self._empty)
            return
        run = TimelineRun(view.ran, self._context.shown.now_ns, view.texts)
        if self._context.shown.retelling.count >= LONG:
            run.is_read_ahead = True
            self._context.shown.retelling.hold()  # both at once would take longer, and its picture comes first
            self._reader.read(view.id, run.words.step_kind, run.planned)
        self.lanes.lay_out(run)
        self.board.show_run(run)
        self.bar.show_mode(self.board.view.navigator.mode)
        self._on_selection_changed(Selection(self._context.selection.selected))
        self._show_info()
        self._stack.setCurrentWidget(self.board)
        self._live_timer.start()

    @Slot(object)
    def _on_events_arrived(self, batch: tuple[RunEvent, ...]) -> None:
        if self.board.run is not None:
            self.board.run.take(batch)
            self.board.catch_up()

    @Slot(object)
    def _on_moment_changed(self, moment: Moment | None) -> None:
        self.board.show_moment(moment)
        self._show_info()

    @Slot()
    def _on_settled(self) -> None:
        self._live_timer.stop()
        self.board.grow()
        self._show_info()
        self.runs.refresh()

    @Slot()
    def _on_live_tick(self) -> None:
        """Open bars grow although nothing happens."""
        if self.board.isVisible():
            self.board.grow()
            self._show_info()

    @Slot(object)
    def _on_run_chosen(self, run_id: RunId) -> None:
        """Look at another run: its events are folded, nothing is executed."""
        self.bar.show_info(_("Reading the run…"))
        self._context.shown.show(run_id)

    @Slot(object)
    def _on_failed(self, error: WorkbenchError) -> None:
        """What still is shown is another run."""
        view = self._context.shown.view
        self.runs.show_run(view.id if view is not None else None)
        self.bar.show_info(str(error))
        self._context.notices.report(error, Cause.JOURNAL)

    @Slot(object)
    def _on_list_failed(self, error: WorkbenchError) -> None:
        self._context.notices.report(error, Cause.JOURNAL)

    @Slot(object)
    def _on_address_chosen(self, chosen: tuple[str, int]) -> None:
        step = self._context.shown.steps.at(chosen[1]).id_of(chosen[0])
        if step is not None:
            self._context.selection.reveal((step,), ORIGIN)

    @Slot(object)
    def _on_selection_changed(self, selection: Selection) -> None:
        address = self._context.shown.steps.address_of(selection.steps[0]) if selection.steps else ""
        self.board.view.mark_step(address)

    @Slot(object)
    def _on_bar_hovered(self, bar: Bar | None) -> None:
        step = self._context.shown.steps.at(bar.seq).id_of(bar.step) if bar is not None else None
        self._context.selection.hover(step, ORIGIN)
        self._show_info()

    def _show_info(self) -> None:
        """Say in one line what is under the pointer, else what there is to see."""
        run, bar = self.board.run, self.board.view.hovered
        if run is not None:
            shown = self._context.shown
            words = run.words.line(bar, run.now_ns()) if bar is not None else run.summary()
            if bar is None and shown.moment is not None:
                words = moment_words(shown.moment.seq, shown.moments.count)
            words = " · ".join(filter(None, (words, shown.text_match.short_words if bar is None else "")))
            self.bar.show_info(words, self._context.shown.retelling.share)


class LineMarks(QObject):
    """Shows on *board* what a log point would have told of the run, beside its events and above its bars."""

    def __init__(self, lines: PastLines, board: TimelineBoard) -> None:
        super().__init__(board)
        self._lines = lines
        self._board = board
        self._hide = QAction(_("&Hide what the log point tells"), board.events.table)
        self._hide.setVisible(False)
        self._hide.triggered.connect(lines.clear)
        board.events.table.addAction(self._hide)
        lines.changed.connect(self._on_changed)

    @Slot()
    def _on_changed(self) -> None:
        board, told = self._board, dict(sorted(self._lines.told.items()))
        times = board.run.times_of(told) if board.run is not None else ()
        board.view.lines = tuple(zip(times, told.values(), strict=False))  # as far as their time is known
        board.view.viewport().update()
        board.events.model.show_lines(told)
        self._hide.setVisible(bool(told))


class BarMenu(RunMenu):
    """What the context menu of the bars offers; where that is nothing, none is shown."""

    @Slot(object)
    def offer(self, bar: Bar | None) -> None:
        """Offer what can be done about *bar* in the menu that is shown next."""
        is_something = self.open_on(NO_SPOT if bar is None else _spot_of(bar))
        policy = Qt.ContextMenuPolicy.ActionsContextMenu if is_something else Qt.ContextMenuPolicy.NoContextMenu
        self.view.setContextMenuPolicy(policy)


def _spot_of(bar: Bar) -> RunSpot:
    match bar.tint.kind:
        case BarKind.CALL:
            return RunSpot(bar.name, bar.step, bar.seq, not bar.is_open)
        case BarKind.QUESTION | BarKind.JUDGEMENT:
            return RunSpot("", bar.step, bar.seq, not bar.is_open)
    return NO_SPOT
