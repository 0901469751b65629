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
    digest_of,
)
from workbench.engine.enforcement.transitions import Transitions
from workbench.i18n import _


class PlaybookEnforcer:
    """Keeps one plan. *block_violations* false: nothing is blocked, everything is noted.

    ``decision`` says what would become of a call and changes nothing; ``admit`` and ``block`` let it become so.
    ``validate_tool_call`` is both at once.
    """

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
        bound = {name: frozenset(tools) for name, tools in plan.playbook.skills.items()}
        self._skills = skills if skills is not None else bound or None
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

        Steps that may be left behind, and stand before the one to which *tool* belongs, are left behind by this.
        """
        self.moves.check_time()
        decision = self.decision(tool)
        is_blocked = self.blocks and decision.problem
        return self.block(tool, arguments, decision) if is_blocked else self.admit(tool, decision)

    def decision(self, tool: str) -> Decision:
        """What is to be said to a call of *tool* now."""
        return decide(self.plan, tool, self._reserved, self._skills)

    def admit(self, tool: str, decision: Decision) -> EnforcementResult:
        """Let a call of *tool* be made, as *decision* says, and keep a place for it."""
        current, violation = self.plan.current_step, None
        if decision.problem:
            violation = self.moves.violation(decision.problem, decision.message, current, tool)
        while decision.passes and self.plan.current_step_index < (decision.place or 0):
            self.moves.pass_over(_("Skipped in favour of {tool}").format(tool=tool))
        step = self.plan.playbook.steps[decision.place] if decision.place is not None else None
        if step is not None:
            self.plan.begin(step)
            self._reserved[step.id] += 1
        self._allowed.setdefault(tool, []).append(step.id if step is not None else "")
        return EnforcementResult(True, violation, decision.hints, self.plan.current_step, step)

    def block(self, tool: str, arguments: Mapping[str, Any] | None, decision: Decision) -> EnforcementResult:
        """Note that a call of *tool* was not made, for the reason that *decision* gives."""
        step = self.plan.current_step
        violation = self.moves.violation(decision.problem, decision.message, step, tool, blocked=True)
        now, owner = violation.last_at, step.id if step else ""
        digest = digest_of(arguments)
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
        decision = self.decision(tool)
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
        if step is None or self.plan.failed or self.moves.complete(step, result):
            return False
        return self.plan.current_step is not None

    def skip_current_step(self, reason: str = "") -> bool:
        """Leave out the current step; false where it is required."""
        step = self.plan.current_step
        if step is None or step.required or self.plan.failed:
            return False
        self.moves.skip(step, reason)
        return True
