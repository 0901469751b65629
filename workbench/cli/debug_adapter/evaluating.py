"""What is typed in the debug console, pointed at, or watched: answers, messages, verbs and expressions."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from workbench.cli.debug_adapter.client import Body, Refused, may, need
from workbench.cli.debug_adapter.session import Session
from workbench.cli.debug_adapter.stack import FrameKey
from workbench.cli.debug_adapter.variables import Held, Place, Shown, as_text, type_of_value, whole_text
from workbench.engine.answers import AnswerRefused, checked, written_answer
from workbench.engine.debugging.goals import Goal, Going
from workbench.engine.debugging.mocks import parse_outcome
from workbench.engine.expressions.data import NotData, as_data
from workbench.engine.expressions.evaluation import EvaluationFailed, evaluate
from workbench.engine.expressions.limits import Lookup
from workbench.engine.journal.choices import Scope
from workbench.engine.journal.debug_events import AnswerHeld, AnswerRecalled, ResultHeld
from workbench.engine.journal.instead import said_in
from workbench.engine.running.controls import EditAnswer, EditResult, SkipStep
from workbench.engine.state.answering import answer_at_hand
from workbench.i18n import N_, LazyText, _
from workbench.regex import regex
from workbench.syntax.expressions import ExpressionRefused, parse_expression

EXPRESSION = "="
"""What stands before an expression in the console while something else is asked there."""
_SET = regex(r"(?P<name>\$?[^\W\d]\w*)\s*=(?!=)\s*(?P<value>.+)")
_TYPED = "repl"


def evaluate_text(session: Session, arguments: Body) -> Body:
    """What an expression gives; in the console also what a verb does, or that an answer was taken."""
    text, context = need(arguments, "expression", str), may(arguments, "context", str)
    number = may(arguments, "frameId", int)
    if context == _TYPED and not text.lstrip().startswith(EXPRESSION):
        said = _said(session, text)
        if said is not None:
            return said
    expression = text.strip().removeprefix(EXPRESSION) if context == _TYPED else text
    value = value_of(expression, session.held.names(frame_at(session, number)))
    return _result(session, value, whole_text if context == "clipboard" else as_text)


def _result(session: Session, value: Any, as_written: Callable[[Any], str]) -> Body:
    shown = Shown("", value)
    found: dict[str, Any] = {"result": as_written(value), "variablesReference": 0}
    if shown.count:
        found["variablesReference"] = session.variables.of(shown)
        found["indexedVariables" if shown.is_list else "namedVariables"] = shown.count
    if session.manner is not None and session.manner.shows_types:
        found["type"] = type_of_value(value)
    return found


def _said(session: Session, text: str) -> Body | None:
    """What becomes of *text* where it is an answer, a message or a verb; None where it is an expression."""
    run = session.running.run
    if session.conversation.say(run, text):
        return {"result": "", "variablesReference": 0}
    word, _blank, rest = text.strip().partition(" ")
    verb = VERBS.get(word)
    if verb is None or session.following.stop is None:
        return None
    return {"result": verb[1](session, rest.strip()), "variablesReference": 0}


def check_editable(session: Session) -> None:
    """Raise Refused where nothing of the run can be changed now."""
    debuggee, stop = session.held, session.following.stop
    if debuggee.past is not None:
        raise Refused(
            _("This is an earlier moment of the run. Go on to come back to now; only there it can be changed.")
        )
    if stop is not None and stop.is_asking:
        raise Refused(_("The run waits for an answer. Variables can be changed where it is stopped before a step."))


def _skip(session: Session, _rest: str) -> str:
    check_editable(session)
    session.following.expects = "step"
    session.held.run.controls.order(SkipStep())
    return _("The step is left out.")


def _set(session: Session, rest: str) -> str:
    written = _SET.fullmatch(rest)
    if written is None:
        raise Refused(_("Write for example: set $total = 5"))
    check_editable(session)
    key = frame_at(session, None)
    frame = session.held.told.frame(key) if key is not None else None
    if frame is None or key is None:
        raise Refused(_("No playbook is at work here."))
    name = written["name"]
    value = value_typed(session, written["value"], key)
    scope = Scope.STATE if name.startswith("$") else Scope.LOCAL
    session.held.edit(Place(scope, frame.agent, frame.span, name.removeprefix("$")), value)
    return f"{name} = {as_text(value)}"


def give(session: Session, place: Held, text: str) -> Any:
    """Have what was given to the run be what *text* says; what that is. Raises Refused.

    An answer that was used already has its step carried out again, behind which the run stops.
    """
    debuggee = session.held
    state = debuggee.run.state
    if place.is_result:
        value, failure = parse_outcome(text)
        debuggee.order(EditResult(value, failure), ResultHeld)
        return f"!{failure}" if failure else value
    at = answer_at_hand(state)
    if at is None:
        raise Refused(_("The run has not stopped at an answer, nor directly behind the step that it was for."))
    try:
        named = place.name and any(field.name == place.name for field in at.request.fields)
        other = written_answer(at.request, at.answer, f"{place.name}={_plain(text)}" if named else _plain(text))
        given = checked(at.request, other)
    except AnswerRefused as error:
        raise Refused(str(error)) from error
    if at.is_used:
        session.following.expects = "step"
    debuggee.order(EditAnswer(other), AnswerRecalled if at.is_used else AnswerHeld)
    return dict(given.get("values") or {}).get(place.name, said_in(given))


def _plain(text: str) -> str:
    """*text* as it is typed at the terminal: an editor writes texts in quotes."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return found if isinstance(found, str) else text


def _answer(session: Session, rest: str) -> str:
    return _given(session, Held(), rest)


def _result_verb(session: Session, rest: str) -> str:
    return _given(session, Held(is_result=True), rest)


def _given(session: Session, place: Held, rest: str) -> str:
    if not rest.startswith("="):
        raise Refused(
            _("Write for example: {example}").format(example="answer = 5" if not place.is_result else "result = 5")
        )
    check_editable(session)
    return as_text(give(session, place, rest[1:].strip()))


def _to(session: Session, rest: str) -> str:
    if session.places.spot(rest) is None:
        raise Refused(_("There is no step {address} in this program.").format(address=rest or "—"))
    check_editable(session)
    run = session.held.run
    session.client.tell("continued", {"threadId": session.thread_at_work(), "allThreadsContinued": True})
    session.go_on("step")
    run.step(Goal(Going.TO, rest))
    return _("The run goes on up to {address}.").format(address=rest)


def _help(_session: Session, _rest: str) -> str:
    return "\n".join(f"{word:6} {what}" for word, (what, _does) in VERBS.items())


VERBS: Mapping[str, tuple[LazyText, Callable[[Session, str], str]]] = {
    "skip": (N_("leave out the step that comes next"), _skip),
    "set": (N_("$NAME = VALUE: give a variable another value"), _set),
    "answer": (N_("= VALUE: what the step is answered, also directly behind it"), _answer),
    "result": (N_("= VALUE, or = !MESSAGE: what the call at hand gives"), _result_verb),
    "to": (N_("ADDRESS: go on up to a step, such as Main:04"), _to),
    "help": (N_("list these words; everything else is an expression"), _help),
}
"""What may be typed at a stop besides expressions."""


def frame_at(session: Session, number: int | None) -> FrameKey | None:
    """The frame with *number*, else the innermost one at work; None where nobody is. Raises Refused."""
    told = session.held.told
    if number is not None:
        key = session.frames.value(number)
        if not isinstance(key, FrameKey) or told.frame(key) is None:
            raise Refused(_("There is no such frame any more."))
        return key
    count = len(told.fold.frames)
    return FrameKey(told.fold.world.stack, count - 1) if count else None


def value_of(expression: str, names: Lookup) -> Any:
    """What *expression* gives. Raises Refused."""
    try:
        return as_data(evaluate(parse_expression(expression.strip()), names))
    except (ExpressionRefused, EvaluationFailed, NotData) as error:
        raise Refused(str(error)) from error


def value_typed(session: Session, text: str, frame: FrameKey) -> Any:
    """The value that a person types for a variable: JSON, else an expression. Raises Refused."""
    try:
        return as_data(json.loads(text))
    except NotData as error:
        raise Refused(str(error)) from error
    except (ValueError, RecursionError):
        debuggee = session.held
        return value_of(text, debuggee.names(frame, debuggee.run.state))


def completions(session: Session, arguments: Body) -> Body:
    """The variables and verbs that begin with what is typed."""
    text, column = need(arguments, "text", str), need(arguments, "column", int)
    assert session.manner is not None
    typed = regex(r"\$?\w*\Z").search(text[: max(0, column - session.manner.column)])
    begun = typed[0] if typed is not None else ""
    key = frame_at(session, may(arguments, "frameId", int))
    frame = session.held.told.frame(key) if key is not None else None
    names = {} if frame is None else {**session.held.told.fold.agents.get(frame.agent, {}), **frame.parameters}
    offered = [*(f"${name}" for name in names), *(frame.locals if frame is not None else ()), *VERBS]
    start = max(0, column - session.manner.column) - len(begun)
    found = [each for each in dict.fromkeys(offered) if each.startswith(begun)]
    return {"targets": [{"label": each, "start": start, "length": len(begun)} for each in found]}
