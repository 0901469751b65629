"""What every playbook knows without any step having set it: who carries it out, how it was called, what time it is."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workbench.engine.expressions.evaluation import UnknownName
from workbench.engine.language.program.book import Book, type_of
from workbench.engine.language.program.people import number_of
from workbench.engine.state.fold import RunFold
from workbench.engine.state.frames import LiveFrame
from workbench.model.described import constants_of


@dataclass(frozen=True, slots=True)
class Begun:
    """A playbook that has begun, or is about to: *agent* carries it out with *arguments*."""

    agent: str
    playbook: str
    arguments: Mapping[str, Any]


def given_value(state: RunFold, book: Book, begun: Begun, name: str) -> Any:
    """What *name* stands for, also a constant of the agent's Python. Raises UnknownName."""
    if name == "timestamp":
        at = dt.datetime.fromtimestamp(state.at_ns / 1e9)  # noqa: DTZ006 - people read the time of their own clock
        return at.isoformat(" ", "seconds")
    if name in ("agent", "self"):
        return _agent(state, book, begun.agent)
    if name == "call":
        return {"playbook_name": begun.playbook, "arguments": dict(begun.arguments)}
    if name == "current_playbook_call":
        values = ", ".join(f"{each}={value!r}" for each, value in begun.arguments.items())
        return f"{begun.playbook}({values})"
    owner = book.agent(type_of(begun.agent))
    constants = constants_of(owner) if owner is not None else {}
    if name in constants:
        return constants[name]
    raise UnknownName(name)


def given_to(state: RunFold, book: Book, frame: LiveFrame, name: str) -> Any:
    """What *name* stands for in *frame*. Raises UnknownName."""
    target = book.playbook(type_of(frame.agent), frame.playbook)
    names = [each.name for each in target.playbook.parameters] if target is not None else []
    own = {**frame.parameters, **frame.locals}
    arguments = {each: own[each] for each in names if each in own}
    return given_value(state, book, Begun(frame.agent, frame.playbook, arguments), name)


def _agent(state: RunFold, book: Book, agent: str) -> dict[str, Any]:
    values = dict(state.agents.get(agent, {}))
    return {"klass": type_of(agent), "name": agent, "id": number_of(state, book, agent), "state": values}
