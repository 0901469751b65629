"""How a plan moves: steps are finished, passed over, failed, tried again; and what was not kept is noted."""

from __future__ import annotations

from workbench.engine.enforcement.playbook_plan import PlaybookPlan
from workbench.engine.enforcement.records import EnforcementViolation, StepExecution, StepStatus
from workbench.i18n import _, numeral
from workbench.model.loader.steplist import PlaybookStep


class Transitions:
    """The moves of one plan."""

    def __init__(self, plan: PlaybookPlan, *, records: bool = True) -> None:
        self._plan = plan
        self._records = records

    def finish(self, execution: StepExecution, status: StepStatus) -> bool:
        """End a step; whether another one follows."""
        self._plan.set_status(execution, status)
        return self._plan.move_on()

    def skip(self, reason: str) -> None:
        """Leave out the current step."""
        step = self._plan.current_step
        if step is not None:
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

    def check_time(self) -> bool:
        """Fail the current step when its time is up; whether it was."""
        step = self._plan.current_step
        if step is None or step.timeout_seconds is None or self._plan.failed:
            return False
        taken = (self._plan.clock() - self._plan.entered_at).total_seconds()
        if taken <= step.timeout_seconds:
            return False
        limit = numeral(step.timeout_seconds, "g")
        message = _("Step {step} took longer than {limit} s.").format(step=step.id, limit=limit)
        self.violation("timeout", message, step)
        self.fail(step, message)
        return True

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
