"""Who did what, when, with which arguments: the deeds of a run, as values."""

from __future__ import annotations

import enum
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from workbench.engine.enforcement.values import digest_of
from workbench.engine.journal import events as types
from workbench.engine.journal.events import RunEvent
from workbench.i18n import _


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
        if event.type in _ENDS:
            index = open_calls.get(event.span)
            if index is not None:
                found[index] = _ended(found[index], event)
        elif event.type in _RULES:
            if event.type == types.TOOL_CALL:
                open_calls[event.span] = len(found)
            found.append(_RULES[event.type](event))
    return tuple(found)


def _ended(deed: Deed, event: RunEvent) -> Deed:
    body = event.body
    if event.type == types.TOOL_RESULT:
        return replace(deed, outcome=Outcome.DONE, result=plain(body.get("value")))
    if event.type == types.RESOLVED:
        told = {"done": Outcome.DONE, "skip": Outcome.NOT_MADE}.get(str(body.get("how")), Outcome.OPEN)
        return replace(deed, outcome=told, result=_("decided by a person after a break"))
    return replace(deed, outcome=Outcome.FAILED, result=str(body.get("message", "")))


def _call(event: RunEvent) -> Deed:
    return _deed(event, str(event.body["tool"]), _arguments(event.body), Outcome.OPEN)


def _blocked(event: RunEvent) -> Deed:
    body = event.body
    told = f"{body['violation']}: {body['message']}"
    return _deed(event, str(body["tool"]), _arguments(body), Outcome.BLOCKED, told)


def _cancelled(event: RunEvent) -> Deed:
    body = event.body
    return _deed(event, str(body["tool"]), _arguments(body), Outcome.NOT_MADE, str(body["message"]))


def _said(event: RunEvent) -> Deed:
    return _deed(event, str(event.body["tool"]), _arguments(event.body), Outcome.DONE)


def _given(event: RunEvent) -> Deed:
    return _deed(event, _("answer"), dict(event.body.get("answer") or {}), Outcome.DONE)


def _deed(event: RunEvent, what: str, arguments: Mapping[str, Any], outcome: Outcome, result: str = "") -> Deed:
    told, digest = plain(arguments) if arguments else "", digest_of(arguments)
    return Deed(event.at_ns, event.actor, event.step, what, told, digest, outcome, result)


def _arguments(body: Mapping[str, Any]) -> dict[str, Any]:
    positional = {str(number): value for number, value in enumerate(body.get("positional") or (), 1)}
    return {**positional, **dict(body.get("named") or {})}


def plain(value: Any) -> str:
    """*value* to read: text as it is, data as JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


_ENDS = frozenset({types.TOOL_RESULT, types.TOOL_ERROR, types.RESOLVED})
_RULES: dict[str, Callable[[RunEvent], Deed]] = {
    types.TOOL_CALL: _call,
    types.CALL_BLOCKED: _blocked,
    types.CALL_CANCELLED: _cancelled,
    types.PLAN_CONTROL: _said,
    types.INPUT_GIVEN: _given,
}
