"""Copies of steps, directly below the last of them."""

from __future__ import annotations

from dataclasses import replace

from workbench.editing.commands import DuplicateSteps, Refusal
from workbench.editing.edit_plan import Draft, EditPlan
from workbench.editing.geometry.placing import edit_list, item_from
from workbench.editing.geometry.siblings import siblings_of, topmost
from workbench.editing.refusals import raw_inside, refuse_damage, refuse_steps
from workbench.i18n import ngettext
from workbench.model.snapshot import Snapshot


def refuse(snapshot: Snapshot, command: DuplicateSteps) -> Refusal | None:
    """Why the steps cannot be copied."""
    refusal = refuse_steps(snapshot, command.steps) or refuse_damage(snapshot, command.steps)
    if refusal:
        return refusal
    steps = topmost(snapshot, command.steps)
    is_nested = snapshot.parent(steps[-1].id) is not None
    return raw_inside() if is_nested and any(step.item is None for step in steps) else None


def plan(snapshot: Snapshot, command: DuplicateSteps) -> EditPlan:
    """The edits that add the copies; they get ids of their own."""
    steps = topmost(snapshot, command.steps)
    siblings = siblings_of(snapshot, steps[-1].id)
    items = [replace(item_from(snapshot, step), ids=()) for step in steps]
    draft = Draft(snapshot.text)
    edit_list(draft, siblings, siblings.index(steps[-1].id) + 1, items)
    return draft.finish(ngettext("Duplicate step", "Duplicate {count} steps", len(steps)))
