"""The program that a run carries out: where it begins, what a name calls, and the code of each playbook."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from workbench.engine.code import Code, compile_playbook
from workbench.model.meaning import TriggerEvent
from workbench.model.program import Agent, Parameter, Playbook, Program, PythonFunction
from workbench.model.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class PlaybookTarget:
    """A playbook that a call leads to."""

    agent: str
    playbook: Playbook


@dataclass(frozen=True, slots=True)
class ToolTarget:
    """Something outside the program that a call leads to. *parameters*: empty where unknown."""

    agent: str
    name: str
    parameters: tuple[Parameter, ...] = ()


Target = PlaybookTarget | ToolTarget


def entry_playbook(program: Program) -> Playbook | None:
    """Where a run begins: the first playbook with a start trigger, else ``Main``, else the first."""
    for playbook in program.playbooks:
        if any(isinstance(step.meaning, TriggerEvent) and step.meaning.is_start for step in playbook.triggers):
            return playbook
    return program.playbook("Main") or next(iter(program.playbooks), None)


class Book:
    """One snapshot, ready to be carried out; code is made when it is first needed."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.program = snapshot.program
        self._codes: dict[tuple[str, str], Code] = {}

    def code(self, agent: str, playbook: str) -> Code:
        """The code of *playbook* of *agent*, which must exist."""
        known = self._codes.get((agent, playbook))
        if known is None:
            target = self.playbook(agent, playbook)
            assert target is not None, f"no playbook {playbook}"
            known = compile_playbook(target.playbook, self.snapshot)
            self._codes[agent, playbook] = known
        return known

    def playbook(self, agent: str, name: str) -> PlaybookTarget | None:
        """The playbook *name*, sought in *agent* first and then in all others."""
        for candidate in self._agents_from(agent):
            for playbook in candidate.playbooks:
                if playbook.name == name:
                    return PlaybookTarget(candidate.name, playbook)
        return None

    def resolve(self, agent: str, target: str) -> Target | None:
        """What ``target`` (``Check`` or ``Tax.Check``) calls when *agent* says it; None: nothing in the file."""
        owner, _dot, name = target.rpartition(".")
        agents = [each for each in self.program.agents if each.name == owner] if owner else self._agents_from(agent)
        for candidate in agents:
            found = _in_agent(candidate, name)
            if found is not None:
                return found
        return None

    def function(self, agent: str, name: str) -> PythonFunction | None:
        """The Python function *name* of *agent*."""
        for candidate in self.program.agents:
            if candidate.name == agent:
                return next((function for function in candidate.functions if function.name == name), None)
        return None

    def _agents_from(self, agent: str) -> Iterator[Agent]:
        """All agents, *agent* first."""
        yield from (each for each in self.program.agents if each.name == agent)
        yield from (each for each in self.program.agents if each.name != agent)


def _in_agent(agent: Agent, name: str) -> Target | None:
    for playbook in agent.playbooks:
        if playbook.name == name:
            return PlaybookTarget(agent.name, playbook)
    for function in agent.functions:
        if function.name == name:
            return ToolTarget(agent.name, name, function.parameters)
    return None
