"""Calls that a sentence stands for: what it leaves open is asked for; what is going on already is not begun again."""

from __future__ import annotations

import ast
from dataclasses import replace

from workbench.engine.decider import Draft
from workbench.engine.expressions.evaluation import UnknownName
from workbench.engine.journal.run_events import InputAsked
from workbench.engine.language.program.book import PlaybookTarget, type_of
from workbench.engine.language.turn import Turn
from workbench.engine.language.wording import asking
from workbench.engine.ports import RequestKind
from workbench.model.meaning import Argument, Call, Variable

RESULT = "result"


def result_field(action: Call) -> tuple[Variable, ...]:
    """The field for what *action* gives; none where nothing takes it."""
    return () if action.result is None else (Variable(RESULT, is_state=False, type=action.result.type),)


def is_judged(turn: Turn, action: Call) -> bool:
    """Whether the words of *action* are judged here: what they mean is going on already, or is not for this agent.

    Two playbooks may tell of each other in words, as *Prepare the return* and *Check the figures* do. Nobody who writes
    so means that it never ends: the words are judged then, as those are by which a playbook tells of itself. Whoever
    wants to begin again says so by a call.
    """
    if not action.is_by_words:
        return False
    target = turn.book.resolve(type_of(turn.frame.agent), action.target)
    if not isinstance(target, PlaybookTarget):
        return False
    place = (target.agent, target.playbook.name)
    is_closed = target.agent != type_of(turn.frame.agent) and not turn.book.is_public(*place)
    return is_closed or place in ((type_of(frame.agent), frame.playbook) for frame in turn.state.frames)


def left_open(turn: Turn, action: Call) -> tuple[Variable, ...]:
    """What has to be asked before the call can be made: what only its sentence tells, and variables without a value."""
    if not action.is_resolved or not action.text:
        return ()
    unset = [_variable_of(argument) for argument in action.arguments if _is_unset(turn, argument)]
    return tuple({each.name: each for each in (*unset, *action.asked)}.values())


def question_about(turn: Turn, action: Call, fields: tuple[Variable, ...]) -> Draft:
    """The question with the words of *action*, whose answer gives *fields*: what the playbook needs, typed so."""
    target = turn.book.resolve(type_of(turn.frame.agent), action.target)
    typed = tuple(_typed(turn, target, each) for each in fields) if isinstance(target, PlaybookTarget) else fields
    return turn.opening(InputAsked.of(asking(turn, RequestKind.JUDGE, action.text, typed)))


def _typed(turn: Turn, target: PlaybookTarget, variable: Variable) -> Variable:
    """*variable*, with the type that the parameter of its name has, or that its use in *target* gives it."""
    known = next((each for each in target.playbook.parameters if each.name == variable.name), None)
    if known is None:
        return variable
    parameter = Variable(known.name, known.is_state, known.type)
    typed = turn.book.number_types.typed(target.agent, target.playbook.name, parameter)
    return replace(variable, type=typed.type)


def _is_unset(turn: Turn, argument: Argument) -> bool:
    tree = argument.value.tree
    if not isinstance(tree, ast.Name):
        return False
    ((name, is_state),) = argument.value.names
    try:
        turn.lookup(name, is_state)
    except UnknownName:
        return True
    return False


def _variable_of(argument: Argument) -> Variable:
    return Variable(argument.value.names[0][0], is_state=False)
