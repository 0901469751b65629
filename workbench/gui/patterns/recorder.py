"""Records what a finished run of the window has shown to work, or not."""

from __future__ import annotations

import logging

from PySide6.QtCore import QObject, Signal, Slot

from workbench.engine.state import RunState
from workbench.errors import WorkbenchError
from workbench.gui.context import WindowContext
from workbench.library.recording import record_run
from workbench.library.store import PatternStore
from workbench.planning.learning import run_record

log = logging.getLogger(__name__)


class PatternRecorder(QObject):
    """Listens to the runs of a window."""

    recorded = Signal(object)  # PatternEntry

    def __init__(self, context: WindowContext, store: PatternStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runs = context.runs
        self._notices = context.notices
        self._store = store
        context.runs.run_finished.connect(self._on_run_finished)

    @Slot(object)
    def _on_run_finished(self, state: RunState) -> None:
        run = self._runs.run
        if run is None or state is None:
            return
        try:
            record = run_record(self._runs.host.events(run.id), state, run.snapshot.program)
            entry = record_run(self._store, record) if record is not None else None
        except WorkbenchError as error:
            self._notices.report(error)
            return
        if entry is not None:
            log.info("Recorded run %s for pattern %s", run.id, entry.pattern_id)
            self.recorded.emit(entry)
