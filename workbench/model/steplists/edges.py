"""What leads to what in a graph of steps: ``after``, and the branches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from workbench.model.meaning import RouteKind, StepListEntry
from workbench.model.program import Playbook, Step, StepId


@dataclass(frozen=True, slots=True)
class Edge:
    """From one step to another. *label*: when it is taken."""

    source: StepId
    target: StepId
    kind: RouteKind
    label: str = ""


def edges_of(playbook: Playbook) -> Iterator[Edge]:
    """The edges of a graph, each pair of steps once: a branch says more than the ``after`` that goes with it."""
    steps = [step for root in playbook.steps for step in root.walk()]
    by_id = {_id_of(step): step for step in reversed(steps) if _id_of(step) and not step.children}
    branches = [edge for step in steps for edge in _branches(step, by_id)]
    known = {(edge.source, edge.target) for edge in branches}
    yield from branches
    for step in steps:
        if isinstance(step.meaning, StepListEntry):
            for name in step.meaning.after:
                source = by_id.get(name)
                if source is not None and (source.id, step.id) not in known:
                    yield Edge(source.id, step.id, RouteKind.NEXT)


def _id_of(step: Step) -> str:
    return step.meaning.id if isinstance(step.meaning, StepListEntry) else ""


def _branches(step: Step, by_id: dict[str, Step]) -> Iterator[Edge]:
    if isinstance(step.meaning, StepListEntry):
        for branch in step.meaning.branches:
            target = by_id.get(branch.target)
            if target is not None:
                yield Edge(step.id, target.id, RouteKind.YES, branch.label)


def depths_of(steps: Sequence[Step]) -> list[int]:
    """For each of *steps*, how many of them come before it one after the other; circles do not count."""
    names = [_id_of(step) for step in steps]
    before = [_before(step, names) for step in steps]
    depths = [0] * len(steps)
    for _round in range(len(steps)):
        new = [1 + max((depths[at] for at in found), default=-1) for found in before]
        if new == depths or max(new, default=0) >= len(steps):
            break
        depths = new
    return depths


def _before(step: Step, names: Sequence[str]) -> list[int]:
    after = step.meaning.after if isinstance(step.meaning, StepListEntry) else ()
    return [names.index(name) for name in after if name in names]
