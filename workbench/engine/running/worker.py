"""Carries out one run: decide, journal, act, journal the answer, decide again.

Where it waits for a message or a time, it does so on its thread, which uses no processor meanwhile.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from workbench.engine.answers import checked
from workbench.engine.clock import Clock
from workbench.engine.decider import (
    AskJudgement,
    Await,
    BeginStep,
    CallTool,
    Consult,
    Decider,
    Decision,
    Draft,
    Drafts,
    Ended,
    Heard,
    Passed,
    Settled,
    Woken,
)
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.payload import EventPayload
from workbench.engine.journal.run_events import RunCancelled, RunCancelling, RunPaused, RunResumed
from workbench.engine.options import RunOptions
from workbench.engine.ports import (
    Answer,
    Arrival,
    AsksPerson,
    InDoubtChoice,
    JudgementBackend,
    MessageSource,
    Purpose,
    Request,
    RequestKind,
)
from workbench.engine.running.controls import Controls, Left
from workbench.engine.running.recorder import Recorder
from workbench.engine.running.stopping import Debugger, can_hold
from workbench.engine.running.tool_calls import ToolCalls
from workbench.errors import Cancelled, InputNeeded, NotTrusted, RunFailed, WorkbenchError
from workbench.i18n import _


class Worker:
    """The thread side of a run, whatever decides about it.

    Life cycle: ``carry_out`` is called once, on the thread of the run, and returns when the run is over, when the
    person has stopped it or let go of it, or when it cannot go on for now (``halt`` says why). Before it returns
    all tools have ended, and the journal says on disk how things stand. Nothing is asked of the world before the
    journal says that it will be, and nothing is done with an answer before the journal holds it.

    What is done again after a crash: events of the run's own making, from the last written one on, come out
    the same; an answer that was not written is asked for again; tool calls: see ``tool_calls``.

    *options*: they also say what is done about calls that may have been made. *asked*: the question that is waited for,
    *waiting*: the message or time; other threads may read both.
    """

    def __init__(
        self,
        decider: Decider,
        recorder: Recorder,
        backend: JudgementBackend,
        controls: Controls,
        options: RunOptions,
    ) -> None:
        self._decider = decider
        self._recorder = recorder
        self._backend = backend
        self._controls = controls
        self._in_doubt = options.in_doubt
        self._debugger = Debugger(decider, recorder, controls)
        self._calls = ToolCalls(decider, recorder, options, self._debugger)
        self._waits = Waits(controls, recorder.clock, backend if isinstance(backend, MessageSource) else None)
        self.leave = self._calls.leave
        self.asked: Request | None = None
        self.waiting: Await | None = None
        self.halt: WorkbenchError | None = None

    @property
    def is_listening(self) -> bool:
        """Whether a message from the person is waited for."""
        wait = self.waiting
        return wait is not None and wait.is_open and self._waits.hears_person

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
            self._decider.tools.close()

    def _go_on(self) -> None:
        fold = self._recorder.fold
        if fold.status is not RunStatus.CREATED:
            self._record(RunResumed())
        while not fold.is_over:
            self._controls.raise_wish()
            self._do(self._decider.decide(fold))
        self._recorder.write_synced()
        if fold.status is not RunStatus.CANCELLED:
            self._decider.tools.close()
            self._decider.tools.forget()

    def _do(self, decision: Decision) -> None:
        """Carry *decision* out, unless the run stops before it: then the decision is made anew."""
        match decision:
            case AskJudgement(request):
                self._ask(request)
            case CallTool(intent):
                self._calls.make(intent)
            case Consult(ask):
                self._recorder.write()
                self._take_answer(ask(self._recorder.record_written))
            case Await() as wait:
                self._await(wait)
            case BeginStep(drafts):
                if self._debugger.may_happen(drafts, is_step=True):
                    self._recorder.record(drafts)
            case drafts:
                drafts = self._debugger.answered(drafts)
                if self._debugger.may_happen(drafts):
                    self._calls.begin(drafts)

    def _await(self, wait: Await) -> None:
        """Wait for a message or a time; the wait is on the disk before."""
        self._recorder.write_synced()
        self.waiting = wait
        try:
            woken = self._waits.woken(wait)
        finally:
            self.waiting = None
        if woken is None:
            self._debugger.hold()
        else:
            self._take_answer(wait.then(woken))

    def _record(self, payload: EventPayload) -> None:
        self._recorder.record((Draft(payload),))

    def _ask(self, request: Request) -> None:
        """Get an answer to *request* and journal it."""
        fold = self._recorder.fold
        if request.kind is RequestKind.IN_DOUBT and isinstance(said := self._calls.doubt(), Settled):
            self._calls.resolve(said)
            return
        if request.kind is RequestKind.APPROVE:
            self._ask_leave(request)
            return
        if fold.top.said is not None and can_hold(request):  # a person has looked at it, or wants it so
            self._take_answer(self._decider.given(fold, request, dict(fold.top.said.answer)))
            return
        try:
            answer = self._answered(request)
        except RunFailed as error:
            failed = self._decider.not_given(fold, error)
            if self._debugger.may_happen(failed, is_answer=True):
                self._recorder.record(failed)
            return
        if request.kind is RequestKind.IN_DOUBT:
            self._calls.resolve(Settled(answer["choice"], answer["value"], answer["text"]))
        else:
            self._take_answer(self._decider.given(fold, request, answer))

    def _ask_leave(self, request: Request) -> None:
        """Get a person's word about the call that *request* is about, as long as it is still what would happen."""
        fresh = self.leave.fresh(request)
        if fresh is None:
            return
        try:
            answer = self._answered(fresh)
        except RunFailed as error:  # nothing is done without leave, and nothing fails for the lack of an answer
            raise InputNeeded(str(error)) from error
        is_person = isinstance(self._backend, AsksPerson) and self._backend.asks(fresh)
        self.leave.take(fresh, answer["leave"], answer["text"], "person" if is_person else self._backend.name)

    def _answered(self, request: Request) -> dict[str, Any]:
        """The answer to *request*, checked; the question is written before it is asked. Raises RunFailed."""
        self._recorder.write()
        self.asked = request
        try:
            return checked(request, self._judged(request))
        finally:
            self.asked = None

    def _judged(self, request: Request) -> Answer:
        """The answer to *request*; of a call that was said to be done, somebody has to tell what it gave."""
        said = self._controls.mailbox.take() if request.purpose is Purpose.WAIT and not request.target else None
        if said is not None:
            return Answer(text=said)
        if request.kind is not RequestKind.IN_DOUBT or self._in_doubt is None:
            return self._backend.judge(request)
        if self._in_doubt is not InDoubtChoice.DONE or not request.fields:
            return Answer(choice=self._in_doubt)
        try:
            told = self._backend.judge(replace(request, choices=(InDoubtChoice.DONE.value,)))
        except InputNeeded as error:
            lacks = _("What it gave must be told: at the terminal with --value, which is null where it gave nothing.")
            raise InputNeeded(f"{request.text} {lacks}") from error
        return Answer(told.values, choice=InDoubtChoice.DONE)

    def _take_answer(self, drafts: Drafts) -> None:
        """Journal what the world said, down to the disk; where it comes to a failure, the run may stop before that."""
        drafts = self._debugger.answered(drafts)
        if self._debugger.may_happen(drafts, is_answer=True):
            self._calls.begin(drafts)
            self._recorder.write_synced()

    def _end_by_wish(self) -> None:
        """Cancelled is said only when every child is dead."""
        if self._controls.is_leaving:
            self._halt(_("The run was suspended and can be resumed."))
            return
        self._record(RunCancelling())
        self._recorder.write()
        self._decider.tools.close()
        self._record(RunCancelled())
        self._recorder.write_synced()

    def _halt(self, reason: str) -> None:
        self._record(RunPaused(reason))
        self._recorder.write_synced()


class Waits:
    """*source*: whoever knows the messages beforehand; None: a person may send some."""

    def __init__(self, controls: Controls, clock: Clock, source: MessageSource | None) -> None:
        self._controls = controls
        self._clock = clock
        self._source = source

    @property
    def hears_person(self) -> bool:
        """Whether a person may send messages."""
        return self._source is None

    def woken(self, wait: Await) -> Woken | None:
        """What ends *wait*; None: a pause is wanted first. Raises Cancelled and Left."""
        while not self._controls.is_holding:
            now_ns = self._clock.now_ns()
            if wait.until_ns and now_ns >= wait.until_ns:
                return Passed(now_ns)
            arrival = self._arrival(wait, now_ns)
            said = self._said(wait, arrival, now_ns)
            if said is not None:
                return said
            if arrival is not None and arrival.at_ns <= now_ns:
                continue
            times = (wait.until_ns, arrival.at_ns if arrival is not None else 0)
            self._pass_time(wait, min((at_ns for at_ns in times if at_ns), default=0))
        return None

    def _arrival(self, wait: Await, now_ns: int) -> Arrival | None:
        return self._source.next_arrival(now_ns) if wait.may_end and self._source is not None else None

    def _said(self, wait: Await, arrival: Arrival | None, now_ns: int) -> Woken | None:
        """What ends *wait* before its time."""
        if not wait.may_end:
            return None
        said = self._controls.mailbox.take() if wait.is_open else None
        if said is not None:
            return Heard(said)
        if self._controls.mailbox.is_ended or (arrival is None and self._is_at_end(wait)):
            return Ended()
        if arrival is None or arrival.at_ns > now_ns or self._source is None:
            return None
        self._source.take_arrival()
        return Heard(arrival.text) if arrival.text and wait.is_open else None

    def _is_at_end(self, wait: Await) -> bool:
        """Whether nothing more can come, where nothing will be said any more."""
        return self._source is not None and (self._source.ends_timers or not wait.until_ns)

    def _pass_time(self, wait: Await, until_ns: int) -> None:
        # timers that go off again and again would skip for ever where only a person ends the run
        is_bounded = not wait.may_end or (self._source is not None and self._source.ends_timers)
        if until_ns and is_bounded and self._clock.skip_to(until_ns):
            self._controls.raise_wish()
            return

        def has_come() -> bool:
            mailbox = self._controls.mailbox
            is_said = (wait.is_open and not mailbox.is_empty) or (wait.may_end and mailbox.is_ended)
            return is_said or 0 < until_ns <= self._clock.now_ns()

        self._controls.wait_for(has_come, self._clock.timeout_s(until_ns) if until_ns else None)
