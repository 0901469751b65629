"""What the window asks of the engine: start a run, go on with one, read what happened in another."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from workbench.settings import Places

if TYPE_CHECKING:
    from workbench.engine.journal.events import RunEvent, RunId
    from workbench.engine.journal.journal import RunSummary
    from workbench.engine.running.run_thread import RunHandle
    from workbench.engine.running.runner import RunOptions
    from workbench.model.snapshot import Snapshot


class RunHost(Protocol):
    """Where runs come from. Raises StoreFailed when the journal cannot be used, RunFailed when nothing can run."""

    def start(self, snapshot: Snapshot, options: RunOptions) -> RunHandle:
        """A new run of *snapshot*, already going."""
        ...

    def resume(self, run: RunId) -> RunHandle:
        """*run*, going on where it was."""
        ...

    def runs(self) -> tuple[RunSummary, ...]:
        """All runs in the journal, newest first."""
        ...

    def events(self, run: RunId) -> tuple[RunEvent, ...]:
        """Everything that happened in *run* so far."""
        ...

    def text_of(self, events: tuple[RunEvent, ...]) -> Snapshot | None:
        """The text that the run of *events* executes; None where it is lost."""
        ...

    def export(self, run: RunId, path: Path) -> None:
        """Write the audit of *run* to *path*, in the form that its ending asks for. Raises CannotSave."""
        ...


class EngineHost:
    """Loads the engine when it is first asked for something, since the window comes first."""

    def __init__(self, places: Places) -> None:
        self._places = places

    @cached_property
    def _engine(self) -> RunHost:
        from workbench.gui.control.running.engine_host import JournaledHost  # noqa: PLC0415 - see above

        return JournaledHost(self._places)

    def start(self, snapshot: Snapshot, options: RunOptions) -> RunHandle:
        """A new run of *snapshot*, already going."""
        return self._engine.start(snapshot, options)

    def resume(self, run: RunId) -> RunHandle:
        """*run*, going on where it was."""
        return self._engine.resume(run)

    def runs(self) -> tuple[RunSummary, ...]:
        """All runs in the journal, newest first; none before the first run, for which nothing is loaded."""
        return self._engine.runs() if self._places.runs_file.exists() else ()

    def events(self, run: RunId) -> tuple[RunEvent, ...]:
        """Everything that happened in *run* so far."""
        return self._engine.events(run)

    def text_of(self, events: tuple[RunEvent, ...]) -> Snapshot | None:
        """The text that the run of *events* executes; None where it is lost."""
        return self._engine.text_of(events)

    def export(self, run: RunId, path: Path) -> None:
        """Write the audit of *run* to *path*, in the form that its ending asks for. Raises CannotSave."""
        self._engine.export(run, path)
