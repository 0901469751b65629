"""Writing on the canvas: editing words in place, and inserting by typing."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, QPointF, Slot

from workbench.editing.commands import (
    AddNote,
    AddPlaybook,
    AddTrigger,
    Command,
    InsertStep,
    Place,
    SetStepText,
    WrapForm,
)
from workbench.gui.canvas.camera import centre_point, reveal
from workbench.gui.canvas.canvas_state import Hit
from workbench.gui.canvas.canvas_view import CanvasView
from workbench.gui.canvas.drop_slots import DropSlot
from workbench.gui.canvas.inline_editor import InlineEditor, TextEntered
from workbench.gui.canvas.insert_popup import InsertChosen, InsertPopup
from workbench.gui.canvas.sights import Sight
from workbench.gui.canvas.structure_walk import place_at_end
from workbench.gui.canvas.suggestions import as_typed
from workbench.gui.canvas.verbs import Verbs
from workbench.i18n import _
from workbench.model.layout import Rect
from workbench.model.program import StepId

# Words that are hardly readable are not edited in place: the canvas comes nearer first.
_SMALLEST_ZOOM = 0.75
FIRST_PLAYBOOK = "Main"


class Writing(QObject):
    """Opens and closes the two fields of the canvas, and turns what was written into commands."""

    def __init__(self, view: CanvasView, verbs: Verbs) -> None:
        super().__init__(view)
        self._view = view
        self._verbs = verbs
        self.editor = InlineEditor(view)
        self.popup = InsertPopup(view)
        self.editor.text_entered.connect(self._on_text_entered)
        self.popup.insert_chosen.connect(self._on_insert_chosen)

    def edit(self, step: StepId, chosen: str = "") -> None:
        """Edit the words of *step* in place; *chosen* is the part that typing replaces."""
        shown = self._verbs.documents.snapshot.find(step)
        if shown is None:
            return
        self._come_near(step)
        sight = self._sight(step)
        if sight is not None:
            self.editor.edit(sight, shown.text, chosen)

    def edit_selected(self) -> None:
        """Edit the selected step."""
        if steps := self._verbs.steps:
            self.edit(steps[0])

    def close(self) -> None:
        """Close both fields and take nothing."""
        self.editor.stop()
        self.popup.close_popup()

    def insert_at(self, place: Place, at: QPoint) -> None:
        """Ask what to insert at *place*, near *at* of the viewport."""
        self.popup.open_at(place, self._verbs.documents.snapshot.program, at)

    def insert_below(self) -> None:
        """Ask what to insert below the selected step, or at the end; make the playbook where there is none."""
        if self._verbs.playbook is None:
            self._verbs.do(AddPlaybook(FIRST_PLAYBOOK))
        place = self._verbs.place_for_new()
        if place is not None:
            steps = self._verbs.steps
            self.insert_at(place, self._below(steps[-1]) if steps else centre_point(self._view).toPoint())

    def add_first(self) -> None:
        """Ask for the first step of the first playbook that has none."""
        if not self._verbs.documents.snapshot.program.playbooks:
            self._verbs.do(AddPlaybook(FIRST_PLAYBOOK))
        playbooks = self._verbs.documents.snapshot.program.playbooks
        if playbooks:
            self.insert_at(place_at_end(playbooks[0]), centre_point(self._view).toPoint())

    def wrap(self, form: WrapForm) -> None:
        """Wrap the selected steps, and let the person write the condition at once."""
        if steps := self._verbs.wrap(form):
            self.edit(steps[0])

    def add_trigger(self) -> None:
        """Add a trigger to the playbook of the selection, and edit its words at once."""
        if (playbook := self._verbs.playbook) is not None:
            self._write_new(AddTrigger(playbook.name, _("When program starts")))

    def add_note(self) -> None:
        """Add a note to the playbook of the selection, and edit its words at once."""
        if (playbook := self._verbs.playbook) is not None:
            self._write_new(AddNote(playbook.name, _("Note")))

    def _write_new(self, command: Command) -> None:
        if steps := self._verbs.do(command):
            self.edit(steps[0])

    @Slot(object)
    def _on_text_entered(self, entered: TextEntered) -> None:
        if entered.sight.step is not None:
            self._verbs.do(SetStepText(entered.sight.step, entered.text))

    @Slot(object)
    def _on_insert_chosen(self, chosen: InsertChosen) -> None:
        steps = self._verbs.do(InsertStep(chosen.place, chosen.suggestion.text))
        is_finished = chosen.suggestion == as_typed(chosen.suggestion.text)
        if steps and chosen.suggestion.blank and not is_finished:
            self.edit(steps[0], chosen.suggestion.blank)

    @Slot(object)
    def on_insert_requested(self, slot: DropSlot) -> None:
        """Insert where the sign on an edge is."""
        self.insert_at(slot.place, self._view.mapFromScene(QPointF(slot.rect.x, slot.rect.y)))

    @Slot(object)
    def on_edit_requested(self, hit: Hit) -> None:
        """Edit what was double-clicked."""
        if hit.step is not None:
            self.edit(hit.step)

    def _come_near(self, step: StepId) -> None:
        """Bring *step* into view, large enough to read."""
        place = self._view.state.layout.place_of(step)
        if place is None:
            return
        if self._view.zoom < _SMALLEST_ZOOM:
            point = QPointF(place.x + place.width / 2, place.y + 40)
            self._view.look_at(1.0, point, centre_point(self._view))
        reveal(self._view, Rect(place.x, place.y, place.width, min(place.height, 120.0)))

    def _sight(self, step: StepId) -> Sight | None:
        return next((sight for sight in self._view.shown.sights.values() if sight.step == step), None)

    def _below(self, step: StepId) -> QPoint:
        place = self._view.state.layout.place_of(step)
        if place is None:
            return centre_point(self._view).toPoint()
        return self._view.mapFromScene(QPointF(place.x, place.y + place.height + 4))
