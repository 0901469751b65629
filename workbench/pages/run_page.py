"""The page of one run: what it was, and the evidence of what it did."""

from __future__ import annotations

from workbench.engine.audit.chain import chained
from workbench.engine.audit.deeds import enforcement_words
from workbench.engine.enforcement.playbook_plan import PlaybookPlan
from workbench.engine.journal.events import RunEvent
from workbench.engine.state.fold import fold
from workbench.engine.state.run_state import RunState
from workbench.i18n import _, numeral
from workbench.pages.comparison_words import run_words
from workbench.pages.evidence import deeds_table, events_table, plan_table, violations_table
from workbench.pages.page import facts, moment, page


def run_page(events: tuple[RunEvent, ...], plan: PlaybookPlan | None) -> str:
    """The page of the run of *events*. *plan*: at its end, None where it was not enforced."""
    state = fold(events)
    title = _("Audit of {playbook}").format(playbook=state.origin.playbook)
    parts = [_head(events, state, plan), deeds_table(events)]
    if plan is not None:
        parts += [violations_table(plan), plan_table(plan)]
    return page(title, [*parts, events_table(events)])


def _head(events: tuple[RunEvent, ...], state: RunState, plan: PlaybookPlan | None) -> str:
    origin = state.origin
    head = list(chained(events))[-1][1]
    rows = [
        (_("Run"), events[0].run),
        (_("File"), origin.path or "–"),
        (_("Digest of the text"), origin.pb_hash),
        (_("Started"), moment(events[0].at_ns)),
        (_("Last event"), moment(events[-1].at_ns)),
        (_("Status"), run_words(state.status) + (f": {state.error}" if state.error else "")),
        (_("Enforcement"), enforcement_words(origin)),
        (_("Events"), numeral(len(events))),
        (_("Head of the hash chain"), head),
    ]
    if plan is not None:
        rows.insert(3, (_("Digest of the plan"), plan.digest))
    return facts(rows)
