"""Where a dragged step may go: the slot nearest to the pointer, and the place in the text that it stands for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from workbench.editing.commands import Place
from workbench.model.layout import Rect, Slot
from workbench.model.layout_program import Layout, PlaybookLayout
from workbench.model.snapshot import Snapshot

REACH_PX = 72.0
# A slot to the side is further than one above or below at the same distance: lists are vertical.
_SIDE_WEIGHT = 1.5


@dataclass(frozen=True, slots=True)
class DropSlot:
    """A slot in canvas coordinates, and where a step goes that is put there."""

    place: Place
    rect: Rect


def slot_near(snapshot: Snapshot, layout: Layout, x: float, y: float, reach: float = REACH_PX) -> DropSlot | None:
    """The slot nearest to a point, none beyond *reach* pixels at 100 %."""
    window = Rect(x - reach, y - reach, 2 * reach, 2 * reach)
    best: tuple[float, PlaybookLayout, Slot, Rect] | None = None
    for playbook, slot, rect in slots_in(layout, window):
        away = distance(rect, x, y)
        if away <= reach and (best is None or away < best[0]):
            best = (away, playbook, slot, rect)
    if best is None:
        return None
    _away, playbook, slot, rect = best
    return DropSlot(place_of_slot(snapshot, playbook.playbook.name, slot), rect)


def slots_in(layout: Layout, window: Rect) -> Iterator[tuple[PlaybookLayout, Slot, Rect]]:
    """The slots whose bar meets *window*, in canvas coordinates."""
    for playbook in layout.playbooks:
        if not playbook.rect.meets(window):
            continue
        for slot in playbook.slots:
            if slot.rect.meets(window):
                yield playbook, slot, slot.rect
        for placed in playbook.visible(window):
            for slot in placed.fragment.slots:
                rect = slot.rect.moved(placed.x, placed.y)
                if rect.meets(window):
                    yield playbook, slot, rect


def place_of_slot(snapshot: Snapshot, playbook: str, slot: Slot) -> Place:
    """The place that *slot* stands for."""
    neighbour = slot.after or slot.parent
    if neighbour is None or not snapshot.has(neighbour):
        return Place(playbook, slot.parent, slot.after)
    section = snapshot.section_of(neighbour)
    return Place(snapshot.playbook_of(neighbour).name, slot.parent, slot.after, section.kind)


def distance(rect: Rect, x: float, y: float) -> float:
    """How far a point is from *rect*; sideways counts more."""
    aside = max(rect.x - x, 0.0, x - rect.x - rect.width)
    above = max(rect.y - y, 0.0, y - rect.y - rect.height)
    return aside * _SIDE_WEIGHT + above
