"""Answers, checked against what was asked: the border at which values from outside become a run's data."""

from __future__ import annotations

import json
from typing import Any

from workbench.engine.expressions.data import NotData, as_data
from workbench.engine.ports import Answer, InDoubtChoice, Purpose, Request, RequestKind
from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.model.meaning import Variable

_TRUE = frozenset({"true", "yes", "y", "on", "1"})
_FALSE = frozenset({"false", "no", "n", "off", "0"})


class AnswerRefused(RunFailed):
    """An answer does not fit its question; the message names the step and says what is missing."""


def checked(request: Request, answer: Answer) -> dict[str, Any]:
    """*answer* as it is journaled. Raises AnswerRefused."""
    if request.kind is RequestKind.IN_DOUBT:
        return _checked_choice(request, answer)
    if request.kind is RequestKind.DECIDE:
        if answer.decision is None:
            raise AnswerRefused(_("The answer to {step} must be yes or no.").format(step=request.step))
        return {"decision": answer.decision, "text": answer.text}
    given = dict(answer.values)
    if request.purpose is Purpose.REACT:
        given = {"action": "done", "arguments": {}, "result": answer.text or None, **given}
    if request.purpose is Purpose.TURN:
        given = {"action": "", "arguments": {}, "result": "", "failure": "", **given}
        if not str(given["action"]).strip():
            raise AnswerRefused(_("The answer to {step} names no tool.").format(step=request.step))
    if request.purpose is Purpose.TRIGGERS:
        given = {**{field.name: False for field in request.fields}, **given}
    if len(request.fields) == 1 and not given and answer.text:
        given = {request.fields[0].name: answer.text}
    values = {field.name: _field(request, field, given) for field in request.fields}
    return {"values": values, "text": answer.text}


def fits(request: Request | None, request_id: str, answer: Answer) -> bool:
    """True when *request* is the one with *request_id*, and *answer* can answer it."""
    if request is None or request.id != request_id:
        return False
    try:
        checked(request, answer)
    except AnswerRefused:
        return False
    return True


def _checked_choice(request: Request, answer: Answer) -> dict[str, Any]:
    if answer.choice is None:
        message = _("The answer to {step} must be one of done, again, skip.")
        raise AnswerRefused(message.format(step=request.step))
    value = None
    for field in request.fields:
        if answer.choice is InDoubtChoice.DONE and field.name in dict(answer.values):
            value = _field(request, field, dict(answer.values))
    return {"choice": answer.choice, "value": value, "text": answer.text}


def _field(request: Request, field: Variable, given: dict[str, Any]) -> Any:
    if field.name not in given:
        message = _("The answer to {step} has no value for {name}.")
        raise AnswerRefused(message.format(step=request.step, name=field.name))
    try:
        return typed(field, as_data(given[field.name]))
    except ValueError as error:
        message = _("The value of {name} in the answer to {step} does not fit: {problem}.")
        raise AnswerRefused(message.format(step=request.step, name=field.name, problem=error)) from error


def typed(field: Variable, value: Any) -> Any:
    """*value* as the type of *field* wants it; text is read as a person would write it.

    Raises ValueError with what is wrong.
    """
    kind = field.type.partition("[")[0].strip().lower()
    reader = _READERS.get(kind)
    return value if reader is None or value is None else reader(value)


def _whole(value: Any) -> int:
    if isinstance(value, bool) or (isinstance(value, float) and value != int(value)):
        raise NotData(_("a whole number is wanted, not {value}").format(value=value))
    try:
        return int(value)
    except (TypeError, ValueError):
        raise NotData(_("a whole number is wanted, not “{value}”").format(value=value)) from None


def _number(value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise NotData(_("a number is wanted, not “{value}”").format(value=value)) from None
    return float(as_data(number))


def _truth(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    if word in _TRUE or word in _FALSE:
        return word in _TRUE
    raise NotData(_("yes or no is wanted, not “{value}”").format(value=value))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _list(value: Any) -> list[Any]:
    if isinstance(value, list):
        return value
    if not isinstance(value, str):
        return [value]
    written = _json(value)
    if isinstance(written, list):
        return written
    separator = "\n" if "\n" in value.strip() else ","
    return [part.strip() for part in value.split(separator) if part.strip()]


def _record(value: Any) -> dict[str, Any]:
    written = _json(value) if isinstance(value, str) else value
    if not isinstance(written, dict):
        raise NotData(_("a record like {example} is wanted").format(example='{"name": "Ada"}'))
    return written


def _json(text: str) -> Any:
    try:
        return as_data(json.loads(text))
    except ValueError:
        return None


_READERS = {
    "int": _whole,
    "integer": _whole,
    "float": _number,
    "number": _number,
    "bool": _truth,
    "boolean": _truth,
    "str": _text,
    "string": _text,
    "list": _list,
    "dict": _record,
}
