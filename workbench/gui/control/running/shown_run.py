"""The run that every pane shows: the one that goes on, or an earlier one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Slot

from workbench.engine.journal.choices import RunStatus
from workbench.gui.control.running.retelling import ReadRun, Retelling, RunView
from workbench.gui.control.running.run_steps import LinkedSteps, RunSteps, TextMatch, linked_steps, steps_of_run
from workbench.gui.control.running.told_run import ToldRun

if TYPE_CHECKING:
    from workbench.editing.document import Document
    from workbench.engine.journal.events import RunEvent, RunId
    from workbench.engine.journal.lease import Owner
    from workbench.engine.running.run import Run
    from workbench.gui.control.document_controller import DocumentController
    from workbench.gui.control.running.run_controller import RunController
    from workbench.gui.control.running.window_runs import Phase, WindowRun
    from workbench.model.snapshot import Snapshot

_ENDED = frozenset({RunStatus.COMPLETED, RunStatus.FAILED})


class RunsOfDocument:
    """What runs are to the document that is shown."""

    def __init__(self, documents: DocumentController) -> None:
        self._documents = documents
        self._begun: WeakKeyDictionary[Document, dict[RunId, RunSteps]] = WeakKeyDictionary()
        self._shown: Document | None = None

    def add(self, run: Run) -> None:
        """*run* was begun with the document as it is now."""
        self._begun.setdefault(self._documents.document, {})[run.id] = RunSteps(run.snapshot)

    def follow(self) -> None:
        """Another document is shown, or the same one is read as something else: then its steps have other ids."""
        if self._documents.document is self._shown:
            self._begun.pop(self._shown, None)
        self._shown = self._documents.document

    @property
    def _begun_here(self) -> dict[RunId, RunSteps]:
        return self._begun.get(self._documents.document, {})

    def has_begun(self, view: RunView | None) -> bool:
        """Whether the run of *view* was begun with the document, since that was opened."""
        return view is not None and view.id in self._begun_here

    def has(self, view: RunView) -> bool:
        """The same, or at any time with its file."""
        path = self._documents.document.path
        return self.has_begun(view) or (path is not None and view.origin.path == str(path))

    def steps_of(self, view: RunView) -> RunSteps:
        """By their ids where it was begun with the document, whatever has become of the text."""
        if view.id in self._begun_here:
            return self._begun_here[view.id]
        path = self._documents.document.path
        document, is_of_file = self._documents.snapshot, self.has(view)
        linked = linked_steps(view.origin, document, path) if path and view.origin.linked else None
        steps = linked or steps_of_run(view.ran, document, is_of_file=is_of_file)
        steps.earlier = tuple(
            (each.end, steps_of_run(each.ran, document, is_of_file=is_of_file)) for each in view.earlier
        )
        return steps

    def match(self, view: RunView | None, steps: RunSteps) -> TextMatch:
        """What the text of the run of *view* is to the document; a run that is not there differs from nothing, and one
        that makes a playbook has no text that could."""
        if view is None or view.origin.is_cycle:
            return TextMatch.SAME
        if view.ran is None:
            return TextMatch.LOST
        if view.ran.text == self._documents.snapshot.text or isinstance(steps, LinkedSteps):
            return TextMatch.SAME
        return TextMatch.CHANGED if self.has(view) else TextMatch.ANOTHER


class ShownRun(ToldRun):
    """Every pane listens here, so that all of them show one and the same run.

    *retelling*: says how much of an earlier run was told, and can be stopped. *of_document*: what runs are to the
    document that is shown.
    """

    def __init__(self, runs: RunController, documents: DocumentController, parent: QObject | None = None) -> None:
        super().__init__(runs.host, parent)
        self._runs = runs
        self.of_document = RunsOfDocument(documents)
        self.retelling = Retelling(runs.host, self)
        self._runs.run_started.connect(self._on_run_started)
        self._runs.events_arrived.connect(self._on_live_events)
        self._runs.run_finished.connect(self._on_run_finished)
        documents.document_opened.connect(self._on_document_opened)
        self.retelling.begun.connect(self._on_begun)
        self.retelling.told.connect(self._take)
        self.retelling.owner_changed.connect(self._on_owner_changed)
        self.retelling.over.connect(self._on_over)
        self.retelling.failed.connect(self.failed)
        self.look_requested.connect(self.show)
        documents.views.add("run", RunOfTab(self))

    @property
    def is_live(self) -> bool:
        """Whether the run that is shown goes on in this window."""
        return self._runs.is_running and _is_of(self.view, self._runs.run)

    @Slot(object)
    def show(self, run: RunId) -> None:
        """Show *run* from the journal, in every pane; where it goes on, it is followed.

        One that goes on in this window comes to the front.
        """
        self.retelling.tell(run, is_followed=all(each.id != run for each in self._runs.going))
        self._runs.bring_forward(run)

    def show_live(self) -> None:
        """Show a run that goes on, as it is now: the one that needs the person most, of several the one at hand."""
        if self._runs.going:
            self._show_now(min(self._runs.going, key=partial(_distance, self._runs, self.view)))

    def show_next_waiting(self) -> None:
        """Show the run that waits for the person, the next one where one is shown already."""
        waiting = self._runs.waiting
        at = next((index for index, each in enumerate(waiting, 1) if _is_of(self.view, each.run)), 0)
        if waiting:
            self._show_now(waiting[at % len(waiting)])

    def _show_now(self, run: WindowRun) -> None:
        if _is_of(self.view, run.run):
            self.moments.back_to_now()
        else:
            self.show(run.id)

    @property
    def text_match(self) -> TextMatch:
        """What the text of the run is to the document."""
        return self.of_document.match(self.view, self.steps)

    @Slot(object)
    def _on_run_started(self, run: Run) -> None:
        self.retelling.forget()
        self._is_ticking = False
        if self._runs.front is not None and self._runs.front.is_of_document:
            self.of_document.add(run)
        if self._runs.front is not None:
            self._begin(self._runs.front.view, self.of_document.steps_of(self._runs.front.view))

    @Slot(object)
    def _on_live_events(self, batch: tuple[RunEvent, ...]) -> None:
        """Some were read in the journal already. Where telling it was given up for another run, no more is told."""
        if self._runs.run is not None and self.retelling.run == self._runs.run.id:
            self.retelling.add(batch)
        elif _is_of(self.view, self._runs.run):
            self._is_ticking = batch[-1].seq > self._runs.resumed_after
            new = tuple(event for event in batch if event.seq >= self.moments.count)
            if new and new[0].seq == self.moments.count:
                self._take(new)

    @Slot(object)
    def _on_begun(self, read: ReadRun) -> None:
        self._is_ticking = False
        self._begin(read.view, self.of_document.steps_of(read.view))
        self.is_resumable = read.is_resumable

    @Slot(object)
    def _on_owner_changed(self, owner: Owner | None) -> None:
        """It goes on elsewhere, or does no more: then it can be gone on with where it has not come to an end."""
        self.owner, self.is_resumable = owner, owner is None
        self._is_ticking = owner is not None and owner.is_here
        self.owner_changed.emit(owner)

    @Slot()
    def _on_over(self) -> None:
        """All is told that is in the journal; a run that goes on is followed from here."""
        self._is_ticking = self.is_live
        if not self.is_live:
            self._settle()

    @Slot(object)
    def _on_run_finished(self, _state: object) -> None:
        if _is_of(self.view, self._runs.run) and self.retelling.run is None:
            self._settle()

    def _settle(self) -> None:
        is_known = self.is_resumable or (self.view is not None and self._runs.find(self.view.id) is not None)
        self.is_resumable = is_known and self.latest is not None and self.latest.status not in _ENDED
        super()._settle()

    @Slot(object)
    def _on_document_opened(self, _document: Snapshot) -> None:
        """A run that goes on is shown whatever is open, unless one of the document does; one that is over belongs to
        its document."""
        self.of_document.follow()
        own = [each for each in self._runs.going if self.of_document.has(each.view)]
        is_to_stay = self.view is not None and self.is_live and (not own or self.of_document.has(self.view))
        if self.view is not None and is_to_stay:
            self._follow(self.of_document.steps_of(self.view))
            return
        self.retelling.forget()
        if self.view is not None:
            self._begin(None, RunSteps())
        if own:
            self.show(min(own, key=partial(_distance, self._runs, None)).id)
        else:
            self.show_live()


class RunOfTab:
    """The run that is shown with a document, while another document is shown."""

    def __init__(self, shown: ShownRun) -> None:
        self._shown = shown

    def put_away(self) -> RunId | None:
        """The run of the document that is shown; None where one of another document is, or none."""
        view = self._shown.view
        return view.id if view is not None and self._shown.of_document.has(view) else None

    def bring_back(self, run: RunId | None) -> None:
        """Show it again, also where it is over."""
        if run is not None and (self._shown.view is None or self._shown.view.id != run):
            self._shown.show(run)


def _is_of(view: RunView | None, run: Run | None) -> bool:
    """Whether *view* is of *run*."""
    return run is not None and view is not None and view.id == run.id


def _distance(runs: RunController, shown: RunView | None, run: WindowRun) -> tuple[Phase, bool, bool]:
    """How far *run* is from being the one to show: the less, the more it needs the person, and is at hand."""
    return run.phase, shown is None or shown.id != run.id, run is not runs.front
