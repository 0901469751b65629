"""The same items in another order. Gaps, indents and numbers stay where they are.

For lists whose gaps are blank where the order changes; what else stands between items is left where it is
(between.py). Because every item only changes places, moving away and back is the identity on bytes, but for the blank
lines that text needs (seams.py). B moves up; the blank line stays between the first place and the second, and so do
the numbers::

    1. A            1. B
             →
    2. B            2. A
    3. C            3. C

Cutting B out and putting it in above A could not do that: the blank line would go along or be lost, and on its way
back B could not know how it had been set apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress, count, pairwise, repeat
from operator import add, attrgetter, ne

from workbench.editing.edit_plan import SEAM, Draft, Fragment
from workbench.editing.geometry.between import above_first_gap, has_text
from workbench.editing.geometry.numbering import permuted
from workbench.editing.geometry.placing import edit_list, item_from
from workbench.editing.geometry.siblings import Siblings, are_alike, are_counted, items_in_row
from workbench.syntax.blocks import ItemNode
from workbench.syntax.text import Span

_DIGITS = attrgetter("digits")
Look = tuple[str, str]
"""Indent and marker."""


def reorder(draft: Draft, siblings: Siblings, slot: int, moved: frozenset[int]) -> None:
    """Add to *draft* what brings the items *moved* together at *slot*."""
    order = order_after(len(siblings.steps), slot, moved)
    places = list(compress(count(), map(ne, order, count())))
    if not places:
        return
    steps = siblings.steps[max(places[0] - 1, 0) : places[-1] + 2]
    is_first = places[0] == 0 and above_first_gap(siblings, 0) is not None
    if not is_first and are_counted(row := items_in_row(siblings.snapshot, steps)):
        first = places[0] - max(places[0] - 1, 0)
        _Counted(draft, siblings, order, moved).write_items(row[first:], places[0], places[-1])
    elif has_text(siblings, places[0] - 1, places[-1] + 1):
        items = [item_from(siblings.snapshot, siblings.steps[index]) for index in sorted(moved)]
        edit_list(draft, siblings, slot, items, moved)
    else:
        _Reorder(draft, siblings, order, moved).write(places[0], places[-1])


def rearrange(draft: Draft, siblings: Siblings, order: Sequence[int]) -> None:
    """Add to *draft* what brings the items into *order* (old indices); all gaps between are blank."""
    places = [index for index, old in enumerate(order) if index != old]
    if places:
        moved = frozenset(order[places[0] : places[-1] + 1])
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
        self._looks: Sequence[Look] = ()
        self._places: Sequence[int] = ()

    def write(self, first: int, last: int) -> None:
        """Write the part from place *first* to place *last*, both included."""
        siblings = self._siblings
        places = self._busy(first, last)
        done, before = siblings.core(first).start, first - 1
        waiting = SEAM
        for place in places:
            old = self._order[place]
            if place > before + 1:
                done, waiting = siblings.core(old).start, Fragment("")
            if old in self._moved:
                waiting = waiting + self._fitted(place)
            else:
                core = siblings.core(old)
                self._draft.replace(Span(done, core.start), waiting)
                self._keep(place, core)
                done, waiting = core.end, Fragment("")
            if place < last:
                waiting = waiting + SEAM + Fragment(siblings.gap(place).of(siblings.snapshot.text))
            before = place
        self._draft.replace(Span(done, siblings.core(last).end), waiting + SEAM)

    def _busy(self, first: int, last: int) -> Sequence[int]:
        """The places to look at: all, or in a list of one kind only those where the order changes.

        So that a step that moves past ten thousand bullets costs no more than past one.
        """
        steps, order = self._siblings.steps[first : last + 1], self._order
        if not are_alike(items_in_row(self._siblings.snapshot, steps)):
            self._looks = _looks(self._siblings, order)
            return range(first, last + 1)
        return self._jumps(first, last)

    def _jumps(self, first: int, last: int) -> Sequence[int]:
        """The places where the order changes, those around them, and both ends."""
        order = self._order
        following = map(add, order[first:last], repeat(1))
        jumps = list(compress(count(first), map(ne, order[first + 1 : last + 1], following)))
        targets = compress(count(first), map(self._moved.__contains__, order[first : last + 1]))
        return sorted({first, last, *targets, *jumps, *(place + 1 for place in jumps)})

    def _look(self, place: int) -> Look:
        """The indent and the marker at *place*; in a list of one kind that is what stands there."""
        if self._looks:
            return self._looks[place]
        item = self._siblings.steps[place].item
        return (item.indent, self._siblings.marker(place)) if item else ("", "")

    def _fitted(self, place: int) -> Fragment:
        step = self._siblings.steps[self._order[place]]
        return item_from(self._siblings.snapshot, step).fitted(*self._look(place))

    def _keep(self, place: int, core: Span) -> None:
        """Give an item that stays the marker and the indent of its new place, where they differ."""
        old = self._order[place]
        step = self._siblings.steps[old]
        indent, marker = self._look(place)
        if step.item is not None and step.item.indent != indent:
            self._draft.replace(core, self._fitted(place))
        else:
            self._siblings.write_marker(self._draft, old, marker)


class _Counted(_Reorder):
    """The same of items with numbers that follow directly on one another: where nothing jumps, only numbers change.

    So that a step that moves past ten thousand of them costs little more than writing ten thousand numbers.
    """

    def write_items(self, items: Sequence[ItemNode], first: int, last: int) -> None:
        """Write the part from place *first* to place *last*, both included, of which *items* are the first ones."""
        self.write(first, last)
        siblings, snapshot, draft = self._siblings, self._siblings.snapshot, self._draft
        text, begin, inside = snapshot.text, snapshot.where[siblings.steps[first].id], len(items[0].indent)
        blocks = snapshot.block_starts[begin : begin + last - first + 1]
        starts = [start + item.lines.start + inside for start, item in zip(blocks, items, strict=False)]
        ends = map(add, starts, map(_DIGITS, items))
        numbers = [text[start:end] for start, end in zip(starts, ends, strict=True)]
        for before, after in pairwise(self._places):
            # between two places that are looked at, all items go the same way
            old = self._order[before] + 1 - first
            olds = slice(old, old + after - before - 1)
            news, was = numbers[before + 1 - first : after - first], numbers[olds]
            draft.renumber(starts[olds], was, news)
            for index in compress(count(old), map(ne, map(len, news), map(len, was))):
                siblings.write_marker(draft, first + index, news[index - old] + items[index].sign)

    def _busy(self, first: int, last: int) -> Sequence[int]:
        self._places = self._jumps(first, last)
        return self._places


def _looks(siblings: Siblings, order: Sequence[int]) -> list[Look]:
    """Indent and marker of every place, once the items stand in *order*."""
    indents = iter([step.item.indent for step in siblings.steps if step.item])
    markers = permuted(siblings.markers, order)
    items = [siblings.steps[old].item for old in order]
    return [(next(indents) if item else "", marker) for item, marker in zip(items, markers, strict=True)]
