"""The audit of a run as a file holds it."""

from __future__ import annotations

import datetime as dt
import enum
import html
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from workbench.engine.audit.chain import chained, json_lines
from workbench.engine.audit.otlp import otlp_text
from workbench.engine.enforcement.playbook_plan import PlaybookPlan
from workbench.engine.enforcement.records import digest_of
from workbench.engine.journal.codec import encoded
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.payload import EventPayload
from workbench.engine.journal.run_events import CallResolved, InputGiven, RunCreated, ToolCalled, ToolError, ToolResult
from workbench.engine.journal.steplist_events import CallBlocked, CallCancelled, PlanSteered
from workbench.engine.journal.waiting_events import MessageHeard
from workbench.engine.ports import InDoubtChoice
from workbench.engine.state.fold import fold
from workbench.engine.state.run_state import RunState
from workbench.engine.steplists.origin import plan_of
from workbench.i18n import _


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
    return audit_page(events, plan_at_end(events, journal))


def plan_at_end(events: tuple[RunEvent, ...], journal: Journal) -> PlaybookPlan | None:
    """The plan that *events* lead to; None for runs without one."""
    fold = plan_of(events, journal)
    return fold.plan if fold is not None else None


_STYLE = """
:root { color-scheme: light dark; --line: #d5d8de; --muted: #5b6270; --bad: #a3261d; --held: #8a4a00; --good: #1d6b37 }
@media (prefers-color-scheme: dark) {
  :root { --line: #3a404b; --muted: #a3abb8; --bad: #ff8d84; --held: #f2a061; --good: #74d38f }
}
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 2rem }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .6rem; text-align: left; vertical-align: top }
th { color: var(--muted); font-weight: 600 }
td { overflow-wrap: anywhere }
code, .digest { font: 12px/1.5 ui-monospace, monospace; overflow-wrap: anywhere }
.digest { color: var(--muted) }
.failed { color: var(--bad) } .blocked { color: var(--held) } .done { color: var(--good) }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem }
dt { color: var(--muted) } dd { margin: 0; overflow-wrap: anywhere }
"""


class Outcome(enum.Enum):
    """What became of a deed."""

    DONE = "done"
    FAILED = "failed"
    BLOCKED = "blocked"
    NOT_MADE = "not made"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Deed:
    """One call, answer or statement. *digest*: SHA-256 of the arguments, *result*: what it gave, or why not."""

    at_ns: int
    actor: str
    step: str
    what: str
    arguments: str
    digest: str
    outcome: Outcome
    result: str = ""


def deeds_of(events: Iterable[RunEvent]) -> tuple[Deed, ...]:
    """The deeds in *events*, in the order in which they were begun."""
    found: list[Deed] = []
    open_calls: dict[str, int] = {}
    for event in events:
        index = open_calls.get(event.span)
        if index is not None:
            found[index] = _ended(found[index], event.payload)
        deed = _begun(event)
        if deed is not None:
            if isinstance(event.payload, ToolCalled):
                open_calls[event.span] = len(found)
            found.append(deed)
    return tuple(found)


def _ended(deed: Deed, end: EventPayload) -> Deed:
    """*deed* as *end* leaves it, where that ends a call at all."""
    match end:
        case ToolResult(value=value):
            return replace(deed, outcome=Outcome.DONE, result=plain(value))
        case ToolError(message=message):
            return replace(deed, outcome=Outcome.FAILED, result=message)
        case CallResolved(how=how):
            return replace(deed, outcome=_RESOLVED[how], result=_("decided by a person after an interruption"))
        case _:
            return deed


_RESOLVED = {
    InDoubtChoice.DONE: Outcome.DONE,
    InDoubtChoice.SKIP: Outcome.NOT_MADE,
    InDoubtChoice.AGAIN: Outcome.OPEN,
}


def _begun(event: RunEvent) -> Deed | None:
    """The deed that *event* begins, None where it begins none."""
    match event.payload:
        case ToolCalled() as call:
            return _deed(event, call.tool, _arguments(call.named, call.positional), Outcome.OPEN)
        case CallBlocked() as call:
            told = f"{call.violation}: {call.message}"
            return _deed(event, call.tool, _arguments(call.named, call.positional), Outcome.BLOCKED, told)
        case CallCancelled() as call:
            return _deed(event, call.tool, call.named, Outcome.NOT_MADE, call.message)
        case PlanSteered() as said:
            outcome = Outcome.BLOCKED if said.refused else Outcome.DONE
            return _deed(event, said.tool, said.named, outcome, said.refused)
        case InputGiven(answer=answer):
            return _deed(event, _("answer"), answer, Outcome.DONE)
        case MessageHeard(text, sender=""):
            return _deed(event, _("message"), {"text": text}, Outcome.DONE)
        case _:
            return None


def _deed(event: RunEvent, what: str, arguments: Mapping[str, Any], outcome: Outcome, result: str = "") -> Deed:
    told, digest = plain(arguments) if arguments else "", digest_of(arguments)
    return Deed(event.at_ns, event.actor, event.step, what, told, digest, outcome, result)


def _arguments(named: Mapping[str, Any], positional: Sequence[Any]) -> dict[str, Any]:
    return {**{str(number): value for number, value in enumerate(positional, 1)}, **named}


def plain(value: Any) -> str:
    """*value* to read: text as it is, data as JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


def audit_page(events: tuple[RunEvent, ...], plan: PlaybookPlan | None) -> str:
    """The page of the run of *events*. *plan*: at its end, None where it was not enforced."""
    state = fold(events)
    title = _("Audit of {playbook}").format(playbook=state.origin.playbook)
    parts = [_head(events, state, plan), _deeds(events)]
    if plan is not None:
        parts += [_violations(plan), _plan(plan)]
    parts.append(_events(events))
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{_safe(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head><body>\n'
        f"<h1>{_safe(title)}</h1>\n" + "\n".join(parts) + "\n</body></html>\n"
    )


def _head(events: tuple[RunEvent, ...], state: RunState, plan: PlaybookPlan | None) -> str:
    origin = state.origin
    head = list(chained(events))[-1][1]
    facts = [
        (_("Run"), events[0].run),
        (_("File"), origin.path or "–"),
        (_("Digest of the text"), origin.pb_hash),
        (_("Started"), moment(events[0].at_ns)),
        (_("Last event"), moment(events[-1].at_ns)),
        (_("Status"), state.status.value + (f": {state.error}" if state.error else "")),
        (_("Enforcement"), enforcement_words(origin)),
        (_("Events"), str(len(events))),
        (_("Head of the hash chain"), head),
    ]
    if plan is not None:
        facts.insert(3, (_("Digest of the plan"), plan.digest))
    rows = "".join(f"<dt>{_safe(name)}</dt><dd>{_safe(value)}</dd>" for name, value in facts)
    return f"<dl>{rows}</dl>"


def enforcement_words(origin: RunCreated) -> str:
    """Whether the run that began with *origin* is enforced."""
    if origin.steplist is None:
        return _("off")
    return _("on") if origin.steplist.blocks else _("audit only")


def _deeds(events: tuple[RunEvent, ...]) -> str:
    rows = [
        (
            _safe(moment(deed.at_ns)),
            _safe(deed.actor),
            _safe(deed.step),
            f"<code>{_safe(deed.what)}</code>",
            f"<code>{_safe(deed.arguments)}</code><br><span class=digest>{deed.digest}</span>",
            f"<span class={_class(deed.outcome)}>{_safe(deed.outcome.value)}</span>",
            _safe(deed.result),
        )
        for deed in deeds_of(events)
    ]
    names = (_("When"), _("Who"), _("Step"), _("What"), _("Arguments and their digest"), _("Outcome"), _("Result"))
    return _table(_("Who did what"), names, rows)


def _class(outcome: Outcome) -> str:
    return {Outcome.DONE: "done", Outcome.FAILED: "failed", Outcome.BLOCKED: "blocked"}.get(outcome, "digest")


def _violations(plan: PlaybookPlan) -> str:
    rows = [
        (
            _safe(one.timestamp.isoformat(timespec="milliseconds")),
            f"<code>{_safe(one.violation_type)}</code>",
            _safe(one.step_id or ""),
            _safe(one.tool_name or ""),
            _safe(one.message),
            _safe(_("blocked") if one.blocked else _("recorded")),
            _safe(str(one.times)),
        )
        for one in plan.violations
    ]
    names = (_("First at"), _("Violation"), _("Step"), _("Tool"), _("Message"), _("Consequence"), _("Times"))
    return _table(_("Rules of the plan that were broken"), names, rows)


def _plan(plan: PlaybookPlan) -> str:
    rows = []
    for step in plan.playbook.steps:
        execution = plan.get_step_execution(step.id)
        calls, successes = (0, 0) if execution is None else (execution.tool_call_count, execution.success_count)
        cap = "" if step.max_tool_calls is None else str(step.max_tool_calls)
        texts = (
            *(step.id, step.description, plan.status(step.id).value, ", ".join(step.expected_tools)),
            *(str(calls), cap, str(successes), str(calls - successes)),
        )
        rows.append(tuple(_safe(text) for text in texts))
    names = (
        *(_("Step"), _("Description"), _("Status"), _("Expected"), _("Calls"), _("At most")),
        *(_("Succeeded"), _("Failed")),
    )
    return _table(_("The plan at the end"), names, rows)


def _events(events: tuple[RunEvent, ...]) -> str:
    rows = [
        (
            _safe(str(event.seq)),
            _safe(moment(event.at_ns)),
            _safe(event.actor),
            f"<code>{_safe(event.name)}</code>",
            _safe(event.step),
            f"<code>{_safe(plain(dict(encoded(event.payload))))}</code>",
            f"<span class=digest>{own}</span>",
        )
        for event, own in chained(events)
    ]
    names = (_("No."), _("When"), _("Who"), _("Event"), _("Step"), _("Contents"), _("Hash"))
    return f"<details><summary>{_safe(_('All events'))}</summary>{_table('', names, rows)}</details>"


def _table(title: str, names: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{_safe(name)}</th>" for name in names)
    lines = [f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows]
    heading = f"<h2>{_safe(title)}</h2>" if title else ""
    if not lines:
        return f"{heading}<p>{_safe(_('Nothing.'))}</p>"
    return f"{heading}<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


def moment(at_ns: int) -> str:
    """A time to read, UTC, to the millisecond."""
    return dt.datetime.fromtimestamp(at_ns / 1e9, dt.UTC).isoformat(sep=" ", timespec="milliseconds")


def _safe(text: str) -> str:
    """*text* as it can stand in a page, whatever is in it."""
    return html.escape(text.encode("utf-8", "backslashreplace").decode())
