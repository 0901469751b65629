"""Runs of step lists that are cut off after their events, resumed, and compared with the run that was not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.conftest import PATIENCE_S, is_thorough
from workbench.engine.backends.script import ScriptedWalker
from workbench.engine.journal.codec import encoded
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.run_events import ToolCalled, ToolError, ToolResult
from workbench.engine.journal.steplist_events import CallWish
from workbench.engine.options import RunOptions
from workbench.engine.ports import Answer, JudgementBackend, Request
from workbench.engine.scripts import ScriptedCall
from workbench.engine.starting import resume_run, start_run
from workbench.engine.steplists.walking import Tool, Turn, TurnAnswer
from workbench.model.loader.steplist import Playbook
from workbench.model.snapshot import Snapshot

ASKED_AGAIN = {
    "run.forked",
    "run.resumed",
    "run.paused",
    "llm.request",
    "input.asked",
    "effect.in_doubt",
    "effect.resolved",
}
"""What a run that was cut off may tell once more than another."""
IN_MEMORY = Path(":memory:")


class World:
    """What is outside: tools that write down each time that something is really done."""

    def __init__(self, done: Sequence[str] = ()) -> None:
        self.done = list(done)

    def tool(self, name: str) -> Tool:
        """A tool that does something."""

        def use(arguments: Mapping[str, Any]) -> Any:
            self.done.append(deed(name, arguments))
            return f"{name} passed, all fine"

        return use


def deed(tool: str, arguments: Mapping[str, Any]) -> str:
    """What is done by a call, as one text."""
    return f"{tool}({', '.join(f'{name}={value}' for name, value in arguments.items())})"


class Doer(ScriptedWalker):
    """A model that has a list of calls, in batches, and really makes them with the tools of a *world*."""

    name = "doer"

    def __init__(self, world: World, calls: Sequence[ScriptedCall]) -> None:
        super().__init__(tuple(calls))
        self._world = world

    def take(self, turn: Turn) -> TurnAnswer:
        """The next batch of its list; what the calls give is not known before."""
        answer = super().take(turn)
        return TurnAnswer(answer.calls, answer.text)

    def tools_for(self, playbook: Playbook) -> Mapping[str, Tool]:
        """Tools that do something."""
        return {name: self._world.tool(name) for name in super().tools_for(playbook)}


class Model:
    """A model that looks at the *world* before it asks: it wants all calls of its step that were not made yet."""

    name = "model"

    def __init__(self, world: World) -> None:
        self._world = world

    def judge(self, request: Request) -> Answer:
        """Never asked."""
        raise AssertionError(request)

    def cancel(self) -> None:
        """Nothing to give up."""

    def take(self, turn: Turn) -> TurnAnswer:
        """All calls that are missing, together; else words."""
        tools = turn.at.tools if turn.at is not None else ()
        missing = [tool for tool in tools if deed(tool, {}) not in self._world.done]
        words = "" if missing else "refunded, passed, all fine"
        return TurnAnswer(tuple(CallWish(tool, {}) for tool in missing), words)

    def tools_for(self, playbook: Playbook) -> Mapping[str, Tool]:
        """Tools that do something."""
        return {name: self._world.tool(name) for name in playbook.steps_by_tool}


class Desk:
    """A person who makes one of *entries* in each turn."""

    name = "person"

    def __init__(self, entries: Sequence[Mapping[str, Any]]) -> None:
        self._entries = entries

    def judge(self, request: Request) -> Answer:
        """The entry of the turn that is asked about."""
        return Answer(tuple(self._entries[int(request.id.removeprefix("turn")) - 1].items()))

    def cancel(self) -> None:
        """Nothing to give up."""


@dataclass(frozen=True, slots=True)
class Case:
    """A run to be cut: *walker* makes who walks *snapshot*, anew for each process."""

    snapshot: Snapshot
    walker: Callable[[], JudgementBackend]
    options: RunOptions = field(default_factory=RunOptions)


@dataclass(frozen=True, slots=True)
class Whole:
    """A run as it is without a cut, with what it leaves behind."""

    case: Case
    run: RunId
    events: tuple[RunEvent, ...]
    kept: tuple[bytes, ...]


def whole(case: Case) -> Whole:
    """The run of *case* without a cut."""
    journal = Journal(IN_MEMORY)
    run = start_run(case.snapshot, journal, case.walker(), case.options)
    assert run.wait(PATIENCE_S)
    events = journal.check(run.id)
    names = [encoded(events[0].payload)[name] for name in ("pb_hash", "plan_hash")]
    kept = tuple(journal.kept(name) for name in names)
    journal.close()
    return Whole(case, RunId(run.id), events, kept)


def cuts(events: Sequence[RunEvent]) -> list[int]:
    """After how many of its *events* a run is cut off: after every third and the first of each kind.

    After each of them where there is time: ``make thorough``.
    """
    last = len(events)
    if is_thorough():
        return [*range(1, last)]
    first = {event.name: count for count, event in reversed([*enumerate(events, 1)])}
    return sorted({*range(1, last, 3), *first.values()} - {last})


def resumed(
    whole: Whole, count: int, walker: JudgementBackend, options: RunOptions | None = None
) -> tuple[RunEvent, ...]:
    """All events of the run of *whole* that was cut off after *count* events, and went on with *walker*."""
    journal = Journal(IN_MEMORY)
    for content in whole.kept:
        journal.keep(content)
    journal.append(whole.events[:count])
    if isinstance(walker, ScriptedWalker):
        walker.catch_up(whole.events[:count])
    run = resume_run(whole.run, journal, walker, options)
    assert run.wait(PATIENCE_S)
    events = journal.check(whole.run)
    journal.close()
    return events


def essence(events: Sequence[RunEvent]) -> list[tuple[Any, ...]]:
    """What *events* tell that must be told exactly once, in order and without times."""
    return [
        (event.name, event.step, event.span, event.parent, event.actor, _timeless(encoded(event.payload)))
        for event in events
        if event.name not in ASKED_AGAIN
    ]


def _timeless(value: Any) -> Any:
    """*value* without what differs from run to run."""
    if isinstance(value, Mapping):
        kept = (name for name in value if not name.endswith("_at") and name not in ("timestamp", "run"))
        return {name: _timeless(value[name]) for name in kept}
    return [_timeless(each) for each in value] if isinstance(value, list) else value


def script_for(playbook: Playbook) -> tuple[ScriptedCall, ...]:
    """Calls that walk *playbook* to its end: those of a step together, with the words and evidence it looks for."""
    entries: list[ScriptedCall] = []
    for number, step in enumerate(playbook.steps, 1):
        said = " ".join((*step.result_keywords, "done"))
        asked = {f"ask{index}": probe.match for index, probe in enumerate(step.required_probes)}
        tools = list(step.expected_tools) or ["anything"] * step.least_calls
        tools += [tools[0]] * (step.least_calls - len(tools)) if tools else []
        entries += [ScriptedCall(tool, asked, said, batch=str(number)) for tool in tools]
        if not tools:
            entries.append(ScriptedCall(text=said))
    return tuple(entries)


def ended(events: Sequence[RunEvent]) -> list[str]:
    """The deeds of the calls in *events* that came to an end."""
    return [made for made, is_over in _calls(events) if is_over]


def open_call(events: Sequence[RunEvent]) -> str:
    """The deed of the call that *events* leave open, empty where there is none."""
    return next((made for made, is_over in _calls(events) if not is_over), "")


def _calls(events: Sequence[RunEvent]) -> list[tuple[str, bool]]:
    begun = {event.span: event.payload for event in events if isinstance(event.payload, ToolCalled)}
    over = {event.span for event in events if isinstance(event.payload, ToolResult | ToolError)}
    return [(deed(call.tool, call.named), span in over) for span, call in begun.items()]
