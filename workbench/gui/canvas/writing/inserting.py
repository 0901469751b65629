"""Inserting by typing: below the selection, on an edge, at the end, or as the very first step."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, QPointF, Slot

from workbench.editing.commands import AddPlaybook, InsertStep, Place
from workbench.gui.canvas.content.drop_slots import DropSlot
from workbench.gui.canvas.steps.verbs import Verbs
from workbench.gui.canvas.view.camera import centre_point
from workbench.gui.canvas.view.canvas_view import CanvasView
from workbench.gui.canvas.writing.insert_popup import InsertChosen, InsertPopup
from workbench.gui.canvas.writing.suggestions import as_typed
from workbench.gui.canvas.writing.writing import Writing
from workbench.gui.control.places import place_at_end
from workbench.model.program import StepId

FIRST_PLAYBOOK = "Main"


class Inserting(QObject):
    """Opens the popup at a place, and turns what was chosen into a step."""

    def __init__(self, view: CanvasView, verbs: Verbs, writing: Writing) -> None:
        super().__init__(view)
        self._view = view
        self._verbs = verbs
        self._writing = writing
        self.popup = InsertPopup(view)
        self.popup.insert_chosen.connect(self._on_insert_chosen)

    def insert_below(self) -> None:
        """Ask what to insert below the selected step, or at the end; make the playbook where there is none."""
        steps = self._verbs.steps
        if not steps:
            self.add_first()
        elif (place := self._verbs.place_for_new()) is not None:
            self._ask(place, self._below(steps[-1]))

    @Slot()
    def add_first(self) -> None:
        """Ask for a step at the end of the first playbook; make one where there is none."""
        if not self._verbs.documents.snapshot.program.playbooks:
            self._verbs.do(AddPlaybook(FIRST_PLAYBOOK))
        playbooks = self._verbs.documents.snapshot.program.playbooks
        if playbooks:
            self._ask(place_at_end(playbooks[0]), centre_point(self._view).toPoint())

    @Slot(object)
    def on_insert_requested(self, slot: DropSlot) -> None:
        """Ask what to insert where the sign on an edge is."""
        self._ask(slot.place, self._view.mapFromScene(QPointF(slot.rect.x, slot.rect.y)))

    def _ask(self, place: Place, at: QPoint) -> None:
        self.popup.open_at(place, self._verbs.documents.snapshot.program, at)

    @Slot(object)
    def _on_insert_chosen(self, chosen: InsertChosen) -> None:
        suggestion = chosen.suggestion
        steps = self._verbs.do(InsertStep(chosen.place, suggestion.text))
        if steps and suggestion.blank and suggestion != as_typed(suggestion.text):
            self._writing.edit(steps[0], suggestion.blank)

    def _below(self, step: StepId) -> QPoint:
        place = self._view.state.layout.place_of(step)
        if place is None:
            return centre_point(self._view).toPoint()
        return self._view.mapFromScene(QPointF(place.x, place.y + place.height + 4))
