"""Starts the runs of the window, goes on with them, and asks first what must be known before.

A run starts in the background: the journal may be held by another program, and the window does not wait for it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.trust import keep_allowed
from workbench.errors import WorkbenchError
from workbench.gui.control.background import Job
from workbench.gui.control.running.retelling import EarlierText, earlier_texts
from workbench.gui.control.running.run_host import RunHost
from workbench.gui.control.running.run_questions import (
    ArgumentsQuestion,
    ProcedureQuestion,
    TrustQuestion,
    preparation,
    trust_question,
)
from workbench.gui.control.running.window_runs import WindowRun, WindowRuns
from workbench.i18n import _
from workbench.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.engine.debugging.breakpoints import Breakpoints
    from workbench.engine.debugging.mocks import Mock
    from workbench.engine.forking.plan import ForkPlan
    from workbench.engine.judges import Limits
    from workbench.engine.options import RunOptions
    from workbench.engine.running.run import Run
    from workbench.gui.control.document_controller import DocumentController
    from workbench.gui.control.settings_controller import SettingsController
    from workbench.model.program import Program
    from workbench.model.snapshot import Snapshot

_LONG_MS = 1500  # the engine itself, which is loaded with the first run, takes its time

Launched = tuple["Run", "tuple[RunEvent, ...]", "tuple[EarlierText, ...]"]
ResumeCycle = Callable[["RunId", "Limits | None"], Launched]
Launch = Callable[[], Launched]
"""Starts a run, or goes on with one, on any thread: the run, what happened in it before, and the texts of then."""


@dataclass(frozen=True, slots=True)
class CallSpot:
    """A call of *tool* in the run that is shown. *seq*: of the event with which it begins, -1 for an unknown one."""

    tool: str
    seq: int = -1


def _started(host: RunHost, snapshot: Snapshot, options: RunOptions) -> Launched:
    return host.start(snapshot, options), (), ()


def _resumed(
    host: RunHost, run: RunId, limits: Limits | None, stops: Breakpoints, of_cycle: ResumeCycle | None = None
) -> Launched:
    from workbench.engine.journal.fork_events import RunForked  # noqa: PLC0415 - the engine loads with the first run

    earlier = host.events(run)
    if of_cycle is not None and earlier and getattr(earlier[0].payload, "is_cycle", False):
        return of_cycle(run, limits)
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


class RunController(WindowRuns):
    """Starts runs, each beside those that go on. What is shown of one: see ``ShownRun``.

    *breakpoints_of_document*: says where a run of it stops. *resume_cycle*: goes on with a run that makes a playbook
    from a goal; who follows those sets it.
    """

    starting = Signal()  # a run is about to start, or to go on
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
        self._in_question: Callable[[], object] | None = None
        self.breakpoints_of_document: Callable[[], Breakpoints] = _nowhere
        self.resume_cycle: ResumeCycle | None = None
        self._launcher = RunLauncher(self)
        self._launcher.launched.connect(self._on_launched)
        self._launcher.refused.connect(self._on_not_launched)
        self._launcher.takes_long.connect(self.start_delayed)

    def start(self, options: RunOptions | None = None) -> None:
        """Start a run of the document as it is now; asks first for trust and arguments where they are missing."""
        if self._is_launching():
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

    def needs_trust(self, program: Program, file: Path | None, then: Callable[[], object]) -> bool:
        """Whether the person is asked first for trust in what a run of *program* in *file* would start.

        Where that is given, *then* is done.
        """
        question = trust_question(program, file, self.host.places.allowed_dir)
        if question is None or self._settings.current.is_trusted(question.digest, file):
            return False
        self._in_question = then
        self.trust_needed.emit(question)
        return True

    def resume(self, run: RunId, limits: Limits | None = None) -> None:
        """Go on with a run that was cut off; with other *limits* for models."""
        if self._is_launching():
            return
        self._launch(partial(_resumed, self.host, run, limits, self.breakpoints_of_document(), self.resume_cycle))

    def fork(self, plan: ForkPlan, text: Snapshot | None = None) -> None:
        """Go on as *plan* says; asks first for trust where another *text* is carried out from there."""
        if self._is_launching():
            return
        file, again = self._documents.document.path, partial(self.fork, plan, text)
        if text is not None and self.needs_trust(text.program, file, again):
            return
        self._launch(partial(_forked, self.host, plan, self.breakpoints_of_document()))

    def mock(self, tool: str, mock: Mock | None) -> None:
        """From now on runs of the document do not call *tool*: *mock* stands in its place; None: they call it again."""
        path = _written(self._documents.document.path)
        others = tuple(each for each in self.host.mocks.get(path, ()) if each.tool != tool)
        self.host.mocks[path] = others if mock is None else (*others, mock)
        for each in self.going:
            if each.view.origin.path == path:
                each.run.controls.mocking.mocks = self.host.mocks[path]

    def mock_of(self, tool: str) -> Mock | None:
        """What stands in the place of *tool* in runs of the document; None where it is called."""
        mocks = self.host.mocks.get(_written(self._documents.document.path), ())
        return next((each for each in mocks if each.tool == tool), None)

    def leave(self) -> None:
        """Let go of all runs, and of one that is about to start."""
        self._launcher.leave()
        super().leave()

    def _is_launching(self) -> bool:
        """Whether a run is about to start, which is told: a key that is pressed twice starts one run."""
        if self._launcher.is_launching:
            self.run_refused.emit(_("A run is just starting. Start the next one when it has begun."))
        return self._launcher.is_launching

    def launch(self, launch: Launch) -> None:
        """Start a run, or go on with one, by *launch*, beside the window; nothing while another one is starting."""
        if not self._is_launching():
            self._launch(launch)

    def _launch(self, launch: Launch) -> None:
        self.starting.emit()
        self._launcher.launch(launch)

    @Slot(object)
    def _on_launched(self, launched: Launched) -> None:
        self.take_up(*launched)

    @Slot(object)
    def _on_not_launched(self, error: WorkbenchError) -> None:
        self.run_refused.emit(str(error))

    @Slot(object)
    def _on_finished(self, run: WindowRun) -> None:
        """A run that halted waits in the journal: say why."""
        halt = run.run.halt
        if halt is not None and run is self.front:
            self.run_refused.emit(str(halt))
        elif halt is not None:
            words = _("“{playbook}” does not go on: {reason}")
            self.run_refused.emit(words.format(playbook=run.view.name, reason=halt))
        super()._on_finished(run)


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
