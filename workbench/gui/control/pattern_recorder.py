"""Records what a finished run of the window has shown to work, or not, whichever panes there are."""

from __future__ import annotations

import logging
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.run_events import CallResolved, ToolCalled, ToolError, ToolResult
from workbench.engine.state.run_state import RunState
from workbench.errors import WorkbenchError
from workbench.gui.control.notices import Notices
from workbench.gui.control.running.run_controller import RunController

if TYPE_CHECKING:
    from workbench.library.entries import PatternEntry
    from workbench.library.store import PatternStore
    from workbench.model.program import Program

# ruff: noqa: PLC0415 - the library is loaded when it is first asked for: the window comes first

log = logging.getLogger(__name__)

_OF_CALLS = frozenset({ToolCalled, ToolResult, ToolError, CallResolved})


class PatternRecorder(QObject):
    """Listens to the runs of a window, and keeps what a record is made of.

    Reading a long run from the journal again at its end would hold up the window.
    """

    recorded = Signal(object)  # PatternEntry

    def __init__(
        self, runs: RunController, notices: Notices, patterns_file: Path, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._runs = runs
        self._notices = notices
        self._file = patterns_file
        self._kept: list[RunEvent] = []
        self._last: RunEvent | None = None
        runs.run_started.connect(self._on_run_started)
        runs.events_arrived.connect(self._on_events_arrived)
        runs.run_finished.connect(self._on_run_finished)

    @cached_property
    def store(self) -> PatternStore:
        """The library of this person, for the whole window."""
        from workbench.library.store import PatternStore

        return PatternStore(self._file)

    @Slot(object)
    def _on_run_started(self, _run: object) -> None:
        self._kept, self._last = [], None

    @Slot(object)
    def _on_events_arrived(self, batch: tuple[RunEvent, ...]) -> None:
        """Keep the first event, the last, and those of calls."""
        first = () if self._kept else batch[:1]
        self._kept += [*first, *(event for event in batch if type(event.payload) in _OF_CALLS)]
        self._last = batch[-1]

    @Slot(object)
    def _on_run_finished(self, state: RunState) -> None:
        run = self._runs.run
        if run is None or self._last is None:
            return
        try:
            entry = self._learned((*self._kept, self._last), state, run.snapshot.program)
        except WorkbenchError as error:
            self._notices.report(error)
            return
        if entry is not None:
            log.info("Recorded run %s for pattern %s", run.id, entry.pattern_id)
            self.recorded.emit(entry)

    def _learned(self, events: tuple[RunEvent, ...], state: RunState, program: Program) -> PatternEntry | None:
        from workbench.planning import learn

        return learn(self.store, events, state, program)
