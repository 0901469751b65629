"""The turns of a model under a plan: what it is told, when it is stopped, and whether it may say it is done."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from workbench.engine.enforcement.enforcer import PlaybookEnforcer
from workbench.i18n import _, ngettext, numeral

_OUTLINE_LIMIT = 12
"""How many further steps the outline names."""


class ConclusionKind(enum.Enum):
    """What becomes of a model that says it is done."""

    ACCEPTED = "complete"
    REMINDED = "reminded"
    STEP_DONE = "step_done"
    INCOMPLETE = "playbook_incomplete"


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The answer to a model that says it is done; *message* is what it is told."""

    kind: ConclusionKind
    message: str = ""


def conclude(enforcer: PlaybookEnforcer, answer: str = "") -> Conclusion:
    """Whether a model that answers with text may stop.

    A current step that needs no tool is done by the answer. While required steps are open
    the model is reminded once; the second time the run stops as incomplete, and that is noted.
    """
    plan = enforcer.plan
    step = plan.current_step
    is_done_by_words = step is not None and not step.expected_tools and not step.least_calls
    if is_done_by_words and not plan.failed:
        enforcer.complete_current_step(answer)
    if plan.completed:
        return Conclusion(ConclusionKind.ACCEPTED)
    open_steps = plan.unresolved_required_steps
    if not open_steps:
        return Conclusion(ConclusionKind.ACCEPTED)
    message = _("These required steps are still open: {steps}.").format(steps=", ".join(open_steps))
    if is_done_by_words:
        return Conclusion(ConclusionKind.STEP_DONE, message)
    if not plan.was_reminded:
        plan.was_reminded = True
        return Conclusion(ConclusionKind.REMINDED, message)
    enforcer.moves.violation("conclusion_unresolved", message, step)
    return Conclusion(ConclusionKind.INCOMPLETE, message)


def next_turn(enforcer: PlaybookEnforcer) -> bool:
    """Count a turn of the model; false when the playbook allows no further one."""
    plan = enforcer.plan
    limit = plan.playbook.max_iterations
    if limit is not None and plan.turns >= limit and not plan.completed:
        message = _("All turns that the playbook allows ({limit}) have been used.").format(limit=numeral(limit))
        enforcer.moves.violation("playbook_max_iterations", message, plan.current_step)
        return False
    plan.turns += 1
    return True


def context_text(enforcer: PlaybookEnforcer) -> str:
    """What a model must know at this turn: the current step, its hints, and what is left; empty when all is done.

    Made anew for each turn and put in place of the one before, never added to it.
    """
    plan = enforcer.plan
    step = plan.current_step
    if step is None or plan.completed:
        return ""
    number = plan.current_step_index + 1
    lines = [
        _("You follow the playbook “{name}”, step {number} of {total}.").format(
            name=plan.playbook.name, number=number, total=len(plan.playbook.steps)
        ),
        _("Now: {description}").format(description=step.description),
    ]
    if step.expected_tools:
        lines.append(_("Tools of this step: {tools}").format(tools=", ".join(step.expected_tools)))
    lines += [_("Hint: {hint}").format(hint=hint) for hint in step.hints]
    left, more = plan.outline(_OUTLINE_LIMIT)
    if left:
        lines.append(_("Still to come:"))
        lines += [f"- {one.description}" + ("" if one.required else _(" (optional)")) for one in left]
        if more:
            lines.append("- " + ngettext("and {count} more step", "and {count} more steps", more))
    return "\n".join(lines)
