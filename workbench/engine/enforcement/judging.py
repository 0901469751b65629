"""Calls judged one after the other, without making them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from workbench.engine.enforcement.conclusion import ConclusionKind, conclude
from workbench.engine.enforcement.enforcer import PlaybookEnforcer
from workbench.engine.enforcement.recording import FinishedCall
from workbench.engine.scripts import ScriptedCall
from workbench.i18n import _


@dataclass(frozen=True, slots=True)
class Judged:
    """What was decided about one call or answer."""

    call: ScriptedCall
    allowed: bool
    violation: str = ""
    message: str = ""
    step: str = ""
    hints: tuple[str, ...] = ()


def judge_calls(enforcer: PlaybookEnforcer, calls: tuple[ScriptedCall, ...]) -> Iterator[Judged]:
    """Ask about each call in order; what is allowed counts as made, with the result or error it has."""
    broken: int | None = None
    for call in calls:
        if not call.tool:
            yield _conclude(enforcer, call)
        elif call.batch is not None and call.batch == broken:
            message = _("An earlier call in the same batch was not done, so this call is not made.")
            yield Judged(call, False, "cancelled", message, hints=enforcer.current_step_hints)
        else:
            judged = _judge(enforcer, call)
            if call.batch is not None and (not judged.allowed or call.error is not None):
                broken = call.batch
            yield judged


def _judge(enforcer: PlaybookEnforcer, call: ScriptedCall) -> Judged:
    answer = enforcer.validate_tool_call(call.tool, call.arguments)
    violation = answer.violation
    if answer.allowed:
        enforcer.record_tool_call(FinishedCall(call.tool, call.arguments, call.result, call.error))
    step = answer.step.id if answer.step else ""
    kind, message = (violation.violation_type, violation.message) if violation else ("", "")
    return Judged(call, answer.allowed, kind, message, step, answer.hints)


def _conclude(enforcer: PlaybookEnforcer, call: ScriptedCall) -> Judged:
    before = enforcer.plan.current_step
    conclusion = conclude(enforcer, call.text)
    is_allowed = conclusion.kind in (ConclusionKind.ACCEPTED, ConclusionKind.STEP_DONE)
    kind = "" if is_allowed else conclusion.kind.value
    return Judged(call, is_allowed, kind, conclusion.message, before.id if before else "", enforcer.current_step_hints)
