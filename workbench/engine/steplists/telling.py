"""Writes down which steps of a step list begin and end, and what is not kept."""

from __future__ import annotations

from collections.abc import Iterable

from workbench.engine.enforcement.plan import PlaybookPlan
from workbench.engine.enforcement.values import EnforcementViolation, StepExecution, StepStatus
from workbench.engine.journal import events as types
from workbench.engine.journal.events import RunEvent
from workbench.engine.steplists.places import ListedPlaces
from workbench.engine.steplists.record import ListedRecord

_STATUS = {StepStatus.COMPLETED: "done", StepStatus.SKIPPED: "skipped", StepStatus.FAILED: "failed"}


class StepTeller:
    """Tells what has changed in *plan* since it was last asked."""

    def __init__(self, plan: PlaybookPlan, record: ListedRecord, places: ListedPlaces) -> None:
        self._plan = plan
        self._record = record
        self._places = places
        self._entered: set[str] = set()
        self._left: set[str] = set()
        self._going_on: list[StepExecution] = []
        self._seen = 0
        self._reported: dict[tuple[str, str, str], int] = {}

    def know(self, events: Iterable[RunEvent]) -> None:
        """What *events* tell is told already."""
        for event in events:
            body = event.body
            if event.type == types.STEP_ENTERED:
                self._entered.add(body["id"])
            elif event.type == types.STEP_EXITED:
                self._left.add(body["id"])
            elif event.type == types.PLAN_VIOLATION:
                self._reported[body["type"], body["step"], body["tool"] or ""] = body["count"]

    def tell(self) -> None:
        """Steps that began, steps that ended, violations."""
        executions = self._plan.executions
        going_on = [*self._going_on, *executions[self._seen :]]
        self._seen = len(executions)
        for execution in going_on:
            self.enter(execution.step_id)
            if execution.completed_at is not None and execution.step_id not in self._left:
                self._leave(execution)
        self._going_on = [execution for execution in going_on if execution.completed_at is None]
        for violation in self._plan.violations:
            self._report(violation)

    def enter(self, step_id: str) -> None:
        """A step begins, unless it has begun."""
        if step_id not in self._entered:
            self._entered.add(step_id)
            step = self._plan.playbook.get_step(step_id)
            body = {"id": step_id, "text": step.description if step else ""}
            self._record.write(types.STEP_ENTERED, body, self._places.of(step_id))

    def _leave(self, execution: StepExecution) -> None:
        self._left.add(execution.step_id)
        is_failed = execution.status is StepStatus.FAILED
        body = {"id": execution.step_id, "status": _STATUS[execution.status], "is_failed": is_failed}
        if execution.error is not None:
            body["error"] = execution.error
        self._record.write(types.STEP_EXITED, body, self._places.of(execution.step_id))

    def _report(self, violation: EnforcementViolation) -> None:
        key = (violation.violation_type, violation.step_id or "", violation.tool_name or "")
        if self._reported.get(key) == violation.times:
            return
        self._reported[key] = violation.times
        body = {
            "type": violation.violation_type,
            "message": violation.message,
            "tool": violation.tool_name,
            "step": violation.step_id or "",
            "blocked": violation.blocked,
            "count": violation.times,
        }
        self._record.write(types.PLAN_VIOLATION, body, self._places.of(violation.step_id))
