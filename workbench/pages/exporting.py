"""The audit of a run as a file: every event, spans, or a page: its flowchart, its time, what was said, the evidence."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from workbench.engine.audit.chain import chained, json_lines
from workbench.engine.audit.deeds import Deed, Outcome, deeds_of, enforcement_words, plain, plan_at_end
from workbench.engine.audit.otlp import otlp_text
from workbench.engine.comparing.passes import passes_of
from workbench.engine.enforcement.playbook_plan import PlaybookPlan
from workbench.engine.journal import approval_events as approval
from workbench.engine.journal import debug_events as debug
from workbench.engine.journal import fork_events as fork
from workbench.engine.journal import language_events as language
from workbench.engine.journal import model_events as model
from workbench.engine.journal import run_events as run
from workbench.engine.journal import steplist_events as steplist
from workbench.engine.journal import waiting_events as waiting
from workbench.engine.journal.codec import encoded
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.run_list import name_of
from workbench.engine.language.program.linked import linked_from
from workbench.engine.starting import snapshot_of
from workbench.engine.state.fold import fold
from workbench.engine.state.run_state import RunState
from workbench.errors import StoreFailed
from workbench.event_words import described
from workbench.i18n import N_, LazyText, _, numeral
from workbench.model.snapshot import Snapshot
from workbench.pages import flowchart as flowcharts
from workbench.pages import run_timeline
from workbench.pages.comparison_words import OUTCOMES, run_words
from workbench.pages.flowchart import flowchart
from workbench.pages.marks import Ran, marks_of
from workbench.pages.page import facts, heading, moment, page, safe, shown, table
from workbench.pages.run_timeline import timeline
from workbench.vocabulary import status_in_plan


class AuditForm(enum.Enum):
    """How an audit is written."""

    JSON_LINES = "jsonl"
    PAGE = "html"
    OTLP = "otlp"


def form_of(path: Path) -> AuditForm:
    """The form that the ending of *path* asks for; JSON lines unless it is that of a page, or of spans."""
    if path.name.lower().endswith((".otlp.json", ".otlp")):
        return AuditForm.OTLP
    return AuditForm.PAGE if path.suffix.lower() in (".html", ".htm") else AuditForm.JSON_LINES


def audit_bytes(journal: Journal, run: RunId, form: AuditForm, *, contents: bool = False) -> bytes:
    """The audit of *run* as it stands in a file. Raises StoreFailed as ``audit_text`` does."""
    return audit_text(journal, run, form, contents=contents).encode("utf-8", "backslashreplace")


def audit_text(journal: Journal, run: RunId, form: AuditForm, *, contents: bool = False) -> str:
    """The audit of *run*. Raises StoreFailed where it is unknown, or is not as it was written.

    *contents*: whether spans hold what was said, given and came back; the other forms always do.
    """
    events = journal.check(run)
    if form is AuditForm.OTLP:
        return otlp_text(events, contents=contents)
    if form is AuditForm.JSON_LINES:
        return "".join(f"{line}\n" for line in json_lines(events))
    return run_page(events, plan_at_end(events, journal), _texts_of(events, journal))


def _texts_of(events: tuple[RunEvent, ...], journal: Journal) -> dict[str, Snapshot]:
    """The text that the run of *events* carried out, and those that its steps link to, by what stands before their
    addresses; empty where one is lost.
    """
    state = fold(events)
    try:
        linked = linked_from(state.origin.linked, journal)
        return {"": snapshot_of(state, journal), **{f"{path}/": each for path, each in linked.items()}}
    except StoreFailed:
        return {}


def run_page(events: tuple[RunEvent, ...], plan: PlaybookPlan | None, texts: Mapping[str, Snapshot]) -> str:
    """The page of the run of *events*. *plan*: at its end, None where it was not enforced.

    *texts*: what it carried out, by what stands before the addresses of its steps; empty where that is lost.
    """
    state = fold(events)
    title = _("Report of a run: {playbook}").format(playbook=name_of(state.origin))
    marks = marks_of(passes_of(events))
    chart = flowchart([Ran(snapshot, before, marks) for before, snapshot in texts.items()])
    evidence = [_deeds_table(events)]
    if plan is not None:
        evidence += [_violations_table(plan), _plan_table(plan)]
    parts = [
        _head(events, state, plan),
        chart,
        timeline(events),
        conversation(events),
        *evidence,
        _events_table(events),
    ]
    return page(title, filter(None, parts), _STYLE)


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


def _deeds_table(events: tuple[RunEvent, ...]) -> str:
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


def _violations_table(plan: PlaybookPlan) -> str:
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


def _plan_table(plan: PlaybookPlan) -> str:
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


def _events_table(events: tuple[RunEvent, ...]) -> str:
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


_CONVERSATION_STYLE = """
.talk { margin: .5rem 0 2rem } .talk div { border-left: 3px solid var(--line); margin: .4rem 0; padding: .1rem .8rem }
.talk .answered { border-color: var(--accent); background: var(--raised) } .talk .said { border-color: var(--good) }
.talk .wrong { border-color: var(--bad) } .talk p { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap }
@media print { .talk div { break-inside: avoid } }
"""
_STYLE = flowcharts.STYLE + run_timeline.STYLE + _CONVERSATION_STYLE
_ASKED, _ANSWERED, _SAID, _TOLD, _WRONG = "asked", "answered", "said", "told", "wrong"
_KINDS: dict[type, tuple[str, LazyText]] = {
    run.InputAsked: (_ASKED, N_("asked")),
    run.InputGiven: (_ANSWERED, N_("answered")),
    run.Told: (_SAID, N_("said")),
    run.CallInDoubt: (_ASKED, N_("asked")),
    run.CallResolved: (_ANSWERED, N_("answered")),
    run.RunPaused: (_TOLD, N_("paused")),
    run.RunResumed: (_TOLD, N_("resumed")),
    debug.BreakpointHit: (_TOLD, N_("stopped at a breakpoint")),
    debug.StateEdited: (_ANSWERED, N_("changed by a person")),
    fork.RunForked: (_TOLD, N_("fork")),
    run.StepFailure: (_WRONG, N_("failed")),
    run.ToolError: (_WRONG, N_("failed")),
    run.RunFailure: (_WRONG, N_("failed")),
    approval.ApprovalAsked: (_ASKED, N_("asked for leave")),
    approval.ApprovalGranted: (_ANSWERED, N_("allowed")),
    approval.ApprovalDenied: (_ANSWERED, N_("refused")),
    model.JudgementHandedOver: (_TOLD, N_("handed over to a person")),
    language.MessageSent: (_SAID, N_("sent")),
    steplist.TurnTaken: (_SAID, N_("said")),
    steplist.CallBlocked: (_WRONG, N_("blocked")),
    waiting.MessageHeard: (_ANSWERED, N_("message")),
}


def conversation(events: Sequence[RunEvent]) -> str:
    """All that was asked, answered and said in *events*; empty where nothing was."""
    found = list(_said(events))
    lines = shown(found, _line, lambda words: f'<div class="muted">{words}</div>')
    return f'{heading(_("Conversation"))}<div class="talk">{lines}</div>' if found else ""


def _said(events: Sequence[RunEvent]) -> Iterator[tuple[RunEvent, str]]:
    """The events that belong to the conversation, with their words."""
    last = ""
    for event in events:
        if type(event.payload) not in _KINDS:
            continue
        words = _words(event)
        is_said_again = words == last and isinstance(event.payload, run.RunFailure)  # by the step that failed
        if (words and not is_said_again) or isinstance(event.payload, run.RunPaused | run.RunResumed):
            last = words
            yield event, words


def _line(said: tuple[RunEvent, str]) -> str:
    event, words = said
    kind, what = _KINDS[type(event.payload)]
    head = " · ".join(filter(None, (moment(event.at_ns)[11:19], event.step, _by(event), str(what))))
    return f'<div class="{kind}"><span class="muted">{safe(head)}</span><p>{safe(words)}</p></div>'


def _words(event: RunEvent) -> str:
    """What *event* says; of a turn only its words, since its calls stand among the deeds."""
    if isinstance(event.payload, steplist.TurnTaken):
        return event.payload.text
    if isinstance(event.payload, run.Told):
        return event.payload.text  # with its lines
    return described(event)


def _by(event: RunEvent) -> str:
    """Who answered, where that was a model; or to whom something is said."""
    match event.payload:
        case run.InputGiven(judge=judge):
            return judge
        case run.Told(target=target):
            return f"→ {target}" if target else ""
    return ""
