"""Where calls and jumps lead on the canvas; shown only for what is selected or under the pointer."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.gui.canvas.content.canvas_state import CanvasState
from workbench.model.inner_calls import called_in
from workbench.model.layout.shapes import Rect
from workbench.model.meaning import Jump, JumpForm, actions_of
from workbench.model.procedures.numbers import jump_target
from workbench.model.program import Step, StepId


def links_of(state: CanvasState, step_id: StepId) -> Iterator[tuple[Rect, Rect]]:
    """From the box of a step to the title of each playbook that it calls, or to the step that it jumps to."""
    step = state.snapshot.find(step_id)
    source = state.layout.place_of(step_id) if step is not None else None
    if source is None or step is None:
        return
    called = called_in(state.snapshot, step)
    for each in state.layout.playbooks:
        if each.playbook in called:
            yield source, each.title.rect
    goal = _goal(state, step)
    if goal is not None:
        yield source, goal


def _goal(state: CanvasState, step: Step) -> Rect | None:
    action = next(iter(actions_of(step.meaning)[-1:]), None)
    if isinstance(action, Jump) and action.form is JumpForm.GO_TO and action.number:
        goal = jump_target(state.snapshot, step.id, action.number)
        return state.layout.place_of(goal.id) if goal is not None else None
    return None
