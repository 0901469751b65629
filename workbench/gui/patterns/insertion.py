"""Where the steps of a pattern go in the playbook that is open."""

from __future__ import annotations

from workbench.editing.commands import Place
from workbench.gui.control.context import WindowContext


def place_for_steps(context: WindowContext) -> Place | None:
    """Below the selected step, else at the end of the first playbook; None when no playbook is open."""
    snapshot = context.documents.snapshot
    selected = [step for step in context.selection.selected if snapshot.has(step)]
    if selected:
        last = selected[-1]
        parent = snapshot.parent(last)
        return Place(snapshot.playbook_of(last).name, parent.id if parent is not None else None, last)
    playbook = next(iter(snapshot.program.playbooks), None)
    if playbook is None:
        return None
    steps = playbook.steps
    return Place(playbook.name, None, steps[-1].id if steps else None)
