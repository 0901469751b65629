"""What each action of a step does, as the next event or question."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

from workbench.engine.decider import Decision
from workbench.engine.journal.run_events import InputAsked, Told
from workbench.engine.language.calling import call
from workbench.engine.language.leaving import jump, leave_everything, return_from
from workbench.engine.language.turn import Turn
from workbench.engine.language.wording import asking, filled, literal_text, rendered
from workbench.engine.ports import Purpose, Request, RequestKind
from workbench.model.meaning import Ask, Assign, Call, End, Judge, Jump, Return, Tell, Variable
from workbench.syntax.expressions import Expression


def act(turn: Turn) -> Decision:
    """The next event, question or call of the action at hand."""
    match turn.at.meaning:
        case Assign(target, value):
            return (turn.set_last(target, turn.value(value)),)
        case Judge(text, outputs):
            return _judged(turn, RequestKind.JUDGE, text, outputs)
        case Ask(text, variables, target):
            return _judged(turn, RequestKind.ASK, text, variables, target)
        case Tell() as tell:
            return _tell(turn, tell)
        case Call() as action:
            return call(turn, action)
        case Return() as returning:
            return _return(turn, returning)
        case End():
            return leave_everything(turn)
        case Jump():
            return jump(turn)
        case other:
            raise AssertionError(f"no action: {other}")


def _judged(turn: Turn, kind: RequestKind, text: str, outputs: tuple[Variable, ...], target: str = "") -> Decision:
    """The question, and after its answer the variables, one event each."""
    answer = turn.frame.answer
    if answer is None:
        return (turn.opening(InputAsked.of(_question(turn, asking(turn, kind, text, outputs, target)))),)
    variable = outputs[turn.frame.done]
    value = answer["values"][variable.name]
    is_last = turn.frame.done == len(outputs) - 1
    return (turn.set_last(variable, value) if is_last else turn.set_variable(variable, value),)


def _question(turn: Turn, request: Request) -> Request:
    """*request*, with the whole description where that is all that the playbook is."""
    if turn.at.address != turn.frame.playbook:
        return request
    return replace(request, text=turn.frame.description or turn.at.text, purpose=Purpose.RAW)


def _tell(turn: Turn, tell: Tell) -> Decision:
    text = filled(turn, tell.text) if tell.template is None else rendered(turn, tell.template)
    return (turn.draft(Told(text, tell.target, pc=turn.at.next)),)


def _return(turn: Turn, returning: Return) -> Decision:
    if returning.value is not None:
        return (return_from(turn, _returned(turn, returning.value)),)
    if not returning.text:
        return (return_from(turn, None),)
    answer = turn.frame.answer
    if answer is None:
        field = Variable("result", is_state=False)
        return (turn.opening(InputAsked.of(asking(turn, RequestKind.JUDGE, returning.text, (field,)))),)
    return (return_from(turn, answer["values"]["result"]),)


def _returned(turn: Turn, value: Expression) -> Any:
    """What *value* gives; placeholders of a text as written are filled in."""
    if isinstance(value.tree, ast.Constant) and isinstance(value.tree.value, str):
        return literal_text(turn, value, value.tree.value)
    return turn.value(value)
