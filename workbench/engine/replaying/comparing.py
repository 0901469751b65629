"""Whether what a replay decides is what was recorded, and where the two differ.

On the text that a run was begun with, everything has to be the same but what only the machine reads. On another text,
what happens has to be the same: what is asked, told, called, set and decided, and not where its steps stand, nor how
those are worded that are carried out exactly.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from workbench.engine.decider import Draft
from workbench.engine.expressions.data import canonical
from workbench.engine.journal import language_events as language
from workbench.engine.journal import model_events as model
from workbench.engine.journal import run_events as run
from workbench.engine.journal import steplist_events as steplist
from workbench.engine.journal.codec import encoded, name_of
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.payload import NOTHING, EventPayload, Leading
from workbench.i18n import _
from workbench.secrets import holds_mark, is_mark, may_have_been

_MACHINE = frozenset({"pc", "old"})
"""What only the machine reads, and what earlier events have said."""
_OF_TEXT = frozenset({"reads"})
_OF_TEXT_IN: Mapping[type[EventPayload], frozenset[str]] = {
    model.ModelAsked: frozenset({"context", "tokens"}),
    steplist.TurnAsked: frozenset({"context"}),
    steplist.PlanAdopted: frozenset({"digest"}),
    run.RunCreated: frozenset({"path", "pb_hash", "plan_hash", "linked", "person"}),
    run.RunCompleted: frozenset({"plan"}),
    run.RunFailure: frozenset({"plan"}),
    run.StepEntered: frozenset({"text"}),
    language.TriggerFired: frozenset({"trigger"}),
}
"""What follows from words and places of the text that are not carried out."""
_DECODER = json.JSONDecoder()
_PLACE = ("step", "line", "span", "parent")


@dataclass(frozen=True, slots=True)
class Difference:
    """A part of an event that is otherwise. NOTHING stands for what is not there."""

    name: str
    recorded: Any
    came: Any


@dataclass(slots=True)
class Comparison:
    """How events are compared in one replay. *is_own_text*: the run is replayed on the text that it was begun with.

    *places*: how steps that failed are called in the recorded run, and in this one. *secrets*: what marks stand for, as
    far as the record says it elsewhere.
    """

    is_own_text: bool
    secrets: dict[str, str] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)

    def differences(self, recorded: RunEvent, came: Draft) -> tuple[Difference, ...]:
        """The parts in which *came* is not what was *recorded*."""
        if type(recorded.payload) is not type(came.payload):
            return (Difference("event", recorded.name, name_of(came.payload)),)
        if isinstance(came.payload, run.StepFailure) and not self.is_own_text:
            self.places[_place(recorded.step, recorded.line)] = _place(came.step, came.line)
        names = ("actor", "attempt", *(_PLACE if self.is_own_text else ()))
        around = [(name, getattr(recorded, name), getattr(came, name)) for name in names]
        found = [Difference(*each) for each in around if each[1] != each[2]]
        if not found and recorded.payload == came.payload:
            return ()
        return (*found, *self._in_bodies(recorded.payload, came.payload))

    def _in_bodies(self, recorded: EventPayload, came: EventPayload) -> Iterator[Difference]:
        before, now = self._body(recorded), self._body(came)
        if canonical(before) == canonical(now):
            return
        before, now = json.loads(canonical(before)), json.loads(canonical(now))
        for name in dict.fromkeys((*before, *now)):
            one, other = before.get(name, NOTHING), now.get(name, NOTHING)
            if name == "context" and isinstance(one, str) and isinstance(other, str) and one.startswith(other):
                continue  # what a library knew at that time stands behind it
            if not self._is_same(one, other):
                yield Difference(name, one, other)

    def _body(self, payload: EventPayload) -> dict[str, Any]:
        body = dict(encoded(replace(payload, kept=None) if payload.kept is not None else payload))
        left_out = _MACHINE if self.is_own_text else _MACHINE | _OF_TEXT | _OF_TEXT_IN.get(type(payload), frozenset())
        kept = {name: value for name, value in body.items() if name not in left_out}
        return {**kept, "plan": _without_times(kept["plan"])} if "plan" in kept else kept

    def _is_same(self, recorded: Any, came: Any) -> bool:
        """Whether *came* is what was *recorded*; in either, marks may stand in the place of secrets."""
        if is_mark(came) and isinstance(recorded, str) and not holds_mark(recorded):
            self.secrets[came] = recorded
        if is_mark(recorded) or is_mark(came):
            return True
        match recorded, came:
            case str(), str():
                return self._is_same_text(recorded, came)
            case dict(), dict():
                return recorded.keys() == came.keys() and all(self._is_same(recorded[key], came[key]) for key in came)
            case list(), list():
                return len(recorded) == len(came) and all(map(self._is_same, recorded, came))
            case _:
                return type(recorded) is type(came) and bool(recorded == came)

    def _is_same_text(self, recorded: str, came: str) -> bool:
        for before, now in self.places.items():
            recorded = recorded if recorded == came else recorded.replace(before, now)
        if recorded == came or may_have_been(recorded, came) or may_have_been(came, recorded):
            return True
        return "{" in recorded and _in_order(recorded) == _in_order(came)


def _without_times(plan: Any) -> Any:
    """*plan* without the times in it: some are those at which it was looked at."""
    if isinstance(plan, Mapping):
        timeless = (key for key in plan if key != "timestamp" and not key.endswith("_at"))
        return {key: _without_times(plan[key]) for key in timeless}
    return [_without_times(each) for each in plan] if isinstance(plan, list | tuple) else plan


def _in_order(text: str) -> str:
    """*text*, with the keys of each JSON object in it in order: a journal does not keep theirs."""
    parts, at = [], 0
    while (start := text.find("{", at)) >= 0:
        try:
            value, end = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            value, end = "{", start + 1
        parts += [text[at:start], value if isinstance(value, str) else canonical(value)]
        at = end
    return "".join((*parts, text[at:]))


def _place(step: str, line: int) -> str:
    return _("{step} (line {line})").format(step=step, line=line) if line else step


_BY_WHOEVER_WALKS = (run.ToolResult, run.ToolError, steplist.CallBlocked, steplist.PlanSteered)


def as_world_said(draft: Draft, event: RunEvent) -> Draft:
    """*draft*, with what the world had a say in taken from the recorded *event*, where that is of its kind."""
    match draft.payload, event.payload:
        case run.ToolCalled() as call, run.ToolCalled(noted=noted, asks=asks):
            # what a fork has taken over is called as the other run has called it
            key = event.payload.key if _number(event.payload.key) == _number(call.key) else call.key
            said = replace(call, noted=noted, asks=asks, key=key, mock=event.payload.mock)
            if said.mock is not None:  # nothing was done, whatever the tool does otherwise
                said = replace(said, safety=event.payload.safety)
            return replace(draft, payload=said, actor=event.actor)
        case run.CallResolved() as resolved, run.CallResolved(noted=noted):
            return replace(draft, payload=replace(resolved, noted=noted))
        case run.InputGiven() as given, run.InputGiven(judge=judge, instead=instead):
            return replace(draft, payload=replace(given, judge=judge, instead=instead), actor=event.actor)
    return replace(draft, actor=event.actor) if isinstance(event.payload, _BY_WHOEVER_WALKS) else draft


def _number(key: str) -> str:
    return key.rpartition(":")[2]


def with_secrets(draft: Draft, recorded: EventPayload) -> Draft:
    """*draft*, which was found to be the same, with what was *recorded* where only that knows a secret."""
    if type(draft.payload) is not type(recorded) or not holds_mark(encoded(draft.payload)):
        return draft
    if isinstance(draft.payload, Leading) and isinstance(recorded, Leading):
        return replace(draft, payload=replace(recorded, pc=draft.payload.pc))
    return replace(draft, payload=recorded)


def with_message(draft: Draft, recorded: EventPayload) -> Draft:
    """*draft*, failing for what *recorded* failed for: only the world knows the words of that."""
    match draft.payload, recorded:
        case run.StepFailure(), run.StepFailure(message):
            return replace(draft, payload=run.StepFailure(message))
        case run.RunFailure() as failure, run.RunFailure(message):
            return replace(draft, payload=replace(failure, message=message))
        case run.ToolError() as error, run.ToolError(message, instead=instead):
            return replace(draft, payload=replace(error, message=message, instead=instead))
    return draft
