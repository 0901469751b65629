"""What a run says about each step of the document: one small mark per step id.

A run executes a frozen snapshot and speaks in addresses; marks are kept by step id, so they
stay with their steps while the document is edited.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from workbench.engine.journal import events as event_types
from workbench.engine.journal.events import RunEvent
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
            if event.type in event_types.FINAL:
                self._finish(event)
            elif event.type in _RULES and (step := self._step(event.step)) is not None:
                self._marks[step] = _RULES[event.type](self._marks.get(step), event)
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
                self._marks[step] = replace(_timed(mark, event), status=_LEFT_OPEN[event.type], detail="")
                self._changed.add(step)


def _timed(mark: StepMark, event: RunEvent) -> StepMark:
    return replace(mark, elapsed_ms=max(0, event.at_ns - mark.started_ns) // 1_000_000)


def _fresh(event: RunEvent) -> StepMark:
    return StepMark(MarkStatus.RUNNING, started_ns=event.at_ns)


def _entered(mark: StepMark | None, event: RunEvent) -> StepMark:
    return _fresh(event) if mark is None else replace(_fresh(event), visits=mark.visits + 1)


def _exited(mark: StepMark | None, event: RunEvent) -> StepMark:
    status = _EXITS.get(str(event.body.get("status")), MarkStatus.DONE)
    return replace(_timed(mark or _fresh(event), event), status=status, detail=error_of(event))


def _failed(mark: StepMark | None, event: RunEvent) -> StepMark:
    return replace(_timed(mark or _fresh(event), event), status=MarkStatus.FAILED, detail=error_of(event))


def _waiting(mark: StepMark | None, event: RunEvent) -> StepMark:
    if mark is not None and mark.status is MarkStatus.BLOCKED and event.body.get("purpose") == Purpose.TURN.value:
        return mark  # the question is asked again: why the last answer was blocked matters more
    detail = first_line(str(event.body.get("text", "")))
    known = mark or replace(_fresh(event), visits=0)
    return replace(_timed(known, event), status=MarkStatus.WAITING, detail=detail)


def _going_on(mark: StepMark | None, event: RunEvent) -> StepMark:
    """The step runs again; a trigger, which is asked about without being entered, is done."""
    known = mark or _fresh(event)
    status = MarkStatus.RUNNING if known.visits else MarkStatus.DONE
    return replace(_timed(known, event), status=status, detail="")


def _called(mark: StepMark | None, event: RunEvent) -> StepMark:
    """A step whose last call was blocked is at work again."""
    if mark is None or mark.status is not MarkStatus.BLOCKED:
        return mark or _fresh(event)
    return replace(mark, status=MarkStatus.RUNNING, detail="")


def _fired(mark: StepMark | None, event: RunEvent) -> StepMark:
    """A trigger began the playbook that it stands in."""
    return replace(_fresh(event), status=MarkStatus.DONE, visits=(mark.visits if mark else 0) + 1)


def _next_round(mark: StepMark | None, event: RunEvent) -> StepMark:
    known = _timed(mark or _fresh(event), event)
    return replace(known, iterations=known.iterations + 1)


def _blocked(mark: StepMark | None, event: RunEvent) -> StepMark:
    detail = first_line(str(event.body.get("text") or event.body.get("message") or ""))
    return replace(_timed(mark or _fresh(event), event), status=MarkStatus.BLOCKED, detail=detail)


def error_of(event: RunEvent) -> str:
    """The first line of what went wrong, empty where nothing did."""
    return first_line(str(event.body.get("error") or event.body.get("message") or ""))


def first_line(text: str) -> str:
    """The first line of *text* that is not blank."""
    return next((line.strip() for line in text.splitlines() if line.strip()), "")


_OPEN = frozenset({MarkStatus.RUNNING, MarkStatus.WAITING, MarkStatus.BLOCKED})
_EXITS = {"skipped": MarkStatus.SKIPPED, "failed": MarkStatus.FAILED}
_LEFT_OPEN = {
    event_types.RUN_COMPLETED: MarkStatus.DONE,
    event_types.RUN_FAILED: MarkStatus.FAILED,
    event_types.RUN_CANCELLED: MarkStatus.SKIPPED,
}
_RULES: dict[str, Callable[[StepMark | None, RunEvent], StepMark]] = {
    event_types.STEP_ENTERED: _entered,
    event_types.STEP_EXITED: _exited,
    event_types.STEP_FAILED: _failed,
    event_types.INPUT_ASKED: _waiting,
    event_types.INPUT_GIVEN: _going_on,
    event_types.LOOP_ITERATION: _next_round,
    event_types.TRIGGER_FIRED: _fired,
    event_types.IN_DOUBT: _blocked,
    event_types.CALL_BLOCKED: _blocked,
    event_types.TOOL_CALL: _called,
    event_types.RESOLVED: _going_on,
}
