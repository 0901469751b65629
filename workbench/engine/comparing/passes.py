"""What a run did, pass by pass: each time that it went through a step, what was asked, called, set and said there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from workbench.engine.audit.deeds import Outcome, outcome_of
from workbench.engine.expressions.data import digest_of
from workbench.engine.journal import run_events as run
from workbench.engine.journal.choices import Scope, StepStatus
from workbench.engine.journal.debug_events import StateEdited
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.fork_events import RunForked
from workbench.engine.journal.language_events import CallChosen, CallObserved, TriggerFired
from workbench.engine.journal.model_events import ModelAnswered
from workbench.engine.journal.payload import NOTHING, EventPayload
from workbench.engine.journal.run_clock import RunClock
from workbench.engine.journal.steplist_events import CallBlocked, CallCancelled, TurnTaken
from workbench.engine.journal.waiting_events import MessageHeard
from workbench.engine.ports import InDoubtChoice
from workbench.engine.state.judging import Used
from workbench.i18n import _

NOWHERE = -1
"""The place of the step around a step that none is around."""


@dataclass(frozen=True, slots=True)
class MadeCall:
    """A call of a tool or of a playbook. *result*: what it gave, ``NOTHING`` where there is none. *error*: why."""

    name: str
    arguments: Mapping[str, Any]
    outcome: Outcome = Outcome.OPEN
    result: Any = NOTHING
    error: str = ""


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """*question*: as it was asked, empty for a message. *by*: the model that gave it, if one did."""

    question: str
    answer: Mapping[str, Any]
    by: str = ""


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass through a step. *around*: the place of the pass that it is part of, ``NOWHERE`` for none.

    *text*: empty for what happens at a step that is not gone through. *round*: of the loop directly around it, 0 for
    none; *item*: the digest of what that round is about, where the loop says so. *visit*: how often the run has come
    here in that round, from 1. *attempts*: how often a call was made. *status*: RUNNING where it was never left.
    *branch*: what was decided, None where nothing was. *values*: each name with all that it was set to, in order.
    *first_seq*: of its first event. Times are those of ``RunClock``: ns since the run began, while somebody carried it
    out.
    """

    address: str
    text: str
    around: int
    round: int
    item: str
    visit: int
    status: StepStatus
    branch: bool | None
    values: Mapping[str, tuple[Any, ...]]
    answers: tuple[GivenAnswer, ...]
    calls: tuple[MadeCall, ...]
    told: tuple[str, ...]
    error: str
    attempts: int
    first_seq: int
    line: int
    start_ns: int
    end_ns: int
    used: Used

    @property
    def playbook(self) -> str:
        """The playbook that the step stands in, with the path before it where it is in another file."""
        return self.address.rpartition(":")[0]


def passes_of(events: Iterable[RunEvent]) -> tuple[Pass, ...]:
    """All passes of the run of *events*, in the order in which they began."""
    collected = _Collected()
    for event in events:
        collected.take(event)
    return tuple(visit.done() for visit in collected.visits)


@dataclass(slots=True)
class _Visit:
    """A pass while it is gone through; what its fields mean is said at ``Pass``."""

    address: str
    text: str
    around: int
    round: int
    item: str
    visit: int
    first_seq: int
    line: int
    start_ns: int
    end_ns: int
    status: StepStatus = StepStatus.RUNNING
    branch: bool | None = None
    values: dict[str, list[Any]] = field(default_factory=dict)
    asked: dict[str, str] = field(default_factory=dict)
    answers: list[GivenAnswer] = field(default_factory=list)
    calls: dict[str, MadeCall] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)
    error: str = ""
    attempts: int = 1
    used: Used = field(default_factory=Used)
    is_left: bool = False
    own_round: int = 0
    own_items: list[Any] = field(default_factory=list)
    own_digest: str = ""

    def item_of_round(self) -> str:
        """The digest of what the loop goes through in its present round, empty where it goes through nothing."""
        if self.own_items and not self.own_digest:
            self.own_digest = digest_of(self.own_items)
        return self.own_digest

    def done(self) -> Pass:
        """This as a value."""
        values = {name: tuple(each) for name, each in self.values.items()}
        return Pass(
            *(self.address, self.text, self.around, self.round, self.item, self.visit, self.status, self.branch),
            *(values, tuple(self.answers), tuple(self.calls.values()), tuple(self.told), self.error, self.attempts),
            *(self.first_seq, self.line, self.start_ns, self.end_ns, self.used),
        )

    def begin_call(self, event: RunEvent, name: str, arguments: Mapping[str, Any]) -> None:
        """A call begins; the span of the event stands for it, made again or not."""
        self.calls[_key_of_call(event, self.calls)] = MadeCall(name, arguments)

    def end_call(self, event: RunEvent, outcome: Outcome, result: Any = NOTHING, error: str = "") -> None:
        """The call of the span of *event* is over."""
        key = next((each for each in reversed(tuple(self.calls)) if each.partition("#")[0] == event.span), "")
        if key:
            known = self.calls[key]
            self.calls[key] = MadeCall(known.name, known.arguments, outcome, result, error)

    def fail(self) -> None:
        """It ends because something in it failed, and so do its calls."""
        self.status = StepStatus.FAILED
        for key, call in self.calls.items():
            if call.outcome is Outcome.OPEN:
                self.calls[key] = MadeCall(call.name, call.arguments, Outcome.FAILED)


def _key_of_call(event: RunEvent, known: Mapping[str, MadeCall]) -> str:
    """The span of *event*, with a number where a call of it is over already."""
    last = next((each for each in reversed(tuple(known)) if each.partition("#")[0] == event.span), None)
    if last is None:
        return event.span
    return last if known[last].outcome is Outcome.OPEN else f"{event.span}#{event.seq}"


class _Collected:
    """Puts the passes together: an event belongs to the innermost step whose span it lies in."""

    def __init__(self) -> None:
        self.visits: list[_Visit] = []
        self._owners: dict[str, int] = {}
        self._clock = RunClock()
        self._now_ns = 0
        self._counts: Counter[tuple[int, str, str, int]] = Counter()

    def take(self, event: RunEvent) -> None:
        """Take *event* in."""
        payload = event.payload
        self._now_ns = self._clock.move_to(event)
        if type(payload) in run.FINAL:
            self._end(event)
        elif isinstance(payload, RunForked):
            self._move(payload.text.steps if payload.text is not None else None)
        elif isinstance(payload, run.StepEntered):
            self._enter(event, payload.text, self._owner(event.parent))
            self._owners[event.span] = len(self.visits) - 1
        elif isinstance(payload, run.PlaybookEntered):
            self._call_playbook(event, payload)
        elif (rule := _RULES.get(type(payload))) is not None:
            visit = self._visit_of(event)
            if visit is not None:
                visit.end_ns = visit.end_ns if visit.is_left else self._now_ns
                rule(visit, event, payload)
                visit.attempts = max(visit.attempts, event.attempt)

    def _move(self, steps: Mapping[str, Any] | None) -> None:
        """The run goes on with another text: what it came to so far stands at the addresses that it has there.

        *steps*: as at ``OtherText``. The address of a step that is gone stands in brackets.
        """
        for visit in self.visits:
            if steps and visit.address in steps:
                to = steps[visit.address]
                visit.address, visit.line = (f"({visit.address})", 0) if to is None else (to[0], to[1])

    def _owner(self, span: str) -> int:
        return self._owners.get(span, NOWHERE)

    def _visit_of(self, event: RunEvent) -> _Visit | None:
        """The pass that *event* lies in; one of its own for what happens outside of all steps, such as at a trigger.

        None for the end of a playbook that nothing called.
        """
        place = self._owner(event.span)
        if place == NOWHERE:
            place = self._owner(event.parent)
        if place == NOWHERE:
            if isinstance(event.payload, run.PlaybookExited):
                return None
            self._enter(event, "", NOWHERE)
            place = len(self.visits) - 1
            self.visits[place].status, self.visits[place].is_left = StepStatus.DONE, True
        if event.span:
            self._owners.setdefault(event.span, place)
        return self.visits[place]

    def _enter(self, event: RunEvent, text: str, around: int) -> None:
        outer = self.visits[around] if around != NOWHERE else None
        number = outer.own_round if outer is not None else 0
        item = outer.item_of_round() if outer is not None else ""
        self._counts[around, event.step, text, number] += 1
        visit = self._counts[around, event.step, text, number]
        begun = (event.seq, event.line, self._now_ns, self._now_ns)
        self.visits.append(_Visit(event.step, text, around, number, item, visit, *begun))

    def _call_playbook(self, event: RunEvent, entered: run.PlaybookEntered) -> None:
        """A playbook begins, as a call of the step around it if there is one."""
        around = self._owner(event.parent)
        if around != NOWHERE:
            self._owners[event.span] = around
            self.visits[around].begin_call(event, entered.playbook, entered.arguments)

    def _end(self, event: RunEvent) -> None:
        """The run is over: what is open ends with it, and has failed where the run has."""
        for visit in self.visits:
            if visit.status is StepStatus.RUNNING:
                visit.end_ns = self._now_ns
                if isinstance(event.payload, run.RunFailure):
                    visit.fail()


def _exited(visit: _Visit, event: RunEvent, exited: run.StepExited) -> None:
    is_failed = exited.is_failed or exited.status is StepStatus.FAILED
    visit.status = StepStatus.FAILED if is_failed else exited.status
    visit.error = exited.error or visit.error
    visit.is_left = True


def _failed(visit: _Visit, event: RunEvent, failure: run.StepFailure) -> None:
    visit.status, visit.error = StepStatus.FAILED, failure.message
    visit.is_left = True


def _branched(visit: _Visit, event: RunEvent, branch: run.BranchTaken) -> None:
    visit.branch = branch.taken


def _round(visit: _Visit, event: RunEvent, begun: run.RoundBegun) -> None:
    visit.own_round, visit.own_items, visit.own_digest = begun.round, [], ""


def _set(visit: _Visit, event: RunEvent, one: run.VariableSet) -> None:
    name = f"${one.name}" if one.scope is Scope.STATE else one.name
    visit.values.setdefault(name, []).append(one.new)
    if visit.own_round:
        visit.own_items.append(one.new)
        visit.own_digest = ""


def _asked(visit: _Visit, event: RunEvent, asked: run.InputAsked) -> None:
    visit.asked[asked.request] = asked.text


def _given(visit: _Visit, event: RunEvent, given: run.InputGiven) -> None:
    visit.answers.append(GivenAnswer(visit.asked.get(given.request, ""), given.answer, given.judge))


def _heard(visit: _Visit, event: RunEvent, heard: MessageHeard) -> None:
    visit.answers.append(GivenAnswer("", {"text": heard.text}, heard.sender))


def _edited(visit: _Visit, event: RunEvent, edited: StateEdited) -> None:
    """A person has changed a variable between two steps: what nobody was asked for."""
    visit.answers.append(GivenAnswer(_("changed by a person"), {"values": {edited.name: edited.new}}, edited.by))


def _told(visit: _Visit, event: RunEvent, told: run.Told) -> None:
    visit.told.append(told.text)


def _turned(visit: _Visit, event: RunEvent, taken: TurnTaken) -> None:
    """Words of whoever walks a list; wanted calls are told when they are made."""
    if taken.text:
        visit.told.append(taken.text)


def _called(visit: _Visit, event: RunEvent, call: run.ToolCalled) -> None:
    visit.begin_call(event, call.tool, _arguments(call.positional, call.named))


def _result(visit: _Visit, event: RunEvent, result: run.ToolResult) -> None:
    visit.end_call(event, outcome_of(result.instead, Outcome.DONE), result.value)


def _error(visit: _Visit, event: RunEvent, error: run.ToolError) -> None:
    visit.end_call(event, outcome_of(error.instead, Outcome.FAILED), error=error.message)


def _resolved(visit: _Visit, event: RunEvent, resolved: run.CallResolved) -> None:
    if resolved.how is not InDoubtChoice.AGAIN:
        outcome = Outcome.DONE if resolved.how is InDoubtChoice.DONE else Outcome.NOT_MADE
        visit.end_call(event, outcome, resolved.value, resolved.message or "")


def _returned(visit: _Visit, event: RunEvent, exited: run.PlaybookExited) -> None:
    visit.end_call(event, Outcome.FAILED if exited.is_failed else Outcome.DONE, exited.returned)


def _not_made(visit: _Visit, event: RunEvent, call: CallBlocked | CallCancelled) -> None:
    is_blocked = isinstance(call, CallBlocked)
    arguments = _arguments(call.positional, call.named) if isinstance(call, CallBlocked) else call.named
    outcome = Outcome.BLOCKED if is_blocked else Outcome.NOT_MADE
    visit.calls[f"{event.span}#{event.seq}"] = MadeCall(call.tool, arguments, outcome, error=call.message)


def _chosen(visit: _Visit, event: RunEvent, chosen: CallChosen) -> None:
    visit.calls[f"chosen#{event.seq}"] = MadeCall(chosen.action, chosen.arguments)


def _observed(visit: _Visit, event: RunEvent, seen: CallObserved) -> None:
    key = next((each for each in reversed(tuple(visit.calls)) if each.startswith("chosen#")), "")
    if key:
        known, outcome = visit.calls[key], Outcome.DONE if seen.error is None else Outcome.FAILED
        visit.calls[key] = MadeCall(known.name, known.arguments, outcome, seen.value, seen.error or "")


def _fired(visit: _Visit, event: RunEvent, trigger: TriggerFired) -> None:
    visit.branch = True


def _used(visit: _Visit, event: RunEvent, answered: ModelAnswered) -> None:
    visit.used = visit.used.plus(answered)


def _arguments(positional: Iterable[Any], named: Mapping[str, Any]) -> dict[str, Any]:
    return {**{str(number): value for number, value in enumerate(positional, 1)}, **named}


_RULES: dict[type[EventPayload], Callable[[_Visit, RunEvent, Any], None]] = {
    run.StepExited: _exited,
    run.StepFailure: _failed,
    run.BranchTaken: _branched,
    run.RoundBegun: _round,
    run.VariableSet: _set,
    run.InputAsked: _asked,
    run.InputGiven: _given,
    StateEdited: _edited,
    run.Told: _told,
    run.ToolCalled: _called,
    run.ToolResult: _result,
    run.ToolError: _error,
    run.CallResolved: _resolved,
    run.PlaybookExited: _returned,
    CallBlocked: _not_made,
    CallCancelled: _not_made,
    CallChosen: _chosen,
    CallObserved: _observed,
    TriggerFired: _fired,
    TurnTaken: _turned,
    MessageHeard: _heard,
    ModelAnswered: _used,
}
