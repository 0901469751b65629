"""Records what a finished run of the window has shown to work, or not."""

from __future__ import annotations

import logging

from PySide6.QtCore import QObject, Signal, Slot

from workbench.engine.journal import events as types
from workbench.engine.journal.events import RunEvent
from workbench.engine.state.run_state import RunState
from workbench.errors import WorkbenchError
from workbench.gui.control.context import WindowContext
from workbench.library.recording import record_run
from workbench.library.store import PatternStore
from workbench.planning.learning import run_record

log = logging.getLogger(__name__)

_OF_CALLS = frozenset({types.TOOL_CALL, types.TOOL_RESULT, types.TOOL_ERROR, types.RESOLVED})


class PatternRecorder(QObject):
    """Listens to the runs of a window, and keeps what a record is made of.

    Reading a long run from the journal again at its end would hold up the window.
    """

    recorded = Signal(object)  # PatternEntry

    def __init__(self, context: WindowContext, store: PatternStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runs = context.runs
        self._notices = context.notices
        self._store = store
        self._kept: list[RunEvent] = []
        self._last: RunEvent | None = None
        context.runs.run_started.connect(self._on_run_started)
        context.runs.events_arrived.connect(self._on_events_arrived)
        context.runs.run_finished.connect(self._on_run_finished)

    @Slot(object)
    def _on_run_started(self, _run: object) -> None:
        self._kept, self._last = [], None

    @Slot(object)
    def _on_events_arrived(self, batch: tuple[RunEvent, ...]) -> None:
        """Keep the first event, the last, and those of calls."""
        first = () if self._kept else batch[:1]
        self._kept += [*first, *(event for event in batch if event.type in _OF_CALLS)]
        self._last = batch[-1]

    @Slot(object)
    def _on_run_finished(self, state: RunState) -> None:
        run = self._runs.run
        if run is None or self._last is None:
            return
        try:
            record = run_record((*self._kept, self._last), state, run.snapshot.program)
            entry = record_run(self._store, record) if record is not None else None
        except WorkbenchError as error:
            self._notices.report(error)
            return
        if entry is not None:
            log.info("Recorded run %s for pattern %s", run.id, entry.pattern_id)
            self.recorded.emit(entry)
