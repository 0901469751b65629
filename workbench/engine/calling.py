"""Calls: of playbooks, whose parameters are bound here, and of tools, which are journaled as intents first."""

from __future__ import annotations

from typing import Any

from workbench.engine import events as types
from workbench.engine.book import Book, PlaybookTarget, ToolTarget, entry_playbook
from workbench.engine.data import NotData, as_data
from workbench.engine.evaluation import EvaluationFailed, UnknownName, evaluate
from workbench.engine.ports import RequestKind
from workbench.engine.state import RunFold
from workbench.engine.turn import Decision, Draft, StepFailed, Turn
from workbench.engine.wording import asking, body_of
from workbench.i18n import _
from workbench.model.meaning import Call, Variable
from workbench.model.program import Parameter, Playbook
from workbench.syntax.expressions import ExpressionRefused, parse_expression

_RESULT = Variable("result", is_state=False)
_SAYING = "Say"


def enter_playbook(state: RunFold, book: Book) -> Draft:
    """The event that begins the playbook that the run was created for."""
    origin = state.origin
    target = book.playbook(origin.get("agent", ""), origin["playbook"])
    assert target is not None, "checked when the run was created"
    named = dict(origin["arguments"])
    bound = bind(target.playbook, (), {name: value for name, value in named.items() if _has(target, name)})
    states = {name: value for name, value in named.items() if not _has(target, name)}
    body = _entering(target, {**states, **bound})
    body["state"] = sorted({*body["state"], *states})
    return Draft(types.PLAYBOOK_ENTERED, body, span=f"s{state.spans + 1}")


def _has(target: PlaybookTarget, name: str) -> bool:
    return any(parameter.name == name for parameter in target.playbook.parameters)


def entry_of(book: Book, name: str) -> PlaybookTarget | None:
    """The playbook *name*, or where a run of *book* begins when *name* is empty; None: there is none."""
    if name:
        return next((each for each in (book.resolve("", name),) if isinstance(each, PlaybookTarget)), None)
    playbook = entry_playbook(book.program)
    if playbook is None:
        return None
    agent = next(agent for agent in book.program.agents if playbook in agent.playbooks)
    return PlaybookTarget(agent.name, playbook)


def call(turn: Turn, action: Call) -> Decision:
    """The beginning of a call, or what happens with its answer."""
    if turn.frame.answer is not None:
        return (_keep_result(turn, action),)
    positional = [turn.value(argument.value) for argument in action.arguments if not argument.name]
    named = {argument.name: turn.value(argument.value) for argument in action.arguments if argument.name}
    target = turn.book.resolve(turn.frame.agent, action.target)
    if isinstance(target, PlaybookTarget):
        return (_call_playbook(turn, target, positional, named),)
    if target is None and action.target == _SAYING and positional:
        return (turn.draft(types.TOLD, {"text": str(positional[-1]), "pc": turn.at.next}),)
    tool = target or ToolTarget(turn.frame.agent, action.target)
    kind = turn.rules.tool_kind(tool.agent, tool.name)
    if kind is None:
        return (_ask_for_call(turn, action, positional, named),)
    body = {
        "tool": tool.name,
        "agent": tool.agent,
        "class": kind,
        "key": f"{turn.state.run}:{turn.state.next_seq}",
        "positional": positional,
        "named": named,
    }
    return (turn.opening(types.TOOL_CALL, body),)


def _keep_result(turn: Turn, action: Call) -> Draft:
    answer = turn.frame.answer
    assert answer is not None
    assert action.result is not None, "without one, the answer itself leads on"
    value = answer["return"] if "return" in answer else answer["values"][_RESULT.name]
    return turn.set_last(action.result, value)


def _call_playbook(turn: Turn, target: PlaybookTarget, positional: list[Any], named: dict[str, Any]) -> Draft:
    if len(turn.state.frames) >= turn.rules.max_depth:
        message = _("calls are {depth} deep, which is the limit; does {playbook} call itself for ever?")
        raise StepFailed(message.format(depth=len(turn.state.frames), playbook=target.playbook.name))
    bound = bind(target.playbook, tuple(positional), named)
    return turn.opening(types.PLAYBOOK_ENTERED, _entering(target, bound))


def _entering(target: PlaybookTarget, bound: dict[str, Any]) -> dict[str, Any]:
    states = [parameter.name for parameter in target.playbook.parameters if parameter.is_state]
    return {"playbook": target.playbook.name, "agent": target.agent, "arguments": bound, "state": states}


def _ask_for_call(turn: Turn, action: Call, positional: list[Any], named: dict[str, Any]) -> Draft:
    """Nothing here can make this call: whoever judges is asked to, and to say what it gave."""
    values = [*(repr(value) for value in positional), *(f"{name}={value!r}" for name, value in named.items())]
    text = f"{action.target}({', '.join(values)})"
    fields = () if action.result is None else (Variable(_RESULT.name, is_state=False, type=action.result.type),)
    request = asking(turn, RequestKind.JUDGE, "", fields)
    return turn.opening(types.INPUT_ASKED, {**body_of(request), "text": text})


def bind(playbook: Playbook, positional: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
    """The value of each parameter; raises StepFailed where one is missing or too many are given."""
    parameters = playbook.parameters
    if len(positional) > len(parameters):
        message = _("{playbook} takes {count} values, and {given} are given.")
        raise StepFailed(message.format(playbook=playbook.name, count=len(parameters), given=len(positional)))
    bound = dict(zip((parameter.name for parameter in parameters), positional, strict=False))
    known = {parameter.name for parameter in parameters}
    for name, value in named.items():
        if name not in known or name in bound:
            message = _("{playbook} has no parameter {name} that is still free.")
            raise StepFailed(message.format(playbook=playbook.name, name=name))
        bound[name] = value
    for parameter in parameters:
        if parameter.name not in bound:
            bound[parameter.name] = default_of(playbook, parameter)
    return bound


def default_of(playbook: Playbook, parameter: Parameter) -> Any:
    """The default of *parameter*; raises StepFailed where there is none that can be used."""
    if parameter.default is None:
        message = _("{playbook} needs a value for {name}, and none is given.")
        raise StepFailed(message.format(playbook=playbook.name, name=parameter.name))
    try:
        return as_data(evaluate(parse_expression(parameter.default), _no_variable))
    except (ExpressionRefused, EvaluationFailed, NotData) as error:
        message = _("the default of {name} in {playbook} cannot be used: {problem}.")
        problem = str(error).rstrip(".")
        raise StepFailed(message.format(playbook=playbook.name, name=parameter.name, problem=problem)) from error


def _no_variable(name: str, is_state: bool) -> object:
    raise UnknownName(name)
