"""How a plan moves: steps are finished, passed over, failed, tried again; and what was not kept is noted."""

from __future__ import annotations

from typing import Any

from workbench.engine.enforcement.playbook_plan import PlaybookPlan
from workbench.engine.enforcement.records import FINISHED, EnforcementViolation, StepExecution, StepStatus
from workbench.engine.enforcement.satisfaction import Lack, lacks_of, may_be_closed
from workbench.i18n import _, numeral
from workbench.model.loader.steplist import PlaybookStep

TIMEOUT = "timeout"


class Transitions:
    """The moves of one plan."""

    def __init__(self, plan: PlaybookPlan, *, records: bool = True) -> None:
        self._plan = plan
        self._records = records

    def finish(self, execution: StepExecution, status: StepStatus) -> bool:
        """End a step; whether another one follows."""
        self._plan.set_status(execution, status)
        return self._plan.move_on()

    def complete(self, step: PlaybookStep, words: Any = None) -> tuple[Lack, ...]:
        """End *step* as done, by what was called and by *words*, and note what it lacks.

        What it cannot be done without is returned; it then goes on.
        """
        lacks = lacks_of(self._plan.playbook, step, self._plan.get_step_execution(step.id), words)
        for lack in lacks:
            self.violation(lack.code, lack.message, step, blocked=lack.blocks)
        blocking = tuple(lack for lack in lacks if lack.blocks)
        if not blocking:
            execution = self._plan.begin(step)
            execution.result = words
            self.finish(execution, StepStatus.COMPLETED)
        return blocking

    def close(self, step: PlaybookStep) -> None:
        """End *step* as done whatever it lacks, and note that."""
        if self.complete(step):
            self.finish(self._plan.begin(step), StepStatus.COMPLETED)

    def pass_over(self, reason: str) -> None:
        """Leave the current step behind: as done where it may be closed, else as left out."""
        step = self._plan.current_step
        if step is None:
            return
        if may_be_closed(self._plan.playbook, step, self._plan.get_step_execution(step.id)):
            self.complete(step)
        else:
            self.skip(step, reason)

    def skip(self, step: PlaybookStep, reason: str) -> None:
        """Leave out *step*."""
        execution = self._plan.begin(step)
        execution.result = reason
        self.finish(execution, StepStatus.SKIPPED)

    def fail(self, step: PlaybookStep, error: str) -> None:
        """The step failed; an optional one is left behind, a required one ends the plan."""
        execution = self._plan.begin(step)
        self._plan.errors.append(f"Step {step.id}: {error}")
        execution.error = error
        if not step.required and step.on_failure == "skip":
            self.finish(execution, StepStatus.SKIPPED)
            return
        self._plan.set_status(execution, StepStatus.FAILED)
        execution.is_waiting = step.on_failure == "ask"
        self._plan.failed = self._plan.failed or step.required
        if not step.required:
            self._plan.move_on()

    def check_time(self) -> None:
        """Fail the current step when its time is up."""
        late = self.overdue
        if late is not None:
            self.time_out(*late)

    @property
    def overdue(self) -> tuple[PlaybookStep, str] | None:
        """The current step and why it fails, when its time is up."""
        step = self._plan.current_step
        if step is None or step.timeout_seconds is None or self._plan.failed:
            return None
        taken = (self._plan.clock() - self._plan.entered_at).total_seconds()
        if taken <= step.timeout_seconds:
            return None
        limit = numeral(step.timeout_seconds, "g")
        return step, _("Step {step} took longer than {limit} s.").format(step=step.id, limit=limit)

    def time_out(self, step: PlaybookStep, message: str) -> None:
        """*step* fails since its time is up, unless it has ended."""
        if self._plan.status(step.id) not in FINISHED and not self._plan.failed:
            self.violation(TIMEOUT, message, step)
            self.fail(step, message)

    def violation(
        self,
        kind: str,
        message: str,
        step: PlaybookStep | None = None,
        tool: str | None = None,
        *,
        blocked: bool = False,
    ) -> EnforcementViolation:
        """Note that something was not kept; what is kept of it."""
        now = self._plan.clock()
        violation = EnforcementViolation(kind, message, now, now, step.id if step else None, tool, blocked)
        return self._plan.add_violation(violation) if self._records else violation
