"""Tells which steps of a step list begin and end, and what is not kept."""

from __future__ import annotations

from collections.abc import Iterator

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
    """Tells what has changed in *plan*, and was not told by an event yet."""

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
        """Steps that began, steps that ended, violations; the same again as long as nothing of it has happened."""
        executions = self._plan.executions
        open_ones = (*self._going_on, *executions[self._seen :])
        self._going_on = [one for one in open_ones if one.completed_at is None or one.step_id not in self._left]
        self._seen = len(executions)
        told: dict[tuple[str, bool], Draft] = {}
        for execution in self._going_on:
            step = execution.step_id
            if step not in self._entered:
                told.setdefault((step, False), self._entering(step))
            if execution.completed_at is not None and step not in self._left:
                told.setdefault((step, True), self._leaving(execution))
        return (*told.values(), *self._reports())

    def enter(self, step_id: str) -> Drafts:
        """A step begins, unless it has begun."""
        return () if step_id in self._entered else (self._entering(step_id),)

    def _entering(self, step_id: str) -> Draft:
        step = self._plan.playbook.get_step(step_id)
        return draft_at(self._places.of(step_id), StepEntered(step.description if step else "", id=step_id))

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
        return tuple(told)

    def _leaving(self, execution: StepExecution) -> Draft:
        payload = StepExited(
            _STATUS[execution.status],
            id=execution.step_id,
            is_failed=execution.status is StepStatus.FAILED,
            error=execution.error,
        )
        return draft_at(self._places.of(execution.step_id), payload)

    def _reports(self) -> Iterator[Draft]:
        """What was not kept, where that is news."""
        reported: dict[tuple[str, str, str], int] = {}
        for one in self._plan.violations:
            key = (one.violation_type, one.step_id or "", one.tool_name or "")
            if reported.get(key, self._reported.get(key)) != one.times:
                reported[key] = one.times
                yield draft_at(self._places.of(one.step_id), _violated(one))


def _violated(one: EnforcementViolation) -> PlanViolated:
    return PlanViolated(one.violation_type, one.message, one.tool_name, one.step_id or "", one.blocked, one.times)
