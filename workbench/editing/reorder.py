"""The same items in another order. Gaps, indents and numbers stay where they are.

Because every item only changes places, moving away and back is the identity on bytes,
whatever stands between the items.
"""

from __future__ import annotations

from collections.abc import Sequence

from workbench.editing.numbering import permuted
from workbench.editing.outcome import Draft, Fragment
from workbench.editing.placing import item_from, widened
from workbench.editing.siblings import Siblings
from workbench.syntax.text import Span


def reorder(draft: Draft, siblings: Siblings, slot: int, moved: frozenset[int]) -> None:
    """Add to *draft* what brings the items *moved* together at *slot*."""
    order = order_after(len(siblings.steps), slot, moved)
    places = [index for index, old in enumerate(order) if index != old]
    if not places:
        return
    _Reorder(draft, siblings, order, moved).write(places[0], places[-1])


def order_after(count: int, slot: int, moved: frozenset[int]) -> list[int]:
    """Old indices in the new order, when *moved* come together at *slot*."""
    above = [index for index in range(slot) if index not in moved]
    below = [index for index in range(slot, count) if index not in moved]
    return [*above, *sorted(moved), *below]


class _Reorder:
    """One change of order. Items that do not move are left alone but for their marker and indent."""

    def __init__(self, draft: Draft, siblings: Siblings, order: Sequence[int], moved: frozenset[int]) -> None:
        self._draft = draft
        self._siblings = siblings
        self._order = order
        self._moved = moved
        self._markers = permuted(siblings.markers, order)
        indents = iter([step.item.indent for step in siblings.steps if step.item])
        self._indents = [next(indents) if siblings.steps[old].item else "" for old in order]

    def write(self, first: int, last: int) -> None:
        """Write the part from place *first* to place *last*, both included."""
        siblings = self._siblings
        cores = {index: siblings.core(index) for index in range(first, last + 1)}
        done = cores[first].start
        waiting = Fragment("")
        for place in range(first, last + 1):
            old = self._order[place]
            if old in self._moved:
                waiting = waiting + self._fitted(place)
            else:
                core = cores[old]
                self._draft.replace(Span(done, core.start), waiting)
                self._keep(place, core)
                done, waiting = core.end, Fragment("")
            if place < last:
                waiting = waiting + Fragment(self._gap(place, Span(cores[place].end, cores[place + 1].start)))
        self._draft.replace(Span(done, cores[last].end), waiting)

    def _gap(self, place: int, span: Span) -> str:
        """What stands below the item that comes to *place*: what stood there, in *span*, with room for prose."""
        found = span.of(self._siblings.snapshot.text)
        above, below = self._order[place], self._order[place + 1]
        if below == above + 1:
            return found
        return widened(found, self._siblings.steps[above], self._siblings.steps[below])

    def _fitted(self, place: int) -> Fragment:
        step = self._siblings.steps[self._order[place]]
        return item_from(self._siblings.snapshot, step).fitted(self._indents[place], self._markers[place])

    def _keep(self, place: int, core: Span) -> None:
        """Give an item that stays the marker and the indent of its new place, where they differ."""
        old = self._order[place]
        step = self._siblings.steps[old]
        if step.item is None:
            return
        if step.item.indent != self._indents[place]:
            self._draft.replace(core, self._fitted(place))
        elif step.item.marker != self._markers[place]:
            self._draft.replace(self._siblings.marker_span(old), self._markers[place])
