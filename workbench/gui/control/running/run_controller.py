"""The run of the window: starts it, steers it, and tells what happens in it, in batches.

The run itself lives on its own thread and executes a frozen snapshot; only frozen values
come over, through its queue. It starts in the background: the journal may be held by
another program, and the window does not wait for it.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from workbench.engine.debugging.goals import Goal, Going
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.ports import Answer, Request
from workbench.engine.trust import keep_allowed
from workbench.errors import WorkbenchError
from workbench.gui.control.background import Job
from workbench.gui.control.running.retelling import EarlierText, earlier_texts
from workbench.gui.control.running.run_feed import RunFeed
from workbench.gui.control.running.run_host import RunHost
from workbench.gui.control.running.run_questions import (
    ArgumentsQuestion,
    ProcedureQuestion,
    TrustQuestion,
    preparation,
    trust_question,
)
from workbench.i18n import _
from workbench.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.engine.debugging.breakpoints import Breakpoints
    from workbench.engine.debugging.mocks import Mock
    from workbench.engine.forking.plan import ForkPlan
    from workbench.engine.judges import Limits
    from workbench.engine.options import RunOptions
    from workbench.engine.running.controls import Order
    from workbench.engine.running.run import Run
    from workbench.engine.state.run_state import RunState
    from workbench.gui.control.document_controller import DocumentController
    from workbench.gui.control.settings_controller import SettingsController
    from workbench.model.snapshot import Snapshot

log = logging.getLogger(__name__)
LEAVE_WAIT_S = 2.0
_LONG_MS = 1500  # the engine itself, which is loaded with the first run, takes its time

Launched = tuple["Run", "tuple[RunEvent, ...]", "tuple[EarlierText, ...]"]
Launch = Callable[[], Launched]
"""Starts a run, or goes on with one, on any thread: the run, what happened in it before, and the texts of then."""


@dataclass(frozen=True, slots=True)
class CallSpot:
    """A call of *tool* in the run that is shown. *seq*: of the event with which it begins, -1 for an unknown one."""

    tool: str
    seq: int = -1


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

    def step(self, going: Going = Going.INTO, address: str = "") -> None:
        """Let a paused run go on a little: by default one step."""
        if self.run is not None:
            self.run.step(Goal(going, address))

    def order(self, order: Order) -> None:
        """Do something to a paused run."""
        if self.run is not None:
            self.run.controls.order(order)

    def stop(self) -> None:
        """End the run; what it has done stays in the journal."""
        if self.run is not None:
            self.run.stop()

    def say(self, text: str) -> None:
        """Say *text* to the run, which waits for a message."""
        if self.run is not None:
            self.run.controls.mailbox.send(text)

    def end_conversation(self) -> None:
        """Say nothing more: the run ends where it would wait for a message, or for nothing but its timers."""
        if self.run is not None:
            self.run.controls.mailbox.end()

    def answer(self, request_id: str, answer: Answer) -> bool:
        """Hand *answer* to the run; False when it no longer waits for this request."""
        return self.run is not None and self.run.answer(request_id, answer)


def _started(host: RunHost, snapshot: Snapshot, options: RunOptions) -> Launched:
    return host.start(snapshot, options), (), ()


def _resumed(host: RunHost, run: RunId, limits: Limits | None, stops: Breakpoints) -> Launched:
    from workbench.engine.journal.fork_events import RunForked  # noqa: PLC0415 - the engine loads with the first run

    earlier = host.events(run)
    forks = [each for each in earlier if isinstance(each.payload, RunForked)]
    texts = earlier_texts(host, earlier[0], forks) if forks else ()
    return host.resume(run, limits, stops), earlier, texts


def _forked(host: RunHost, plan: ForkPlan, stops: Breakpoints) -> Launched:
    from workbench.engine.forking.forking import fork_run  # noqa: PLC0415 - the engine loads with the first run

    return _resumed(host, fork_run(host.journal, plan), None, stops)


def _written(path: Path | None) -> str:
    return str(path) if path is not None else ""


def _nowhere() -> Breakpoints:
    return ()


class RunController(RunSteering):
    """At most one live run. Every signal carries a frozen value. What is shown of it: see ``ShownRun``.

    *resumed_after*: the last event that happened before this window took the run up; -1 where it began here.
    *earlier_texts*: what it carried out before that was another text. *breakpoints_of_document*: says where a run of it
    stops.
    """

    starting = Signal()  # a run is about to start, or to go on
    run_started = Signal(object)  # Run
    events_arrived = Signal(object)  # tuple[RunEvent, ...]
    state_changed = Signal(object)  # RunState, once per batch
    request_changed = Signal(object)  # Request | None
    run_finished = Signal(object)  # RunState
    trust_needed = Signal(object)  # TrustQuestion: answer with trust()
    arguments_needed = Signal(object)  # ArgumentsQuestion: answer with start(options)
    procedure_asked = Signal(object)  # ProcedureQuestion: answer with start(options)
    run_refused = Signal(object)  # str: why a run did not start, or does not go on
    mock_wanted = Signal(object)  # CallSpot: somebody wants to say what stands in the place of such calls
    pin_wanted = Signal(object)  # str: somebody wants the answer to the step at this address kept
    start_delayed = Signal()  # it takes long, again and again until it has begun: ``RunHost.is_waiting`` says why

    def __init__(
        self, documents: DocumentController, settings: SettingsController, host: RunHost, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.host = host
        self._documents = documents
        self._settings = settings
        self.state: RunState | None = None
        self.request: Request | None = None
        self._coming: Request | None = None
        self.resumed_after = -1
        self.earlier_texts: tuple[EarlierText, ...] = ()
        self._in_question: Callable[[], None] | None = None
        self.breakpoints_of_document: Callable[[], Breakpoints] = _nowhere
        self._feed = RunFeed(self)
        self._launcher = RunLauncher(self)
        self._launcher.launched.connect(self._on_launched)
        self._launcher.refused.connect(self._on_not_launched)
        self._launcher.takes_long.connect(self.start_delayed)
        self._feed.batch_arrived.connect(self._on_batch_arrived)
        self._feed.ticked.connect(self._on_ticked)
        self._feed.emptied.connect(self._on_emptied)

    @property
    def is_running(self) -> bool:
        """Whether a run is going on (paused and waiting runs are)."""
        return self._feed.is_watching

    def start(self, options: RunOptions | None = None) -> None:
        """Start a run of the document as it is now; asks first for trust and arguments where they are missing."""
        if self.is_running or self._launcher.is_launching:
            self.run_refused.emit(_("A run is in progress. Stop it before you start another."))
            return
        path, allowed = self._documents.document.path, self.host.places.allowed_dir
        match preparation(self._documents.snapshot, options, self._settings.current, path, allowed):
            case str() as reason:
                self.run_refused.emit(reason)
            case TrustQuestion() as question:
                self._in_question = partial(self.start, options)
                self.trust_needed.emit(question)
            case ArgumentsQuestion() as question:
                self.arguments_needed.emit(question)
            case ProcedureQuestion() as question:
                self.procedure_asked.emit(question)
            case ready:
                stops = self.breakpoints_of_document()
                options = replace(ready, path=_written(path), breakpoints=stops)
                self._launch(partial(_started, self.host, self._documents.snapshot, options))

    def trust(self, question: TrustQuestion, *, is_folder: bool = False) -> None:
        """Remember that what is in *question* may run (*is_folder*: and all in its folder), and start what waited."""
        self._settings.change(partial(Settings.with_trust, digest=question.digest))
        if question.file is not None:
            keep_allowed(self.host.places.allowed_dir, question.file, question.code)
            if is_folder:
                self._settings.change(partial(Settings.with_trusted_folder, folder=question.file.parent))
        if self._in_question is not None:
            self._in_question()

    def resume(self, run: RunId, limits: Limits | None = None) -> None:
        """Go on with a run that was cut off; with other *limits* for models."""
        if self.is_running or self._launcher.is_launching:
            self.run_refused.emit(_("A run is in progress. Stop it before you resume another."))
            return
        self._launch(partial(_resumed, self.host, run, limits, self.breakpoints_of_document()))

    def fork(self, plan: ForkPlan, text: Snapshot | None = None) -> None:
        """Go on as *plan* says; asks first for trust where another *text* is carried out from there."""
        if self.is_running or self._launcher.is_launching:
            self.run_refused.emit(_("A run is in progress. Stop it before you start another."))
            return
        file, allowed = self._documents.document.path, self.host.places.allowed_dir
        question = trust_question(text.program, file, allowed) if text is not None else None
        if question is not None and not self._settings.current.is_trusted(question.digest, file):
            self._in_question = partial(self.fork, plan, text)
            self.trust_needed.emit(question)
            return
        self._launch(partial(_forked, self.host, plan, self.breakpoints_of_document()))

    def mock(self, tool: str, mock: Mock | None) -> None:
        """From now on runs of the document do not call *tool*: *mock* stands in its place; None: they call it again."""
        path = _written(self._documents.document.path)
        others = tuple(each for each in self.host.mocks.get(path, ()) if each.tool != tool)
        self.host.mocks[path] = others if mock is None else (*others, mock)
        if self.run is not None and self.state is not None and self.state.origin.path == path:
            self.run.controls.mocking.mocks = self.host.mocks[path]

    def mock_of(self, tool: str) -> Mock | None:
        """What stands in the place of *tool* in runs of the document; None where it is called."""
        mocks = self.host.mocks.get(_written(self._documents.document.path), ())
        return next((each for each in mocks if each.tool == tool), None)

    def leave(self) -> None:
        """Let go of a run because the window closes: it can be gone on with at the next start."""
        self._launcher.leave()
        self._feed.leave()
        if self.run is not None and not self.run.is_finished:
            self.run.leave()
            self.run.wait(LEAVE_WAIT_S)

    def _launch(self, launch: Launch) -> None:
        self.request = None  # of a run before, which nobody can answer any more
        self.starting.emit()
        self._launcher.launch(launch)

    @Slot(object)
    def _on_launched(self, launched: Launched) -> None:
        """Watch a run, and hand on what happened in it before it was cut off."""
        run, earlier, self.earlier_texts = launched
        log.info("Started run %s", run.id)
        self.run, self.state, self.request = run, None, None
        self.resumed_after = earlier[-1].seq if earlier else -1
        self._feed.watch(run)
        self.run_started.emit(run)
        if earlier:
            self._on_batch_arrived(earlier)

    @Slot(object)
    def _on_not_launched(self, error: WorkbenchError) -> None:
        self.run_refused.emit(str(error))

    @Slot(object)
    def _on_batch_arrived(self, batch: tuple[RunEvent, ...]) -> None:
        """Fold first, so that every view that hears of the events finds the state they lead to."""
        from workbench.engine.state.fold import advance  # noqa: PLC0415 - loaded with the first run

        self.state = advance(self.state, batch)
        self.events_arrived.emit(batch)
        self.state_changed.emit(self.state)

    @Slot()
    def _on_ticked(self) -> None:
        """A question that was there before the last events were fetched is shown: all that led to it has been told."""
        pending = self.run.pending if self.run is not None else None
        is_told = pending is None or (pending == self._coming and self._feed.is_caught_up)
        self._coming = pending
        if is_told and pending != self.request:
            self.request = pending
            self.request_changed.emit(pending)

    @Slot()
    def _on_emptied(self) -> None:
        """A run that halted waits in the journal: say why."""
        if self.run is not None and self.run.halt is not None:
            self.run_refused.emit(str(self.run.halt))
        self.run_finished.emit(self.state)


class RunLauncher(QObject):
    """Launches one run at a time."""

    launched = Signal(object)  # Launched
    refused = Signal(object)  # WorkbenchError
    takes_long = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.is_launching = False
        self._is_left = threading.Event()
        self._long = QTimer(self)
        self._long.setInterval(_LONG_MS)
        self._long.timeout.connect(self.takes_long)

    def launch(self, launch: Launch) -> None:
        """Do *launch*, and say what came of it."""
        self.is_launching, self._is_left = True, threading.Event()
        self._long.start()
        job = Job(partial(_launched, launch, self._is_left))
        job.outcome.done.connect(self._on_done)
        job.outcome.failed.connect(self._on_failed)
        job.start()

    def leave(self) -> None:
        """Let go of what is being launched as soon as it is: the window closes."""
        self._is_left.set()

    @Slot(object)
    def _on_done(self, launched: object) -> None:
        self._settle()
        self.launched.emit(launched)

    @Slot(object)
    def _on_failed(self, mistake: Exception) -> None:
        self._settle()
        if not isinstance(mistake, WorkbenchError):
            raise mistake
        self.refused.emit(mistake)

    def _settle(self) -> None:
        self.is_launching = False
        self._long.stop()


def _launched(launch: Launch, is_left: threading.Event) -> Launched:
    launched = launch()
    if is_left.is_set():
        launched[0].leave()
    return launched
