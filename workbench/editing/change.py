"""What one change did to the document: enough for a view to patch itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from workbench.model.identity import Carried
from workbench.model.program import Step, StepId
from workbench.model.snapshot import Snapshot
from workbench.syntax.text import TextChange


@dataclass(frozen=True)
class DocumentChange:
    """The step from *before* to *after*.

    *added*, *removed*, *changed*: ids of steps; *changed* ones are in both and differ in
    themselves or in their children. *origin*: ``edit``, ``undo``, ``redo`` or ``disk``.
    *selection*: what is to be selected now.
    """

    before: Snapshot
    after: Snapshot
    change: TextChange
    added: frozenset[StepId]
    removed: frozenset[StepId]
    changed: frozenset[StepId]
    origin: str
    selection: tuple[StepId, ...] = ()
    label: str = ""


StepIds = frozenset[StepId]


@dataclass(frozen=True, slots=True)
class Window:
    """Which blocks differ: ``[first, before_end)`` of the old ones became ``[first, after_end)``."""

    first: int
    before_end: int
    after_end: int


def changed_window(before: Snapshot, after: Snapshot) -> Window:
    """The smallest range of blocks outside of which both snapshots share their blocks."""
    old, new = before.blocks, after.blocks
    limit = min(len(old), len(new))
    first = next((index for index in range(limit) if old[index] is not new[index]), limit)
    tail = next((index for index in range(limit - first) if old[-1 - index] is not new[-1 - index]), limit - first)
    return Window(first, len(old) - tail, len(new) - tail)


def difference(before: Snapshot, after: Snapshot) -> tuple[StepIds, StepIds, StepIds]:
    """The ids that only *after* has, those that only *before* has, and those whose step is another object."""
    window = changed_window(before, after)
    old, new = _roots(before, window.first, window.before_end), _roots(after, window.first, window.after_end)
    pairs = [
        (before.roots[: window.first], after.roots[: window.first]),
        (before.roots[window.before_end :], after.roots[window.after_end :]),
    ]
    for earlier, later in pairs:
        # Steps outside may mean something else now, say when a playbook was renamed.
        if earlier != later:
            different = [pair for pair in zip(earlier, later, strict=True) if pair[0] is not pair[1]]
            old += [root for root, _other in different if root]
            new += [root for _other, root in different if root]
    return _compared(_steps(old), _steps(new))


def _roots(snapshot: Snapshot, first: int, end: int) -> list[Step]:
    return [root for root in snapshot.roots[first:end] if root is not None]


def _steps(roots: Iterable[Step]) -> dict[StepId, Step]:
    return {step.id: step for root in roots for step in root.walk()}


def _compared(old: dict[StepId, Step], new: dict[StepId, Step]) -> tuple[StepIds, StepIds, StepIds]:
    changed = frozenset(step_id for step_id, step in new.items() if old.get(step_id, step) is not step)
    return frozenset(new.keys() - old.keys()), frozenset(old.keys() - new.keys()), changed


def ids_to_restore(before: Snapshot, after: Snapshot) -> tuple[Carried, ...]:
    """The ids of the blocks of *before* that *after* has not, for the way back."""
    window = changed_window(before, after)
    return tuple(
        Carried(before.block_starts[index], before.block_ids[index])
        for index in range(window.first, window.before_end)
        if before.block_ids[index]
    )
