"""Where calls and jumps lead on the canvas; shown only for what is selected or under the pointer."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.gui.canvas.content.canvas_state import CanvasState
from workbench.model.layout.shapes import Rect
from workbench.model.meaning import Call, Jump, JumpForm, actions_of
from workbench.model.program import Step, StepId


def links_of(state: CanvasState, step_id: StepId) -> Iterator[tuple[Rect, Rect]]:
    """From the box of a step to the title of the playbook that it calls, or to the step that it jumps to."""
    step = state.snapshot.find(step_id)
    target = _target(state, step) if step is not None else None
    source = state.layout.place_of(step_id) if target is not None else None
    if source is not None and target is not None:
        yield source, target


def _target(state: CanvasState, step: Step) -> Rect | None:
    action = next(iter(actions_of(step.meaning)[-1:]), None)
    if isinstance(action, Call):
        found = (each for each in state.layout.playbooks if each.playbook.name == action.target)
        return next((each.title.rect for each in found), None)
    if isinstance(action, Jump) and action.form is JumpForm.GO_TO and action.number:
        playbook = state.snapshot.playbook_of(step.id).name
        goal = state.snapshot.at_address(f"{playbook}:{padded(action.number)}")
        return state.layout.place_of(goal.id) if goal is not None else None
    return None


def padded(number: str) -> str:
    """``2.1`` as it is written in addresses: ``02.01``."""
    return ".".join(part.zfill(2) for part in number.strip(". ").split("."))
