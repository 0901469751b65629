"""Writing on the canvas: the words of steps, edited in place."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPointF, Slot

from workbench.editing.change import DocumentChange
from workbench.editing.commands import AddNote, AddPlaybook, AddTrigger, Command, RenamePlaybook, SetStepText
from workbench.gui.canvas.content.canvas_state import Hit, HitPart
from workbench.gui.canvas.content.shown_boxes import ShownBox
from workbench.gui.canvas.steps.verbs import Verbs
from workbench.gui.canvas.view.camera import centre_point, reveal
from workbench.gui.canvas.view.canvas_view import CanvasView
from workbench.gui.canvas.writing.inline_editor import InlineEditor, TextEntered, names_in
from workbench.gui.canvas.writing.suggestions import blank_in
from workbench.gui.control.action_spec import CommandOf
from workbench.i18n import _
from workbench.model.layout.shapes import Rect, Shape
from workbench.model.program import StepId

# Words that are hardly readable are not edited in place: the canvas comes nearer first.
_SMALLEST_ZOOM = 0.75
NEW_NAME = "NewPlaybook"


class Writing(QObject):
    """Opens the field over a step, and turns what was written into a command."""

    def __init__(self, view: CanvasView, verbs: Verbs) -> None:
        super().__init__(view)
        self._view = view
        self._verbs = verbs
        self.editor = InlineEditor(view)
        self.editor.text_entered.connect(self._on_text_entered)
        self.editor.textChanged.connect(verbs.documents.fields.changed)
        verbs.documents.fields.add(self.editor)
        verbs.documents.document_changed.connect(self._on_document_changed)

    @Slot(object)
    def edit(self, step: StepId) -> None:
        """Edit the words of *step* in place; typing replaces what is still to be written."""
        self.editor.take()
        shown = self._verbs.documents.snapshot.find(step)
        if shown is None:
            return
        self._come_near(step)
        box = self._shown_box(step)
        if box is not None:
            self.editor.completion.set_names(names_in(self._verbs.documents.snapshot))
            self.editor.edit(box, shown.text, blank_in(shown.text))

    def edit_selected(self) -> None:
        """Edit the selected step."""
        if steps := self._verbs.steps:
            self.edit(steps[0])

    def do_and_write(self, command: CommandOf) -> None:
        """Do what *command* makes of the selected steps, and let the person write the words of that at once."""
        if steps := self._verbs.do_to_selected(command):
            self.edit(steps[0])

    def add_trigger(self) -> None:
        """Add a trigger to the playbook of the selection, and edit its words at once."""
        if (playbook := self._verbs.playbook) is not None:
            self._write_new(AddTrigger(playbook.name, _("When program starts")))

    def add_note(self) -> None:
        """Add a note to the playbook of the selection, and edit its words at once."""
        if (playbook := self._verbs.playbook) is not None:
            self._write_new(AddNote(playbook.name, _("Note")))

    @Slot(object)
    def on_edit_requested(self, hit: Hit) -> None:
        """Edit the step that was double-clicked."""
        if hit.step is not None:
            self.edit(hit.step)

    def _write_new(self, command: Command) -> None:
        if steps := self._verbs.do(command):
            self.edit(steps[0])

    @Slot(object)
    def _on_text_entered(self, entered: TextEntered) -> None:
        if entered.box.step is not None:
            self.do_or_keep(SetStepText(entered.box.step, entered.text), entered.text)

    def do_or_keep(self, command: Command, words: str) -> None:
        """Do *command*; where it is refused, what was written is left over."""
        if self._verbs.can(command) is not None:
            self._verbs.documents.fields.left_over.emit(words)
        self._verbs.do(command)

    @Slot(object)
    def _on_document_changed(self, change: DocumentChange) -> None:
        """Close the field over a step that is gone; what was written in it is left over."""
        box = self.editor.box
        if box is not None and box.step in change.removed:
            if self.editor.is_being_written:
                self._verbs.documents.fields.left_over.emit(self.editor.written)
            self.editor.take_back()

    def _come_near(self, step: StepId) -> None:
        """Bring *step* into view, large enough to read."""
        place = self._view.state.layout.place_of(step)
        if place is None:
            return
        if self._view.zoom < _SMALLEST_ZOOM:
            point = QPointF(place.x + place.width / 2, place.y + 40)
            self._view.look_at(1.0, point, centre_point(self._view))
        reveal(self._view, Rect(place.x, place.y, place.width, min(place.height, 120.0)))

    def _shown_box(self, step: StepId) -> ShownBox | None:
        return next((box for box in self._view.shown.boxes.values() if box.step == step), None)


class Naming(QObject):
    """Adds playbooks, and renames them with every call of them."""

    def __init__(self, view: CanvasView, verbs: Verbs, writing: Writing) -> None:
        super().__init__(view)
        self._view = view
        self._verbs = verbs
        self._writing = writing
        writing.editor.text_entered.connect(self._on_text_entered)

    def add_playbook(self) -> None:
        """Add a playbook at the end, and let the person name it at once."""
        name = free_name({playbook.name for playbook in self._verbs.documents.snapshot.program.playbooks})
        self._verbs.do(AddPlaybook(name))
        self.rename(name)

    def rename_current(self) -> None:
        """Rename the playbook of the selection."""
        if (playbook := self._verbs.playbook) is not None:
            self.rename(playbook.name)

    def rename(self, name: str) -> None:
        """Edit the title of the playbook *name* in place."""
        layouts = (each for each in self._view.state.layout.playbooks if each.playbook.name == name)
        title = next((each.title for each in layouts), None)
        if title is None:
            return
        reveal(self._view, title.rect)
        for box in self._view.shown.boxes.values():
            if box.content.shape is Shape.TITLE and box.content.text == name:
                self._writing.editor.completion.set_names(())
                self._writing.editor.edit(box, name)

    @Slot(object)
    def on_edit_requested(self, hit: Hit) -> None:
        """Rename the playbook whose title was double-clicked."""
        if hit.part is HitPart.TITLE:
            self.rename(hit.playbook)

    @Slot(object)
    def _on_text_entered(self, entered: TextEntered) -> None:
        if entered.box.step is None:
            self._writing.do_or_keep(RenamePlaybook(entered.box.content.text, entered.text), entered.text)


def free_name(taken: set[str]) -> str:
    """A name for a new playbook that no other has."""
    number = 1
    while (name := NEW_NAME if number == 1 else f"{NEW_NAME}{number}") in taken:
        number += 1
    return name
