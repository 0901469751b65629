"""Runs that a model judges, cut off after their events and gone on with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from tests.conftest import PATIENCE_S
from tests.core.engine_driver import scripted
from tests.core.model_driver import MODEL, FakeModel, options
from tests.core.steplist_cutting import ASKED_AGAIN, IN_MEMORY, cuts, deed, ended, essence, open_call
from workbench.engine.backends.script import ScriptBackend
from workbench.engine.decider import Tools
from workbench.engine.journal.codec import encoded
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.model_events import ModelAnswered
from workbench.engine.journal.run_events import ToolResult
from workbench.engine.judges import Judges, Limits
from workbench.engine.ports import CalledBack, InDoubtChoice
from workbench.engine.starting import resume_run, start_run
from workbench.engine.state.frames import Intent
from workbench.errors import RunFailed
from workbench.model.snapshot import Snapshot
from workbench.providers.values import ModelReply
from workbench.tools.values import CallSafety, Toolbox, ToolSpec

AGAIN = frozenset({*ASKED_AGAIN, "model.asked", "model.said"})
"""What a run that was cut off may tell once more than another."""
_ANY = {"type": "object"}


class Shop(Tools):
    """Tools that do something: each deed is written down. Nobody remembers afterwards what they have done."""

    boxes: tuple[Toolbox, ...] = ()

    def __init__(self, names: Sequence[str], done: Sequence[str] = ()) -> None:
        self.names = tuple(names)
        self.done = list(done)

    def safety(self, _agent: str, name: str) -> CallSafety | None:
        """All are unsafe."""
        return CallSafety.UNSAFE if name in self.names else None

    def offered(self, _agent: str) -> tuple[ToolSpec, ...]:
        """All of them."""
        return tuple(ToolSpec(name, "", _ANY, CallSafety.UNSAFE, "") for name in self.names)

    def call(self, intent: Intent, on_output: Callable[[str], None]) -> ToolResult | CalledBack:
        """Do it."""
        self.done.append(deed(intent.tool, dict(intent.named)))
        if "fail" in dict(intent.named):
            raise RunFailed("it broke")
        return ToolResult(f"{intent.tool} passed, all fine")


@dataclass(frozen=True, slots=True)
class Case:
    """A run to be cut. *replies*: all that the model says; *answers*: a script for the person."""

    snapshot: Snapshot
    replies: tuple[ModelReply, ...]
    tools: tuple[str, ...] = ()
    judges: Judges = MODEL
    answers: str = ""
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class Whole:
    """A run as it is without a cut, with all that was done in it."""

    case: Case
    run: RunId
    events: tuple[RunEvent, ...]
    kept: tuple[bytes, ...]
    done: tuple[str, ...]


def use(monkeypatch: pytest.MonkeyPatch, shop: Shop) -> None:
    """Let runs have the tools of *shop*, and no others."""
    monkeypatch.setattr("workbench.engine.starting._others", lambda *_given: shop)
    monkeypatch.setattr("workbench.engine.starting.PlaybookTools", lambda *_given: shop)


def whole(case: Case, monkeypatch: pytest.MonkeyPatch) -> Whole:
    """The run of *case* without a cut."""
    shop, model, journal = Shop(case.tools), FakeModel(case.replies), Journal(IN_MEMORY)
    use(monkeypatch, shop)
    run = start_run(case.snapshot, journal, scripted(case.answers), options(model, case.judges, case.limits))
    assert run.wait(PATIENCE_S)
    events = journal.check(run.id)
    body = encoded(events[0].payload)
    kept = tuple(journal.kept(body[name]) for name in ("pb_hash", "plan_hash") if name in body)
    journal.close()
    assert (model.replies, run.halt) == ([], None)
    return Whole(case, RunId(run.id), events, kept, tuple(shop.done))


def resumed(
    uncut: Whole, count: int, choice: InDoubtChoice, monkeypatch: pytest.MonkeyPatch
) -> tuple[tuple[RunEvent, ...], Shop, FakeModel]:
    """All events of the run of *uncut* that was cut off after *count* events, what was done, and who was asked."""
    before, case = uncut.events[:count], uncut.case
    made = [*ended(before), *([open_call(before)] if choice is InDoubtChoice.DONE else [])]
    done = [one for one in made if one in uncut.done]  # others were done by hand
    answered = sum(isinstance(event.payload, ModelAnswered) for event in before)
    shop, model, journal = Shop(case.tools, done), FakeModel(case.replies[answered:]), Journal(IN_MEMORY)
    use(monkeypatch, shop)
    for content in uncut.kept:
        journal.keep(content)
    journal.append(before)
    backend: ScriptBackend = scripted(case.answers)
    backend.catch_up(before)
    chosen = replace(options(model, case.judges, case.limits), in_doubt=choice, gave=(None,))
    run = resume_run(uncut.run, journal, backend, chosen)
    assert run.wait(PATIENCE_S)
    events = journal.check(uncut.run)
    journal.close()
    assert run.halt is None or choice is InDoubtChoice.SKIP, run.halt  # what was skipped would be wanted again
    return events, shop, model


def check_cuts(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold that the run of *case*, cut off anywhere, tells and does the same once, and asks nothing twice."""
    uncut = whole(case, monkeypatch)
    for count in cuts(uncut.events):
        events, shop, model = resumed(uncut, count, InDoubtChoice.AGAIN, monkeypatch)
        where = f"cut after {count}, {uncut.events[count - 1].name}"
        assert told(events) == told(uncut.events), where
        assert (tuple(shop.done), model.replies) == (uncut.done, []), where


def told(events: Sequence[RunEvent]) -> list[tuple[Any, ...]]:
    """What *events* tell that must be told exactly once."""
    return [entry for entry in map(_plain, essence(events)) if entry[0] not in AGAIN]


def _plain(entry: tuple[Any, ...]) -> tuple[Any, ...]:
    """*entry*, whose questions and calls are named by their numbers in the run, without these."""
    name, *place, body = entry
    kept: Mapping[str, Any] = {key: value for key, value in body.items() if key not in ("request", "key")}
    return (name, *place, kept)
