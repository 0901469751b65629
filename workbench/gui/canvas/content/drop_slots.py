"""Where a dragged step may go: the slot nearest to the pointer, and the place in the text that it stands for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from workbench.editing.commands import Place
from workbench.model.layout.program import Layout, PlaybookLayout
from workbench.model.layout.shapes import Rect, Slot
from workbench.model.program import Playbook, SectionKind, StepId
from workbench.model.snapshot import Snapshot

REACH_PX = 72.0
# A slot to the side is further than one above or below at the same distance: lists are vertical.
_SIDE_WEIGHT = 1.5


@dataclass(frozen=True, slots=True)
class DropSlot:
    """A slot in canvas coordinates, and where a step goes that is put there."""

    place: Place
    rect: Rect


@dataclass(frozen=True, slots=True)
class Aim:
    """A point of the canvas, how far a slot may be from it (pixels at 100 %), and which list the thing belongs to."""

    x: float
    y: float
    reach: float = REACH_PX
    section: SectionKind = SectionKind.STEPS


def slot_near(snapshot: Snapshot, layout: Layout, aim: Aim) -> DropSlot | None:
    """The slot nearest to *aim*."""
    x, y, reach = aim.x, aim.y, aim.reach
    window = Rect(x - reach, y - reach, 2 * reach, 2 * reach)
    best: tuple[float, PlaybookLayout, Slot, Rect] | None = None
    for playbook, slot, rect in slots_in(layout, window):
        away = distance(rect, x, y)
        if away <= reach and (best is None or away < best[0]):
            best = (away, playbook, slot, rect)
    if best is None:
        return None
    _away, playbook, slot, rect = best
    return DropSlot(place_of_slot(snapshot, playbook.playbook, slot, aim.section), rect)


def slots_in(layout: Layout, window: Rect) -> Iterator[tuple[PlaybookLayout, Slot, Rect]]:
    """The slots whose bar meets *window*, in canvas coordinates."""
    for playbook in layout.playbooks:
        if not playbook.rect.meets(window):
            continue
        for slot in playbook.slots:
            if slot.rect.meets(window):
                yield playbook, slot, slot.rect
        for placed in playbook.visible(window):
            inside = window.moved(-placed.x, -placed.y)
            for slot in placed.fragment.slots:
                if slot.rect.meets(inside):
                    yield playbook, slot, slot.rect.moved(placed.x, placed.y)


def place_of_slot(snapshot: Snapshot, playbook: Playbook, slot: Slot, section: SectionKind) -> Place:
    """The place that *slot* of *playbook* stands for, for something that belongs to *section*.

    Triggers, steps and notes are drawn in one row. Below the last trigger, a trigger goes to
    the end of the triggers, and a step to the beginning of the steps.
    """
    if slot.parent is not None:
        return Place(playbook.address, slot.parent, slot.after)
    if slot.after is None or not snapshot.has(slot.after):
        return Place(playbook.address, None, None, section)
    kind = snapshot.section_of(slot.after).kind
    begins = kind is not section and slot.after == _last_before(playbook, section)
    return Place(playbook.address, None, None if begins else slot.after, section if begins else kind)


def _last_before(playbook: Playbook, section: SectionKind) -> StepId | None:
    """The step that is drawn directly above the first one of *section*."""
    above = {
        SectionKind.STEPS: playbook.triggers,
        SectionKind.NOTES: playbook.steps or playbook.triggers,
    }.get(section, ())
    return above[-1].id if above else None


def distance(rect: Rect, x: float, y: float) -> float:
    """How far a point is from *rect*; sideways counts more."""
    aside = max(rect.x - x, 0.0, x - rect.x - rect.width)
    above = max(rect.y - y, 0.0, y - rect.y - rect.height)
    return aside * _SIDE_WEIGHT + above
