"""What follows the open document: which actions make sense now, and a selection that stays true."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from workbench.editing.change import DocumentChange
from workbench.gui.control.action_spec import Need
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.told_run import has_paused
from workbench.i18n import _

if TYPE_CHECKING:
    from workbench.engine.state.run_state import RunState


class ActionNeeds(QObject):
    """Listens to document, selection and run, and tells the actions."""

    def __init__(self, context: WindowContext, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        for signal in (
            context.documents.change_followed,
            context.documents.document_opened,
            context.documents.file_state_changed,
            context.selection.selection_changed,
            context.runs.run_began,
            context.runs.run_ended,
            context.runs.phase_changed,
            context.shown.run_shown,
            context.shown.state_changed,
            context.shown.moment_changed,
            context.shown.owner_changed,
        ):
            signal.connect(self._on_changed)
        context.shown.settled.connect(self._on_settled)
        self._on_changed(None)

    @Slot(object)
    def _on_changed(self, _cause: object) -> None:
        self._context.actions.set_met(frozenset(self._of_document() | self._of_run()))
        document = self._context.documents.document
        undo = _("&Undo {what}").format(what=document.undo_label) if document.undo_label else _("&Undo")
        redo = _("&Redo {what}").format(what=document.redo_label) if document.redo_label else _("&Redo")
        self._context.actions.set_text("edit.undo", undo)
        self._context.actions.set_text("edit.redo", redo)
        self._context.actions.set_text("run.report", _("Sa&ve report…") if self._is_over else _("Sa&ve report so far…"))

    @property
    def _is_over(self) -> bool:
        """Whether the run that is shown is over, or none is shown."""
        state = self._context.shown.latest
        return self._context.shown.view is None or (state is not None and state.is_over)

    @Slot()
    def _on_settled(self) -> None:
        self._on_changed(None)

    def _of_document(self) -> set[Need]:
        documents = self._context.documents
        if not documents.file_state.is_open:
            return set()
        steps = self._context.selection.selected
        first = documents.snapshot.find(steps[0]) if steps else None
        claims = (
            (Need.DOCUMENT, True),
            (Need.FILE, documents.file_state.path is not None),
            (Need.UNDO, documents.document.can_undo),
            (Need.REDO, documents.document.can_redo),
            (Need.STEP, len(steps) > 0),
            (Need.ONE_STEP, len(steps) == 1),
            (Need.BOX, first is not None and first.is_ticked is not None),
        )
        return {need for need, holds in claims if holds}

    def _of_run(self) -> set[Need]:
        runs, shown = self._context.runs, self._context.shown
        is_going = shown.is_live or shown.owner is not None
        claims = (
            (Need.RUN_KNOWN, shown.view is not None),
            (Need.REPORT, shown.view is not None and bool(shown.view.origin.read_as)),
            (Need.PAST, shown.moment is not None),
            (Need.SEVERAL_RUNS, len(runs.going) > 1),
            (Need.WAITING, bool(runs.waiting)),
            (Need.NO_RUN, not is_going),
            (Need.RUN, shown.is_live),
            (Need.ANY_RUN, is_going),
            (Need.NOT_WATCHED, shown.owner is None),
            (Need.RESUMABLE, shown.is_resumable and not is_going),
            (Need.PAUSED, shown.is_live and has_paused(shown)),
            (Need.GOING, shown.is_live and not has_paused(shown)),
        )
        known = {need for need, holds in claims if holds}
        return known.union(_held(runs.state) if Need.PAUSED in known and runs.state is not None else ())


def _held(state: RunState) -> Iterator[Need]:
    """What can be changed where the run is held at *state*."""
    from workbench.engine.state.answering import answer_at_hand  # noqa: PLC0415 - loaded with the first run

    if state.intent is not None and state.intent.held is not None:
        yield Need.HELD_RESULT
    if answer_at_hand(state) is not None:
        yield Need.HELD_ANSWER


class SelectionFollower(QObject):
    """Selects what an edit says is to be selected, and lets go of steps that are gone."""

    def __init__(self, context: WindowContext, parent: QObject) -> None:
        super().__init__(parent)
        self._selection = context.selection
        context.documents.change_followed.connect(self._on_document_changed)
        context.documents.document_opened.connect(self._on_document_opened)

    @Slot(object)
    def _on_document_changed(self, change: DocumentChange) -> None:
        if self._selection.hovered in change.removed:
            self._selection.hover(None, "edit")
        wanted = change.selection or self._selection.selected
        self._selection.select(tuple(step for step in wanted if change.after.has(step)), "edit")

    @Slot(object)
    def _on_document_opened(self, _snapshot: object) -> None:
        self._selection.hover(None, "edit")
        self._selection.select((), "edit")
