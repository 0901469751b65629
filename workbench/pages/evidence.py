"""What proves what a run did, as tables: who did what, the rules that were broken, the plan, and every event."""

from __future__ import annotations

from workbench.engine.audit.chain import chained
from workbench.engine.audit.deeds import Deed, Outcome, deeds_of, plain
from workbench.engine.enforcement.playbook_plan import PlaybookPlan
from workbench.engine.journal.codec import encoded
from workbench.engine.journal.events import RunEvent
from workbench.i18n import _
from workbench.pages.comparison_words import OUTCOMES
from workbench.pages.page import moment, safe, table
from workbench.vocabulary import status_in_plan


def deeds_table(events: tuple[RunEvent, ...]) -> str:
    """Every call, answer and statement, and what became of it."""
    names = (_("When"), _("Who"), _("Step"), _("What"), _("Arguments and their digest"), _("Outcome"), _("Result"))
    return table(_("Who did what"), names, deeds_of(events), _deed)


def _deed(deed: Deed) -> tuple[str, ...]:
    return (
        safe(moment(deed.at_ns)),
        safe(deed.actor),
        safe(deed.step),
        f"<code>{safe(deed.what)}</code>",
        f"<code>{safe(deed.arguments)}</code><br><span class=digest>{deed.digest}</span>",
        f"<span class={_class(deed.outcome)}>{safe(str(OUTCOMES[deed.outcome]))}</span>",
        safe(deed.result),
    )


def _class(outcome: Outcome) -> str:
    return {Outcome.DONE: "done", Outcome.FAILED: "failed", Outcome.BLOCKED: "blocked"}.get(outcome, "digest")


def violations_table(plan: PlaybookPlan) -> str:
    """The rules of *plan* that were broken."""
    rows = [
        (
            safe(one.timestamp.isoformat(timespec="milliseconds")),
            f"<code>{safe(one.violation_type)}</code>",
            safe(one.step_id or ""),
            safe(one.tool_name or ""),
            safe(one.message),
            safe(_("blocked") if one.blocked else _("recorded")),
            safe(str(one.times)),
        )
        for one in plan.violations
    ]
    names = (_("First at"), _("Violation"), _("Step"), _("Tool"), _("Message"), _("Consequence"), _("Times"))
    return table(_("Rules of the plan that were broken"), names, rows, lambda row: row)


def plan_table(plan: PlaybookPlan) -> str:
    """How far each step of *plan* has come."""
    rows = []
    for step in plan.playbook.steps:
        execution = plan.get_step_execution(step.id)
        calls, successes = (0, 0) if execution is None else (execution.tool_call_count, execution.success_count)
        cap = "" if step.max_tool_calls is None else str(step.max_tool_calls)
        texts = (
            *(step.id, step.description, str(status_in_plan(plan.status(step.id))), ", ".join(step.expected_tools)),
            *(str(calls), cap, str(successes), str(calls - successes)),
        )
        rows.append(tuple(safe(text) for text in texts))
    names = (
        *(_("Step"), _("Description"), _("Status"), _("Expected"), _("Calls"), _("At most")),
        *(_("Succeeded"), _("Failed")),
    )
    return table(_("The plan at the end"), names, rows, lambda row: row)


def events_table(events: tuple[RunEvent, ...]) -> str:
    """Every event with its hash, folded away."""
    names = (_("No."), _("When"), _("Who"), _("Event"), _("Step"), _("Contents"), _("Hash"))
    rows = table("", names, list(chained(events)), _event)
    return f"<details><summary>{safe(_('All events'))}</summary>{rows}</details>"


def _event(chained_event: tuple[RunEvent, str]) -> tuple[str, ...]:
    event, own = chained_event
    return (
        safe(str(event.seq)),
        safe(moment(event.at_ns)),
        safe(event.actor),
        f"<code>{safe(event.name)}</code>",
        safe(event.step),
        f"<code>{safe(plain(dict(encoded(event.payload))))}</code>",
        f"<span class=digest>{own}</span>",
    )
