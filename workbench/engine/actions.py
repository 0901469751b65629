"""What each action of a step does, as the next event or question."""

from __future__ import annotations

from workbench.engine import events as types
from workbench.engine.calling import call
from workbench.engine.leaving import jump, leave_everything, return_from
from workbench.engine.ports import RequestKind
from workbench.engine.turn import Decision, Turn
from workbench.engine.wording import asking, body_of, filled, rendered
from workbench.model.meaning import Ask, Assign, Call, End, Judge, Jump, Return, Tell, Variable


def act(turn: Turn) -> Decision:
    """The next event, question or call of the action at hand."""
    match turn.at.meaning:
        case Assign(target, value):
            return (turn.set_last(target, turn.value(value)),)
        case Judge(text, outputs):
            return _judged(turn, RequestKind.JUDGE, text, outputs)
        case Ask(text, variables):
            return _judged(turn, RequestKind.ASK, text, variables)
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


def _judged(turn: Turn, kind: RequestKind, text: str, outputs: tuple[Variable, ...]) -> Decision:
    """The question, and after its answer the variables, one event each."""
    answer = turn.frame.answer
    if answer is None:
        return (turn.opening(types.INPUT_ASKED, body_of(asking(turn, kind, text, outputs))),)
    variable = outputs[turn.frame.done]
    value = answer["values"][variable.name]
    is_last = turn.frame.done == len(outputs) - 1
    return (turn.set_last(variable, value) if is_last else turn.set_variable(variable, value),)


def _tell(turn: Turn, tell: Tell) -> Decision:
    text = filled(turn, tell.text) if tell.template is None else rendered(turn, tell.template)
    return (turn.draft(types.TOLD, {"text": text, "pc": turn.at.next}),)


def _return(turn: Turn, returning: Return) -> Decision:
    if returning.value is not None:
        return (return_from(turn, turn.value(returning.value)),)
    if not returning.text:
        return (return_from(turn, None),)
    answer = turn.frame.answer
    if answer is None:
        field = Variable("result", is_state=False)
        return (turn.opening(types.INPUT_ASKED, body_of(asking(turn, RequestKind.JUDGE, returning.text, (field,)))),)
    return (return_from(turn, answer["values"]["result"]),)
