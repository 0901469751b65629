"""What a person can do to the selected steps; each verb is one command, and one undo."""

from __future__ import annotations

from workbench.editing.change import DocumentChange
from workbench.editing.commands import (
    ChangeKind,
    Command,
    DeleteSteps,
    MoveSteps,
    Place,
    Refusal,
)
from workbench.gui.canvas.steps.choosing import choose
from workbench.gui.canvas.steps.places import Way, place_towards
from workbench.gui.control.action_spec import CommandOf
from workbench.gui.control.document_controller import DocumentController
from workbench.gui.control.places import outermost, place_for_new
from workbench.gui.control.selection import SelectionController
from workbench.i18n import N_
from workbench.model.meaning import StepKind
from workbench.model.program import Playbook, StepId


class Verbs:
    """The verbs of one canvas. Every change goes through the document controller."""

    def __init__(self, documents: DocumentController, selection: SelectionController) -> None:
        self.documents = documents
        self._selection = selection

    @property
    def steps(self) -> tuple[StepId, ...]:
        """The selected steps in source order, without those that lie inside another one."""
        return outermost(self.documents.snapshot, self._selection.selected)

    @property
    def playbook(self) -> Playbook | None:
        """The playbook of the selection, else the first one of the file."""
        snapshot = self.documents.snapshot
        steps = self.steps
        return snapshot.playbook_of(steps[0]) if steps else next(iter(snapshot.program.playbooks), None)

    def place_for_new(self) -> Place | None:
        """Where a new step goes: below the selection, else at the end of the first playbook."""
        return place_for_new(self.documents.snapshot, self._selection.selected)

    def can(self, command: Command) -> Refusal | None:
        """Why *command* cannot be done now, or None."""
        return self.documents.can(command)

    def do(self, command: Command) -> tuple[StepId, ...]:
        """Do *command*, and select what came of it; that is empty where it was refused."""
        outcome = self.documents.execute(command, self._selection.selected)
        if not isinstance(outcome, DocumentChange):
            return ()
        if outcome.selection:
            choose(self._selection, outcome.selection)
        return outcome.selection

    def move(self, way: Way) -> None:
        """Move the selected steps one place by structure."""
        steps = self.steps
        if not steps:
            return
        place = place_towards(self.documents.snapshot, steps, way)
        if place is None:
            self.documents.refused.emit(Refusal(f"no-way-{way.value}", str(_NO_WAY[way])))
        else:
            self.do(MoveSteps(steps, place))

    def do_to_selected(self, command: CommandOf) -> tuple[StepId, ...]:
        """Do what *command* makes of the selected steps, and select what came of it; nothing where none is selected."""
        steps = self.steps
        return self.do(command(steps)) if steps else ()

    def delete(self) -> None:
        """Delete the selected steps."""
        self.do_to_selected(DeleteSteps)

    def change_kind(self, kind: StepKind) -> None:
        """Reword the selected step so that it becomes *kind*."""
        if steps := self.steps:
            self.do(ChangeKind(steps[0], kind))


_NO_WAY = {
    Way.UP: N_("This is already the first step."),
    Way.DOWN: N_("This is already the last step."),
    Way.IN: N_("There is no step above to move this one into."),
    Way.OUT: N_("This step is not inside another step."),
}
