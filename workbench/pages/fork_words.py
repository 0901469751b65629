"""What comes of a fork, in words."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.engine.expressions.data import canonical
from workbench.engine.forking.plan import ForkPlan, Lost, LostStep
from workbench.engine.journal.choices import Scope
from workbench.i18n import N_, _, ngettext, numeral

_MOST = 20
_LOST = {Lost.GONE: N_("is gone"), Lost.CHANGED: N_("was changed")}


def plan_lines(plan: ForkPlan) -> Iterator[str]:
    """*plan* in words, line by line, what stands against it first."""
    for refusal in plan.refusals:
        yield _("Cannot fork: {reason}").format(reason=refusal)
    if plan.next_step:
        yield _("Goes on with {step}: {text}").format(step=plan.next_step, text=" ".join(plan.next_text.split()))
    kept = len(plan.kept)
    yield ngettext("{count} step stays done.", "{count} steps stay done.", kept).format(count=numeral(kept))
    for edited in plan.edited:
        yield f"{'$' if edited.scope is Scope.STATE else ''}{edited.name} = {canonical(edited.new)}"
    yield from map(_lost_line, plan.lost[:_MOST])
    for call in plan.open_calls:
        said = _("In doubt, because it was under way: {tool}({arguments})")
        yield said.format(tool=call.tool, arguments=canonical(call.arguments)[1:-1])
    later = len(plan.later_calls)
    if later:
        message = ngettext(
            "The run made {count} call after this event, which the fork may make as well: {tools}",
            "The run made {count} calls after this event, which the fork may make as well: {tools}",
            later,
        )
        tools = ", ".join(dict.fromkeys(each.tool for each in plan.later_calls[:_MOST]))
        yield message.format(count=numeral(later), tools=tools)


def _lost_line(lost: LostStep) -> str:
    words = {"step": lost.step, "text": " ".join(lost.text.split()), "why": str(_LOST[lost.why])}
    if lost.is_open:
        return _("Under way, and {why}: {step} {text}").format(**words)
    return _("Done, and {why}: {step} {text}").format(**words)
