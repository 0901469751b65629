"""Ticks the boxes of a checklist in the document as its run gets on, where the person has asked for that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from workbench.editing.commands import TickSteps
from workbench.engine.work import Went, went
from workbench.gui.control.document_controller import DocumentController
from workbench.gui.control.running.run_controller import RunController
from workbench.gui.control.running.shown_run import ShownRun

if TYPE_CHECKING:
    from workbench.engine.journal.events import RunEvent


class RunTicker(QObject):
    """Each tick is an edit of its own, which can be undone; a box that is ticked already stays so."""

    def __init__(
        self, runs: RunController, shown: ShownRun, documents: DocumentController, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._runs = runs
        self._shown = shown
        self._documents = documents
        runs.events_arrived.connect(self._on_events_arrived)

    @Slot(object)
    def _on_events_arrived(self, batch: tuple[RunEvent, ...]) -> None:
        state = self._runs.state
        if state is None or not state.origin.ticks:
            return
        for event in batch:
            if event.seq > self._runs.resumed_after and event.name == "input.given":
                self._tick(event)

    def _tick(self, event: RunEvent) -> None:
        answer = getattr(event.payload, "answer", {})
        step = self._shown.steps.id_of(event.step) if went(answer) is Went.DONE else None
        found = self._documents.snapshot.find(step) if step is not None else None
        if found is not None and found.is_ticked is False:
            self._documents.execute(TickSteps((found.id,), True))
