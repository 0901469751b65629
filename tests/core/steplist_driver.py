"""Walks step lists in tests, by the entrance that everybody uses: a list and calls in, its events and its plan out."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tests.conftest import PATIENCE_S
from workbench.engine.audit.deeds import plan_at_end
from workbench.engine.backends.script import ScriptedWalker
from workbench.engine.enforcement.playbook_plan import PlaybookPlan
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.journal import Journal
from workbench.engine.options import RunOptions
from workbench.engine.rehearsing import Rehearsal, rehearse
from workbench.engine.running.run import Run
from workbench.engine.scripts import ScriptedCall
from workbench.engine.starting import resume_run, start_run
from workbench.engine.steplists.walking import Tool, Turn, TurnAnswer
from workbench.model.loader.steplist import Playbook, PlaybookStep, playbook_to_json
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.text import SourceText

TOOLS = ("lookup", "policy", "refund", "delete_customer")


class Counting:
    """Real tools that count how often they were done."""

    def __init__(self, results: Mapping[str, Any] | None = None) -> None:
        self.done: Counter[str] = Counter()
        self._results = dict(results or {})

    def tools(self, *names: str) -> dict[str, Tool]:
        """Tools with these names."""
        return {name: self._tool(name) for name in names}

    def _tool(self, name: str) -> Tool:
        def call(_arguments: Mapping[str, Any]) -> Any:
            self.done[name] += 1
            result = self._results.get(name, f"{name} was done")
            if isinstance(result, Exception):
                raise result
            return result

        return call


class Watching(ScriptedWalker):
    """A script with real tools, which keeps what it was shown."""

    def __init__(self, *calls: ScriptedCall) -> None:
        super().__init__(calls)
        self.turns: list[Turn] = []
        self.real: Mapping[str, Tool] = {}

    def using(self, tools: Mapping[str, Tool]) -> Watching:
        """This walker, with *tools*."""
        self.real = tools
        return self

    def take(self, turn: Turn) -> TurnAnswer:
        """Keep the turn and answer by the script."""
        self.turns.append(turn)
        return replace(super().take(turn), foreseen=())  # what they give is seen when they are made

    def tools_for(self, playbook: Playbook) -> Mapping[str, Tool]:
        """The real tools."""
        return self.real


def wants(*names: str) -> list[ScriptedCall]:
    """One call a turn."""
    return [ScriptedCall(name) for name in names]


def says(text: str) -> ScriptedCall:
    """An answer in words."""
    return ScriptedCall(text=text)


@dataclass(frozen=True, slots=True)
class Walked:
    """What a run of a step list left behind."""

    run: Run
    events: tuple[RunEvent, ...]
    plan: PlaybookPlan

    @property
    def stop_reason(self) -> str:
        """``complete``, or why it is not; empty where the run waits to be resumed."""
        if self.run.state.status is RunStatus.COMPLETED:
            return "complete"
        found = re.search(r"\((\w+)\)", self.run.state.error)
        return found[1] if found else ""

    def kinds(self) -> list[str]:
        """The types of all events."""
        return [event.name for event in self.events]


def text_of(playbook: Playbook) -> Snapshot:
    """*playbook* as a file would hold it: only what is not as it is anyway."""
    plain = playbook_to_json(Playbook(playbook.id, playbook.name))
    plain_step = playbook_to_json(Playbook("p", "P", steps=(PlaybookStep("s", "s"),)))["steps"][0]
    data = playbook_to_json(playbook)
    steps = [
        {key: one[key] for key in one if key in ("id", "description") or one[key] != plain_step[key]}
        for one in data["steps"]
    ]
    rest = {key: data[key] for key in data if key in ("id", "name") or data[key] != plain[key]}
    return derive(SourceText(json.dumps({**rest, "steps": steps})))


def walk(playbook: Playbook, journal: Journal, walker: ScriptedWalker, options: RunOptions | None = None) -> Walked:
    """A new run of *playbook*, carried out as far as it goes."""
    return walked(start_run(text_of(playbook), journal, walker, options or RunOptions()), journal)


def rehearsed(playbook: Playbook, *calls: ScriptedCall, blocks: bool = True) -> Rehearsal:
    """What a run of *playbook* would say to *calls*."""
    return rehearse(playbook, text_of(playbook), calls, blocks=blocks)


def go_on(run: RunId, journal: Journal, walker: ScriptedWalker, options: RunOptions | None = None) -> Walked:
    """The run *run*, carried out further."""
    return walked(resume_run(run, journal, walker, options), journal)


def walked(run: Run, journal: Journal) -> Walked:
    """*run*, at its end, with all that its journal holds."""
    assert run.wait(PATIENCE_S), f"still going on: {run.state}"
    events = journal.check(run.id)
    plan = plan_at_end(events, journal)
    assert plan is not None
    return Walked(run, events, plan)
