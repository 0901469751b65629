"""Which names somebody can write at a place: variables, with their type and where they are set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from workbench.i18n import _
from workbench.model.checks.variables import GIVEN
from workbench.model.described import constants_of
from workbench.model.meaning import Loop, TriggerEvent
from workbench.model.program import Agent, Parameter, Playbook, Program, Step
from workbench.model.queries import Queries
from workbench.model.step_facts import facts_of_run, runs_of, step_runs, variable_key
from workbench.model.step_names import types_written


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody writes: in *playbook* of *agent*, None where it is in none, at the block *block*.

    *step*: the one whose words are written, None where it is a new one.
    """

    document: Queries
    agent: Agent | None
    playbook: Playbook | None
    block: int
    step: Step | None = None

    @property
    def program(self) -> Program:
        """What the document means."""
        return self.document.program


def place_at(document: Queries, offset: int) -> Place:
    """The place of *offset* in the text of *document*."""
    index = document.block_index_at(offset)
    placed = document.placed_at_block(index)
    playbook = placed.playbook if placed is not None else None
    found = document.step_at(offset) if index >= 0 else None
    return Place(document, _agent_of(document, playbook), playbook, index, document.find(found) if found else None)


def place_of_step(document: Queries, step: Step) -> Place:
    """The place of the words of *step*."""
    playbook = document.playbook_of(step.id)
    return Place(document, _agent_of(document, playbook), playbook, document.where[step.id], step)


def place_in(document: Queries, address: str) -> Place:
    """The place of a new step at the end of the playbook with *address*."""
    placed = document.placed_named(address)
    playbook = placed.playbook if placed is not None else None
    return Place(document, _agent_of(document, playbook), playbook, placed.stop if placed is not None else 0)


def _agent_of(document: Queries, playbook: Playbook | None) -> Agent | None:
    if playbook is None:
        return None
    return document.program.agent_of(playbook)


class Known(NamedTuple):
    """A variable that has a value somewhere. *name*: as steps write it. *setter*: the first step that sets it.

    *playbook*: where that stands, or whose parameter it is; empty where it is given. *is_early*: it can have its value
    at the place that was asked about. A tuple, because a long playbook has thousands of them at every key.
    """

    name: str
    playbook: str
    setter: Step | None = None
    parameter: Parameter | None = None
    is_early: bool = True

    @property
    def type(self) -> str:
        """The type that is written where it is set; empty where none is."""
        if self.parameter is not None:
            return self.parameter.type
        written = types_written(self.setter.meaning, self.name) if self.setter is not None else ()
        return next((each for each in written if each), "")

    def where(self, document: Queries) -> str:
        """Where it gets its value, in a few words: ``Main:02.01``."""
        if self.parameter is not None:
            return _("parameter of {playbook}").format(playbook=self.playbook)
        return _("given") if self.setter is None else document.address(self.setter.id)


def variables_at(place: Place) -> dict[str, Known]:
    """The variables that can be read at *place*, by name: those of its playbook first, then the state of its agent."""
    found: dict[str, Known] = {}
    if place.playbook is None or place.agent is None:
        return found
    for row in _of_playbook(place.playbook, place):
        for name, known in row:
            if name not in found:
                found[name] = known
    others = (playbook for playbook in place.agent.playbooks if playbook is not place.playbook)
    for row in (row for playbook in others for row in _of_playbook(playbook, place)):
        for name, known in row:
            if name[0] == "$" and name not in found:
                found[name] = known
    for name in (*_given(place.agent), *constants_of(place.agent)):
        found.setdefault(name, Known(name, ""))
    return found


def _given(agent: Agent) -> tuple[str, ...]:
    meanings = [trigger.meaning for playbook in agent.playbooks for trigger in playbook.triggers]
    is_listening = any(isinstance(each, TriggerEvent) and each.hearing is not None for each in meanings)
    return (*(("$message",) if is_listening else ()), *sorted(name for name in GIVEN if name[0] == "$"))


_Row = tuple[tuple[str, Known], ...]
"""Names in the order in which they are set, each with what is known of it."""


def _of_playbook(playbook: Playbook, place: Place) -> Iterator[_Row]:
    """The parameters of *playbook*, and what its steps set, run by run."""
    parameters = [
        Known(f"${parameter.name}" if parameter.is_state else parameter.name, playbook.name, None, parameter)
        for parameter in playbook.parameters
    ]
    yield tuple([(each.name, each) for each in parameters])
    for run in (*runs_of(playbook.triggers), *step_runs(playbook)):
        is_early = True if playbook is not place.playbook else _is_early(run, place)
        if is_early is not None:
            yield _known_in(run, playbook.name, is_early)
            continue
        where = place.document.where
        yield tuple(
            [
                (name, Known(name, playbook.name, step, None, where[step.id] <= place.block))
                for name, step in _set_in(run)
            ]
        )


def _is_early(run: tuple[Step, ...], place: Place) -> bool | None:
    """Whether all of *run* stands up to *place*, or none of it; None where some of it does."""
    where = place.document.where
    first, last = run[0], run[-1]
    if where[first.id] > place.block:
        return False
    return True if where[last.id] + last.blocks - 1 <= place.block else None


@lru_cache(maxsize=8_192)
def _known_in(run: tuple[Step, ...], playbook: str, is_early: bool) -> _Row:  # noqa: FBT001 - a part of the key
    """What is known of the names that *run*, steps of *playbook*, sets; made once for all that stands as it stood."""
    return tuple([(name, Known(name, playbook, step, None, is_early)) for name, step in _set_in(run)])


@lru_cache(maxsize=8_192)
def _set_in(run: tuple[Step, ...]) -> tuple[tuple[str, Step], ...]:
    """The names that the steps of *run* set, each with the first step that does."""
    facts = facts_of_run(run)
    return (*facts.set_at, *_by_loops(run, facts.sets - {name for name, _step in facts.set_at}))


def _by_loops(run: tuple[Step, ...], left: frozenset[str]) -> Iterator[tuple[str, Step]]:
    """Those of the names *left* that loops in *run* set, with the loop."""
    for step in (step for root in run for step in root.walk()) if left else ():
        if isinstance(step.meaning, Loop) and step.meaning.variable is not None:
            name = variable_key(step.meaning.variable.name, step.meaning.variable.is_state)
            if name in left:
                left -= {name}
                yield name, step
