"""The run that every pane shows: the one that goes on, or an earlier one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from workbench.engine.journal.choices import RunStatus
from workbench.gui.control.running.retelling import ReadRun, Retelling, RunView
from workbench.gui.control.running.run_steps import LinkedSteps, RunSteps, TextMatch, linked_steps, steps_of_run
from workbench.gui.control.running.told_run import ToldRun

if TYPE_CHECKING:
    from workbench.engine.journal.events import RunEvent, RunId
    from workbench.engine.running.run import Run
    from workbench.gui.control.document_controller import DocumentController
    from workbench.gui.control.running.run_controller import RunController
    from workbench.model.snapshot import Snapshot

_ENDED = frozenset({RunStatus.COMPLETED, RunStatus.FAILED})


class ShownRun(ToldRun):
    """Every pane listens here, so that all of them show one and the same run.

    *retelling*: says how much of an earlier run was told, and can be stopped.
    """

    def __init__(self, runs: RunController, documents: DocumentController, parent: QObject | None = None) -> None:
        super().__init__(runs.host, parent)
        self._runs = runs
        self._documents = documents
        self._begun_here: dict[RunId, RunSteps] = {}
        self.retelling = Retelling(runs.host, self)
        self._runs.run_started.connect(self._on_run_started)
        self._runs.events_arrived.connect(self._on_live_events)
        self._runs.run_finished.connect(self._on_run_finished)
        self._documents.document_opened.connect(self._on_document_opened)
        self.retelling.begun.connect(self._on_begun)
        self.retelling.told.connect(self._take)
        self.retelling.over.connect(self._on_over)
        self.retelling.failed.connect(self.failed)
        self.look_requested.connect(self.show)

    @property
    def is_live(self) -> bool:
        """Whether the run that is shown goes on in this window."""
        return self._runs.is_running and self._is_own

    @property
    def _is_own(self) -> bool:
        """Whether it is the run that this window carries out, or did last."""
        return self._runs.run is not None and self.view is not None and self.view.id == self._runs.run.id

    @Slot(object)
    def show(self, run: RunId) -> None:
        """Show *run* from the journal, in every pane; where it goes on here, it is followed."""
        self.retelling.tell(run)

    def show_live(self) -> None:
        """Show the run that goes on, as it is now."""
        if self._runs.is_running and self._runs.run is not None and not self.is_live:
            self.show(self._runs.run.id)
        elif self.is_live:
            self.moments.back_to_now()

    def _steps_of(self, view: RunView) -> RunSteps:
        """By their ids where it was begun with the document that is open, whatever has become of the text."""
        if view.id in self._begun_here:
            return self._begun_here[view.id]
        path = self._documents.document.path
        is_of_file = path is not None and view.origin.path == str(path)
        document = self._documents.snapshot
        linked = linked_steps(view.origin, document, path) if path and view.origin.linked else None
        steps = linked or steps_of_run(view.ran, document, is_of_file=is_of_file)
        steps.earlier = tuple(
            (each.end, steps_of_run(each.ran, document, is_of_file=is_of_file)) for each in view.earlier
        )
        return steps

    @property
    def text_match(self) -> TextMatch:
        """What the text of the run is to the document; a run that is not there differs from nothing."""
        if self.view is None:
            return TextMatch.SAME
        ran, path = self.view.ran, self._documents.document.path
        if ran is None:
            return TextMatch.LOST
        if ran.text == self._documents.snapshot.text or isinstance(self.steps, LinkedSteps):
            return TextMatch.SAME
        is_of_file = self.is_begun_here or (path is not None and self.view.origin.path == str(path))
        return TextMatch.CHANGED if is_of_file else TextMatch.ANOTHER

    @property
    def is_begun_here(self) -> bool:
        """Whether it was begun with the document that is open, since that was opened."""
        return self.view is not None and self.view.id in self._begun_here

    @Slot(object)
    def _on_run_started(self, run: Run) -> None:
        self.retelling.forget()
        self._is_ticking = False
        if self._runs.resumed_after < 0:
            self._begun_here[run.id] = RunSteps(run.snapshot)
        view = RunView(run.id, run.state.origin, run.snapshot, self._runs.earlier_texts)
        self._begin(view, self._steps_of(view))

    @Slot(object)
    def _on_live_events(self, batch: tuple[RunEvent, ...]) -> None:
        if self._runs.run is not None and self.retelling.run == self._runs.run.id:
            self.retelling.add(batch)
        elif self._is_own:
            self._is_ticking = batch[-1].seq > self._runs.resumed_after
            self._take(batch)

    @Slot(object)
    def _on_begun(self, read: ReadRun) -> None:
        self._is_ticking = False
        self._begin(read.view, self._steps_of(read.view))
        self.is_resumable = read.is_resumable

    @Slot()
    def _on_over(self) -> None:
        """All is told that is in the journal; a run that goes on is followed from here."""
        self._is_ticking = self.is_live
        if not self.is_live:
            self._settle()

    @Slot(object)
    def _on_run_finished(self, _state: object) -> None:
        if self._is_own and self.retelling.run is None:
            self._settle()

    def _settle(self) -> None:
        if self._is_own:
            self.is_resumable = self.latest is not None and self.latest.status not in _ENDED
        super()._settle()

    @Slot(object)
    def _on_document_opened(self, _document: Snapshot) -> None:
        """A run that goes on is shown whatever is open; one that is over belongs to its document."""
        self._begun_here = {}
        if self.view is not None and self.is_live:
            self._follow(self._steps_of(self.view))
        else:
            self.retelling.forget()
            if self.view is not None:
                self._begin(None, RunSteps())
            self.show_live()
