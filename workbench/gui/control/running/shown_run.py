"""The run that every pane shows: the one that goes on, or an earlier one."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from workbench.engine.journal.choices import RunStatus
from workbench.gui.control.running.retelling import ReadRun, Retelling, RunView
from workbench.gui.control.running.run_marks import OPEN, MarkStatus, RunMarks
from workbench.gui.control.running.run_steps import DocumentMarks, RunSteps, linked_steps, steps_of_run

if TYPE_CHECKING:
    from workbench.engine.journal.events import RunEvent, RunId
    from workbench.engine.running.run import Run
    from workbench.engine.state.run_state import RunState
    from workbench.gui.control.document_controller import DocumentController
    from workbench.gui.control.running.run_clock import RunClock
    from workbench.gui.control.running.run_controller import RunController
    from workbench.model.program import StepId
    from workbench.model.snapshot import Snapshot

_AT_WORK = OPEN | {MarkStatus.NEXT}
_FAILED = frozenset({MarkStatus.FAILED})
_ENDED = frozenset({RunStatus.COMPLETED, RunStatus.FAILED})


class ToldRun(QObject):
    """What has been told of the run that is shown.

    *view*: None while none is shown. *state*, *marks*: as of the last event that was told. *is_settled*: whether all of
    it was told, and it does not go on here. *is_resumable*: whether it can be gone on with.
    """

    run_shown = Signal(object)  # RunView | None: what follows is about this run, from its first event on
    events_arrived = Signal(object)  # tuple[RunEvent, ...]
    state_changed = Signal(object)  # RunState after them
    marks_changed = Signal(object)  # RunMarks after them, or in another document
    settled = Signal()  # nothing more will be told of it for now
    failed = Signal(object)  # WorkbenchError: why a run that was asked for cannot be shown
    look_requested = Signal(object)  # RunId: somebody wants to see this run over time

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.view: RunView | None = None
        self.state: RunState | None = None
        self.marks = RunMarks()
        self.is_settled = self.is_resumable = False
        self._marks = DocumentMarks(RunSteps())

    @property
    def steps(self) -> RunSteps:
        """Which steps of the document the run means."""
        return self._marks.steps

    @property
    def place(self) -> StepId | None:
        """The step at which the run is: the innermost at work or next, or the one at which it failed."""
        has_failed = self.state is not None and self.state.status is RunStatus.FAILED
        return self.marks.latest(_AT_WORK) or (self.marks.latest(_FAILED) if has_failed else None)

    @property
    def clock(self) -> RunClock:
        """The clock of the run, as of the last event that was told."""
        return self._marks.fold.clock

    def _begin(self, view: RunView | None, steps: RunSteps) -> None:
        self.view, self.state, self.marks = view, None, RunMarks()
        self.is_settled = self.is_resumable = False
        self._marks = DocumentMarks(steps)
        self.run_shown.emit(view)
        self.marks_changed.emit(self.marks)

    def _take(self, batch: tuple[RunEvent, ...], state: RunState | None) -> None:
        """Fold first, so that every view that hears of the events finds the state they lead to."""
        self.state = state
        self.marks = self._marks.take(batch)
        self.events_arrived.emit(batch)
        self.state_changed.emit(self.state)
        self.marks_changed.emit(self.marks)

    def _follow(self, steps: RunSteps) -> None:
        """Mark the steps of another document."""
        self.marks = self._marks.follow(steps)
        self.marks_changed.emit(self.marks)

    def _settle(self) -> None:
        self.is_settled = True
        self.settled.emit()


class ShownRun(ToldRun):
    """Every pane listens here, so that all of them show one and the same run.

    *retelling*: says how much of an earlier run was told, and can be stopped.
    """

    def __init__(self, runs: RunController, documents: DocumentController, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runs = runs
        self._documents = documents
        self._begun_here: dict[RunId, RunSteps] = {}
        self._is_ticking = False
        self.retelling = Retelling(runs.host, self)
        self._runs.run_started.connect(self._on_run_started)
        self._runs.events_arrived.connect(self._on_live_events)
        self._runs.run_finished.connect(self._on_run_finished)
        self._documents.document_opened.connect(self._on_document_opened)
        self.retelling.begun.connect(self._on_begun)
        self.retelling.told.connect(self._on_told)
        self.retelling.over.connect(self._on_over)
        self.retelling.failed.connect(self.failed)
        self.look_requested.connect(self.show)

    @property
    def is_live(self) -> bool:
        """Whether the run that is shown goes on in this window."""
        return self._runs.is_running and self._is_own

    @property
    def _is_own(self) -> bool:
        """Whether it is the run that this window carries out, or did last."""
        return self._runs.run is not None and self.view is not None and self.view.id == self._runs.run.id

    def now_ns(self) -> int:
        """The present on the clock of the run; its end, once it is over; 0 while none is shown."""
        if self.view is None:
            return 0
        is_ticking = self._is_ticking and self.is_live
        return self.clock.position_at(time.monotonic_ns()) if is_ticking else self.clock.position_ns

    @Slot(object)
    def show(self, run: RunId) -> None:
        """Show *run* from the journal, in every pane; where it goes on here, it is followed."""
        self.retelling.tell(run)

    def show_live(self) -> None:
        """Show the run that goes on."""
        if self._runs.is_running and self._runs.run is not None and not self.is_live:
            self.show(self._runs.run.id)

    def _steps_of(self, view: RunView) -> RunSteps:
        """By their ids where it was begun with the document that is open, whatever has become of the text."""
        if view.id in self._begun_here:
            return self._begun_here[view.id]
        path = self._documents.document.path
        is_of_file = path is not None and view.origin.path == str(path)
        linked = linked_steps(view.origin, self._documents.snapshot, path) if path and view.origin.linked else None
        return linked or steps_of_run(view.ran, self._documents.snapshot, is_of_file=is_of_file)

    @Slot(object)
    def _on_run_started(self, run: Run) -> None:
        self.retelling.forget()
        self._is_ticking = False
        if self._runs.resumed_after < 0:
            self._begun_here[run.id] = RunSteps(run.snapshot)
        view = RunView(run.id, run.state.origin, run.snapshot)
        self._begin(view, self._steps_of(view))

    @Slot(object)
    def _on_live_events(self, batch: tuple[RunEvent, ...]) -> None:
        if self._runs.run is not None and self.retelling.run == self._runs.run.id:
            self.retelling.add(batch)
        elif self._is_own:
            self._is_ticking = batch[-1].seq > self._runs.resumed_after
            self._take(batch, self._runs.state)

    @Slot(object)
    def _on_begun(self, read: ReadRun) -> None:
        self._is_ticking = False
        self._begin(read.view, self._steps_of(read.view))
        self.is_resumable = read.is_resumable

    @Slot(object)
    def _on_told(self, batch: tuple[RunEvent, ...]) -> None:
        from workbench.engine.state.fold import advance  # noqa: PLC0415 - loaded with the first run

        self._take(batch, advance(self.state, batch))

    @Slot()
    def _on_over(self) -> None:
        """All is told that is in the journal; a run that goes on is followed from here."""
        self._is_ticking = self.is_live
        if not self.is_live:
            self._settle()

    @Slot(object)
    def _on_run_finished(self, _state: object) -> None:
        if self._is_own and self.retelling.run is None:
            self._settle()

    def _settle(self) -> None:
        if self._is_own:
            self.is_resumable = self.state is not None and self.state.status not in _ENDED
        super()._settle()

    @Slot(object)
    def _on_document_opened(self, _document: Snapshot) -> None:
        """A run that goes on is shown whatever is open; one that is over belongs to its document."""
        self._begun_here = {}
        if self.view is not None and self.is_live:
            self._follow(self._steps_of(self.view))
        else:
            self.retelling.forget()
            if self.view is not None:
                self._begin(None, RunSteps())
            self.show_live()
