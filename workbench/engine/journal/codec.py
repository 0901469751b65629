"""Events as they stand in the journal: a name, and a body of JSON values.

The only place that knows how a body is written. Whatever is read is written back as it was:
events and fields that this version does not know, and values that it would write otherwise, are
kept beside what it understands.
"""

from __future__ import annotations

import dataclasses
import enum
import types
import typing
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, NamedTuple, get_args, get_origin

from workbench.engine.journal import language_events as language
from workbench.engine.journal import run_events as run
from workbench.engine.journal import steplist_events as steplist
from workbench.engine.journal.payload import EventPayload, UnknownEvent

_TYPES: dict[str, type[EventPayload]] = {
    "run.created": run.RunCreated,
    "run.started": run.RunStarted,
    "run.paused": run.RunPaused,
    "run.resumed": run.RunResumed,
    "run.cancelling": run.RunCancelling,
    "run.cancelled": run.RunCancelled,
    "run.completed": run.RunCompleted,
    "run.failed": run.RunFailure,
    "playbook.entered": run.PlaybookEntered,
    "playbook.exited": run.PlaybookExited,
    "step.entered": run.StepEntered,
    "step.exited": run.StepExited,
    "step.failed": run.StepFailure,
    "branch.taken": run.BranchTaken,
    "loop.iter": run.RoundBegun,
    "var.set": run.VariableSet,
    "input.asked": run.InputAsked,
    "input.given": run.InputGiven,
    "say.told": run.Told,
    "tool.call": run.ToolCalled,
    "tool.output": run.ToolPrinted,
    "effect.result": run.ToolResult,
    "effect.error": run.ToolError,
    "effect.in_doubt": run.CallInDoubt,
    "effect.resolved": run.CallResolved,
    "agent.created": language.AgentCreated,
    "message.sent": language.MessageSent,
    "message.received": language.MessagesReceived,
    "artifact.saved": language.ArtifactSaved,
    "artifact.loaded": language.ArtifactLoaded,
    "playbook.written": language.PlaybookWritten,
    "trigger.checked": language.TriggersChecked,
    "trigger.fired": language.TriggerFired,
    "react.chosen": language.CallChosen,
    "react.observed": language.CallObserved,
    "meeting.opened": language.MeetingOpened,
    "meeting.invited": language.MeetingInvited,
    "meeting.turn": language.MeetingTurn,
    "meeting.state": language.MeetingStateSet,
    "meeting.ended": language.MeetingEnded,
    "plan.adopted": steplist.PlanAdopted,
    "plan.violation": steplist.PlanViolated,
    "plan.control": steplist.PlanSteered,
    "llm.request": steplist.TurnAsked,
    "llm.response": steplist.TurnTaken,
    "tool.blocked": steplist.CallBlocked,
    "tool.cancelled": steplist.CallCancelled,
}
_NAMES = {kind: name for name, kind in _TYPES.items()}
_KEYS = {"returned": "return", "sender": "from", "safety": "class"}
"""Fields whose key is no name in Python, or says less than it could."""


def name_of(payload: EventPayload) -> str:
    """What the event is called in the journal, and wherever events are listed."""
    return payload.name if isinstance(payload, UnknownEvent) else _NAMES[type(payload)]


def encoded(payload: EventPayload) -> Mapping[str, Any]:
    """The body of the event, JSON values only, its keys in order as the journal has them."""
    return payload.kept if payload.kept is not None else _written(_FORMS[type(payload)], payload)


def decoded(name: str, body: Mapping[str, Any]) -> EventPayload:
    """The event called *name* that says *body*; never fails, whatever they are."""
    kind = _TYPES.get(name)
    if kind is None:
        return UnknownEvent(name, kept=body)
    form = _FORMS[kind]
    values, seen, is_exact = _read(form, body)
    for attribute, part in form.spreads:
        inner, count, is_part_exact = _read(part, body)
        if all(one.key in body for one in part.fields if one.is_needed):
            values[attribute] = part.kind(**inner)
            seen, is_exact = seen + count, is_exact and is_part_exact
    if not is_exact or seen != len(body):
        values["kept"] = body
    return kind(**values)


class _Unreadable(ValueError):
    """A value is not what its field holds."""


class _Way(NamedTuple):
    """How values of one type are written. *kind*: their plain type; *reads*, *writes*: where that is not all.

    *empty*: what stands for a value that is missing.
    """

    kind: type | None
    reads: Callable[[Any], Any] | None = None
    writes: Callable[[Any], Any] | None = None
    empty: Any = None


class _Field(NamedTuple):
    """One field. *default*: what it has where its key is missing. *is_needed*: it has no default of its own."""

    name: str
    key: str
    default: Any
    is_needed: bool
    is_written: bool
    way: _Way


class _Form(NamedTuple):
    """How a class is written. *values*: takes those of *fields* out of an instance."""

    kind: type
    fields: tuple[_Field, ...]
    spreads: tuple[tuple[str, _Form], ...]
    values: Callable[[Any], tuple[Any, ...]]


def _written(form: _Form, value: Any) -> dict[str, Any]:
    body: dict[str, Any] = {}
    for (_name, key, default, _is_needed, is_written, way), each in zip(form.fields, form.values(value), strict=True):
        if is_written or each != default:
            body[key] = each if way.writes is None else way.writes(each)
    if not form.spreads:
        return body
    for name, part in form.spreads:
        inner = getattr(value, name)
        if inner is not None:
            body.update(_written(part, inner))
    return dict(sorted(body.items()))


def _read(form: _Form, body: Mapping[str, Any]) -> tuple[dict[str, Any], int, bool]:
    """The fields of *form* in *body*, how many there are, and whether they would be written just so."""
    values: dict[str, Any] = {}
    seen, is_exact = 0, True
    for name, key, default, _is_needed, is_written, way in form.fields:
        if key not in body:
            values[name] = default
            is_exact = is_exact and not is_written
            continue
        seen += 1
        try:
            value = _taken(way, body[key])
        except _Unreadable:
            values[name], is_exact = default, False
            continue
        if (way.writes is not None and way.writes(value) != body[key]) or (not is_written and value == default):
            is_exact = False
        values[name] = value
    return values, seen, is_exact


def _taken(way: _Way, value: Any) -> Any:
    if way.kind is not None and type(value) is not way.kind:
        raise _Unreadable
    return value if way.reads is None else way.reads(value)


def _form_of(kind: type) -> _Form:
    hints = typing.get_type_hints(kind)
    found = [one for one in dataclasses.fields(kind) if one.name != "kept"]
    own = [_field(kind, one, hints[one.name]) for one in found if "is_spread" not in one.metadata]
    fields = tuple(sorted(own, key=attrgetter("key")))
    parts = [(one.name, get_args(hints[one.name])[0]) for one in found if "is_spread" in one.metadata]
    spreads = tuple((name, _form_of(part)) for name, part in parts)
    return _Form(kind, fields, spreads, _getter([one.name for one in fields]))


def _getter(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: tuple(getattr(value, name) for name in names)


def _field(kind: type, one: dataclasses.Field[Any], hint: Any) -> _Field:
    """The parts of payloads are written in full."""
    way = _way_of(hint)
    is_needed = one.default is dataclasses.MISSING
    is_written = is_needed or not issubclass(kind, EventPayload)
    default = way.empty if is_needed else one.default
    return _Field(one.name, _KEYS.get(one.name, one.name), default, is_needed, is_written, way)


def _way_of(hint: Any) -> _Way:
    if hint is Any:
        return _Way(None)
    if hint in (str, int, bool):
        return _Way(hint, empty=hint())
    if hint is float:
        return _Way(None, _number, empty=0.0)
    origin, inner = get_origin(hint), get_args(hint)
    if origin is types.UnionType:
        return _optional(_way_of(inner[0]))
    if origin is Mapping:
        return _Way(dict, empty={})
    if origin is tuple:
        return _row(_way_of(inner[0])) if inner[-1] is ... else _tuple([_way_of(each) for each in inner])
    return _choice(hint) if issubclass(hint, enum.Enum) else _record(hint)


def _number(value: Any) -> float:
    if type(value) not in (int, float):
        raise _Unreadable
    return typing.cast("float", value)


def _optional(way: _Way) -> _Way:
    def reads(value: Any) -> Any:
        return None if value is None else _taken(way, value)

    def writes(value: Any) -> Any:
        return value if value is None or way.writes is None else way.writes(value)

    return _Way(None, reads, None if way.writes is None else writes)


def _row(way: _Way) -> _Way:
    def reads(value: list[Any]) -> tuple[Any, ...]:
        return tuple(_taken(way, each) for each in value)

    def writes(value: tuple[Any, ...]) -> list[Any]:
        return list(value) if way.writes is None else [way.writes(each) for each in value]

    return _Way(list, reads, writes, ())


def _tuple(ways: list[_Way]) -> _Way:
    def reads(value: list[Any]) -> tuple[Any, ...]:
        if len(value) != len(ways):
            raise _Unreadable
        return tuple(_taken(way, each) for way, each in zip(ways, value, strict=True))

    return _Way(list, reads, list, ())


def _choice(kind: type[enum.Enum]) -> _Way:
    members = {member.value: member for member in kind}

    def reads(value: str) -> enum.Enum:
        if value not in members:
            raise _Unreadable
        return members[value]

    return _Way(str, reads, attrgetter("value"), next(iter(kind)))


def _record(kind: type) -> _Way:
    form = _form_of(kind)

    def reads(value: dict[str, Any]) -> Any:
        if not all(one.key in value for one in form.fields if one.is_needed):
            raise _Unreadable
        return kind(**_read(form, value)[0])

    return _Way(dict, reads, lambda value: _written(form, value))


class _Forms(dict[type, _Form]):
    """The forms of the kinds that occurred: most programs meet few of them."""

    def __missing__(self, kind: type) -> _Form:
        form = self[kind] = _form_of(kind)
        return form


_FORMS = _Forms()
