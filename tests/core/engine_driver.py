"""Drives the engine in tests: a playbook as text in, its events and its state out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.conftest import PATIENCE_S
from workbench.engine.backends.script import ScriptBackend
from workbench.engine.journal.codec import encoded
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.journal import Journal
from workbench.engine.options import RunOptions
from workbench.engine.ports import JudgementBackend
from workbench.engine.running.run import Run
from workbench.engine.scripts import parse_script
from workbench.engine.starting import start_run
from workbench.engine.state.run_state import RunState
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.text import SourceText


@dataclass(frozen=True, slots=True)
class Played:
    """What a run left behind."""

    run: Run
    events: tuple[RunEvent, ...]

    @property
    def state(self) -> RunState:
        """Where it ended."""
        return self.run.state

    def bodies(self, type_: str) -> list[dict[str, Any]]:
        """The bodies of all events of one type."""
        return [dict(encoded(event.payload)) for event in self.events if event.name == type_]

    def told(self) -> list[str]:
        """Everything that the user was told."""
        return [body["text"] for body in self.bodies("say.told")]

    def steps(self) -> list[str]:
        """The addresses of the steps in the order in which they were entered."""
        return [event.step for event in self.events if event.name == "step.entered"]


def book(steps: str, before: str = "# Book\n## Main\n### Steps\n") -> Snapshot:
    """A snapshot of a playbook ``Main`` with *steps*."""
    return derive(SourceText(before + steps))


def scripted(script: str) -> ScriptBackend:
    """A backend that answers from the YAML in *script*."""
    return ScriptBackend(parse_script(script))


def play(snapshot: Snapshot | str, folder: Path, script: str = "", options: RunOptions | None = None) -> Played:
    """A run of *snapshot* (or of steps), carried out to its end."""
    made = book(snapshot) if isinstance(snapshot, str) else snapshot
    journal = Journal(folder / "runs.sqlite")
    return finished(start_run(made, journal, scripted(script), options or RunOptions(is_trusted=True)), journal)


def finished(run: Run, journal: Journal) -> Played:
    """*run*, at its end, with all that its journal holds."""
    assert run.wait(PATIENCE_S), f"still going on: {run.state}"
    return Played(run, journal.read(run.id))


def begin(
    snapshot: Snapshot | str, journal: Journal, backend: JudgementBackend, options: RunOptions | None = None
) -> Run:
    """A run that goes on."""
    made = book(snapshot) if isinstance(snapshot, str) else snapshot
    return start_run(made, journal, backend, options or RunOptions(is_trusted=True))


def wait_for(run: Run, type_: str, count: int = 1) -> Sequence[RunEvent]:
    """The events of *run* until *count* of *type_* have happened."""
    seen: list[RunEvent] = []
    while sum(event.name == type_ for event in seen) < count:
        is_over = run.wait(0.005)
        seen += run.drain()
        assert not is_over or type_ in {event.name for event in seen}, "the run ended before"
    return seen
