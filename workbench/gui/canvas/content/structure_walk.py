"""Walking a program by its structure: the next step, the one before, and the row that a step stands in."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from workbench.gui.canvas.content.canvas_state import CanvasState, leaves_out, steps_of
from workbench.model.program import Playbook, Step, StepId
from workbench.model.snapshot import Snapshot

_ID = attrgetter("id")


def next_step(state: CanvasState, step: StepId) -> StepId | None:
    """The step below *step*: its first child, else the next one on the way out."""
    snapshot = state.snapshot
    shown = snapshot.step(step)
    if shown.children and step not in state.folded and (first := _first_shown(state, shown.children)):
        return first
    for each in reversed(snapshot.lineage(step)):
        siblings = list_around(snapshot, each.id)
        following = _first_shown(state, siblings[index_of(siblings, each.id) + 1 :])
        if following is not None:
            return following
    return _first_of(state, after=snapshot.playbook_of(step))


def previous_step(state: CanvasState, step: StepId) -> StepId | None:
    """The step above *step*: the last one inside the sibling before it, else its parent."""
    snapshot = state.snapshot
    siblings = list_around(snapshot, step)
    index = index_of(siblings, step)
    before = _last_shown(state, siblings[:index])
    if before is not None:
        return last_inside(state, before)
    parent = snapshot.parent(step)
    if parent is not None:
        return parent.id
    earlier = _last_of(state, before=snapshot.playbook_of(step))
    return last_inside(state, earlier) if earlier is not None else None


def last_inside(state: CanvasState, step: Step) -> StepId:
    """The last visible step of *step* and what is nested in it."""
    while step.id not in state.folded and (last := _last_shown(state, step.children)) is not None:
        step = last
    return step.id


def first_step(state: CanvasState) -> StepId | None:
    """The first step that is shown."""
    return _first_of(state, after=None)


def _first_shown(state: CanvasState, steps: Sequence[Step]) -> StepId | None:
    return next((step.id for step in steps if not leaves_out(state, step.id)), None)


def _last_shown(state: CanvasState, steps: Sequence[Step]) -> Step | None:
    return next((step for step in reversed(steps) if not leaves_out(state, step.id)), None)


def last_step(state: CanvasState) -> StepId | None:
    """The last step of the file that is to be seen."""
    lasts = (_last_shown(state, steps_of(each)) for each in reversed(state.snapshot.program.playbooks))
    last = next(filter(None, lasts), None)
    return last_inside(state, last) if last is not None else None


def list_around(snapshot: Snapshot, step: StepId) -> Sequence[Step]:
    """The steps that *step* is drawn in one row with: its siblings, at top level those of all sections.

    A section that is not drawn is a row of its own: its steps can be selected in the source.
    """
    parent = snapshot.parent(step)
    if parent is not None:
        return parent.children
    row = steps_of(snapshot.playbook_of(step))
    return row if snapshot.step(step) in row else snapshot.siblings(step)


def index_of(steps: Sequence[Step], step: StepId) -> int:
    """Where *step* stands in *steps*."""
    return list(map(_ID, steps)).index(step)


def _first_of(state: CanvasState, after: Playbook | None) -> StepId | None:
    playbooks = state.snapshot.program.playbooks
    start = playbooks.index(after) + 1 if after is not None else 0
    return next(filter(None, (_first_shown(state, steps_of(each)) for each in playbooks[start:])), None)


def _last_of(state: CanvasState, before: Playbook) -> Step | None:
    playbooks = state.snapshot.program.playbooks
    earlier = (_last_shown(state, steps_of(each)) for each in reversed(playbooks[: playbooks.index(before)]))
    return next(filter(None, earlier), None)
