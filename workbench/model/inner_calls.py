"""The calls that a step makes: one that it is, and those that stand in its expressions and placeholders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from workbench.model.meaning import (
    BY_THEMSELVES,
    Argument,
    Call,
    Condition,
    Group,
    Loop,
    Meaning,
    Note,
    Raw,
    StepListEntry,
    Tell,
    TriggerEvent,
    actions_of,
)
from workbench.model.program import Playbook, PythonFunction, Step
from workbench.model.queries import Queries
from workbench.model.sentences.naming import Names
from workbench.syntax.expressions import (
    Expression,
    InnerCall,
    Template,
    parse_expression,
    parse_template,
    try_expression,
)
from workbench.tools.names import BUILT_IN_TOOLS


def calls_in(step: Step) -> tuple[Call, ...]:
    """Every call that *step* may make itself, inner ones first."""
    found = inner_calls(step.meaning) if "(" in step.text else ()
    return (*found, *(action for action in actions_of(step.meaning) if isinstance(action, Call)))


def called_in(document: Queries, step: Step) -> list[Playbook | PythonFunction]:
    """What of this file the calls of *step* mean, inner ones first: its own agent's before those of others."""
    calls = calls_in(step)
    owner = document.program.agent_of(document.playbook_of(step.id)) if calls else None
    found = (document.program.called(call.target, owner.name if owner else "") for call in calls)
    return [each[1] for each in found if each is not None]


def waits_for_call(meaning: Meaning, names: Names) -> bool:
    """Whether *meaning* is that of a trigger that waits for a call of something in *names*; else it is judged."""
    is_call = isinstance(meaning, TriggerEvent) and meaning.moment not in BY_THEMSELVES
    subject = meaning.subject.rpartition(".")[2] if isinstance(meaning, TriggerEvent) and is_call else ""
    return bool(subject) and bool(names.named(subject) or subject in BUILT_IN_TOOLS)


def inner_calls(part: object) -> Iterator[Call]:
    """The calls that the expressions and placeholders in *part*, a meaning or a part of one, hold."""
    if isinstance(part, Expression):
        yield from map(_call, part.calls)
    elif isinstance(part, str):
        if "{" in part and "(" in part:
            yield from inner_calls(parse_template(part))
    else:
        for one in _parts_of(part):
            yield from inner_calls(one)


def _parts_of(part: object) -> Iterable[object]:
    """What *part* is made of; the words of what is exact say nothing more."""
    match part:
        case TriggerEvent() | Note() | Raw() | Group() | StepListEntry():
            return ()
        case Template(pieces=pieces):
            return [piece for piece in pieces if isinstance(piece, Expression)]
        case tuple():
            return part
        case Tell(template=Template() as template):
            return (template,)
        case Condition(text=text, test=test):
            return (text if test is None else test,)
        case Loop(text=text, condition=condition, items=items, action=action):
            return (condition, items, action) if condition or items else (text, action)
    return [getattr(part, name) for name in getattr(part, "__slots__", ())]


def _call(inner: InnerCall) -> Call:
    values = [(name, try_expression(source) or _UNKNOWN) for name, source in inner.arguments]
    return Call(inner.target, tuple(Argument(name, value) for name, value in values))


_UNKNOWN = parse_expression("None")
