"""What whoever walks a step list is shown at a turn: the step at hand, and what may be said of it."""

from __future__ import annotations

from workbench.engine.enforcement.enforcer import PlaybookEnforcer
from workbench.engine.steplists.places import ListedPlaces
from workbench.engine.steplists.ports import StepAtHand
from workbench.i18n import _

DONE, SKIP, FINISH = "done", "skip", "finish"
_MOST_LEFT = 4


def step_at_hand(enforcer: PlaybookEnforcer, places: ListedPlaces) -> StepAtHand | None:
    """The current step, or None where there is none."""
    plan = enforcer.plan
    step = plan.current_step
    if step is None or plan.completed:
        return None
    is_by_words = not step.expected_tools and not step.least_calls
    claims = ((DONE, is_by_words), (SKIP, not step.required), (FINISH, not is_by_words))
    left, more = plan.outline(_MOST_LEFT)
    words = [one.description for one in left] + ([_("and {count} more").format(count=more)] if more else [])
    return StepAtHand(
        places.of(step.id),
        step.description,
        step.expected_tools,
        step.hints,
        tuple(words),
        tuple(name for name, may_be_said in claims if may_be_said),
    )
