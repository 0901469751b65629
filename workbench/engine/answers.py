"""Answers, checked against what was asked: the border at which values from outside become a run's data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from workbench.engine.expressions.data import NotData, as_data
from workbench.engine.fields import FieldKind, FieldType, NotThatType, field_type, typed, value_of
from workbench.engine.outcomes import GOES_ON, NAME, is_outcome
from workbench.engine.ports import ABOUT_TRIGGERS, Answer, InDoubtChoice, Leave, Purpose, Request, RequestKind
from workbench.engine.work import HOW, Went
from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.model.meaning import Variable
from workbench.tools.schemas import check_arguments


class AnswerRefused(RunFailed):
    """An answer does not fit its question; the message names the step and says what is missing."""


def checked(request: Request, answer: Answer) -> dict[str, Any]:
    """*answer* as it is journaled. Raises AnswerRefused."""
    if answer.run:
        return {"run": _checked_run(request, answer.run)}
    if answer.call:
        return {"call": _checked_call(request, answer.call)}
    if request.kind is RequestKind.IN_DOUBT:
        return _checked_choice(request, answer)
    if request.kind is RequestKind.APPROVE:
        return {"leave": _checked_leave(request, answer), "text": answer.text}
    if request.kind is RequestKind.DECIDE:
        if answer.decision is None:
            raise AnswerRefused(_("The answer to {step} must be yes or no.").format(step=request.step))
        return {"decision": answer.decision, "text": answer.text}
    given = _completed(request, answer)
    values = {field.name: _field(request, field, given) for field in request.fields}
    return {"values": values, "text": answer.text}


def _completed(request: Request, answer: Answer) -> dict[str, Any]:
    """The values of *answer*, with those that need not be said."""
    given = dict(answer.values)
    if request.purpose is Purpose.REACT:
        given = {"action": "done", "arguments": {}, "result": answer.text or None, **given}
    if request.purpose is Purpose.TURN:
        given = {"action": "", "arguments": {}, "result": "", "failure": "", "make": False, **given}
        if not str(given["action"]).strip():
            raise AnswerRefused(_("The answer to {step} names no tool.").format(step=request.step))
    if request.purpose is Purpose.WORK:
        given = {HOW: Went.DONE.value, **given}
    if request.purpose in ABOUT_TRIGGERS:
        given = {**{field.name: False for field in request.fields}, **given}
    plain = [field.name for field in request.fields if not is_outcome(field)]
    if len(plain) == 1 and not given and answer.text:
        given = {plain[0]: answer.text}
    return {NAME: GOES_ON, **given} if len(plain) < len(request.fields) else given


def written_answer(request: Request, before: Mapping[str, Any], text: str) -> Answer:
    """What *text* answers to *request* in the place of *before*: a value, or ``NAME = VALUE`` for one of several.

    Raises AnswerRefused.
    """
    plain = {field.name: field for field in request.fields if not is_outcome(field)}
    name, equals, rest = text.partition("=")
    name, note = name.strip().removeprefix("$"), str(before.get("text") or "")
    try:
        if request.kind is RequestKind.DECIDE:
            return Answer(
                decision=bool(value_of(text.strip(), field_type(Variable("decision", type="bool")))), text=note
            )
        fields = {field.name: field for field in request.fields}
        if equals and name in fields:
            given = {name: value_of(rest.strip(), field_type(fields[name]))}
        elif len(plain) == 1:
            ((only, field),) = plain.items()
            given = {only: value_of(text.strip(), field_type(field))}
        elif not fields:
            return Answer(text=text.strip())
        else:
            given = value_of(text.strip(), FieldType(FieldKind.OBJECT))
    except NotThatType as error:
        raise AnswerRefused(str(error)) from error
    return Answer(tuple({**dict(before.get("values") or {}), **given}.items()), text=note)


def fits(request: Request | None, request_id: str, answer: Answer) -> bool:
    """True when *request* is the one with *request_id*, and *answer* can answer it."""
    if request is None or request.id != request_id:
        return False
    try:
        checked(request, answer)
    except AnswerRefused:
        return False
    return True


def _checked_run(request: Request, text: str) -> str:
    if not any(command.text == text and command.tool for command in request.commands):
        raise AnswerRefused(_("There is no such command to run under {step}.").format(step=request.step))
    return text


def _checked_call(request: Request, path: str) -> str:
    """*path*, which must be linked in the step; a question that was read from a journal does not say what is."""
    links = request.matter.links if request.matter is not None else None
    if request.purpose is not Purpose.WORK or (links is not None and all(link.path != path for link in links)):
        message = _("The step {step} has no link to a playbook “{path}” that can be run.")
        raise AnswerRefused(message.format(step=request.step, path=path))
    return path


def _checked_choice(request: Request, answer: Answer) -> dict[str, Any]:
    if answer.choice is None or answer.choice.value not in request.choices:
        message = _("The answer to {step} must be one of {choices}.")
        raise AnswerRefused(message.format(step=request.step, choices=", ".join(request.choices)))
    value = None
    for field in request.fields:
        if answer.choice is InDoubtChoice.DONE and field.name in dict(answer.values):
            value = _field(request, field, dict(answer.values))
    return {"choice": answer.choice, "value": value, "text": answer.text}


def _checked_leave(request: Request, answer: Answer) -> Leave:
    """The leave in *answer*, which is for exactly the call that *request* shows. Raises AnswerRefused."""
    call, leave = request.call, answer.leave
    if call is None or leave is None or leave.digest != call.digest:
        message = _("The answer to {step} is not about the call that is asked about.")
        raise AnswerRefused(message.format(step=request.step))
    if leave.arguments is None:
        return leave
    try:
        arguments = as_data(leave.arguments)
        check_arguments(call.schema, arguments)
    except (NotData, RunFailed) as error:
        message = _("The changed arguments of {tool} do not fit: {problem}")
        raise AnswerRefused(message.format(tool=call.tool, problem=error)) from error
    return replace(leave, arguments=arguments)


def _field(request: Request, field: Variable, given: dict[str, Any]) -> Any:
    if field.name not in given:
        message = _("The answer to {step} has no value for {name}.")
        raise AnswerRefused(message.format(step=request.step, name=field.name))
    try:
        return typed(field, as_data(given[field.name]))
    except ValueError as error:
        message = _("The value of {name} in the answer to {step} does not fit: {problem}.")
        problem = str(error).removesuffix(".")
        raise AnswerRefused(message.format(step=request.step, name=field.name, problem=problem)) from error
