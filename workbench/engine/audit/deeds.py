"""The deeds of a run: who called, answered and said what, and what became of it."""

from __future__ import annotations

import enum
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from workbench.engine.enforcement.playbook_plan import PlaybookPlan
from workbench.engine.enforcement.records import digest_of
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.instead import How, Instead, with_instead
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.payload import EventPayload
from workbench.engine.journal.run_events import CallResolved, InputGiven, RunCreated, ToolCalled, ToolError, ToolResult
from workbench.engine.journal.steplist_events import CallBlocked, CallCancelled, PlanSteered
from workbench.engine.journal.waiting_events import MessageHeard
from workbench.engine.ports import InDoubtChoice
from workbench.engine.steplists.origin import plan_of
from workbench.i18n import _


def plan_at_end(events: tuple[RunEvent, ...], journal: Journal) -> PlaybookPlan | None:
    """The plan that *events* lead to; None for runs without one."""
    fold = plan_of(events, journal)
    return fold.plan if fold is not None else None


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
        case ToolResult(value=value, instead=instead):
            return replace(deed, outcome=outcome_of(instead, Outcome.DONE), result=with_instead(plain(value), instead))
        case ToolError(message=message, instead=instead):
            return replace(deed, outcome=outcome_of(instead, Outcome.FAILED), result=with_instead(message, instead))
        case CallResolved(how=how):
            return replace(deed, outcome=_RESOLVED[how], result=_("decided by a person after an interruption"))
        case _:
            return deed


def outcome_of(instead: Instead | None, made: Outcome) -> Outcome:
    """What became of a call that came to *made*, where it was made at all."""
    return Outcome.NOT_MADE if instead is not None and instead.how is How.MOCK else made


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
        case InputGiven(answer=answer, instead=instead):
            return _deed(event, _("answer"), answer, Outcome.DONE, with_instead("", instead))
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


def enforcement_words(origin: RunCreated) -> str:
    """Whether the run that began with *origin* is enforced."""
    if origin.steplist is None:
        return _("off")
    return _("on") if origin.steplist.blocks else _("audit only")
