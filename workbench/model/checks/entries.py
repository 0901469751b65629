"""Whether another playbook may have been entered before a step: its ``$`` parameters then have values for all."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from workbench.model.checks.context import Context
from workbench.model.meaning import StepKind
from workbench.model.program import Agent, Playbook, PlaybookMode, Step
from workbench.model.step_facts import facts_of_run, step_runs

_FAR = 200
"""How many playbooks are followed from one; beyond that nothing is claimed."""


class Entries:
    """Who is called from where in a program, as seen from one of its agents; worked out when it is asked for."""

    def __init__(self, context: Context, agent: Agent) -> None:
        self._context = context
        self._agent = agent
        self._found: dict[str, set[str]] = {}

    def owners(self, name: str, playbook: Playbook) -> list[Playbook]:
        """The other playbooks of the agent that have the state *name* as a parameter."""
        return [one for one in self._owners.get(name, ()) if one is not playbook]

    def may_come_before(self, owners: Sequence[Playbook], playbook: Playbook, step: Step) -> bool:
        """True where one of *owners* may have been entered when *playbook* comes to *step*."""
        return any(self._may_come_before(owner, playbook, step) for owner in owners)

    def _may_come_before(self, owner: Playbook, playbook: Playbook, step: Step) -> bool:
        if self._is_free or owner.triggers or owner.name in self._python:
            return True
        calls = self._calls.get(owner.name, [])
        if any(caller is not playbook or self._is_before(call, step) for caller, call in calls):
            return True
        reached = self._reached(owner.name)
        return len(reached) > _FAR or playbook.name in reached

    def _is_before(self, call: Step, step: Step) -> bool:
        """True where *call* stands above *step*, or in a loop with it."""
        document = self._context.document
        root = document.root(step.id)
        if root.kind is StepKind.LOOP and document.root(call.id) is root:
            return True
        return self._context.head(call).start <= self._context.head(step).start

    def _reached(self, owner: str) -> set[str]:
        """The names of the playbooks that *owner* calls, directly or through others; not many more than enough."""
        if owner not in self._found:
            found: set[str] = set()
            todo = [owner]
            while todo and len(found) <= _FAR:
                called = self._called_by.get(todo.pop(), set()) - found
                found |= called
                todo += called
            self._found[owner] = found
        return self._found[owner]

    @cached_property
    def _is_free(self) -> bool:
        """True where the agent has a playbook that calls what it likes."""
        return any(one.mode is not PlaybookMode.STEPS for one in self._agent.playbooks)

    @cached_property
    def _python(self) -> str:
        return "\n".join(self._agent.python)

    @cached_property
    def _owners(self) -> dict[str, list[Playbook]]:
        owners: dict[str, list[Playbook]] = {}
        for playbook in self._agent.playbooks:
            for parameter in playbook.parameters:
                if parameter.is_state:
                    owners.setdefault(f"${parameter.name}", []).append(playbook)
        return owners

    @cached_property
    def _calls(self) -> dict[str, list[tuple[Playbook, Step]]]:
        """For each name the calls of it in the program."""
        calls: dict[str, list[tuple[Playbook, Step]]] = {}
        for playbook in self._context.program.playbooks:
            for run in step_runs(playbook):
                for step, call in facts_of_run(run).calls:
                    calls.setdefault(call.target.rpartition(".")[2], []).append((playbook, step))
        return calls

    @cached_property
    def _called_by(self) -> dict[str, set[str]]:
        called: dict[str, set[str]] = {}
        for name, calls in self._calls.items():
            for caller, _step in calls:
                called.setdefault(caller.name, set()).add(name)
        return called
