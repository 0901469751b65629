"""The enforcer: asked before each call, told after it, and the only one who moves a plan on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from workbench.engine.enforcement.decisions import Decision, Skills, decide
from workbench.engine.enforcement.playbook_plan import PlaybookPlan
from workbench.engine.enforcement.recording import CallRecorder, FinishedCall
from workbench.engine.enforcement.records import (
    CallOutcome,
    CallRecord,
    EnforcementResult,
    EnforcementViolation,
    StepStatus,
    digest_of,
)
from workbench.engine.enforcement.satisfaction import lacks_of
from workbench.engine.enforcement.transitions import Transitions
from workbench.i18n import _


class PlaybookEnforcer:
    """Keeps one plan. *block_violations* false: nothing is blocked, everything is noted."""

    def __init__(
        self,
        plan: PlaybookPlan,
        *,
        block_violations: bool = True,
        record_violations: bool = True,
        skills: Skills | None = None,
    ) -> None:
        self.plan = plan
        self.blocks = block_violations
        self._skills = skills
        self.moves = Transitions(plan, records=record_violations)
        self._recorder = CallRecorder(plan, self.moves)
        self._reserved: Counter[str] = Counter()
        self._allowed: dict[str, list[str]] = {}

    @property
    def violations(self) -> tuple[EnforcementViolation, ...]:
        """Everything that was not kept."""
        return self.plan.violations

    @property
    def current_step_hints(self) -> tuple[str, ...]:
        """The hints of the current step."""
        step = self.plan.current_step
        return step.hints if step is not None else ()

    def validate_tool_call(self, tool: str, arguments: Mapping[str, Any] | None = None) -> EnforcementResult:
        """Whether *tool* may be called now. An allowed call is reserved until it is recorded.

        Optional steps that stand before the one that expects *tool* are skipped by this.
        """
        self.moves.check_time()
        decision = decide(self.plan, tool, self._reserved, self._skills)
        return self._refused(tool, arguments, decision) if decision.problem else self._allow(tool, decision)

    def _allow(self, tool: str, decision: Decision) -> EnforcementResult:
        for _round in range(decision.skipped):
            self.moves.skip(_("Skipped in favour of {tool}").format(tool=tool))
        step = self.plan.playbook.steps[decision.place] if decision.place is not None else None
        if step is not None:
            self.plan.begin(step)
            self._reserved[step.id] += 1
        self._allowed.setdefault(tool, []).append(step.id if step is not None else "")
        return EnforcementResult(True, None, decision.hints, self.plan.current_step, step)

    def _refused(self, tool: str, arguments: Mapping[str, Any] | None, decision: Decision) -> EnforcementResult:
        step = self.plan.current_step
        violation = self.moves.violation(decision.problem, decision.message, step, tool, blocked=self.blocks)
        if not self.blocks:
            self._allowed.setdefault(tool, []).append("")
            return EnforcementResult(True, violation, decision.hints, step)
        now = violation.last_at
        digest = digest_of(arguments)
        owner = step.id if step else ""
        self.plan.calls.append(CallRecord(tool, owner, CallOutcome.BLOCKED, now, now, digest, decision.message))
        return EnforcementResult(False, violation, decision.hints, step)

    def record_tool_call(self, call: FinishedCall) -> None:
        """Note a call that was made, and let its step be done by it where it is."""
        step_id = self._credited(call.tool)
        self._recorder.record(call, self.plan.playbook.get_step(step_id) if step_id else None)

    def _credited(self, tool: str) -> str:
        """The step that an allowed call was reserved for; a call nobody asked about counts by what it is."""
        waiting = self._allowed.get(tool)
        if waiting:
            step_id = waiting.pop(0)
            if step_id:
                self._reserved[step_id] -= 1
            return step_id
        decision = decide(self.plan, tool, self._reserved, self._skills)
        if decision.problem:
            self.moves.violation(decision.problem, decision.message, self.plan.current_step, tool)
            return ""
        return self.plan.playbook.steps[decision.place].id if decision.place is not None else ""

    def complete_current_step(self, result: Any = None) -> bool:
        """Say that the current step is done; true when another one follows.

        Refused (false, with a violation) while it lacks calls, results or evidence that it
        cannot be done without.
        """
        step = self.plan.current_step
        if step is None or self.plan.failed:
            return False
        lacks = lacks_of(self.plan.playbook, step, self.plan.get_step_execution(step.id))
        for lack in lacks:
            self.moves.violation(lack.code, lack.message, step, blocked=lack.blocks)
        if any(lack.blocks for lack in lacks):
            return False
        execution = self.plan.begin(step)
        execution.result = result
        return self.moves.finish(execution, StepStatus.COMPLETED)

    def skip_current_step(self, reason: str = "") -> bool:
        """Leave out the current step; false where it is required."""
        step = self.plan.current_step
        if step is None or step.required or self.plan.failed:
            return False
        self.moves.skip(reason)
        return True
