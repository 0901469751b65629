"""What the window asks of the engine: start a run, go on with one, read what happened in another.

The journal is opened when it is first needed, so that a window without a run pays nothing for it.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from workbench.engine.events import RunEvent, RunId
from workbench.settings import Places

if TYPE_CHECKING:
    from workbench.engine.journal import Journal, RunSummary
    from workbench.engine.runner import Run, RunOptions
    from workbench.model.snapshot import Snapshot


class RunHost(Protocol):
    """Where runs come from. Raises StoreFailed when the journal cannot be used."""

    def start(self, snapshot: Snapshot, options: RunOptions) -> Run:
        """A new run of *snapshot*, already going."""
        ...

    def resume(self, run: RunId) -> Run:
        """*run*, going on where it was."""
        ...

    def runs(self) -> tuple[RunSummary, ...]:
        """All runs in the journal, newest first."""
        ...

    def events(self, run: RunId) -> tuple[RunEvent, ...]:
        """Everything that happened in *run*."""
        ...


class EngineHost:
    """Runs in this process, judged by the person at the desk, journaled in the person's own folder."""

    def __init__(self, places: Places) -> None:
        self._places = places

    def start(self, snapshot: Snapshot, options: RunOptions) -> Run:
        """A new run of *snapshot*, already going."""
        from workbench.engine.backends.person import PersonBackend  # the engine loads with the first run
        from workbench.engine.runner import start_run

        return start_run(snapshot, self._journal, PersonBackend(), options)

    def resume(self, run: RunId) -> Run:
        """*run*, going on where it was."""
        from workbench.engine.backends.person import PersonBackend  # the engine loads with the first run
        from workbench.engine.runner import resume_run

        return resume_run(run, self._journal, PersonBackend())

    def runs(self) -> tuple[RunSummary, ...]:
        """All runs in the journal, newest first."""
        return tuple(self._journal.runs()) if self._places.runs_file.exists() else ()

    def events(self, run: RunId) -> tuple[RunEvent, ...]:
        """Everything that happened in *run*."""
        return tuple(self._journal.read(run))

    @cached_property
    def _journal(self) -> Journal:
        from workbench.engine.journal import Journal  # opens a database: not before it is needed

        self._places.data_dir.mkdir(parents=True, exist_ok=True)
        return Journal(self._places.runs_file)
