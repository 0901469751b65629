"""What one change did to the document: enough for a view to patch itself."""

from __future__ import annotations

import enum
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass

from workbench.model.incremental.identity import Carried
from workbench.model.program import Step, StepId
from workbench.model.snapshot import Snapshot
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.differences import Window, kept, part


class ChangeOrigin(enum.Enum):
    """What made a change. TYPING: an edit in the source that may be joined to the one before it."""

    EDIT = enum.auto()
    TYPING = enum.auto()
    UNDO = enum.auto()
    REDO = enum.auto()
    DISK = enum.auto()
    RECOVERY = enum.auto()

    @property
    def is_by_hand(self) -> bool:
        """True when a person made it in this session, step by step."""
        return self not in (ChangeOrigin.DISK, ChangeOrigin.RECOVERY)


@dataclass(frozen=True)
class DocumentChange:
    """The step from *before* to *after*.

    *added*, *removed*, *changed*: ids of steps; *changed* ones are in both and differ in
    themselves or in their children, by more than the number before them. *selection*: what is to be selected now.
    *reference_fixes*: edits of *after* that would put right what prose says of steps whose
    numbers changed ("step 5"); they are offered, not made.
    *lost_references*: how many such mentions mean a step that is gone, so that no number is right.
    """

    before: Snapshot
    after: Snapshot
    change: TextChange
    added: frozenset[StepId]
    removed: frozenset[StepId]
    changed: frozenset[StepId]
    origin: ChangeOrigin
    selection: tuple[StepId, ...] = ()
    label: str = ""
    reference_fixes: tuple[TextEdit, ...] = ()
    lost_references: int = 0

    @property
    def numbered(self) -> tuple[Window, ...]:
        """The stretches of blocks in which nothing but numbers before items is another."""
        return self.after.numbered if self.after is not self.before else ()

    @property
    def besides_numbers(self) -> TextChange:
        """The edits of *before* that do more than give items another number, which has as many digits."""
        starts, ends, edges = self.change.starts, self.change.ends, self.before.block_starts
        places: list[int] = []
        done = 0
        for window in self.numbered:
            first, stop = (bisect_left(starts, edges[at]) for at in (window.old.start, window.old.stop))
            while first < stop and ends[first] == edges[window.old.start]:
                first += 1  # what is put in right above
            places += range(done, first)
            done = stop
        return self.change.only([*places, *range(done, len(starts))])


StepIds = frozenset[StepId]


def difference(before: Snapshot, after: Snapshot) -> tuple[StepIds, StepIds, StepIds]:
    """The ids that only *after* has, those that only *before* has, and those whose step is another one.

    *after* is the revision that follows *before*.
    """
    old = [root for window in after.windows for root in before.roots[part(window.old)] if root]
    new = [root for window in after.windows for root in after.roots[part(window.new)] if root]
    for was, now in kept(after.windows, len(before.blocks)):
        earlier, later = before.roots[was], after.roots[now]
        # Steps outside may mean something else now, say when a playbook was renamed.
        if earlier != later:
            pairs = zip(earlier, later, strict=True)
            different = [(one, other) for one, other in pairs if one is not other]
            old += [root for root, _other in different if root]
            new += [root for _other, root in different if root]
    return _compared(before, after, _steps(old), _steps(new))


def _steps(roots: Iterable[Step]) -> dict[StepId, Step]:
    """The steps in the blocks of *roots*; what stands in a heading has blocks of its own."""
    found: dict[StepId, Step] = {}
    for root in roots:
        if root.children and not root.is_spread:
            found.update({step.id: step for step in root.walk()})
        else:
            found[root.id] = root
    return found


def _compared(
    before: Snapshot, after: Snapshot, old: dict[StepId, Step], new: dict[StepId, Step]
) -> tuple[StepIds, StepIds, StepIds]:
    # below a heading stand steps of other blocks, which may have been there already, or may still be
    fresh, gone = new.keys() - old.keys(), old.keys() - new.keys()
    was = {step_id: found for step_id in fresh if (found := before.find(step_id)) is not None}
    earlier = old | was
    changed = frozenset(step_id for step_id, step in new.items() if earlier.get(step_id, step) is not step)
    return frozenset(fresh - was.keys()), frozenset(step_id for step_id in gone if not after.has(step_id)), changed


def ids_to_restore(before: Snapshot, after: Snapshot) -> tuple[Carried, ...]:
    """The ids of the blocks of *before* that *after*, which follows it, has not: for the way back."""
    ids, starts = before.block_ids, before.block_starts
    gone = (index for window in after.windows for index in window.old if ids[index])
    return tuple([Carried(starts[index], ids[index]) for index in gone])


def fresh_ids(after: Snapshot) -> StepIds:
    """The ids of all steps in blocks that the revision before *after* did not have."""
    return frozenset(
        step_id for window in after.windows for ids in after.block_ids[part(window.new)] for step_id in ids
    )


def renamed_playbook(change: DocumentChange) -> tuple[str, str, str] | None:
    """The agent, the old and the new name of the playbook that *change* has renamed; None where it did other things."""
    if change.origin is not ChangeOrigin.EDIT or change.added or change.removed:
        return None
    both = [
        [(agent.name, each.name) for agent in snapshot.program.agents for each in agent.playbooks]
        for snapshot in (change.before, change.after)
    ]
    others = [(one, other) for one, other in zip(*both, strict=False) if one != other]
    if len(both[0]) != len(both[1]) or len(others) != 1 or others[0][0][0] != others[0][1][0]:
        return None
    return *others[0][0], others[0][1][1]
