"""What a run says about each of its steps: one small mark per address."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from workbench.model.program import PROMPT, StepId
from workbench.model.showing.marks_along import MarkKind


class MarkStatus(enum.Enum):
    """How far a step is. NEXT: the run is paused before it. NO: its condition was evaluated, and did not hold."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    WAITING = "waiting"
    SKIPPED = "skipped"
    BLOCKED = "blocked"
    STOPPED = "stopped"
    NEXT = "next"
    NO = "no"


@dataclass(frozen=True, slots=True)
class StepMark:
    """What the run says about one step.

    *elapsed_ms*: of the last visit, as of the last event. *detail*: the first line of the error,
    or of what is waited for. *iterations*: rounds a loop has begun. *started_ns*: on the clock of the
    run, so that a view can let the elapsed time of a running step grow. *visits*: times entered.
    """

    status: MarkStatus
    elapsed_ms: int = 0
    detail: str = ""
    iterations: int = 0
    started_ns: int = 0
    visits: int = 1


@dataclass(frozen=True)
class RunMarks(Mapping[StepId, StepMark]):
    """The marks of all steps and prompts that the run has reached. *changed*: those the last batch touched."""

    marks: Mapping[StepId, StepMark] = field(default_factory=dict)
    changed: frozenset[StepId] = frozenset()

    def __getitem__(self, step: StepId) -> StepMark:
        return self.marks[step]

    def __iter__(self) -> Iterator[StepId]:
        return iter(self.marks)

    def __len__(self) -> int:
        return len(self.marks)

    def since(self, before: RunMarks) -> RunMarks:
        """The same, where *before* is what was shown until now."""
        steps = self.marks.keys() | before.marks.keys()
        return RunMarks(self.marks, frozenset(step for step in steps if self.get(step) != before.get(step)))

    def latest(self, statuses: frozenset[MarkStatus]) -> StepId | None:
        """Of the steps in one of *statuses* the one that was entered last, which is the innermost; never a prompt."""
        steps = ((step, mark) for step, mark in self.marks.items() if not step.startswith(PROMPT))
        found = {step: mark.started_ns for step, mark in steps if mark.status in statuses}
        return max(found, key=lambda step: found[step]) if found else None


OPEN = frozenset({MarkStatus.RUNNING, MarkStatus.WAITING, MarkStatus.BLOCKED})
MARK_OF_STATUS = {
    MarkStatus.RUNNING: MarkKind.RUNNING,
    MarkStatus.NEXT: MarkKind.RUNNING,
    MarkStatus.WAITING: MarkKind.WAITING,
    MarkStatus.FAILED: MarkKind.FAILED,
    MarkStatus.BLOCKED: MarkKind.BLOCKED,
}
"""What of a run is marked on scroll bars."""
