"""Which step of the document an address of a run means, and the other way round."""

from __future__ import annotations

import gc
import logging
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.ports import Answer, Request
from workbench.engine.state.fold import advance
from workbench.engine.state.run_state import RunState
from workbench.errors import WorkbenchError
from workbench.gui.control.running.run_host import RunHost
from workbench.gui.control.running.run_marks import MarkFold, RunMarks, no_step
from workbench.gui.control.running.run_questions import ArgumentsQuestion, TrustQuestion, preparation
from workbench.i18n import _
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot
from workbench.settings import Settings

if TYPE_CHECKING:
    from workbench.engine.journal.events import RunEvent
    from workbench.engine.options import RunOptions
    from workbench.engine.running.run import Run
    from workbench.gui.control.document_controller import DocumentController
    from workbench.gui.control.settings_controller import SettingsController
    from workbench.model.snapshot import Snapshot

TICK_MS = 16
BUDGET_MS = 4.0
SMALLEST_BATCH = 32
LARGEST_BATCH = 4096
log = logging.getLogger(__name__)
LEAVE_WAIT_S = 2.0


class RunSteps:
    """The steps of one run, whose ids are those of *snapshot*; None: the document is no longer what ran."""

    def __init__(self, snapshot: Snapshot | None = None) -> None:
        self._snapshot = snapshot

    def id_of(self, address: str) -> StepId | None:
        """The step at *address*."""
        step = self._snapshot.at_address(address) if self._snapshot is not None and address else None
        return step.id if step is not None else None

    def address_of(self, step: StepId) -> str:
        """The address of *step* in the run, empty where it had none."""
        return self._snapshot.address(step) if self._snapshot is not None and self._snapshot.has(step) else ""


def steps_of_run(ran: Snapshot | None, document: Snapshot) -> RunSteps:
    """The steps of a run of the text *ran*, as far as they can be told in *document*.

    Ids live as long as a document is open; across that, equal texts have equal addresses.
    """
    is_same = ran is not None and ran.text == document.text
    return RunSteps(document if is_same else None)


class EventSource(Protocol):
    """What a run offers to its feed."""

    @property
    def is_finished(self) -> bool:
        """Whether no further event will be queued."""
        ...

    def drain(self, limit: int = 10000) -> list[RunEvent]:
        """The events since the last drain, at most *limit*, without waiting."""
        ...


class RunFeed(QObject):
    """Drains one run every 16 ms. The size of a batch follows how long the views took over the last one."""

    batch_arrived = Signal(object)  # tuple[RunEvent, ...]
    ticked = Signal()  # after each tick, with or without events
    emptied = Signal()  # the run is over and every event has been handed on

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._source: EventSource | None = None
        self._limit = 256
        self._timer = QTimer(self, timerType=Qt.TimerType.PreciseTimer, interval=TICK_MS)
        self._timer.timeout.connect(self._tick)

    @property
    def is_watching(self) -> bool:
        """Whether a run is being watched."""
        return self._source is not None

    def watch(self, source: EventSource) -> None:
        """Start handing on the events of *source*.

        Everything that the window is made of is kept from the garbage collector meanwhile: a
        run makes so many objects that it would look through all the others every second, for
        up to a tenth of a second each time.
        """
        self._source = source
        self._timer.start()
        gc.freeze()

    def leave(self) -> None:
        """Stop handing on events; those still queued stay in the journal."""
        self._source = None
        self._timer.stop()
        gc.unfreeze()

    @Slot()
    def _tick(self) -> None:
        source = self._source
        if source is None:
            return
        was_finished = source.is_finished  # asked before draining: nothing can arrive after it
        batch = tuple(source.drain(self._limit))
        if batch:
            self._hand_on(batch)
        self.ticked.emit()
        if was_finished and not batch:
            self.leave()
            self.emptied.emit()

    def _hand_on(self, batch: tuple[RunEvent, ...]) -> None:
        started = time.perf_counter()
        self.batch_arrived.emit(batch)
        self._limit = next_limit(len(batch), (time.perf_counter() - started) * 1000)


def next_limit(handled: int, took_ms: float) -> int:
    """How many events the next batch may have, so that handling it stays within the budget."""
    fitting = int(handled * BUDGET_MS / max(took_ms, 0.05))
    return max(SMALLEST_BATCH, min(LARGEST_BATCH, fitting))


class RunSteering(QObject):
    """Hands wishes to the run of the window; without one they do nothing."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.run: Run | None = None

    def pause(self) -> None:
        """Let the run stop before its next step."""
        if self.run is not None:
            self.run.pause()

    def go_on(self) -> None:
        """Let a paused run go on."""
        if self.run is not None:
            self.run.go_on()

    def step(self) -> None:
        """One step of a paused run."""
        if self.run is not None:
            self.run.step()

    def stop(self) -> None:
        """End the run; what it has done stays in the journal."""
        if self.run is not None:
            self.run.stop()

    def answer(self, request_id: str, answer: Answer) -> bool:
        """Hand *answer* to the run; False when it no longer waits for this request."""
        return self.run is not None and self.run.answer(request_id, answer)


class RunController(RunSteering):
    """At most one live run. Every signal carries a frozen value. *steps*: which steps of the document ran."""

    starting = Signal()  # a run is about to start, or to go on
    run_started = Signal(object)  # Run
    events_arrived = Signal(object)  # tuple[RunEvent, ...]
    state_changed = Signal(object)  # RunState, once per batch
    marks_changed = Signal(object)  # RunMarks
    request_changed = Signal(object)  # Request | None
    run_finished = Signal(object)  # RunState
    trust_needed = Signal(object)  # TrustQuestion: answer with trust()
    arguments_needed = Signal(object)  # ArgumentsQuestion: answer with start(options)
    shown_changed = Signal(object)  # RunId: the run that the timeline shows
    look_requested = Signal(object)  # RunId: somebody wants to see this run on the timeline
    run_refused = Signal(object)  # str: why a run did not start, or does not go on

    def __init__(
        self, documents: DocumentController, settings: SettingsController, host: RunHost, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.host = host
        self._documents = documents
        self._settings = settings
        self.state: RunState | None = None
        self.marks = RunMarks()
        self.request: Request | None = None
        self._options_in_question: RunOptions | None = None
        self.steps = RunSteps()
        self.shown: RunId | None = None
        self._marks = MarkFold(no_step)
        self._feed = RunFeed(self)
        documents.document_opened.connect(self._on_document_opened)
        self._feed.batch_arrived.connect(self._on_batch_arrived)
        self._feed.ticked.connect(self._on_ticked)
        self._feed.emptied.connect(self._on_emptied)

    @property
    def is_running(self) -> bool:
        """Whether a run is going on (paused and waiting runs are)."""
        return self._feed.is_watching

    def start(self, options: RunOptions | None = None) -> None:
        """Start a run of the document as it is now; asks first for trust and arguments where they are missing."""
        if self.is_running:
            self.run_refused.emit(_("A run is in progress. Stop it before you start another."))
            return
        match preparation(self._documents.snapshot, options, self._settings.current):
            case str() as reason:
                self.run_refused.emit(reason)
            case TrustQuestion() as question:
                self._options_in_question = options
                self.trust_needed.emit(question)
            case ArgumentsQuestion() as question:
                self.arguments_needed.emit(question)
            case ready:
                path = self._documents.document.path
                options = replace(ready, path=str(path) if path is not None else "")
                self._begin(lambda: self.host.start(self._documents.snapshot, options), ())

    def note_shown(self, run: RunId) -> None:
        """The timeline shows *run*: what is asked about a run from now on is asked about this one."""
        self.shown = run
        self.shown_changed.emit(run)

    def trust(self, digest: str) -> None:
        """Remember that Python of *digest* may run, and start the run that waited for it."""
        self._settings.change(partial(Settings.with_trust, digest=digest))
        self.start(self._options_in_question)

    def resume(self, run: RunId) -> None:
        """Go on with a run that was cut off."""
        if self.is_running:
            self.run_refused.emit(_("A run is in progress. Stop it before you resume another."))
            return
        try:
            earlier = self.host.events(run)
        except WorkbenchError as error:
            self.run_refused.emit(str(error))
            return
        self._begin(lambda: self.host.resume(run), earlier)

    def leave(self) -> None:
        """Let go of a run because the window closes: it can be gone on with at the next start."""
        self._feed.leave()
        if self.run is not None and not self.run.is_finished:
            self.run.leave()
            self.run.wait(LEAVE_WAIT_S)

    def _begin(self, launch: Callable[[], Run], earlier: tuple[RunEvent, ...]) -> None:
        """Watch the run that *launch* yields; *earlier*: what happened before it was cut off."""
        self.starting.emit()
        try:
            run = launch()
        except WorkbenchError as error:
            self.run_refused.emit(str(error))
            return
        log.info("Started run %s", run.id)
        self.run, self.state, self.request = run, None, None
        self.steps = steps_of_run(run.snapshot, self._documents.snapshot)
        self._marks = MarkFold(self.steps.id_of)
        self._feed.watch(run)
        self.run_started.emit(run)
        if earlier:
            self._on_batch_arrived(earlier)

    @Slot(object)
    def _on_document_opened(self, document: Snapshot) -> None:
        """Another document: its steps are not those that ran, though their ids may be the same."""
        self.steps = steps_of_run(self.run.snapshot if self.run is not None else None, document)
        self._marks = MarkFold(self.steps.id_of)
        self.marks = RunMarks()
        self.marks_changed.emit(self.marks)

    @Slot(object)
    def _on_batch_arrived(self, batch: tuple[RunEvent, ...]) -> None:
        """Fold first, so that every view that hears of the events finds the state they lead to."""
        self.state = advance(self.state or RunState(), batch)
        self.marks = self._marks.take(batch)
        self.events_arrived.emit(batch)
        self.state_changed.emit(self.state)
        self.marks_changed.emit(self.marks)

    @Slot()
    def _on_ticked(self) -> None:
        pending = self.run.pending if self.run is not None else None
        if pending != self.request:
            self.request = pending
            self.request_changed.emit(pending)

    @Slot()
    def _on_emptied(self) -> None:
        """A run that halted waits in the journal: say why."""
        if self.run is not None and self.run.halt is not None:
            self.run_refused.emit(str(self.run.halt))
        self.run_finished.emit(self.state)
