"""What leads to what in a graph of steps: ``after``, ``joins``, and the branches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
    groups = _groups(steps)
    for step in steps:
        for name in dict.fromkeys(_waits_for(step, groups)):
            source = by_id.get(name)
            if source is not None and (source.id, step.id) not in known:
                yield Edge(source.id, step.id, RouteKind.NEXT)


def _groups(steps: Sequence[Step]) -> dict[str, list[str]]:
    """For each parallel group the ids of its members."""
    found: dict[str, list[str]] = {}
    for step in steps:
        if isinstance(step.meaning, StepListEntry) and step.meaning.group:
            found.setdefault(step.meaning.group, []).append(step.meaning.id)
    return found


def _waits_for(step: Step, groups: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The ids of the steps that *step* waits for: those it names, and all members of the groups that it joins."""
    if isinstance(step.meaning, StepListEntry):
        yield from step.meaning.after
        for group in step.meaning.joins:
            yield from (name for name in groups.get(group, ()) if name != step.meaning.id)


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
    places, groups = {name: at for at, name in reversed(list(enumerate(names)))}, _groups(steps)
    before = [[places[name] for name in _waits_for(step, groups) if name in places] for step in steps]
    depths = [0] * len(steps)
    for _round in range(len(steps)):
        new = [1 + max((depths[at] for at in found), default=-1) for found in before]
        if new == depths or max(new, default=0) >= len(steps):
            break
        depths = new
    return depths
