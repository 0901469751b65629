"""What models may use in a run, and when to stop: before the next request, never after it."""

from __future__ import annotations

from workbench.engine.judges import Limits
from workbench.engine.state.judging import Used
from workbench.errors import InputNeeded
from workbench.i18n import _, numeral


class BudgetReached(InputNeeded):
    """The models of a run have used what they may; it goes on when they are given more."""


def check_budget(limits: Limits, used: Used, next_tokens: int) -> None:
    """Raises BudgetReached where the next request, of about *next_tokens*, would go beyond *limits* of the run."""
    reason = _reason(limits, used, next_tokens)
    if reason:
        message = _("{reason} The run waits. Resume it with a higher limit to go on.")
        raise BudgetReached(message.format(reason=reason))


def _reason(limits: Limits, used: Used, next_tokens: int) -> str:
    if limits.requests and used.requests >= limits.requests:
        message = _("The models have been asked as often as they may: {used} (limit {limit}).")
        return message.format(used=numeral(used.requests), limit=numeral(limits.requests))
    if limits.tokens and used.tokens + next_tokens > limits.tokens:
        message = _(
            "The tokens of the models are used up: {used} (limit {limit}); the next request would need about {next}."
        )
        return message.format(used=numeral(used.tokens), limit=numeral(limits.tokens), next=numeral(next_tokens))
    if limits.cost_usd and used.cost_usd >= limits.cost_usd:
        message = _("The models have cost what they may: ${used} (limit ${limit}).")
        return message.format(used=numeral(used.cost_usd, ".4f"), limit=numeral(limits.cost_usd, ".4f"))
    if limits.cost_usd and used.unpriced:
        return _("A limit on cost is set, but the price of an answer is not known. Enter the model's prices.")
    return ""
