"""Deleting steps: with their children and the comments directly above, and nothing else."""

from __future__ import annotations

from workbench.editing.commands import DeleteSteps, Refusal
from workbench.editing.edit_plan import Draft, EditPlan
from workbench.editing.geometry.placing import edit_list
from workbench.editing.geometry.siblings import grouped, topmost, walk_ids
from workbench.editing.refusals import refuse_steps
from workbench.i18n import ngettext
from workbench.model.snapshot import Snapshot


def refuse(snapshot: Snapshot, command: DeleteSteps) -> Refusal | None:
    """Why the steps cannot be deleted."""
    return refuse_steps(snapshot, command.steps)


def plan(snapshot: Snapshot, command: DeleteSteps) -> EditPlan:
    """The edits that delete the steps."""
    steps = topmost(snapshot, command.steps)
    draft = Draft(snapshot.text)
    for group in grouped(snapshot, steps):
        edit_list(draft, group.siblings, max(group.indices), leaving=group.indices)
    removed = frozenset(step for top in steps for step in walk_ids(top))
    return draft.finish(ngettext("Delete step", "Delete {count} steps", len(steps)), removed)
