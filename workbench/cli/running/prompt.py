"""The person at the terminal: every question of a run is asked at the prompt."""

from __future__ import annotations

from workbench.cli.running.turn_prompt import ask_for_turn
from workbench.cli.terminal import show
from workbench.engine.answers import typed
from workbench.engine.ports import Answer, Purpose, Request, RequestKind
from workbench.i18n import _
from workbench.model.meaning import Variable

_YES_NO = Variable("decision", type="bool")


def ask(request: Request) -> Answer:
    """The person's answer to *request*. Raises EOFError when the person ends the input."""
    show("")
    show(f"{request.step}  {request.text}")
    if request.target:
        show(_("This is for {name}.").format(name=request.target))
    if request.purpose is Purpose.REACT:
        return _act(request)
    if request.purpose is Purpose.TURN:
        return ask_for_turn(request)
    if request.kind is RequestKind.DECIDE:
        return Answer(decision=bool(_value(_YES_NO, _("yes or no"))))
    if request.kind is RequestKind.IN_DOUBT:
        return _choice(request)
    if request.fields:
        return Answer(values=tuple((field.name, _value(field, _label(field))) for field in request.fields))
    label = _("your answer") if request.kind is RequestKind.ASK else _("done; note, or Enter")
    return Answer(text=_read(label))


def _act(request: Request) -> Answer:
    """The next call and its arguments, or the result."""
    action, arguments, result = request.fields
    show(_("One of: {choices}.").format(choices=", ".join(request.choices)))
    while (chosen := _read(action.name).strip() or "done") not in request.choices:
        show(_("One of: {choices}.").format(choices=", ".join(request.choices)))
    if chosen == "done":
        return Answer(values=((action.name, chosen), (result.name, _value(result, _label(result)))))
    return Answer(values=((action.name, chosen), (arguments.name, _value(arguments, _label(arguments), "{}"))))


def _choice(request: Request) -> Answer:
    while (choice := _read("/".join(request.choices)).strip().lower()) not in request.choices:
        show(_("One of: {choices}.").format(choices=", ".join(request.choices)))
    if choice != "done" or not request.fields:
        return Answer(choice=choice)
    values = tuple((field.name, _value(field, _("what it gave"))) for field in request.fields)
    return Answer(values=values, choice=choice)


def _label(field: Variable) -> str:
    sign = "$" if field.is_state else ""
    return f"{sign}{field.name} ({field.type})" if field.type else f"{sign}{field.name}"


def _value(field: Variable, label: str, empty: str = "") -> object:
    """What the person types for *field*, asked again until it fits its type; nothing stands for *empty*."""
    while True:
        try:
            return typed(field, _read(label) or empty)
        except ValueError as error:
            show(f"  {error}")


def _read(label: str) -> str:
    return input(f"  {label}: ")
