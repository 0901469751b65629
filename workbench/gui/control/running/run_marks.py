"""What a run says about each step of the document: one small mark per step id.

A run executes a frozen snapshot and speaks in addresses; marks are kept by step id, so they
stay with their steps while the document is edited.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from workbench.engine.journal.choices import StepStatus
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.language_events import CallObserved, TriggerFired
from workbench.engine.journal.payload import EventPayload
from workbench.engine.journal.run_events import (
    CallInDoubt,
    CallResolved,
    InputAsked,
    InputGiven,
    RoundBegun,
    RunCancelled,
    RunCompleted,
    RunFailure,
    StepEntered,
    StepExited,
    StepFailure,
    ToolCalled,
    ToolError,
)
from workbench.engine.journal.steplist_events import CallBlocked, CallCancelled
from workbench.engine.ports import Purpose
from workbench.model.program import StepId

StepOfAddress = Callable[[str], StepId | None]


def no_step(address: str) -> StepId | None:
    """No step at any address: what a fold knows before its first run."""
    return None


class MarkStatus(enum.Enum):
    """How far a step is."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    WAITING = "waiting"
    SKIPPED = "skipped"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class StepMark:
    """What the run says about one step.

    *elapsed_ms*: of the last visit, as of the last event. *detail*: the first line of the error,
    or of what is waited for. *iterations*: rounds a loop has begun. *started_ns*: UTC wall clock,
    so that a view can let the elapsed time of a running step grow. *visits*: times entered.
    """

    status: MarkStatus
    elapsed_ms: int = 0
    detail: str = ""
    iterations: int = 0
    started_ns: int = 0
    visits: int = 1


@dataclass(frozen=True)
class RunMarks(Mapping[StepId, StepMark]):
    """The marks of all steps that the run has reached. *changed*: those the last batch touched."""

    marks: Mapping[StepId, StepMark] = field(default_factory=dict)
    changed: frozenset[StepId] = frozenset()

    def __getitem__(self, step: StepId) -> StepMark:
        return self.marks[step]

    def __iter__(self) -> Iterator[StepId]:
        return iter(self.marks)

    def __len__(self) -> int:
        return len(self.marks)


class MarkFold:
    """Folds batches of events into marks; *step_of* finds the step of an address in the run's snapshot."""

    def __init__(self, step_of: StepOfAddress) -> None:
        self._step_of = step_of
        self._ids: dict[str, StepId | None] = {}
        self._marks: dict[StepId, StepMark] = {}
        self._changed: set[StepId] = set()

    def take(self, events: Iterable[RunEvent]) -> RunMarks:
        """The marks after *events*."""
        self._changed = set()
        for event in events:
            kind = type(event.payload)
            if kind in _LEFT_OPEN:
                self._finish(event)
            elif kind in _RULES and (step := self._step(event.step)) is not None:
                self._marks[step] = _RULES[kind](self._marks.get(step), event, event.payload)
                self._changed.add(step)
        return RunMarks(dict(self._marks), frozenset(self._changed))

    def _step(self, address: str) -> StepId | None:
        if address not in self._ids:
            self._ids[address] = self._step_of(address) if address else None
        return self._ids[address]

    def _finish(self, event: RunEvent) -> None:
        """Close what is still open: a run that has ended has no running steps."""
        for step, mark in self._marks.items():
            if mark.status in _OPEN:
                self._marks[step] = replace(_timed(mark, event), status=_LEFT_OPEN[type(event.payload)], detail="")
                self._changed.add(step)


def _timed(mark: StepMark, event: RunEvent) -> StepMark:
    return replace(mark, elapsed_ms=max(0, event.at_ns - mark.started_ns) // 1_000_000)


def _fresh(event: RunEvent) -> StepMark:
    return StepMark(MarkStatus.RUNNING, started_ns=event.at_ns)


def _entered(mark: StepMark | None, event: RunEvent, _entered: StepEntered) -> StepMark:
    return _fresh(event) if mark is None else replace(_fresh(event), visits=mark.visits + 1)


def _exited(mark: StepMark | None, event: RunEvent, exited: StepExited) -> StepMark:
    status = _EXITS.get(exited.status, MarkStatus.DONE)
    return replace(_timed(mark or _fresh(event), event), status=status, detail=error_of(event))


def _failed(mark: StepMark | None, event: RunEvent, _failure: StepFailure) -> StepMark:
    return replace(_timed(mark or _fresh(event), event), status=MarkStatus.FAILED, detail=error_of(event))


def _waiting(mark: StepMark | None, event: RunEvent, asked: InputAsked) -> StepMark:
    if mark is not None and mark.status is MarkStatus.BLOCKED and asked.purpose is Purpose.TURN:
        return mark  # the question is asked again: why the last answer was blocked matters more
    detail = first_line(asked.text)
    known = mark or replace(_fresh(event), visits=0)
    return replace(_timed(known, event), status=MarkStatus.WAITING, detail=detail)


def _going_on(mark: StepMark | None, event: RunEvent, _payload: EventPayload) -> StepMark:
    """The step runs again; a trigger, which is asked about without being entered, is done."""
    known = mark or _fresh(event)
    status = MarkStatus.RUNNING if known.visits else MarkStatus.DONE
    return replace(_timed(known, event), status=status, detail="")


def _called(mark: StepMark | None, event: RunEvent, _call: ToolCalled) -> StepMark:
    """A step whose last call was blocked is at work again."""
    if mark is None or mark.status is not MarkStatus.BLOCKED:
        return mark or _fresh(event)
    return replace(mark, status=MarkStatus.RUNNING, detail="")


def _fired(mark: StepMark | None, event: RunEvent, _trigger: TriggerFired) -> StepMark:
    """A trigger began the playbook that it stands in."""
    return replace(_fresh(event), status=MarkStatus.DONE, visits=(mark.visits if mark else 0) + 1)


def _next_round(mark: StepMark | None, event: RunEvent, _begun: RoundBegun) -> StepMark:
    known = _timed(mark or _fresh(event), event)
    return replace(known, iterations=known.iterations + 1)


def _blocked(mark: StepMark | None, event: RunEvent, blocked: CallInDoubt | CallBlocked) -> StepMark:
    detail = first_line(blocked.message if isinstance(blocked, CallBlocked) else blocked.text)
    return replace(_timed(mark or _fresh(event), event), status=MarkStatus.BLOCKED, detail=detail)


def error_of(event: RunEvent) -> str:
    """The first line of what went wrong, empty where nothing did."""
    match event.payload:
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


_OPEN = frozenset({MarkStatus.RUNNING, MarkStatus.WAITING, MarkStatus.BLOCKED})
_EXITS = {StepStatus.SKIPPED: MarkStatus.SKIPPED, StepStatus.FAILED: MarkStatus.FAILED}
_LEFT_OPEN: dict[type[EventPayload], MarkStatus] = {
    RunCompleted: MarkStatus.DONE,
    RunFailure: MarkStatus.FAILED,
    RunCancelled: MarkStatus.SKIPPED,
}
_RULES: dict[type[EventPayload], Callable[[StepMark | None, RunEvent, Any], StepMark]] = {
    StepEntered: _entered,
    StepExited: _exited,
    StepFailure: _failed,
    InputAsked: _waiting,
    InputGiven: _going_on,
    RoundBegun: _next_round,
    TriggerFired: _fired,
    CallInDoubt: _blocked,
    CallBlocked: _blocked,
    ToolCalled: _called,
    CallResolved: _going_on,
}
