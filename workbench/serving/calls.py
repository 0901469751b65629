"""A call of an offered playbook: a run that is followed to its end, or to where somebody has to answer.

A question of a run is a form that another program can show. The protocol knows only forms without lists and objects in
them: these are written as text, as in the window.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from workbench.engine.fields import FieldKind, NotThatType, field_type, shown_name, value_of
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.run_events import Told
from workbench.engine.ports import Answer, Purpose, Request, RequestKind
from workbench.engine.running.run import Run
from workbench.engine.schemas import schema_of
from workbench.i18n import _
from workbench.model.meaning import Variable
from workbench.serving.offers import ServedTool

_LOOK_S = 0.02
_OFFERS = 500
"""How often an answer is offered to a run that does not wait for it yet."""

Begin = Callable[[ServedTool, Mapping[str, Any]], "ServedRun"]
"""Makes the run of a call. Raises WorkbenchError where it cannot begin."""
_AT_THE_DESK = frozenset({RequestKind.APPROVE, RequestKind.IN_DOUBT})
_NOT_IN_A_FORM = frozenset({Purpose.TURN, Purpose.REACT, Purpose.WAIT})
_WRITTEN = frozenset({FieldKind.LIST, FieldKind.OBJECT, FieldKind.DATA, FieldKind.ANY})
_ANSWER, _DECISION = "answer", "decision"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a call ended. *text*: for people and models; *data*: the same for programs."""

    text: str
    data: Mapping[str, Any]
    is_error: bool = False


@dataclass(slots=True)
class ServedRun:
    """A run that somebody else called for. *resuming*: the sentence that says how to go on with it.

    *ended*: is called once, when nothing more will come, before the journal is closed.
    """

    run: Run
    journal: Journal
    resuming: str
    ended: Callable[[Run, Journal], None]
    said: list[str] = field(default_factory=list)
    _is_over: bool = False
    _answered: str = ""

    async def follow(self, tell: Callable[[RunEvent], object]) -> Request | None:
        """The question that the run waits with; None when it has ended. *tell* hears every event."""
        while True:
            is_finished = self.run.is_finished
            for event in self.run.drain():
                if isinstance(event.payload, Told) and not event.payload.target:
                    self.said.append(event.payload.text)
                tell(event)
            if is_finished:
                self.close()
                return None
            pending = self.run.pending if self.run.is_asking_person else None
            if pending is not None and pending.id != self._answered:
                return pending
            await asyncio.sleep(_LOOK_S)

    async def take(self, request: Request, answer: Answer) -> bool:
        """Whether *answer* was taken; a run that has just asked may need a moment."""
        for _attempt in range(_OFFERS):
            if self.run.answer(request.id, answer):
                self._answered = request.id
                return True
            if self.run.is_finished or self.run.pending is not request:
                break
            await asyncio.sleep(_LOOK_S)
        return False

    def stop(self) -> None:
        """End the run: whoever called does not want it any more."""
        self.run.stop()
        self._wait()

    def leave(self) -> None:
        """Let go of the run where it stands: a person goes on with it."""
        self.run.leave()
        self._wait()

    def _wait(self) -> None:
        self.run.wait()
        self.close()

    def close(self) -> None:
        """Give the journal back. Only the first time does anything."""
        if not self._is_over:
            self._is_over = True
            self.ended(self.run, self.journal)
            self.journal.close()

    @property
    def outcome(self) -> Outcome:
        """How it ended; to be asked for when it has."""
        state, run = self.run.state, self.run
        known: dict[str, Any] = {"run": run.id, "status": state.status.value, "said": self.said}
        if state.status is RunStatus.COMPLETED:
            result = run.result
            words = [*self.said, *([_as_text(result)] if result is not None else [])]
            return Outcome("\n".join(words) or _("Done."), {**known, "result": result})
        reason = str(run.halt or state.error or _("The run was stopped."))
        if state.status is not RunStatus.FAILED:
            reason = f"{reason} {self.resuming}"
        return Outcome("\n".join((*self.said, reason)), {**known, "error": reason}, is_error=True)

    def waiting(self, request: Request) -> Outcome:
        """What is said where the run was left with *request*, for a person."""
        words = _("The run waits for an answer that only a person at the desk can give: {question} {resuming}")
        text = words.format(question=request.text, resuming=self.resuming)
        data = {"run": self.run.id, "status": "waiting", "said": self.said, "question": request.text}
        return Outcome("\n".join((*self.said, text)), data, is_error=True)


def _as_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


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
