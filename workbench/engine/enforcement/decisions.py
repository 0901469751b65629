"""May this tool be called now? Pure decisions over a plan, in a fixed order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from workbench.engine.enforcement.playbook_plan import PlaybookPlan
from workbench.engine.enforcement.records import FINISHED, StepStatus
from workbench.engine.enforcement.satisfaction import may_be_closed
from workbench.i18n import _, numeral
from workbench.model.loader.steplist import PlaybookStep

COMPLETE_STEP, SKIP_STEP, TASK_COMPLETE, ASK_USER = "complete_step", "skip_step", "task_complete", "ask_user"
CONTROL_TOOLS = frozenset({COMPLETE_STEP, SKIP_STEP, TASK_COMPLETE, ASK_USER})
"""Tools that say something about the plan itself; no step has to expect them."""

Skills = Mapping[str, frozenset[str]]
"""For each skill the tools that it allows."""


class Decision(NamedTuple):
    """The answer about one call.

    *problem*: a code, empty where the call is allowed. *place*: of the step it counts for, among all steps,
    None for an extra call. *passes*: steps before that one are left behind for it.
    """

    problem: str = ""
    message: str = ""
    place: int | None = None
    passes: bool = False
    is_extra: bool = False
    hints: tuple[str, ...] = ()


def decide(plan: PlaybookPlan, tool: str, reserved: Mapping[str, int], skills: Skills | None) -> Decision:
    """Whether *tool* may be called now; *reserved*: calls per step that are allowed but not yet recorded."""
    step = plan.current_step
    if step is None or plan.failed:
        return _without_step(plan, tool)
    if plan.playbook.strict_sequence:
        if tool in step.tools and not (skills and step.uses):
            return _within_cap(plan, step, plan.current_step_index, reserved)
        return Decision(is_extra=True) if tool in CONTROL_TOOLS else _in_order(plan, tool, reserved, skills)
    return Decision(is_extra=True) if tool in CONTROL_TOOLS else _in_any_order(plan, tool, reserved)


def _without_step(plan: PlaybookPlan, tool: str) -> Decision:
    """No step is current: the plan failed, is complete, or its index is out of range."""
    if tool in CONTROL_TOOLS:
        return Decision(is_extra=True)
    if plan.failed:
        return _after_failure(plan)
    if plan.completed:
        return _after_the_end(plan)
    message = _("The plan has no current step although it is not complete. Start a new run.")
    return Decision("plan_inconsistent", message)


def _after_failure(plan: PlaybookPlan) -> Decision:
    failed = next((one for one in plan.executions if one.status is StepStatus.FAILED), None)
    name = failed.step_id if failed else ""
    message = _("The required step {step} failed, so nothing more may be called. Start a new run.")
    return Decision("step_failed", message.format(step=name))


def _after_the_end(plan: PlaybookPlan) -> Decision:
    hint = _("Playbook execution is complete")
    if plan.playbook.allow_extra_tools:
        return Decision(is_extra=True, hints=(hint,))
    return Decision("playbook_complete", _("All steps are done; this playbook needs no further calls."), hints=(hint,))


def _in_order(plan: PlaybookPlan, tool: str, reserved: Mapping[str, int], skills: Skills | None) -> Decision:
    step = plan.current_step
    assert step is not None
    index = plan.current_step_index
    if skills is not None and step.uses:
        union = frozenset[str]().union(*[skills.get(name, frozenset()) for name in step.uses])
        if union and tool not in union:
            return _outside_skill(plan, step, tool)
    if _belongs(plan, step, tool):
        return _within_cap(plan, step, index, reserved)
    ahead = _reachable(plan, tool)
    if ahead is not None:
        found = _within_cap(plan, plan.playbook.steps[ahead], ahead, reserved)
        return found if found.problem else Decision(place=ahead, passes=True, hints=found.hints)
    return _not_expected(plan, step, tool)


def _belongs(plan: PlaybookPlan, step: PlaybookStep, tool: str) -> bool:
    if step.expected_tools:
        return tool in step.tools
    return step.any_tool or plan.playbook.locus_compat


def _reachable(plan: PlaybookPlan, tool: str) -> int | None:
    """The next step to which *tool* belongs and that only steps which may be left behind stand before."""
    steps = plan.playbook.steps
    for index in range(plan.current_step_index, len(steps)):
        if index > plan.current_step_index and _belongs(plan, steps[index], tool):
            return index
        if not may_be_passed(plan, steps[index]):
            return None
    return None


def may_be_passed(plan: PlaybookPlan, step: PlaybookStep) -> bool:
    """Whether *step* can be left behind: it is optional, or done but for calls that it only wished for."""
    return not step.required or may_be_closed(plan.playbook, step, plan.get_step_execution(step.id))


def _within_cap(plan: PlaybookPlan, step: PlaybookStep, index: int, reserved: Mapping[str, int]) -> Decision:
    cap = step.max_tool_calls
    if cap is not None and counted_calls(plan, step) + reserved.get(step.id, 0) >= cap:
        message = _("Step {step} has used all of its calls ({cap}).").format(step=step.id, cap=numeral(cap))
        return Decision("max_tool_calls", message, hints=(*step.hints, _("Consider moving to the next step")))
    return Decision(place=index, hints=step.hints)


def counted_calls(plan: PlaybookPlan, step: PlaybookStep) -> int:
    """How many calls of *step* count against its limit; failed ones only where the step says so."""
    execution = plan.step_executions.get(step.id)
    if execution is None:
        return 0
    return execution.success_count + (execution.failure_count if step.count_failures else 0)


def _not_expected(plan: PlaybookPlan, step: PlaybookStep, tool: str) -> Decision:
    """A tool that does not belong to the current step."""
    playbook = plan.playbook
    hints = (_expects(step), *step.hints)
    if not playbook.allow_extra_tools:
        message = _("{tool} does not belong to the current step, {step}.").format(tool=tool, step=step.id)
        return Decision("unexpected_tool", message, hints=hints)
    later = [index for index in playbook.steps_by_tool.get(tool, ()) if index > plan.current_step_index]
    if later and not playbook.extras_may_run_ahead:
        message = _("{tool} belongs to step {later}, but step {step} comes first.")
        told = message.format(tool=tool, later=playbook.steps[later[0]].id, step=step.id)
        return Decision("out_of_sequence", told, hints=hints)
    return Decision(is_extra=True, hints=step.hints)


def _expects(step: PlaybookStep) -> str:
    if step.expected_tools:
        return _("Current step expects: {tools}").format(tools=", ".join(step.expected_tools))
    return _("Current step needs no tool: {description}").format(description=step.description)


def _outside_skill(plan: PlaybookPlan, step: PlaybookStep, tool: str) -> Decision:
    if plan.playbook.allow_extra_tools:
        return Decision(is_extra=True, hints=step.hints)
    message = _("{tool} is not part of any skill that step {step} uses: {skills}.")
    told = message.format(tool=tool, step=step.id, skills=", ".join(step.uses))
    return Decision("tool_outside_skill", told, hints=step.hints)


def _in_any_order(plan: PlaybookPlan, tool: str, reserved: Mapping[str, int]) -> Decision:
    """The earliest open step that expects *tool* and has not seen it yet; else one that may see it again."""
    playbook = plan.playbook
    wanted = [index for index in playbook.steps_by_tool.get(tool, ()) if _is_open(plan, index)]
    if not wanted:
        step = plan.current_step
        assert step is not None
        if step.any_tool or (not step.expected_tools and playbook.locus_compat):
            return _within_cap(plan, step, plan.current_step_index, reserved)
        if playbook.allow_extra_tools:
            return Decision(is_extra=True, hints=step.hints)
        return Decision("unexpected_tool", _no_open_step(plan, tool), hints=(_open_tools(plan), *step.hints))
    unseen = [index for index in wanted if not _has_seen(plan, index, tool)]
    refused: Decision | None = None
    for index in unseen or wanted:
        found = _within_cap(plan, playbook.steps[index], index, reserved)
        if not found.problem:
            return found
        refused = refused or found
    assert refused is not None
    return refused


def _is_open(plan: PlaybookPlan, index: int) -> bool:
    return plan.status(plan.playbook.steps[index].id) not in FINISHED


def _has_seen(plan: PlaybookPlan, index: int, tool: str) -> bool:
    execution = plan.step_executions.get(plan.playbook.steps[index].id)
    return execution is not None and tool in execution.successes


def _no_open_step(plan: PlaybookPlan, tool: str) -> str:
    if tool in plan.playbook.steps_by_tool:
        return _("Every step that expects {tool} is finished.").format(tool=tool)
    return _("No step of this playbook expects {tool}.").format(tool=tool)


def _open_tools(plan: PlaybookPlan) -> str:
    steps = (step for index, step in enumerate(plan.playbook.steps) if _is_open(plan, index))
    tools = list(dict.fromkeys(tool for step in steps for tool in step.expected_tools))
    return _("Open steps expect: {tools}").format(tools=", ".join(tools[:20]))
