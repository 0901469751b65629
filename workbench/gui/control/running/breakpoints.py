"""The breakpoints of the open document: they stay with their steps, and count in its runs that go on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from workbench.disk.files import is_there
from workbench.errors import CannotRead, CannotSave
from workbench.gui.control.notices import Cause
from workbench.gui.look.signs import LineSign
from workbench.model.meaning import StepKind
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot

if TYPE_CHECKING:  # loaded with the first breakpoint
    from workbench.engine.debugging.breakpoints import Breakpoint, Breakpoints
    from workbench.engine.debugging.kept import KeptBreakpoint
    from workbench.gui.control.document_controller import DocumentController
    from workbench.gui.control.notices import Notices
    from workbench.gui.control.running.run_controller import RunController
    from workbench.gui.control.running.run_steps import RunSteps
    from workbench.gui.control.running.shown_run import ShownRun

_NO_STEPS = frozenset({StepKind.NOTE, StepKind.RAW, StepKind.TRIGGER})


@dataclass(frozen=True, slots=True)
class DocumentStop:
    """A breakpoint of the document. *step*: where it is; None for one that is at no step, or whose step is gone.

    *kept*: what was known of its step when the file was opened.
    """

    breakpoint: Breakpoint
    step: StepId | None = None
    kept: KeptBreakpoint | None = None


class StepBreakpoints(QObject):
    """What stops the runs of the document. They are kept by file, outside of it."""

    changed = Signal(object)  # frozenset[StepId]: steps where a breakpoint has come, gone, or become another

    def __init__(
        self, documents: DocumentController, runs: RunController, shown: ShownRun, notices: Notices, store: Path
    ) -> None:
        super().__init__(documents)
        self._documents = documents
        self._runs = runs
        self._shown = shown
        self._keeper = StopKeeper(documents, notices, store)
        self.stops: tuple[DocumentStop, ...] = ()
        documents.document_opened.connect(self._on_opened)
        documents.file_state_changed.connect(self._on_file_state_changed)
        runs.breakpoints_of_document = self.of_document
        runs.run_started.connect(self._on_run_started)
        documents.views.add("breakpoints", StopsOfTab(self))

    def at(self, step: StepId) -> Breakpoint | None:
        """The breakpoint at *step*."""
        return next((each.breakpoint for each in self.stops if each.step == step), None)

    def sign(self, step: StepId) -> LineSign | None:
        """The sign of the breakpoint at *step*."""
        found = self.at(step)
        return None if found is None else LineSign(str(found), found.is_on, bool(found.log))

    @property
    def signs(self) -> dict[StepId, LineSign]:
        """The sign of each step that has one."""
        steps = [each.step for each in self.stops if each.step is not None]
        return {step: sign for step in steps if (sign := self.sign(step)) is not None}

    def toggle(self, step: StepId) -> None:
        """Set a breakpoint at *step*, or take the one that is there away."""
        from workbench.engine.debugging.breakpoints import Breakpoint, StopKind  # noqa: PLC0415 - see above

        snapshot = self._documents.snapshot
        if self.at(step) is not None:
            self.put(step, None)
        elif can_stop_at(snapshot, step):
            self.put(step, Breakpoint(StopKind.STEP, snapshot.address(step)))

    def put(self, step: StepId, breakpoint_: Breakpoint | None) -> None:
        """Have *breakpoint_* at *step*, in place of what is there; None for none."""
        others = tuple(each for each in self.stops if each.step != step)
        added = () if breakpoint_ is None else (DocumentStop(breakpoint_, step),)
        self.replace_all((*others, *added))

    def replace_all(self, stops: Iterable[DocumentStop]) -> None:
        """Have exactly *stops*."""
        before, self.stops = self.stops, tuple(stops)
        touched = {each.step for each in {*before} ^ {*self.stops} if each.step is not None}
        self._keeper.save(self.placed())
        self._tell_runs()
        self.changed.emit(frozenset(touched))

    def stop_for(self, breakpoint_: Breakpoint) -> DocumentStop:
        """*breakpoint_* at the step of the document that it names."""
        return _placed(breakpoint_, self._documents.snapshot)

    def of_document(self) -> Breakpoints:
        """What stops a run of the document as it is now."""
        return tuple(each.breakpoint for each in self.placed())

    def placed(self) -> tuple[DocumentStop, ...]:
        """All of them, with the addresses that their steps have now."""
        snapshot = self._documents.snapshot
        return tuple(
            replace(each, breakpoint=replace(each.breakpoint, at=snapshot.address(each.step)))
            if each.step is not None and snapshot.has(each.step)
            else each
            for each in self.stops
        )

    @Slot(object)
    def _on_opened(self, _snapshot: Snapshot) -> None:
        before = frozenset(each.step for each in self.stops if each.step is not None)
        self.stops = self._keeper.load()
        now = frozenset(each.step for each in self.stops if each.step is not None)
        if before or self.stops:
            self.changed.emit(before | now)

    @Slot(object)
    def _on_file_state_changed(self, _state: object) -> None:
        """Once the document is saved, its steps have the addresses that the file has."""
        if self.stops and self._keeper.is_due():
            self._keeper.save(self.placed())

    @Slot(object)
    def _on_run_started(self, _run: object) -> None:
        self._tell_runs()

    def _tell_runs(self) -> None:
        """Let the runs of the document that go on stop at these, as far as they have their steps."""
        for each in self._runs.going:
            if self._shown.of_document.has(each.view):
                each.run.controls.breakpoints = tuple(_in_run(self.stops, self._shown.of_document.steps_of(each.view)))


class StopsOfTab:
    """The breakpoints of a document while another one is shown: one that was never saved has them nowhere else."""

    def __init__(self, breakpoints: StepBreakpoints) -> None:
        self._breakpoints = breakpoints

    def put_away(self) -> tuple[DocumentStop, ...]:
        """All of them, with the steps that they are at."""
        return self._breakpoints.stops

    def bring_back(self, view: tuple[DocumentStop, ...]) -> None:
        """Have those of the document that is shown again."""
        touched = {each.step for each in {*self._breakpoints.stops} ^ {*view} if each.step is not None}
        self._breakpoints.stops = view
        if touched:
            self._breakpoints.changed.emit(frozenset(touched))


def can_stop_at(snapshot: Snapshot, step: StepId) -> bool:
    """Whether *step* is one that a run carries out."""
    return snapshot.has(step) and snapshot.step(step).kind not in _NO_STEPS


def _in_run(stops: Iterable[DocumentStop], steps: RunSteps) -> Iterator[Breakpoint]:
    """The breakpoints of *stops*, at the addresses that their steps have in a run."""
    for each in stops:
        address = steps.address_of(each.step) if each.step is not None else each.breakpoint.at
        if each.step is None or address:
            yield replace(each.breakpoint, at=address)


class StopKeeper:
    """Keeps the breakpoints of the open document in *store*."""

    def __init__(self, documents: DocumentController, notices: Notices, store: Path) -> None:
        self._documents = documents
        self._notices = notices
        self._store = store
        self._path: Path | None = None

    def load(self) -> tuple[DocumentStop, ...]:
        """Those of the document, which was just opened."""
        self._path, snapshot = self._documents.document.path, self._documents.snapshot
        if self._path is None or not is_there(self._store):
            return ()
        from workbench.engine.debugging.kept import found_again, load_kept  # noqa: PLC0415 - see above

        try:
            kept = load_kept(self._store, self._path)
        except CannotRead as error:
            self._notices.report(error, Cause.SETTINGS)
            return ()
        return tuple(replace(_placed(each.breakpoint, snapshot), kept=each) for each in found_again(kept, snapshot))

    def is_due(self) -> bool:
        """Whether the document has a new file, or its file has just been written."""
        document = self._documents.document
        return document.path is not None and (document.path != self._path or not document.is_dirty)

    def save(self, stops: Iterable[DocumentStop]) -> None:
        """Keep *stops*, which have the addresses that their steps have now."""
        from workbench.engine.debugging.kept import save_kept  # noqa: PLC0415 - see above

        self._path = self._documents.document.path
        if self._path is None:
            return
        try:
            save_kept(self._store, self._path, [_kept(each, self._documents.snapshot) for each in stops])
        except (CannotRead, CannotSave) as error:
            self._notices.report(error, Cause.SETTINGS)


def _kept(stop: DocumentStop, snapshot: Snapshot) -> KeptBreakpoint:
    """*stop* with what its step says; one whose step is gone stays as it was."""
    from workbench.engine.debugging.kept import kept_at  # noqa: PLC0415 - see above

    is_lost = stop.step is None or not snapshot.has(stop.step)
    return stop.kept if is_lost and stop.kept is not None else kept_at(stop.breakpoint, snapshot)


def _placed(breakpoint_: Breakpoint, snapshot: Snapshot) -> DocumentStop:
    step = snapshot.at_address(breakpoint_.at)
    return DocumentStop(breakpoint_, step.id if step is not None else None)
