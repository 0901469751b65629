"""Walking a program by its structure: next, previous, into, out, and the places that moves lead to."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.editing.commands import Place
from workbench.gui.canvas.canvas_state import CanvasState, steps_of
from workbench.model.program import Playbook, SectionKind, Step, StepId
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


def list_around(snapshot: Snapshot, step: StepId) -> Sequence[Step]:
    """The steps that *step* is drawn in one row with: its siblings, at top level those of all sections."""
    parent = snapshot.parent(step)
    return parent.children if parent is not None else steps_of(snapshot.playbook_of(step))


def index_of(steps: Sequence[Step], step: StepId) -> int:
    """Where *step* stands in *steps*."""
    return next(index for index, each in enumerate(steps) if each.id == step)


def outermost(snapshot: Snapshot, steps: Sequence[StepId]) -> tuple[StepId, ...]:
    """*steps* in source order, without those that lie inside another one of them."""
    chosen = frozenset(steps)
    kept = [step for step in chosen if snapshot.has(step) and not _lies_inside(snapshot, step, chosen)]
    return tuple(sorted(kept, key=lambda step: snapshot.owned_span(step).start))


def _lies_inside(snapshot: Snapshot, step: StepId, chosen: frozenset[StepId]) -> bool:
    return any(each.id in chosen for each in snapshot.lineage(step)[:-1])


def place_after(snapshot: Snapshot, step: StepId) -> Place:
    """Directly below *step*, in the same list."""
    parent = snapshot.parent(step)
    section = snapshot.section_of(step).kind
    return Place(snapshot.playbook_of(step).name, parent.id if parent else None, step, section)


def place_before(snapshot: Snapshot, step: StepId) -> Place:
    """Directly above *step*, in the same list."""
    siblings = snapshot.siblings(step)
    index = index_of(siblings, step)
    below = place_after(snapshot, step)
    return Place(below.playbook, below.parent, siblings[index - 1].id if index else None, below.section)


def place_inside(snapshot: Snapshot, step: StepId) -> Place:
    """The end of what is nested in *step*."""
    children = snapshot.step(step).children
    return Place(snapshot.playbook_of(step).name, step, children[-1].id if children else None)


def place_at_end(playbook: Playbook) -> Place:
    """Below the last step of *playbook*."""
    return Place(playbook.name, None, playbook.steps[-1].id if playbook.steps else None, SectionKind.STEPS)


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


def _first_of(playbooks: Sequence[Playbook], after: Playbook | None) -> StepId | None:
    start = playbooks.index(after) + 1 if after is not None else 0
    return next((steps_of(each)[0].id for each in playbooks[start:] if steps_of(each)), None)


def _last_of(playbooks: Sequence[Playbook], before: Playbook) -> Step | None:
    earlier = playbooks[: playbooks.index(before)]
    return next((steps_of(each)[-1] for each in reversed(earlier) if steps_of(each)), None)
