"""Folds of a run: its state, of which there are copies, and the marks of its steps, event by event.

They know nearly every event, so they are loaded with the first run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import replace
from typing import Any

from workbench.engine.journal.approval_events import ApprovalAsked, ApprovalDenied, ApprovalGranted
from workbench.engine.journal.choices import StepStatus
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.fork_events import RunForked
from workbench.engine.journal.language_events import CallObserved, TriggerFired
from workbench.engine.journal.model_events import (
    AnswerProposed,
    CommandOver,
    CommandWanted,
    JudgementHandedOver,
    ModelAsked,
)
from workbench.engine.journal.payload import EventPayload
from workbench.engine.journal.run_clock import RunClock
from workbench.engine.journal.run_events import (
    BranchTaken,
    CallInDoubt,
    CallResolved,
    InputAsked,
    InputGiven,
    RoundBegun,
    RunCancelled,
    RunCompleted,
    RunFailure,
    RunPaused,
    StepEntered,
    StepExited,
    StepFailure,
    ToolCalled,
    ToolError,
)
from workbench.engine.journal.steplist_events import CallBlocked, CallCancelled
from workbench.engine.journal.waiting_events import WaitBegun, WaitOver
from workbench.engine.ports import Purpose
from workbench.engine.provenance.setters import Setters
from workbench.engine.state.fold import RunFold
from workbench.engine.state.run_state import RunState
from workbench.gui.control.running.run_marks import OPEN, MarkStatus, StepMark
from workbench.i18n import _
from workbench.vocabulary import waiting_words


class StateFold:
    """The state after the events that were taken. *setters*: which of them set which variable, where that is kept."""

    def __init__(self, state: RunState | None = None, setters: Setters | None = None) -> None:
        self.setters = setters
        self._state: RunState | None = state if state is not None else RunState()
        self._fold: RunFold | None = None

    @property
    def state(self) -> RunState:
        """As a value; made once for all who ask."""
        if self._state is None and self._fold is not None:
            self._state = self._fold.state()
        return self._state or RunState()

    def take(self, events: Iterable[RunEvent]) -> None:
        """Take *events* in."""
        fold = self._fold = self._fold or RunFold(self.state)
        for event in events:
            if self.setters is not None:
                self.setters.note(fold, event)
            fold.apply(event)
        self._state = None

    def copied(self) -> StateFold:
        """Another one that has taken the same; it costs nothing until it takes something."""
        return StateFold(self.state)


class MarkFold:
    """Folds batches of events into marks by address; whoever shows them knows which step that is."""

    def __init__(self) -> None:
        self.clock = RunClock()
        self.marks: dict[str, StepMark] = {}
        self._changed: set[str] = set()
        self._before_pause: tuple[str, StepMark | None] | None = None

    def take(self, events: Iterable[RunEvent]) -> frozenset[str]:
        """Take *events*; the addresses whose marks have changed."""
        self._changed = set()
        for event in events:
            now_ns = self.clock.move_to(event)
            self._end_pause()
            kind = type(event.payload)
            if kind in _LEFT_OPEN:
                self._finish(_LEFT_OPEN[kind], now_ns)
            elif isinstance(event.payload, RunForked):
                self._move(event.payload)
            elif not event.step:
                continue
            elif kind is RunPaused:
                self._before_pause = event.step, self.marks.get(event.step)
                self._mark(event.step, StepMark(MarkStatus.NEXT, started_ns=now_ns, visits=0))
            elif kind in _RULES:
                self._mark(event.step, _RULES[kind](self.marks.get(event.step), now_ns, event.payload))
        return frozenset(self._changed)

    def copied(self) -> MarkFold:
        """Another one that has taken the same."""
        made = MarkFold()
        made.clock, made.marks = copy(self.clock), dict(self.marks)
        made._before_pause = self._before_pause
        return made

    def _mark(self, address: str, mark: StepMark | None) -> None:
        self._changed.add(address)
        if mark is None:
            self.marks.pop(address, None)
        else:
            self.marks[address] = mark

    def _move(self, forked: RunForked) -> None:
        """A fork goes on with another text: marks stay with their steps, and those of steps that are gone go."""
        moved = (forked.text.steps if forked.text is not None else None) or {}
        marks = [(moved.get(address, (address,)), mark) for address, mark in self.marks.items()]
        self._changed.update(self.marks)
        self.marks = {str(place[0]): mark for place, mark in marks if place is not None}
        self._changed.update(self.marks)

    def _end_pause(self) -> None:
        """What stood there before the run paused before the step stands there again."""
        if self._before_pause is not None:
            before, self._before_pause = self._before_pause, None
            self._mark(*before)

    def _finish(self, status: MarkStatus, now_ns: int) -> None:
        """Close what is still open: a run that has ended has no running steps."""
        for address, mark in tuple(self.marks.items()):
            if mark.status in OPEN:
                self._mark(address, _timed(mark, now_ns, status, ""))


def _timed(
    mark: StepMark, now_ns: int, status: MarkStatus | None = None, detail: str | None = None, rounds: int = 0
) -> StepMark:
    """*mark* as of *now_ns*. Made anew in one go, since a run does this with nearly every event."""
    return StepMark(
        mark.status if status is None else status,
        max(0, now_ns - mark.started_ns) // 1_000_000,
        mark.detail if detail is None else detail,
        mark.iterations + rounds,
        mark.started_ns,
        mark.visits,
    )


def _fresh(now_ns: int, visits: int = 1) -> StepMark:
    return StepMark(MarkStatus.RUNNING, started_ns=now_ns, visits=visits)


def _entered(mark: StepMark | None, now_ns: int, _entered: StepEntered) -> StepMark:
    return _fresh(now_ns, 1 if mark is None else mark.visits + 1)


def _exited(mark: StepMark | None, now_ns: int, exited: StepExited) -> StepMark:
    known = mark or _fresh(now_ns)
    if known.status is MarkStatus.NO and exited.status is StepStatus.SKIPPED:
        return _timed(known, now_ns)
    return _timed(known, now_ns, _EXITS.get(exited.status, MarkStatus.DONE), error_in(exited))


def _branched(mark: StepMark | None, now_ns: int, branch: BranchTaken) -> StepMark:
    known = mark or _fresh(now_ns)
    return known if branch.taken else _timed(known, now_ns, MarkStatus.NO, "")


def _failed(mark: StepMark | None, now_ns: int, failure: StepFailure) -> StepMark:
    return _timed(mark or _fresh(now_ns), now_ns, MarkStatus.FAILED, error_in(failure))


def _waiting(mark: StepMark | None, now_ns: int, asked: InputAsked | ApprovalAsked) -> StepMark:
    if mark is not None and mark.status is MarkStatus.BLOCKED and asked.purpose is Purpose.TURN:
        return mark  # the question is asked again: why the last answer was blocked matters more
    detail = first_line(asked.text)
    known = mark or _fresh(now_ns, 0)
    return _timed(known, now_ns, MarkStatus.WAITING, detail)


def _with_person(mark: StepMark | None, now_ns: int, payload: AnswerProposed | JudgementHandedOver) -> StepMark:
    """A model is done with the question, and a person is not."""
    detail = payload.reason if isinstance(payload, JudgementHandedOver) else _("A model proposes an answer")
    return replace(_timed(mark or _fresh(now_ns), now_ns), status=MarkStatus.WAITING, detail=first_line(detail))


def _open_again(mark: StepMark | None, now_ns: int, _over: CommandOver) -> StepMark:
    return _timed(mark or _fresh(now_ns), now_ns, MarkStatus.WAITING, _("The command has been run"))


def _timed_wait(mark: StepMark | None, now_ns: int, begun: WaitBegun) -> StepMark:
    detail = waiting_words(begun.until_ns, is_open=begun.is_open)
    return _timed(mark or _fresh(now_ns), now_ns, MarkStatus.WAITING, detail)


def _going_on(mark: StepMark | None, now_ns: int, _payload: EventPayload) -> StepMark:
    """The step runs again; a trigger, which is asked about without being entered, is done."""
    known = mark or _fresh(now_ns)
    status = MarkStatus.RUNNING if known.visits else MarkStatus.DONE
    return _timed(known, now_ns, status, "")


def _called(mark: StepMark | None, now_ns: int, _call: ToolCalled) -> StepMark:
    """A step whose last call was blocked is at work again."""
    if mark is None or mark.status is not MarkStatus.BLOCKED:
        return mark or _fresh(now_ns)
    return replace(mark, status=MarkStatus.RUNNING, detail="")


def _fired(mark: StepMark | None, now_ns: int, _trigger: TriggerFired) -> StepMark:
    """A trigger began the playbook that it stands in."""
    return replace(_fresh(now_ns), status=MarkStatus.DONE, visits=(mark.visits if mark else 0) + 1)


def _next_round(mark: StepMark | None, now_ns: int, _begun: RoundBegun) -> StepMark:
    return _timed(mark or _fresh(now_ns), now_ns, rounds=1)


def _blocked(mark: StepMark | None, now_ns: int, blocked: CallInDoubt | CallBlocked) -> StepMark:
    detail = first_line(blocked.message if isinstance(blocked, CallBlocked) else blocked.text)
    return _timed(mark or _fresh(now_ns), now_ns, MarkStatus.BLOCKED, detail)


def error_of(event: RunEvent) -> str:
    """The first line of what went wrong, empty where nothing did."""
    return error_in(event.payload)


def error_in(payload: EventPayload) -> str:
    """The same of what an event says."""
    match payload:
        case StepExited(error=text) | CallObserved(error=text) | CallResolved(message=text):
            return first_line(text or "")
        case RunFailure(message=text) | StepFailure(message=text) | ToolError(message=text):
            return first_line(text)
        case CallBlocked(message=text) | CallCancelled(message=text):
            return first_line(text)
        case _:
            return ""


def first_line(text: str) -> str:
    """The first line of *text* that is not blank."""
    return next((line.strip() for line in text.splitlines() if line.strip()), "")


_EXITS = {StepStatus.SKIPPED: MarkStatus.SKIPPED, StepStatus.FAILED: MarkStatus.FAILED}
_LEFT_OPEN: dict[type[EventPayload], MarkStatus] = {
    RunCompleted: MarkStatus.DONE,
    RunFailure: MarkStatus.FAILED,
    RunCancelled: MarkStatus.STOPPED,
}
_RULES: dict[type[EventPayload], Callable[[StepMark | None, int, Any], StepMark]] = {
    StepEntered: _entered,
    StepExited: _exited,
    StepFailure: _failed,
    BranchTaken: _branched,
    InputAsked: _waiting,
    InputGiven: _going_on,
    ModelAsked: _going_on,
    AnswerProposed: _with_person,
    JudgementHandedOver: _with_person,
    CommandWanted: _going_on,
    CommandOver: _open_again,
    ApprovalAsked: _waiting,
    ApprovalGranted: _going_on,
    ApprovalDenied: _going_on,
    WaitBegun: _timed_wait,
    WaitOver: _going_on,
    RoundBegun: _next_round,
    TriggerFired: _fired,
    CallInDoubt: _blocked,
    CallBlocked: _blocked,
    ToolCalled: _called,
    CallResolved: _going_on,
}
