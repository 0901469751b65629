"""Tells which steps of a step list begin and end, and what is not kept."""

from __future__ import annotations

from workbench.engine.decider import Draft, Drafts, draft_at
from workbench.engine.enforcement.playbook_plan import PlaybookPlan
from workbench.engine.enforcement.records import FINISHED, EnforcementViolation, StepExecution, StepStatus
from workbench.engine.enforcement.satisfaction import may_be_closed
from workbench.engine.journal import choices
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.run_events import StepEntered, StepExited
from workbench.engine.journal.steplist_events import PlanViolated
from workbench.engine.steplists.places import StepListPlaces
from workbench.model.loader.steplist import PlaybookStep

_STATUS = {
    StepStatus.COMPLETED: choices.StepStatus.DONE,
    StepStatus.SKIPPED: choices.StepStatus.SKIPPED,
    StepStatus.FAILED: choices.StepStatus.FAILED,
}


class StepTeller:
    """Tells what has changed in *plan* since it was last asked."""

    def __init__(self, plan: PlaybookPlan, places: StepListPlaces) -> None:
        self._plan = plan
        self._places = places
        self._entered: set[str] = set()
        self._left: set[str] = set()
        self._going_on: list[StepExecution] = []
        self._seen = 0
        self._reported: dict[tuple[str, str, str], int] = {}

    def know(self, event: RunEvent) -> None:
        """What *event* tells is told."""
        match event.payload:
            case StepEntered(id=str(step)):
                self._entered.add(step)
            case StepExited(id=str(step)):
                self._left.add(step)
            case PlanViolated() as told:
                self._reported[told.type, told.step, told.tool or ""] = told.count

    def tell(self) -> Drafts:
        """Steps that began, steps that ended, violations."""
        executions = self._plan.executions
        going_on = [*self._going_on, *executions[self._seen :]]
        self._seen = len(executions)
        told: list[Draft] = []
        for execution in going_on:
            told += self.enter(execution.step_id)
            if execution.completed_at is not None and execution.step_id not in self._left:
                told.append(self._leave(execution))
        self._going_on = [execution for execution in going_on if execution.completed_at is None]
        reports = (self._report(violation) for violation in self._plan.violations)
        return (*told, *(report for report in reports if report is not None))

    def enter(self, step_id: str) -> Drafts:
        """A step begins, unless it has begun."""
        if step_id in self._entered:
            return ()
        self._entered.add(step_id)
        step = self._plan.playbook.get_step(step_id)
        entered = StepEntered(step.description if step else "", id=step_id)
        return (draft_at(self._places.of(step_id), entered),)

    def leave_behind(self, *steps: PlaybookStep) -> Drafts:
        """Those of *steps* that are open end: as done where they go as far as that, else as left out."""
        told: list[Draft] = []
        for step in steps:
            if self._plan.status(step.id) in FINISHED or step.id in self._left:
                continue
            is_done = may_be_closed(self._plan.playbook, step, self._plan.get_step_execution(step.id))
            status = choices.StepStatus.DONE if is_done else choices.StepStatus.SKIPPED
            exited = draft_at(self._places.of(step.id), StepExited(status, id=step.id, is_failed=False))
            told += (*self.enter(step.id), exited)
            self._left.add(step.id)
        return tuple(told)

    def _leave(self, execution: StepExecution) -> Draft:
        self._left.add(execution.step_id)
        payload = StepExited(
            _STATUS[execution.status],
            id=execution.step_id,
            is_failed=execution.status is StepStatus.FAILED,
            error=execution.error,
        )
        return draft_at(self._places.of(execution.step_id), payload)

    def _report(self, violation: EnforcementViolation) -> Draft | None:
        """What was not kept, where that is news."""
        key = (violation.violation_type, violation.step_id or "", violation.tool_name or "")
        if self._reported.get(key) == violation.times:
            return None
        self._reported[key] = violation.times
        payload = PlanViolated(
            violation.violation_type,
            violation.message,
            violation.tool_name,
            violation.step_id or "",
            violation.blocked,
            violation.times,
        )
        return draft_at(self._places.of(violation.step_id), payload)
