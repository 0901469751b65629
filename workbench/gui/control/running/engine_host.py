"""The engine as the window uses it; loaded by ``run_host`` when it is first needed."""

from __future__ import annotations

import logging
from functools import cached_property
from pathlib import Path

from workbench.engine.audit.export import export_audit, form_of
from workbench.engine.backends.person import PersonBackend
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.journal import Journal, RunSummary
from workbench.engine.running.run_thread import RunHandle
from workbench.engine.running.runner import RunOptions, resume_run, snapshot_of, start_run
from workbench.engine.state.fold import fold
from workbench.engine.steplists.handle import WalkOptions, resume_listed, start_listed
from workbench.engine.steplists.origin import is_listed
from workbench.errors import StoreFailed
from workbench.model.loader.steplist import Playbook
from workbench.model.snapshot import Snapshot
from workbench.planning.knowledge import KnownPatterns
from workbench.settings import Places

log = logging.getLogger(__name__)


class JournaledHost:
    """Runs in this process, judged by the person at the desk, journaled in the person's own folder."""

    def __init__(self, places: Places) -> None:
        self._places = places

    def start(self, snapshot: Snapshot, options: RunOptions) -> RunHandle:
        """A new run of *snapshot*, already going."""
        if snapshot.program.format.is_steplist:
            return start_listed(snapshot, self._journal, self.walk_options(options))
        return start_run(snapshot, self._journal, PersonBackend(), options)

    def resume(self, run: RunId) -> RunHandle:
        """*run*, going on where it was."""
        events = self._journal.read(run)
        if events and is_listed(events[0]):
            return resume_listed(run, self._journal, WalkOptions(recall=self._recall))
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

    def export(self, run: RunId, path: Path) -> None:
        """Write the audit of *run* to *path*, in the form that its ending asks for. Raises CannotSave."""
        export_audit(self._journal, run, form_of(path), path)

    def walk_options(self, options: RunOptions) -> WalkOptions:
        """*options* as they are said of a step list that the person walks."""
        return WalkOptions(
            path=options.path,
            start_paused=options.start_paused,
            is_recording_only=options.is_recording_only,
            recall=self._recall,
        )

    def _recall(self, playbook: Playbook) -> str:
        """What has worked before for *playbook*. A library that cannot be read holds up no run: its pane says why."""
        try:
            return KnownPatterns(self._places.patterns_file)(playbook)
        except StoreFailed as error:
            log.info("Recalled nothing for %s: %s", playbook.name, error)
            return ""

    @cached_property
    def _journal(self) -> Journal:
        self._places.data_dir.mkdir(parents=True, exist_ok=True)
        return Journal(self._places.runs_file)
