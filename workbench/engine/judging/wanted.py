"""What a model is to answer to a question: in which form, with which tools, and what its answer comes to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workbench.engine.answers import AnswerRefused, checked
from workbench.engine.fields import field_type
from workbench.engine.ports import Answer, Purpose, Request, RequestKind
from workbench.engine.schemas import Schema, object_schema, schema_of
from workbench.engine.state.judging import ModelTurn
from workbench.i18n import _
from workbench.model.meaning import Variable
from workbench.providers.values import ToolOffer

DONE = "done"
HAND_OVER = "hand_over"
LOAD = "load_artifact"
_UNSURE = "cannot"
_TEXT = "answer"
_NOTE = "note"
_OR_NOTHING: Schema = {"type": ["string", "null"]}
_ACTS = frozenset({Purpose.REACT, Purpose.TURN})
"""Questions that are answered by a call."""


@dataclass(frozen=True, slots=True)
class Usable:
    """An answer that fits its question. *answer*: as it is journaled."""

    answer: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Refused:
    """An answer that cannot be used. *problem*: a sentence."""

    problem: str


@dataclass(frozen=True, slots=True)
class Unsure:
    """The model says that it does not know. *reason*: in its words."""

    reason: str


Verdict = Usable | Refused | Unsure


def may_call_tools(request: Request) -> bool:
    """Whether whoever answers *request* may act before, and not only look at what is there."""
    return request.purpose in {Purpose.STEP, Purpose.WORK}


def is_act(request: Request) -> bool:
    """Whether *request* is answered by a call that others make."""
    return request.purpose in _ACTS


def instruction_of(request: Request) -> str:
    """The prompt that says what to do about *request*."""
    if request.kind is RequestKind.DECIDE:
        return "condition"
    if request.purpose is not Purpose.STEP:
        return str(request.purpose.value)
    return "fields" if request.fields else "step"


def answer_schema(request: Request, *, may_hand_over: bool) -> dict[str, Any] | None:
    """The schema of the answer to *request*; None where it is a text, or a call."""
    if is_act(request):
        return None
    if request.kind is RequestKind.DECIDE:
        properties: dict[str, Schema] = {"reason": {"type": "string"}, "decision": {"type": "boolean"}}
    elif _is_text(request):
        properties = {_TEXT: {"type": "string"}} if may_hand_over else {}
    else:
        properties = {field.name: schema_of(field_type(field)) for field in request.fields}
        if request.purpose is Purpose.WORK:
            properties = {_NOTE: {"type": "string"}, **properties}
    if not properties:
        return None
    if may_hand_over:
        properties = {name: {"anyOf": [each, {"type": "null"}]} if each else {} for name, each in properties.items()}
        properties[_UNSURE] = _OR_NOTHING
    return object_schema(properties, properties)


def _is_text(request: Request) -> bool:
    """Whether the answer is a text as it stands: what was done, or the result of a playbook that is one request."""
    if not request.fields:
        return True
    return request.purpose is Purpose.RAW and field_type(request.fields[0]).is_text


def control_tools(request: Request, *, may_hand_over: bool) -> tuple[ToolOffer, ...]:
    """The tools by which an act is ended or handed over."""
    tools = []
    if request.purpose is Purpose.REACT:
        result = next((field for field in request.fields if field.name == "result"), Variable("result"))
        schema = object_schema({result.name: schema_of(field_type(result))}, (result.name,))
        tools.append(ToolOffer(DONE, "The goal is reached; this is the result.", schema))
    if may_hand_over and is_act(request):
        schema = object_schema({"reason": {"type": "string"}}, ("reason",))
        tools.append(ToolOffer(HAND_OVER, "Ask a person to do this in your place.", schema))
    return tuple(tools)


def verdict_on(request: Request, turn: ModelTurn, *, may_hand_over: bool) -> Verdict:
    """What the answer in *turn* comes to."""
    if turn.is_filtered:
        return Unsure(_("The provider of the model refused to answer."))
    if turn.is_cut_off:
        return Refused(_("It was cut off because it is too long."))
    if is_act(request):
        return _act(request, turn)
    data = turn.data
    if answer_schema(request, may_hand_over=may_hand_over) is None:
        if not turn.text.strip():
            return Refused(_("It is empty."))
        return _checked(request, Answer(text=turn.text.strip()))
    if not isinstance(data, dict):
        return Refused(_("It is not a JSON object."))
    if may_hand_over and data.get(_UNSURE):
        return Unsure(str(data[_UNSURE]))
    return _from_data(request, data)


def _from_data(request: Request, data: Mapping[str, Any]) -> Verdict:
    if request.kind is RequestKind.DECIDE:
        if not isinstance(data.get("decision"), bool):
            return Refused(_("`decision` must be true or false."))
        return _checked(request, Answer(decision=data["decision"], text=str(data.get("reason") or "")))
    if _is_text(request):
        text = str(data.get(_TEXT) or "").strip()
        return _checked(request, Answer(text=text)) if text else Refused(_("It is empty."))
    for field in request.fields:
        kind = field_type(field)
        if data.get(field.name) is None and not kind.is_optional and schema_of(kind):
            return Refused(_("The value of {name} is missing.").format(name=field.name))
    note = str(data.get(_NOTE) or "") if request.purpose is Purpose.WORK else ""
    return _checked(request, Answer(tuple((field.name, data.get(field.name)) for field in request.fields), text=note))


def _act(request: Request, turn: ModelTurn) -> Verdict:
    broken = next((wish for wish in turn.wishes if wish.arguments is None), None)
    if broken is not None:
        return Refused(_("The arguments for {tool} are not a JSON object.").format(tool=broken.tool))
    handing = next((wish for wish in turn.wishes if wish.tool == HAND_OVER), None)
    if handing is not None:
        return Unsure(str((handing.arguments or {}).get("reason") or ""))
    if request.purpose is Purpose.TURN:
        return Usable({}) if turn.wishes or turn.text.strip() else Refused(_("It is empty."))
    if not turn.wishes:
        return _checked(request, Answer(text=turn.text.strip())) if turn.text.strip() else Refused(_("It is empty."))
    return _chosen(request, turn)


def _chosen(request: Request, turn: ModelTurn) -> Verdict:
    """The first call that is wanted, as the next act of a playbook without steps."""
    wish = turn.wishes[0]
    arguments = dict(wish.arguments or {})
    if wish.tool not in request.choices:
        message = _("There is nothing to call named {name}. Known: {names}.")
        return Refused(message.format(name=wish.tool, names=", ".join(request.choices)))
    if wish.tool == DONE:
        return _checked(request, Answer((("action", DONE), ("result", arguments.get("result"))), text=turn.text))
    return _checked(
        request, Answer((("action", wish.tool), ("arguments", arguments), ("result", None)), text=turn.text)
    )


def _checked(request: Request, answer: Answer) -> Verdict:
    try:
        return Usable(checked(request, answer))
    except AnswerRefused as error:
        return Refused(str(error))
