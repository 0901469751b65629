"""The page of one run: its flowchart, its time, what was said, and the evidence of what it did."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.engine.audit.chain import chained
from workbench.engine.audit.deeds import enforcement_words
from workbench.engine.comparing.passes import passes_of
from workbench.engine.enforcement.playbook_plan import PlaybookPlan
from workbench.engine.journal.events import RunEvent
from workbench.engine.state.fold import fold
from workbench.engine.state.run_state import RunState
from workbench.i18n import _, numeral
from workbench.model.snapshot import Snapshot
from workbench.pages import conversation as conversations
from workbench.pages import flowchart as flowcharts
from workbench.pages import run_timeline
from workbench.pages.comparison_words import run_words
from workbench.pages.conversation import conversation
from workbench.pages.evidence import deeds_table, events_table, plan_table, violations_table
from workbench.pages.flowchart import Ran, flowchart, marks_of
from workbench.pages.page import facts, moment, page
from workbench.pages.run_timeline import timeline


def run_page(events: tuple[RunEvent, ...], plan: PlaybookPlan | None, texts: Mapping[str, Snapshot]) -> str:
    """The page of the run of *events*. *plan*: at its end, None where it was not enforced.

    *texts*: what it carried out, by what stands before the addresses of its steps; empty where that is lost.
    """
    state = fold(events)
    title = _("Report of a run: {playbook}").format(playbook=state.origin.playbook)
    marks = marks_of(passes_of(events))
    chart = flowchart([Ran(snapshot, before, marks) for before, snapshot in texts.items()])
    evidence = [deeds_table(events)]
    if plan is not None:
        evidence += [violations_table(plan), plan_table(plan)]
    parts = [_head(events, state, plan), chart, timeline(events), conversation(events), *evidence, events_table(events)]
    return page(title, filter(None, parts), _STYLE)


_STYLE = flowcharts.STYLE + run_timeline.STYLE + conversations.STYLE


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
