"""What is left out of the picture where somebody looks at one way through a playbook, or at one branch of it."""

from __future__ import annotations

import enum
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from workbench.model.inner_calls import called_in
from workbench.model.layout.folds import Focus
from workbench.model.meaning import RouteKind
from workbench.model.program import Playbook, PythonFunction, Step, StepId
from workbench.model.snapshot import Snapshot

if TYPE_CHECKING:  # loaded with the first path that is looked at
    from workbench.model.flow import FlowEdge


class Way(enum.Enum):
    """What is shown of a playbook besides one step: the ways to and from it, or the branch that it stands in."""

    PATH = "path"
    BRANCH = "branch"


def focus_on(snapshot: Snapshot, step: StepId, way: Way) -> Focus:
    """Only the playbook of *step*, and in it only what *way* says.

    Steps stand on the ways to and from a step where a run that comes by one of them can come by the other in the same
    round of a loop. What a later edit adds is shown.
    """
    playbook = snapshot.playbook_of(step)
    kept = _on_the_ways(snapshot, playbook, step) if way is Way.PATH else _in_branch(snapshot, step)
    left_out: set[StepId] = set()
    _leave_out(playbook.steps, kept | {above.id for above in snapshot.lineage(step)}, left_out)
    return Focus(playbook.address, frozenset(left_out))


def branch_of(snapshot: Snapshot, step: StepId) -> Step | None:
    """The step whose inside is the branch of *step*: itself where something is in it, else what it stands in."""
    found = snapshot.step(step)
    return found if found.children else snapshot.parent(step)


def _in_branch(snapshot: Snapshot, step: StepId) -> frozenset[StepId]:
    branch = branch_of(snapshot, step) or snapshot.step(step)
    return frozenset(inner.id for inner in branch.walk())


def _on_the_ways(snapshot: Snapshot, playbook: Playbook, step: StepId) -> frozenset[StepId]:
    from workbench.model.flow import flow_parts  # noqa: PLC0415 - no start needs it

    parts = flow_parts(snapshot, playbook)
    if all(node.id != step for node in parts.nodes):  # a group of a graph is no node: what is in it stands for it
        return frozenset(inner.id for inner in snapshot.step(step).walk())
    ahead: dict[str, list[str]] = defaultdict(list)
    behind: dict[str, list[str]] = defaultdict(list)
    for source, target in _without_rounds(parts.edges):
        ahead[source].append(target)
        behind[target].append(source)
    return frozenset(StepId(node) for node in _reached(step, ahead) | _reached(step, behind))


def _reached(start: str, ways: Mapping[str, Sequence[str]]) -> set[str]:
    """Where *ways* lead from *start*, and *start* itself."""
    found, due = {start}, [start]
    while due:
        fresh = [goal for goal in ways.get(due.pop(), ()) if goal not in found]
        found.update(fresh)
        due += fresh
    return found


_AFTER = "after:"


def _without_rounds(edges: Iterable[FlowEdge]) -> Iterator[tuple[str, str]]:
    """*edges* without ways back: what ends a round of a loop goes on where the loop goes on, and begins no other."""
    for source, target, kind, _label in edges:
        goal = f"{_AFTER}{target}" if kind is RouteKind.REPEAT else target
        yield source, goal
        if kind is not RouteKind.YES:
            yield f"{_AFTER}{source}", goal


def _leave_out(steps: Sequence[Step], kept: frozenset[StepId], left_out: set[StepId]) -> bool:
    """Add to *left_out* those of *steps* and below with nothing *kept* in them; whether something is kept."""
    is_any_kept = False
    for step in steps:
        inside: set[StepId] = set()
        is_kept = _leave_out(step.children, kept, inside) or step.id in kept
        if is_kept:
            left_out |= inside
        else:
            left_out.add(step.id)
        is_any_kept = is_any_kept or is_kept
    return is_any_kept


def called_from(snapshot: Snapshot, step: StepId) -> Playbook | PythonFunction | None:
    """The first playbook of this file that *step* calls by its name, or None."""
    return next(iter(called_in(snapshot, snapshot.step(step))), None)


def steps_in_stub(siblings: Sequence[Step], first: StepId, focus: Focus) -> Iterator[StepId]:
    """The steps that the stub which begins with *first* stands for."""
    start = next(index for index, each in enumerate(siblings) if each.id == first)
    for step in siblings[start:]:
        if step.id not in focus.left_out:
            return
        yield step.id
