"""What is left out of the picture where somebody looks at one way through a playbook, or at one branch of it."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Sequence

from workbench.model.inner_calls import calls_in
from workbench.model.layout.folds import Focus
from workbench.model.meaning import RouteKind
from workbench.model.program import Playbook, PythonFunction, Step, StepId
from workbench.model.snapshot import Snapshot


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
    return Focus(playbook.name, frozenset(left_out))


def branch_of(snapshot: Snapshot, step: StepId) -> Step | None:
    """The step whose inside is the branch of *step*: itself where something is in it, else what it stands in."""
    found = snapshot.step(step)
    return found if found.children else snapshot.parent(step)


def _in_branch(snapshot: Snapshot, step: StepId) -> frozenset[StepId]:
    branch = branch_of(snapshot, step) or snapshot.step(step)
    return frozenset(inner.id for inner in branch.walk())


def _on_the_ways(snapshot: Snapshot, playbook: Playbook, step: StepId) -> frozenset[StepId]:
    import networkx as nx  # noqa: PLC0415 - it takes a fifth of a second to import

    from workbench.model.flow import flow_of  # noqa: PLC0415 - the same

    graph: nx.DiGraph[str] = nx.DiGraph(_without_rounds(flow_of(snapshot, playbook).edges(data="kind")))
    if step not in graph:  # a group of a graph is no node, and what is in it stands for it
        return frozenset(inner.id for inner in snapshot.step(step).walk())
    return frozenset(StepId(node) for node in {step, *nx.ancestors(graph, step), *nx.descendants(graph, step)})


_BACK, _INTO = RouteKind.REPEAT.value, RouteKind.YES.value
_AFTER = "after:"


def _without_rounds(edges: Iterable[tuple[str, str, str]]) -> Iterator[tuple[str, str]]:
    """*edges* without ways back: what ends a round of a loop goes on where the loop goes on, and begins no other."""
    for source, target, kind in edges:
        goal = f"{_AFTER}{target}" if kind == _BACK else target
        yield source, goal
        if kind != _INTO:
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
    names = [call.target.rpartition(".")[2] for call in calls_in(snapshot.step(step))]
    program = snapshot.program
    found = [program.playbook(name) or program.function(name) for name in names]
    return next((each for each in found if each is not None), None)


def steps_in_stub(siblings: Sequence[Step], first: StepId, focus: Focus) -> Iterator[StepId]:
    """The steps that the stub which begins with *first* stands for."""
    start = next(index for index, each in enumerate(siblings) if each.id == first)
    for step in siblings[start:]:
        if step.id not in focus.left_out:
            return
        yield step.id
