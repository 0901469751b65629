"""Carries out one run on a thread of its own: decide, journal, act, journal the answer, decide again.

What is done again after a crash. Events of the run's own making, from the last written one
on: they come out the same. Questions: an answer that was not written is asked for again. Tool
calls: see ``tool_calls``.
"""

from __future__ import annotations

from workbench.engine.answers import checked
from workbench.engine.decider import AskJudgement, CallTool, Draft
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.payload import EventPayload
from workbench.engine.journal.run_events import RunCancelled, RunCancelling, RunPaused, RunResumed, StepEntered
from workbench.engine.language.book import Book
from workbench.engine.language.machine import decide, given, step_failed
from workbench.engine.language.turn import Rules
from workbench.engine.ports import Answer, Cancelled, JudgementBackend, Request, RequestKind
from workbench.engine.running.controls import Controls, Left
from workbench.engine.running.recorder import Recorder
from workbench.engine.running.tool_calls import ToolCalls
from workbench.engine.running.tools import RunTools
from workbench.errors import InputNeeded, NotTrusted, RunFailed, WorkbenchError
from workbench.i18n import _

_CHOICES = ("done", "again", "skip")


class Worker:
    """The thread side of a run."""

    def __init__(
        self, book: Book, recorder: Recorder, backend: JudgementBackend, tools: RunTools, controls: Controls
    ) -> None:
        self._book = book
        self._recorder = recorder
        self._backend = backend
        self._tools = tools
        self._controls = controls
        self._rules = Rules(tools.safety)
        self._calls = ToolCalls(book, recorder, tools)
        self._in_doubt = ""
        self.asked: Request | None = None
        self.halt: WorkbenchError | None = None

    def set_rules(self, max_depth: int, max_steps: int, in_doubt: str, artifact_threshold: int) -> None:
        """Say what the run may do, and what is done about calls in doubt (empty: ask)."""
        self._rules = self._calls.rules = Rules(self._tools.safety, max_depth, max_steps, artifact_threshold)
        self._in_doubt = in_doubt

    def carry_out(self) -> None:
        """Go on until the run is over, or cannot go on for now (``halt`` says why)."""
        try:
            self._go_on()
        except (Cancelled, Left):
            self._end_by_wish()
        except (InputNeeded, NotTrusted) as error:
            self.halt = error
            self._halt(str(error))
        finally:
            self._tools.close()

    def _go_on(self) -> None:
        fold = self._recorder.fold
        if fold.status is not RunStatus.CREATED:
            self._record(RunResumed())
        while not fold.is_over:
            self._controls.raise_wish()
            decision = decide(fold, self._book, self._rules)
            match decision:
                case AskJudgement(request):
                    self._ask(request)
                case CallTool(intent):
                    self._calls.make(intent)
                case drafts:
                    self._take(drafts)
        self._recorder.write_synced()
        if fold.status is not RunStatus.CANCELLED:
            self._tools.close()
            self._tools.forget()

    def _take(self, drafts: tuple[Draft, ...]) -> None:
        if isinstance(drafts[0].payload, StepEntered):
            self._wait_for_leave_to_step()
        self._calls.begin(drafts)

    def _wait_for_leave_to_step(self) -> None:
        if self._controls.is_holding:
            self._record(RunPaused())
            self._recorder.write()
            self._controls.wait()
            self._record(RunResumed())
        self._controls.use_step()

    def _record(self, payload: EventPayload) -> None:
        self._recorder.record((Draft(payload),))

    def _ask(self, request: Request) -> None:
        """Get an answer to *request* and journal it; the question is written before it is asked."""
        fold = self._recorder.fold
        self._recorder.write()
        self.asked = request
        try:
            answer = checked(request, self._judged(request))
        except RunFailed as error:
            self._recorder.record((step_failed(fold, self._book, str(error)),))
            return
        finally:
            self.asked = None
        if request.kind is RequestKind.IN_DOUBT:
            self._calls.resolve(answer)
        else:
            self._recorder.record((given(fold, self._book, request, answer),))
        self._recorder.write_synced()

    def _judged(self, request: Request) -> Answer:
        if request.kind is RequestKind.IN_DOUBT and self._in_doubt:
            return Answer(choice=self._in_doubt)
        return self._backend.judge(request)

    def _end_by_wish(self) -> None:
        """Cancelled is said only when every child is dead."""
        if self._controls.is_leaving:
            self._halt(_("The run was let go of, and can be resumed."))
            return
        self._record(RunCancelling())
        self._recorder.write()
        self._tools.close()
        self._record(RunCancelled())
        self._recorder.write_synced()

    def _halt(self, reason: str) -> None:
        self._record(RunPaused(reason))
        self._recorder.write_synced()
