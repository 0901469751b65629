"""Walking a program by its structure: the next step, the one before, and the row that a step stands in."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.gui.canvas.content.canvas_state import CanvasState, steps_of
from workbench.model.program import Playbook, Step, StepId
from workbench.model.snapshot import Snapshot


def next_step(state: CanvasState, step: StepId) -> StepId | None:
    """The step below *step*: its first child, else the next one on the way out."""
    snapshot = state.snapshot
    shown = snapshot.step(step)
    if shown.children and step not in state.folded:
        return shown.children[0].id
    for each in reversed(snapshot.lineage(step)):
        siblings = list_around(snapshot, each.id)
        index = index_of(siblings, each.id)
        if index + 1 < len(siblings):
            return siblings[index + 1].id
    return _first_of(snapshot.program.playbooks, after=snapshot.playbook_of(step))


def previous_step(state: CanvasState, step: StepId) -> StepId | None:
    """The step above *step*: the last one inside the sibling before it, else its parent."""
    snapshot = state.snapshot
    siblings = list_around(snapshot, step)
    index = index_of(siblings, step)
    if index > 0:
        return last_inside(state, siblings[index - 1])
    parent = snapshot.parent(step)
    if parent is not None:
        return parent.id
    earlier = _last_of(snapshot.program.playbooks, before=snapshot.playbook_of(step))
    return last_inside(state, earlier) if earlier is not None else None


def last_inside(state: CanvasState, step: Step) -> StepId:
    """The last visible step of *step* and what is nested in it."""
    while step.children and step.id not in state.folded:
        step = step.children[-1]
    return step.id


def first_step(snapshot: Snapshot) -> StepId | None:
    """The first step of the file."""
    return _first_of(snapshot.program.playbooks, after=None)


def last_step(state: CanvasState) -> StepId | None:
    """The last step of the file that is to be seen."""
    last = next((steps_of(each)[-1] for each in reversed(state.snapshot.program.playbooks) if steps_of(each)), None)
    return last_inside(state, last) if last is not None else None


def list_around(snapshot: Snapshot, step: StepId) -> Sequence[Step]:
    """The steps that *step* is drawn in one row with: its siblings, at top level those of all sections.

    A section that is not drawn is a row of its own: its steps can be selected in the source.
    """
    parent = snapshot.parent(step)
    if parent is not None:
        return parent.children
    row = steps_of(snapshot.playbook_of(step))
    return row if any(each.id == step for each in row) else snapshot.siblings(step)


def index_of(steps: Sequence[Step], step: StepId) -> int:
    """Where *step* stands in *steps*."""
    return next(index for index, each in enumerate(steps) if each.id == step)


def _first_of(playbooks: Sequence[Playbook], after: Playbook | None) -> StepId | None:
    start = playbooks.index(after) + 1 if after is not None else 0
    return next((steps_of(each)[0].id for each in playbooks[start:] if steps_of(each)), None)


def _last_of(playbooks: Sequence[Playbook], before: Playbook) -> Step | None:
    earlier = playbooks[: playbooks.index(before)]
    return next((steps_of(each)[-1] for each in reversed(earlier) if steps_of(each)), None)
