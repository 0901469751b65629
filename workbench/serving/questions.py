"""A question of a run as a form that another program can show, and what is filled in as an answer.

The protocol knows only forms without lists and objects in them: these are written as text, as in the window.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.engine.fields import FieldKind, NotThatType, field_type, shown_name, value_of
from workbench.engine.ports import Answer, Purpose, Request, RequestKind
from workbench.engine.schemas import schema_of
from workbench.i18n import _
from workbench.model.meaning import Variable

_AT_THE_DESK = frozenset({RequestKind.APPROVE, RequestKind.IN_DOUBT})
_NOT_IN_A_FORM = frozenset({Purpose.TURN, Purpose.REACT, Purpose.WAIT})
_WRITTEN = frozenset({FieldKind.LIST, FieldKind.OBJECT, FieldKind.DATA, FieldKind.ANY})
_ANSWER, _DECISION = "answer", "decision"


@dataclass(frozen=True, slots=True)
class Form:
    """What is asked, and the JSON schema of what is to be filled in."""

    message: str
    schema: Mapping[str, Any]


def form_of(request: Request) -> Form | None:
    """The form for *request*; None where only a person at the desk answers it.

    Leave for a call is never given from outside, nor is it said there what became of a call: whoever calls a playbook
    could be a model that was told to say yes.
    """
    if request.kind in _AT_THE_DESK or request.purpose in _NOT_IN_A_FORM or request.target:
        return None
    if request.kind is RequestKind.DECIDE:
        return _form(request, {_DECISION: {"type": "boolean", "title": _("Yes")}}, (_DECISION,))
    if not request.fields:
        return _form(request, {_ANSWER: {"type": "string", "title": _("Answer")}}, ())
    reasons = dict(request.reasons)
    properties = {each.name: _property(each, reasons.get(each.name, "")) for each in request.fields}
    return _form(request, properties, [each.name for each in request.fields if not field_type(each).is_optional])


def _form(request: Request, properties: Mapping[str, Any], required: Sequence[str]) -> Form:
    return Form(request.text, {"type": "object", "properties": dict(properties), "required": list(required)})


def _property(field: Variable, reason: str) -> dict[str, Any]:
    kind = field_type(field)
    plain: dict[str, Any] = {"type": "string"} if kind.kind in _WRITTEN else dict(schema_of(kind))
    if kind.is_optional:
        plain = {"type": "string"}
    is_written = kind.kind in _WRITTEN and field.type
    words = reason or (_("{type}, as text or JSON").format(type=field.type) if is_written else "")
    return {**plain, "title": shown_name(field), **({"description": words} if words else {})}


def answer_of(request: Request, filled: Mapping[str, Any]) -> Answer:
    """What *filled* answers to *request*. Raises NotThatType where a text does not say what its field holds."""
    if request.kind is RequestKind.DECIDE:
        return Answer(decision=bool(filled.get(_DECISION)))
    if not request.fields:
        return Answer(text=str(filled.get(_ANSWER, "")))
    return Answer(values=tuple((each.name, _value(each, filled)) for each in request.fields if each.name in filled))


def _value(field: Variable, filled: Mapping[str, Any]) -> Any:
    kind, given = field_type(field), filled[field.name]
    is_text = isinstance(given, str) and not kind.is_text
    try:
        return value_of(given, kind) if is_text else given
    except NotThatType as error:
        raise NotThatType(f"{shown_name(field)}: {error}") from error
