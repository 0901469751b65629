"""Whether another playbook may have been entered before a step: its ``$`` parameters then have values for all."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from workbench.model.checks.context import Context
from workbench.model.meaning import StepKind
from workbench.model.program import Agent, Playbook, PlaybookMode, Step
from workbench.model.step_facts import facts_of_run, step_runs


class Entries:
    """Who is called from where in a program, as seen from one of its agents; worked out when it is asked for."""

    def __init__(self, context: Context, agent: Agent) -> None:
        self._context = context
        self._agent = agent

    def owners(self, name: str, playbook: Playbook) -> list[Playbook]:
        """The other playbooks of the agent that have the state *name* as a parameter."""
        return [one for one in self._owners.get(name, ()) if one is not playbook]

    def may_come_before(self, owners: Sequence[Playbook], playbook: Playbook, step: Step) -> bool:
        """True where one of *owners* may have been entered when *playbook* comes to *step*."""
        return any(self._may_come_before(owner, playbook, step) for owner in owners)

    def _may_come_before(self, owner: Playbook, playbook: Playbook, step: Step) -> bool:
        is_free = any(one.mode is not PlaybookMode.STEPS for one in self._agent.playbooks)
        if is_free or owner.triggers or any(owner.name in code for code in self._agent.python):
            return True
        calls = self._calls.get(owner.name, [])
        if any(caller is not playbook or self._is_before(call, step) for caller, call in calls):
            return True
        return playbook.name in self._reached(owner)

    def _is_before(self, call: Step, step: Step) -> bool:
        """True where *call* stands above *step*, or in a loop with it."""
        document = self._context.document
        root = document.root(step.id)
        if root.kind is StepKind.LOOP and document.root(call.id) is root:
            return True
        return self._context.head(call).start <= self._context.head(step).start

    def _reached(self, owner: Playbook) -> set[str]:
        """The names of all playbooks that *owner* calls, directly or through others."""
        found: set[str] = set()
        todo = [owner.name]
        while todo:
            called = self._called_by.get(todo.pop(), set()) - found
            found |= called
            todo += called
        return found

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
