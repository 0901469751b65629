"""The engine as the window uses it; loaded by ``run_host`` when it is first needed."""

from __future__ import annotations

from functools import cached_property

from workbench.engine.backends.person import PersonBackend
from workbench.engine.events import RunEvent, RunId
from workbench.engine.journal import Journal, RunSummary
from workbench.engine.runner import Run, RunOptions, resume_run, snapshot_of, start_run
from workbench.engine.state import fold
from workbench.errors import StoreFailed
from workbench.model.snapshot import Snapshot
from workbench.settings import Places


class JournaledHost:
    """Runs in this process, judged by the person at the desk, journaled in the person's own folder."""

    def __init__(self, places: Places) -> None:
        self._places = places

    def start(self, snapshot: Snapshot, options: RunOptions) -> Run:
        """A new run of *snapshot*, already going."""
        return start_run(snapshot, self._journal, PersonBackend(), options)

    def resume(self, run: RunId) -> Run:
        """*run*, going on where it was."""
        return resume_run(run, self._journal, PersonBackend())

    def runs(self) -> tuple[RunSummary, ...]:
        """All runs in the journal, newest first."""
        return self._journal.runs()

    def events(self, run: RunId) -> tuple[RunEvent, ...]:
        """Everything that happened in *run* so far."""
        return self._journal.read(run)

    def text_of(self, events: tuple[RunEvent, ...]) -> Snapshot | None:
        """The text that the run of *events* executes; None where it is lost."""
        try:
            return snapshot_of(fold(events[:1]), self._journal) if events else None
        except StoreFailed:
            return None

    @cached_property
    def _journal(self) -> Journal:
        self._places.data_dir.mkdir(parents=True, exist_ok=True)
        return Journal(self._places.runs_file)
