"""Which steps stand still in an edit: the view keeps hold of one of them, so that nothing jumps."""

from __future__ import annotations

from workbench.editing.change import DocumentChange
from workbench.gui.canvas.structure_walk import index_of, list_around
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot


class Standing:
    """Answers for one change: does this step stay among the same neighbours?"""

    def __init__(self, change: DocumentChange) -> None:
        self._before = change.before
        self._after = change.after
        self._is_typing = not (change.added or change.removed) and len(change.change.edits) == 1

    def stays(self, step: StepId) -> bool:
        """True unless *step* is gone, or was moved away from the steps around it."""
        if not (self._before.has(step) and self._after.has(step)):
            return False
        if self._is_typing:
            return True
        was, is_now = _neighbours(self._before, step), _neighbours(self._after, step)
        return was[0] == is_now[0] and (was[1] == is_now[1] or was[2] == is_now[2])


def _neighbours(snapshot: Snapshot, step: StepId) -> tuple[StepId | None, StepId | None, StepId | None]:
    """Parent, sibling before and sibling after."""
    parent = snapshot.parent(step)
    siblings = list_around(snapshot, step)
    index = index_of(siblings, step)
    before = siblings[index - 1].id if index else None
    after = siblings[index + 1].id if index + 1 < len(siblings) else None
    return (parent.id if parent is not None else None), before, after
