"""The steps a command is about: in source order, each once, grouped by the list they stand in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from workbench.editing.geometry.siblings import Siblings, siblings_of
from workbench.model.program import Step, StepId
from workbench.model.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Group:
    """Steps of one list. *indices*: where they stand in it."""

    siblings: Siblings
    indices: frozenset[int]


def topmost(snapshot: Snapshot, ids: Iterable[StepId]) -> tuple[Step, ...]:
    """The steps *ids* in source order, without those that stand inside another of them."""
    wanted = set(ids)
    lineages = [snapshot.lineage(step) for step in wanted]
    top = [line[-1] for line in lineages if not any(above.id in wanted for above in line[:-1])]
    return tuple(sorted(top, key=lambda step: position_of(snapshot, step)))


def position_of(snapshot: Snapshot, step: Step) -> int:
    """Where the words of *step* begin."""
    return snapshot.block_start(step.id) + (step.item.head.start if step.item else 0)


def grouped(snapshot: Snapshot, steps: Iterable[Step]) -> tuple[Group, ...]:
    """*steps* by the list they stand in."""
    left = {step.id for step in steps}
    groups: list[Group] = []
    while left:
        first = next(iter(left))
        siblings = siblings_of(snapshot, first)
        if len(left) == 1:
            indices = frozenset({siblings.index(first)})
        else:
            indices = frozenset(index for index, step in enumerate(siblings.steps) if step.id in left)
        groups.append(Group(siblings, indices))
        left -= {siblings.steps[index].id for index in indices}
    return tuple(groups)
