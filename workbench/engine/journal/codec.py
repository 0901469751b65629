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

from workbench.engine.journal import approval_events as approval
from workbench.engine.journal import cycle_events as cycle
from workbench.engine.journal import debug_events as debug
from workbench.engine.journal import fork_events as fork
from workbench.engine.journal import language_events as language
from workbench.engine.journal import model_events as model
from workbench.engine.journal import run_events as run
from workbench.engine.journal import steplist_events as steplist
from workbench.engine.journal import waiting_events as waiting
from workbench.engine.journal.payload import EventPayload, UnknownEvent

_TYPES: dict[str, type[EventPayload]] = {
    "run.created": run.RunCreated,
    "run.judges": run.JudgesChosen,
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
    "approval.asked": approval.ApprovalAsked,
    "approval.granted": approval.ApprovalGranted,
    "approval.denied": approval.ApprovalDenied,
    "approval.expired": approval.ApprovalExpired,
    "approval.used": approval.ApprovedCallBegun,
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
    "playbook.described": language.DescriptionFilled,
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
    "model.asked": model.ModelAsked,
    "model.said": model.ModelSaid,
    "model.answered": model.ModelAnswered,
    "model.wish_answered": model.WishAnswered,
    "model.proposed": model.AnswerProposed,
    "model.handed_over": model.JudgementHandedOver,
    "command.wanted": model.CommandWanted,
    "command.over": model.CommandOver,
    "tool.blocked": steplist.CallBlocked,
    "tool.cancelled": steplist.CallCancelled,
    "timer.set": waiting.TimerSet,
    "timer.due": waiting.TimerDue,
    "wait.begun": waiting.WaitBegun,
    "wait.over": waiting.WaitOver,
    "message.heard": waiting.MessageHeard,
    "conversation.ended": waiting.ConversationEnded,
    "bp.hit": debug.BreakpointHit,
    "bp.logged": debug.PointLogged,
    "state.edited": debug.StateEdited,
    "effect.held": debug.ResultHeld,
    "answer.held": debug.AnswerHeld,
    "answer.recalled": debug.AnswerRecalled,
    "run.forked": fork.RunForked,
    "cycle.planned": cycle.PlanMade,
    "cycle.reused": cycle.PlaybookReused,
    "cycle.woven": cycle.NotesWoven,
    "cycle.sent_back": cycle.PlanSentBack,
    "cycle.generated": cycle.PlaybookGenerated,
    "cycle.checked": cycle.PlaybookChecked,
    "cycle.observed": cycle.PlaybookObserved,
    "cycle.reviewed": cycle.PlaybookReviewed,
    "cycle.compiled": cycle.PlaybookCompiled,
    "cycle.begun": cycle.PlaybookBegun,
    "cycle.look_due": cycle.LookDue,
    "cycle.looked": cycle.DriftJudged,
    "cycle.deviated": cycle.DeviationNoted,
    "cycle.answered": cycle.DeviationAnswered,
    "cycle.regenerated": cycle.PlaybookRegenerated,
    "cycle.accepted": cycle.RegenerationReviewed,
    "cycle.ended": cycle.PlaybookEnded,
    "cycle.stored": cycle.PlaybookStored,
}
_NAMES = {kind: name for name, kind in _TYPES.items()}
_KEYS = {"returned": "return", "sender": "from", "safety": "class"}
"""Fields whose key is no name in Python, or says less than it could."""


def type_of(name: str) -> type[EventPayload]:
    """What the events called *name* are."""
    return _TYPES.get(name, UnknownEvent)


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
        if part.needed <= body.keys():
            values[attribute] = part.kind(**inner)
            seen, is_exact = seen + count, is_exact and is_part_exact
    if not is_exact or seen != len(body):
        values["kept"] = body
    return kind(**values)


class _Unreadable(ValueError):
    """A value is not what its field holds."""


class _Way(NamedTuple):
    """How values of one type are written. *kind*: their plain type; *reads*, *writes*: where that is not all.

    *is_loose*: what is read need not be all that was there. *empty*: what stands for a value that is missing.
    """

    kind: type | None
    reads: Callable[[Any], Any] | None = None
    writes: Callable[[Any], Any] | None = None
    empty: Any = None
    is_loose: bool = False


class _Field(NamedTuple):
    """One field. *default*: what it has where its key is missing. *is_written*: even where it has that."""

    name: str
    key: str
    default: Any
    is_written: bool
    way: _Way


class _Form(NamedTuple):
    """How a class is written. *fields*: by key, in order; *values*: takes theirs out of an instance.

    *needed*: keys of fields without a default of their own. *written*: keys that are in every body; *optional*: those
    that are left out where the field has the value beside them. *writers*: for what is not written as it is.
    """

    kind: type
    fields: Mapping[str, _Field]
    values: Callable[[Any], tuple[Any, ...]]
    needed: frozenset[str]
    written: frozenset[str]
    optional: tuple[tuple[str, Any], ...]
    writers: tuple[tuple[str, Callable[[Any], Any]], ...]
    spreads: tuple[tuple[str, _Form], ...]


def _written(form: _Form, value: Any) -> dict[str, Any]:
    body = dict(zip(form.fields, form.values(value), strict=True))
    for key, default in form.optional:
        if body[key] == default:
            del body[key]
    for key, writes in form.writers:
        if key in body:
            body[key] = writes(body[key])
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
    for key, found in body.items():
        field = form.fields.get(key)
        if field is None:
            continue
        seen += 1
        name, _key, default, is_written, (kind, reads, writes, _empty, is_loose) = field
        try:
            value = _taken(kind, reads, found)
        except _Unreadable:
            values[name], is_exact = default, False
            continue
        values[name] = value
        if (is_loose and writes is not None and writes(value) != found) or (not is_written and value == default):
            is_exact = False
    if not form.written <= body.keys():
        is_exact = False
        for key in form.written - body.keys():
            values[form.fields[key].name] = form.fields[key].default
    return values, seen, is_exact


def _taken(kind: type | None, reads: Callable[[Any], Any] | None, value: Any) -> Any:
    if kind is not None and type(value) is not kind:
        raise _Unreadable
    return value if reads is None else reads(value)


def _form_of(kind: type) -> _Form:
    hints = typing.get_type_hints(kind)
    found = [one for one in dataclasses.fields(kind) if one.name != "kept"]
    own = [_field(kind, one, hints[one.name]) for one in found if "is_spread" not in one.metadata]
    own.sort(key=attrgetter("key"))
    needed = {one.name for one in found if one.default is dataclasses.MISSING}
    parts = [(one.name, get_args(hints[one.name])[0]) for one in found if "is_spread" in one.metadata]
    return _Form(
        kind,
        {one.key: one for one in own},
        _getter([one.name for one in own]),
        frozenset(one.key for one in own if one.name in needed),
        frozenset(one.key for one in own if one.is_written),
        tuple((one.key, one.default) for one in own if not one.is_written),
        tuple((one.key, one.way.writes) for one in own if one.way.writes is not None),
        tuple((name, _form_of(part)) for name, part in parts),
    )


def _getter(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: tuple(getattr(value, name) for name in names)


def _field(kind: type, one: dataclasses.Field[Any], hint: Any) -> _Field:
    """The parts of payloads are written in full. A null where there could simply be nothing is not understood."""
    is_needed = one.default is dataclasses.MISSING
    way = _way_of((*get_args(hint), hint)[0] if one.default is None else hint)
    is_written = is_needed or not (issubclass(kind, EventPayload) or "is_later" in one.metadata)
    default = way.empty if is_needed else one.default
    return _Field(one.name, _KEYS.get(one.name, one.name), default, is_written, way)


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
        return None if value is None else _taken(way.kind, way.reads, value)

    def writes(value: Any) -> Any:
        return value if value is None or way.writes is None else way.writes(value)

    return _Way(None, reads, None if way.writes is None else writes, None, way.is_loose)


def _row(way: _Way) -> _Way:
    def reads(value: list[Any]) -> tuple[Any, ...]:
        return tuple(_taken(way.kind, way.reads, each) for each in value)

    def writes(value: tuple[Any, ...]) -> list[Any]:
        return list(value) if way.writes is None else [way.writes(each) for each in value]

    return _Way(list, reads, writes, (), way.is_loose)


def _tuple(ways: list[_Way]) -> _Way:
    def reads(value: list[Any]) -> tuple[Any, ...]:
        if len(value) != len(ways):
            raise _Unreadable
        return tuple(_taken(way.kind, way.reads, each) for way, each in zip(ways, value, strict=True))

    return _Way(list, reads, list, ())


def _choice(kind: type[enum.Enum]) -> _Way:
    members = {member.value: member for member in kind}

    def reads(value: str) -> enum.Enum:
        if value not in members:
            raise _Unreadable
        return members[value]

    return _Way(str, reads, attrgetter("_value_"), next(iter(kind)))


def _record(kind: type) -> _Way:
    form = _form_of(kind)

    def reads(value: dict[str, Any]) -> Any:
        if not form.needed <= value.keys():
            raise _Unreadable
        return kind(**_read(form, value)[0])

    return _Way(dict, reads, lambda value: _written(form, value), is_loose=True)


class _Forms(dict[type, _Form]):
    """The forms of the kinds that occurred: most programs meet few of them."""

    def __missing__(self, kind: type) -> _Form:
        form = self[kind] = _form_of(kind)
        return form


_FORMS = _Forms()
