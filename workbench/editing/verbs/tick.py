"""Ticking the boxes of a checklist."""

from __future__ import annotations

from workbench.editing.commands import Refusal, TickSteps
from workbench.editing.edit_plan import Draft, EditPlan
from workbench.editing.refusals import refuse_steps
from workbench.i18n import _, ngettext
from workbench.model.snapshot import Snapshot
from workbench.syntax.text import Span


def refuse(snapshot: Snapshot, command: TickSteps) -> Refusal | None:
    """Why the steps cannot be ticked."""
    refusal = refuse_steps(snapshot, command.steps)
    if refusal is None and any(snapshot.step(step).is_ticked is None for step in command.steps):
        return Refusal("no-box", _("This step has no box to tick. In a checklist, steps begin with [ ]."))
    return refusal


def plan(snapshot: Snapshot, command: TickSteps) -> EditPlan:
    """The edits that tick the boxes or empty them; none where they are so already."""
    draft = Draft(snapshot.text)
    mark = _mark(snapshot) if command.ticked else " "
    for step_id in command.steps:
        step = snapshot.step(step_id)
        assert step.item is not None and step.item.box is not None
        if step.is_ticked is not command.ticked:
            at = snapshot.block_start(step_id) + step.item.box.start + 1
            draft.replace(Span(at, at + 1), mark)
    count = len(command.steps)
    if command.ticked:
        return draft.finish(ngettext("Tick step", "Tick {count} steps", count))
    return draft.finish(ngettext("Untick step", "Untick {count} steps", count))


def _mark(snapshot: Snapshot) -> str:
    """The mark with which this file ticks."""
    return "X" if "[X]" in snapshot.text and "[x]" not in snapshot.text else "x"
