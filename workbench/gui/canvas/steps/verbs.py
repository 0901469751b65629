"""Choosing steps on the canvas: what a click selects, and how the other panes hear of it."""

from __future__ import annotations

import enum

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from workbench.editing.change import DocumentChange
from workbench.editing.commands import (
    ChangeKind,
    Command,
    DeleteSteps,
    InsertLines,
    MoveSteps,
    Place,
    Refusal,
    TickSteps,
)
from workbench.editing.geometry.indentation import source_of
from workbench.gui.canvas.content.structure_walk import index_of
from workbench.gui.control.action_spec import CommandOf
from workbench.gui.control.document_controller import DocumentController
from workbench.gui.control.selection import SelectionController, outermost, place_after, place_for_new
from workbench.i18n import N_
from workbench.model.meaning import StepKind
from workbench.model.program import Playbook, StepId
from workbench.model.snapshot import Snapshot
from workbench.syntax.text import Span

# who the canvas is to the other panes, whichever of its parts selects
ORIGIN = "canvas"


def choose(selection: SelectionController, steps: tuple[StepId, ...]) -> None:
    """Select *steps* and let every pane show them."""
    selection.reveal(steps, ORIGIN)


def chosen_by_click(
    snapshot: Snapshot, selected: tuple[StepId, ...], step: StepId, modifiers: Qt.KeyboardModifier
) -> tuple[StepId, ...]:
    """What is selected after a click on *step* with *modifiers* held."""
    if modifiers & Qt.KeyboardModifier.ShiftModifier and selected and snapshot.has(selected[-1]):
        return range_between(snapshot, selected[-1], step)
    if modifiers & Qt.KeyboardModifier.ControlModifier:
        return tuple(each for each in selected if each != step) if step in selected else (*selected, step)
    return (step,)


def range_between(snapshot: Snapshot, one: StepId, other: StepId) -> tuple[StepId, ...]:
    """The steps from *one* to *other* in source order, both included; *one* comes last, to go on from there."""
    heads = sorted((snapshot.head_span(one), snapshot.head_span(other)))
    within = snapshot.steps_within(Span(heads[0].start, max(heads[1].end, heads[1].start + 1)))
    steps = dict.fromkeys((*within, one, other))
    steps.pop(one)
    return (*steps, one)


class Way(enum.Enum):
    """Where steps can be moved by structure."""

    UP = "up"
    DOWN = "down"
    IN = "in"
    OUT = "out"


def place_before(snapshot: Snapshot, step: StepId) -> Place:
    """Directly above *step*, in the same list."""
    siblings = snapshot.siblings(step)
    index = index_of(siblings, step)
    below = place_after(snapshot, step)
    return Place(below.playbook, below.parent, siblings[index - 1].id if index else None, below.section)


def place_inside(snapshot: Snapshot, step: StepId) -> Place:
    """The end of what is nested in *step*."""
    children = snapshot.step(step).children
    return Place(snapshot.playbook_of(step).address, step, children[-1].id if children else None)


def place_up(snapshot: Snapshot, steps: tuple[StepId, ...]) -> Place | None:
    """Where *steps* go when they move up: above the sibling before, else out above the parent."""
    siblings = snapshot.siblings(steps[0])
    index = index_of(siblings, steps[0])
    if index > 0:
        return place_before(snapshot, siblings[index - 1].id)
    parent = snapshot.parent(steps[0])
    return place_before(snapshot, parent.id) if parent is not None else None


def place_down(snapshot: Snapshot, steps: tuple[StepId, ...]) -> Place | None:
    """Where *steps* go when they move down: below the sibling after, else out below the parent."""
    siblings = snapshot.siblings(steps[-1])
    index = index_of(siblings, steps[-1])
    if index + 1 < len(siblings):
        return place_after(snapshot, siblings[index + 1].id)
    return place_out(snapshot, steps)


def place_in(snapshot: Snapshot, steps: tuple[StepId, ...]) -> Place | None:
    """Where *steps* go when they move in: the end of the sibling before."""
    siblings = snapshot.siblings(steps[0])
    index = index_of(siblings, steps[0])
    return place_inside(snapshot, siblings[index - 1].id) if index > 0 else None


def place_out(snapshot: Snapshot, steps: tuple[StepId, ...]) -> Place | None:
    """Where *steps* go when they move out: below their parent."""
    parent = snapshot.parent(steps[0])
    return place_after(snapshot, parent.id) if parent is not None else None


def place_towards(snapshot: Snapshot, steps: tuple[StepId, ...], way: Way) -> Place | None:
    """Where *steps* go when they move one place in the direction of *way*; None where it is not to be had."""
    return _WAYS[way](snapshot, steps)


_WAYS = {Way.UP: place_up, Way.DOWN: place_down, Way.IN: place_in, Way.OUT: place_out}


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

    def tick(self, step: StepId) -> None:
        """Tick the box of *step*, or empty it."""
        self.do(TickSteps((step,), ticked=not self.documents.snapshot.step(step).is_ticked))

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


def copy(verbs: Verbs) -> None:
    """Put the source of the selected steps on the clipboard."""
    if steps := verbs.steps:
        QGuiApplication.clipboard().setText(source_of(verbs.documents.snapshot, steps))


def cut(verbs: Verbs) -> None:
    """Copy the selected steps, then delete them."""
    copy(verbs)
    verbs.delete()


def paste(verbs: Verbs) -> None:
    """Insert the steps on the clipboard below the selection."""
    source = QGuiApplication.clipboard().text()
    place = verbs.place_for_new()
    if source.strip() and place is not None:
        verbs.do(InsertLines(place, source))
