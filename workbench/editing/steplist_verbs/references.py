"""What the steps of a graph name, so that nothing is taken away that another one waits for."""

from __future__ import annotations

from collections.abc import Iterable

from workbench.editing.commands import Refusal
from workbench.i18n import _
from workbench.model.meaning import StepListEntry
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot


def refuse_named(snapshot: Snapshot, steps: Iterable[StepId]) -> Refusal | None:
    """Why the ids of *steps* cannot go: other steps of a graph name them, or the group that they alone are in."""
    if not snapshot.program.format.is_graph:
        return None
    gone = {inner.id for step in steps for inner in snapshot.step(step).walk()}
    left: list[StepListEntry] = []
    lost: list[StepListEntry] = []
    for root in snapshot.roots:
        for step in root.walk() if root is not None else ():
            if isinstance(step.meaning, StepListEntry):
                (lost if step.id in gone else left).append(step.meaning)
    ids = {one.id for one in lost} - {one.id for one in left}
    groups = {one.group for one in lost if one.group} - {one.group for one in left}
    for one in left:
        named = ids.intersection([*one.after, *(branch.target for branch in one.branches)]) | groups.intersection(
            one.joins
        )
        if named:
            message = _("The step “{id}” refers to “{name}”. Change that first.")
            return Refusal("named", message.format(id=one.id, name=min(named)))
    return None
