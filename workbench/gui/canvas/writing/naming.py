"""Naming playbooks on the canvas: their titles are edited in place like the words of steps."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from workbench.editing.commands import AddPlaybook, RenamePlaybook
from workbench.gui.canvas.content.canvas_state import Hit, HitPart
from workbench.gui.canvas.steps.verbs import Verbs
from workbench.gui.canvas.view.camera import reveal
from workbench.gui.canvas.view.canvas_view import CanvasView
from workbench.gui.canvas.writing.inline_editor import TextEntered
from workbench.gui.canvas.writing.writing import Writing
from workbench.model.layout.shapes import Shape

NEW_NAME = "NewPlaybook"


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
            self._verbs.do(RenamePlaybook(entered.box.content.text, entered.text))


def free_name(taken: set[str]) -> str:
    """A name for a new playbook that no other has."""
    number = 1
    while (name := NEW_NAME if number == 1 else f"{NEW_NAME}{number}") in taken:
        number += 1
    return name
