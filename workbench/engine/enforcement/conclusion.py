"""The turns of a model under a plan: what it is told, when it is stopped, and whether it may say it is done."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from workbench.engine.enforcement.decisions import SKIP_STEP, may_be_passed
from workbench.engine.enforcement.enforcer import PlaybookEnforcer
from workbench.engine.enforcement.playbook_plan import PlaybookPlan
from workbench.engine.enforcement.records import FINISHED
from workbench.engine.enforcement.satisfaction import Lack, is_by_words, lacks_of
from workbench.engine.enforcement.statements import open_required_steps, still_open
from workbench.i18n import _, ngettext, numeral
from workbench.model.loader.steplist import PlaybookStep

MAX_TURNS = "playbook_max_iterations"
_OUTLINE_LIMIT = 12
"""How many further steps the outline names."""


class ConclusionKind(enum.Enum):
    """What becomes of a model that answers in words.

    REFUSED: the words do not hold what the step asks of them. REMINDED, INCOMPLETE: steps are open, the first and
    the second time.
    """

    ACCEPTED = "complete"
    STEP_DONE = "step_done"
    REFUSED = "validation_failed"
    REMINDED = "reminded"
    INCOMPLETE = "playbook_incomplete"


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The answer to a model that answers in words; *message* is what it is told."""

    kind: ConclusionKind
    message: str = ""

    @property
    def is_taken(self) -> bool:
        """Whether the words did what they were to do."""
        return self.kind in (ConclusionKind.ACCEPTED, ConclusionKind.STEP_DONE)


def conclude(enforcer: PlaybookEnforcer, answer: str = "") -> Conclusion:
    """What an answer in words does: it is the work of a step that needs no tool, or says that all is done.

    Such a step is reached over steps that may be left behind, as a call reaches the step that expects it. While
    required steps are open the model is reminded once; the second time the run stops as incomplete, and that is noted.
    """
    plan = enforcer.plan
    step = _step_for_words(plan, answer)
    if step is not None:
        missing = [lack.message for lack in _lacks_by_words(plan, step, answer)]
        while not missing and plan.current_step is not step:
            enforcer.moves.pass_over(_("Skipped in favour of an answer"))
        enforcer.moves.complete(step, answer)
        if missing:
            return Conclusion(ConclusionKind.REFUSED, " ".join(missing))
    open_steps = open_required_steps(plan)
    if not open_steps:
        return Conclusion(ConclusionKind.ACCEPTED)
    if step is not None:
        return Conclusion(ConclusionKind.STEP_DONE, still_open(open_steps))
    return _early(enforcer, still_open(open_steps))


def _early(enforcer: PlaybookEnforcer, message: str) -> Conclusion:
    """The answer to a model that says it is done while steps are open."""
    if not enforcer.plan.was_reminded:
        enforcer.plan.was_reminded = True
        return Conclusion(ConclusionKind.REMINDED, message)
    enforcer.moves.violation("conclusion_unresolved", message, enforcer.plan.current_step)
    return Conclusion(ConclusionKind.INCOMPLETE, message)


def _step_for_words(plan: PlaybookPlan, answer: str) -> PlaybookStep | None:
    """The next step that *answer* completes, over steps that may be left behind; None where there is none.

    Nothing is left behind for an empty answer: it says that all is done, and does nothing.
    """
    for step in plan.playbook.steps[plan.current_step_index :] if not plan.failed else ():
        if plan.status(step.id) in FINISHED:
            continue
        if is_by_words(step):
            return step
        if not may_be_passed(plan, step) or not answer.strip():
            return None
    return None


def _lacks_by_words(plan: PlaybookPlan, step: PlaybookStep, answer: str) -> list[Lack]:
    lacks = lacks_of(plan.playbook, step, plan.get_step_execution(step.id), answer)
    return [lack for lack in lacks if lack.blocks]


def may_take_turn(plan: PlaybookPlan) -> bool:
    """Whether the playbook allows a further turn of the model."""
    limit = plan.playbook.max_iterations
    return limit is None or plan.turns < limit or plan.completed


def note_last_turn(enforcer: PlaybookEnforcer) -> None:
    """Note, once, that the playbook allows no further turn."""
    plan = enforcer.plan
    if all(one.violation_type != MAX_TURNS for one in plan.violations):
        enforcer.moves.violation(MAX_TURNS, last_turn_text(plan), plan.current_step)


def last_turn_text(plan: PlaybookPlan) -> str:
    """Why the playbook allows no further turn."""
    limit = numeral(plan.playbook.max_iterations or 0)
    return _("All turns that the playbook allows ({limit}) have been used.").format(limit=limit)


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
    if not step.required:
        lines.append(_("This step is optional: {tool} leaves it out.").format(tool=SKIP_STEP))
    left, more = plan.outline(_OUTLINE_LIMIT)
    if left:
        lines.append(_("Still to come:"))
        lines += [f"- {one.description}" + ("" if one.required else _(" (optional)")) for one in left]
        if more:
            lines.append("- " + ngettext("and {count} more step", "and {count} more steps", more))
    return "\n".join(lines)
