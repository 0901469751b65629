"""What can be said of a plan besides making calls: that its step is done or left out, or that all is done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.engine.enforcement.decisions import COMPLETE_STEP, SKIP_STEP, TASK_COMPLETE, may_be_passed
from workbench.engine.enforcement.enforcer import PlaybookEnforcer
from workbench.engine.enforcement.playbook_plan import PlaybookPlan
from workbench.engine.enforcement.recording import FinishedCall
from workbench.engine.enforcement.records import StepStatus
from workbench.engine.enforcement.satisfaction import Lack, lacks_of
from workbench.i18n import _
from workbench.model.loader.steplist import PlaybookStep


def objections(enforcer: PlaybookEnforcer, tool: str, arguments: Mapping[str, Any]) -> tuple[Lack, ...]:
    """Why what is said by calling *tool* does not hold; nothing where it holds. Changes nothing."""
    plan = enforcer.plan
    if tool == TASK_COMPLETE:
        open_steps = open_required_steps(plan)
        return (Lack("reminded", still_open(open_steps)),) if open_steps else ()
    if tool not in (COMPLETE_STEP, SKIP_STEP):
        return ()
    step = plan.current_step
    if step is None or plan.failed:
        return (Lack("playbook_complete", _("No step is open.")),)
    if tool == SKIP_STEP:
        required = Lack("step_required", _("Step {step} is required, so it cannot be skipped.").format(step=step.id))
        return (required,) if step.required else ()
    unseen = _unseen_tools(plan, step)
    if unseen is not None and enforcer.blocks:
        return (unseen,)
    lacks = lacks_of(plan.playbook, step, plan.get_step_execution(step.id), arguments.get("result"))
    return tuple(lack for lack in lacks if lack.blocks)


def say(enforcer: PlaybookEnforcer, tool: str, arguments: Mapping[str, Any]) -> tuple[Lack, ...]:
    """Take what is said by calling *tool*; where it does not hold, only what ``objections`` says of it is noted."""
    against = objections(enforcer, tool, arguments)
    if tool == SKIP_STEP:
        enforcer.skip_current_step(str(arguments.get("reason") or ""))
        return against
    enforcer.record_tool_call(FinishedCall(tool, arguments))
    step = enforcer.plan.current_step
    if tool == COMPLETE_STEP and step is not None:
        _complete(enforcer, step, arguments.get("result"))
    return against


def _complete(enforcer: PlaybookEnforcer, step: PlaybookStep, result: Any) -> None:
    unseen = _unseen_tools(enforcer.plan, step)
    if unseen is not None:
        enforcer.moves.violation(unseen.code, unseen.message, step, COMPLETE_STEP, blocked=enforcer.blocks)
    if unseen is None or not enforcer.blocks:
        enforcer.complete_current_step(result)


def _unseen_tools(plan: PlaybookPlan, step: PlaybookStep) -> Lack | None:
    """That *step* cannot be done by a statement, where calls that it expects were not made."""
    execution = plan.get_step_execution(step.id)
    if step.tools <= (execution.successes if execution is not None else set()):
        return None
    message = _("Step {step} cannot be completed by a statement: it expects {tools}.")
    return Lack("evidence_incomplete", message.format(step=step.id, tools=", ".join(step.expected_tools)))


def open_required_steps(plan: PlaybookPlan) -> tuple[str, ...]:
    """The ids of required steps that are neither done nor may be left behind as done."""
    steps = (step for step in plan.playbook.steps if step.required)
    return tuple(
        step.id for step in steps if plan.status(step.id) is not StepStatus.COMPLETED and not may_be_passed(plan, step)
    )


def still_open(steps: tuple[str, ...]) -> str:
    """The sentence that says which required *steps* are still open."""
    return _("These required steps are still open: {steps}.").format(steps=", ".join(steps))
