"""Where new steps go, whoever inserts them: the flowchart, the palette, the library of patterns."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.editing.commands import Place
from workbench.editing.geometry.chosen import topmost
from workbench.model.program import Playbook, SectionKind, StepId
from workbench.model.snapshot import Snapshot


def outermost(snapshot: Snapshot, steps: Sequence[StepId]) -> tuple[StepId, ...]:
    """*steps* that there are, in source order, without those that lie inside another one of them."""
    return tuple(step.id for step in topmost(snapshot, filter(snapshot.has, steps)))


def place_for_new(snapshot: Snapshot, selected: Sequence[StepId]) -> Place | None:
    """Below what is *selected*, else at the end of the first playbook; None where there is no playbook."""
    steps = outermost(snapshot, selected)
    if steps:
        return place_after(snapshot, steps[-1])
    playbook = next(iter(snapshot.program.playbooks), None)
    return place_at_end(playbook) if playbook is not None else None


def place_after(snapshot: Snapshot, step: StepId) -> Place:
    """Directly below *step*, in the same list."""
    parent = snapshot.parent(step)
    section = snapshot.section_of(step).kind
    return Place(snapshot.playbook_of(step).name, parent.id if parent else None, step, section)


def place_at_end(playbook: Playbook) -> Place:
    """Below the last step of *playbook*."""
    return Place(playbook.name, None, playbook.steps[-1].id if playbook.steps else None, SectionKind.STEPS)
