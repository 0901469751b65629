"""Ticks the boxes of a checklist in the document as its runs get on, where the person has asked for that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from workbench.editing.commands import TickSteps
from workbench.engine.work import Went, went
from workbench.gui.control.document_controller import DocumentController
from workbench.gui.control.running.run_controller import RunController
from workbench.gui.control.running.shown_run import ShownRun
from workbench.gui.control.running.window_runs import WindowRun

if TYPE_CHECKING:
    from workbench.engine.journal.events import RunEvent


class RunTicker(QObject):
    """Each tick is an edit of its own, which can be undone; a box that is ticked already stays so."""

    def __init__(
        self, runs: RunController, shown: ShownRun, documents: DocumentController, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._shown = shown
        self._documents = documents
        runs.run_began.connect(self._on_run_began)

    @Slot(object)
    def _on_run_began(self, run: WindowRun) -> None:
        if run.view.origin.ticks:
            _Ticked(run).given.connect(self._tick)

    @Slot(object, object)
    def _tick(self, run: WindowRun, event: RunEvent) -> None:
        answer = getattr(event.payload, "answer", {})
        step = self._shown.of_document.steps_of(run.view).id_of(event.step) if went(answer) is Went.DONE else None
        found = self._documents.snapshot.find(step) if step is not None else None
        if found is not None and found.is_ticked is False:
            self._documents.execute(TickSteps((found.id,), True))


class _Ticked(QObject):
    """Tells what the person answers in one run."""

    given = Signal(object, object)  # WindowRun, RunEvent

    def __init__(self, run: WindowRun) -> None:
        super().__init__(run)
        self._run = run
        run.events_arrived.connect(self._on_events_arrived)

    @Slot(object)
    def _on_events_arrived(self, batch: tuple[RunEvent, ...]) -> None:
        for event in batch:
            if event.seq > self._run.resumed_after and event.name == "input.given":
                self.given.emit(self._run, event)
