"""A step list in the course of one run: which step is current, and what became of the others."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from itertools import islice
from typing import Any

from workbench.engine.enforcement.records import (
    FINISHED,
    CallRecord,
    Clock,
    EnforcementViolation,
    StepExecution,
    StepStatus,
    utc_now,
)
from workbench.model.loader.steplist import Playbook, PlaybookStep

_VIOLATION_LIMIT = 1_000
"""How many different violations are kept; a run that does more than that wrong is beyond help."""


class _Executions(dict[str, StepExecution]):
    """The records of steps by id; whoever puts one in, the plan counts it."""

    def __init__(self, counts: Counter[StepStatus]) -> None:
        super().__init__()
        self._counts = counts

    def __setitem__(self, step_id: str, execution: StepExecution) -> None:
        before = self.get(step_id)
        self._counts[before.status if before is not None else StepStatus.PENDING] -= 1
        self._counts[execution.status] += 1
        super().__setitem__(step_id, execution)


class PlanRecord:
    """What happened in one run of a playbook, and how it is changed.

    *run*, *digest*: the run and the version of the playbook that it is bound to.
    *step_executions*: by step id, only steps that were begun; *calls*: everything that was
    wanted, in order.
    """

    def __init__(self, playbook: Playbook, run: str = "", digest: str = "", clock: Clock = utc_now) -> None:
        self.playbook = playbook
        self.run = run
        self.digest = digest
        self.clock = clock
        self.started_at = clock()
        self.metadata: dict[str, Any] = {}
        self.current_step_index = 0
        self.failed = False
        self.total_tool_calls = 0
        self.turns = 0
        self.was_reminded = False
        self.errors: list[str] = []
        self.calls: list[CallRecord] = []
        self._violations: dict[tuple[str, str | None, str | None, bool], EnforcementViolation] = {}
        self._counts: Counter[StepStatus] = Counter({StepStatus.PENDING: len(self.playbook.steps)})
        self.step_executions: dict[str, StepExecution] = _Executions(self._counts)
        self._enter(self.clock())

    @property
    def current_step(self) -> PlaybookStep | None:
        """The step whose turn it is, or None out of range."""
        index = self.current_step_index
        return self.playbook.steps[index] if 0 <= index < len(self.playbook.steps) else None

    def status(self, step_id: str) -> StepStatus:
        """Where a step stands."""
        execution = self.step_executions.get(step_id)
        return execution.status if execution is not None else StepStatus.PENDING

    def begin(self, step: PlaybookStep) -> StepExecution:
        """The record of *step*, made where it was not begun; its time begins now."""
        execution = self.step_executions.get(step.id)
        if execution is None:
            execution = StepExecution(step.id, StepStatus.IN_PROGRESS, started_at=self.clock())
            self.step_executions[step.id] = execution
        return execution

    def set_status(self, execution: StepExecution, status: StepStatus) -> None:
        """Change where a step stands, and all counts with it."""
        self._counts[execution.status] -= 1
        self._counts[status] += 1
        execution.status = status
        if status in FINISHED:
            execution.completed_at = self.clock()

    def move_on(self) -> bool:
        """Make the next step that is not finished the current one; whether there is one."""
        steps = self.playbook.steps
        while self.current_step_index < len(steps):
            if self.status(steps[self.current_step_index].id) not in FINISHED:
                self._enter(self.clock())
                return True
            self.current_step_index += 1
        return False

    def _enter(self, now: dt.datetime) -> None:
        """Note when the current step became current: its time limit counts from here."""
        self.entered_at = now

    def add_violation(self, violation: EnforcementViolation) -> EnforcementViolation:
        """Keep *violation*, or count it with an equal one; what is kept."""
        key = (violation.violation_type, violation.step_id, violation.tool_name, violation.blocked)
        known = self._violations.get(key)
        if known is not None:
            violation = known._replace(times=known.times + 1, last_at=violation.timestamp, message=violation.message)
        if known is not None or len(self._violations) < _VIOLATION_LIMIT:
            self._violations[key] = violation
        return violation


class PlaybookPlan(PlanRecord):
    """One playbook bound to one run, with every question about it; those about numbers take constant time."""

    @property
    def completed(self) -> bool:
        """True when every step is finished and no required one failed; at once for an empty playbook."""
        is_past = self._counts[StepStatus.PENDING] + self._counts[StepStatus.IN_PROGRESS] == 0
        return is_past and not self.failed

    @property
    def progress(self) -> float:
        """Share of the steps that are completed or skipped; 1.0 where there are none."""
        total = len(self.playbook.steps)
        done = self._counts[StepStatus.COMPLETED] + self._counts[StepStatus.SKIPPED]
        return done / total if total else 1.0

    @property
    def executions(self) -> tuple[StepExecution, ...]:
        """What happened, step by step, in the order in which steps were begun."""
        return tuple(self.step_executions.values())

    @property
    def unresolved_required_steps(self) -> tuple[str, ...]:
        """Ids of required steps that are not completed."""
        steps = (step for step in self.playbook.steps if step.required)
        return tuple(step.id for step in steps if self.status(step.id) is not StepStatus.COMPLETED)

    @property
    def violations(self) -> tuple[EnforcementViolation, ...]:
        """Everything that was not kept, equal ones counted."""
        return tuple(self._violations.values())

    def outline(self, limit: int) -> tuple[tuple[PlaybookStep, ...], int]:
        """The open steps after the current one, at most *limit*, and how many more there are."""
        steps = self.playbook.steps
        later = (steps[index] for index in range(self.current_step_index + 1, len(steps)))
        shown = tuple(islice((step for step in later if self.status(step.id) not in FINISHED), limit))
        current = self.current_step
        is_open = current is not None and self.status(current.id) not in FINISHED
        still_open = self._counts[StepStatus.PENDING] + self._counts[StepStatus.IN_PROGRESS] - is_open
        return shown, still_open - len(shown)

    def is_step_complete(self, step_id: str) -> bool:
        """True for a completed step."""
        return self.status(step_id) is StepStatus.COMPLETED

    def get_step_execution(self, step_id: str) -> StepExecution | None:
        """What happened in a step, or None where it was not begun."""
        return self.step_executions.get(step_id)

    def summary(self) -> dict[str, Any]:
        """Counts per status (they add up to the total), progress, and whether it is over; in constant time."""
        counts = {status.value: self._counts[status] for status in StepStatus}
        return {
            "total_steps": len(self.playbook.steps),
            "current_step_index": self.current_step_index,
            **counts,
            "progress": self.progress,
            "is_complete": self.completed,
        }
