"""Moving, duplicating and deleting steps, with their children and the comments directly above."""

from __future__ import annotations

from dataclasses import replace

from workbench.editing.commands import DeleteSteps, DuplicateSteps, MoveSteps, Place, Refusal
from workbench.editing.edit_plan import Draft, EditPlan
from workbench.editing.geometry.heading_places import level_at, refuse_row
from workbench.editing.geometry.heading_steps import LOWEST, can_hold, is_heading, lowest_level, shifted
from workbench.editing.geometry.placing import NewItem, edit_list, item_from
from workbench.editing.geometry.reorder import reorder
from workbench.editing.geometry.siblings import Siblings, grouped, siblings_at, siblings_of, topmost, walk_ids
from workbench.editing.refusals import damaged as damaged_place
from workbench.editing.refusals import (
    heading_inside,
    in_python,
    is_damaged,
    is_drawn,
    no_such_place,
    one_text,
    raw_inside,
    refuse_damage,
    refuse_steps,
    too_low,
)
from workbench.i18n import _, ngettext
from workbench.model.program import PlaybookMode, SectionKind, Step, StepId
from workbench.model.snapshot import Snapshot
from workbench.syntax.blocks import BlockKind

_OWN = frozenset({SectionKind.TRIGGERS, SectionKind.NOTES})


def refuse_move(snapshot: Snapshot, command: MoveSteps) -> Refusal | None:
    """Why the steps cannot be moved there."""
    refusal = refuse_steps(snapshot, command.steps) or refuse_damage(snapshot, command.steps)
    if refusal:
        return refusal
    place = command.place
    for step in (place.parent, place.after):
        if step is not None and not is_drawn(snapshot, step):
            return no_such_place()
    if _lies_inside(snapshot, command):
        return Refusal("into-itself", _("A step cannot be moved into itself."))
    refusal = _refuse_list(snapshot, command) or refuse_place(snapshot, place)
    return refusal or _refuse_headings(snapshot, command)


def _lies_inside(snapshot: Snapshot, command: MoveSteps) -> bool:
    if command.place.parent is None:
        return False
    return any(above.id in command.steps for above in snapshot.lineage(command.place.parent))


def refuse_place(snapshot: Snapshot, place: Place) -> Refusal | None:
    """Why nothing can be put at *place*."""
    for step in (place.parent, place.after):
        if step is not None and not is_drawn(snapshot, step):
            return no_such_place()
    if place.after is not None and _parent_id(snapshot, place.after) != place.parent:
        return no_such_place()
    if place.parent is None and place.after is None:
        return _refuse_first(snapshot, place)
    beside = [snapshot.step(step) for step in (place.parent, place.after) if step is not None]
    if place.parent is not None and not can_hold(beside[0]):
        return raw_inside()
    return damaged_place() if any(is_damaged(step) for step in beside) else None


def _refuse_first(snapshot: Snapshot, place: Place) -> Refusal | None:
    """Why nothing can stand first in the playbook of *place*."""
    playbook = snapshot.program.playbook(place.playbook)
    if playbook is None:
        return in_python() if snapshot.program.function(place.playbook) else no_such_place()
    return one_text() if playbook.mode is PlaybookMode.RAW and place.section is SectionKind.STEPS else None


def _parent_id(snapshot: Snapshot, step: StepId) -> StepId | None:
    parent = snapshot.parent(step)
    return parent.id if parent else None


def _refuse_list(snapshot: Snapshot, command: MoveSteps) -> Refusal | None:
    """Why the steps do not belong into the list at the place."""
    place = command.place
    near = place.parent or place.after
    target = snapshot.section_of(near).kind if near else place.section
    for step_id in command.steps:
        step = snapshot.step(step_id)
        kind = snapshot.section_of(step_id).kind
        if kind is not target and (kind in _OWN or target in _OWN):
            return Refusal(
                "other-section", _("Triggers, steps and notes must stay in their own section of a playbook.")
            )
        if step.item is None and (_is_in_item(snapshot, place) or target in _OWN):
            return heading_inside() if is_heading(step) else raw_inside()
        if step.item is None and step.block.kind is BlockKind.CODE:
            return Refusal("raw-code", _("Indented text belongs to what is above it. Move it in the source."))
    return None


def _is_in_item(snapshot: Snapshot, place: Place) -> bool:
    return place.parent is not None and snapshot.step(place.parent).item is not None


def _refuse_headings(snapshot: Snapshot, command: MoveSteps) -> Refusal | None:
    """Why the steps would come to stand below a heading that they are no part of, or the other way round."""
    target = siblings_at(snapshot, command.place)
    if target is None or not snapshot.deriver.is_procedure:
        return None
    moved = topmost(snapshot, command.steps)
    slot = slot_of(target, command.place)
    above = next((step for step in reversed(target.steps[:slot]) if step not in moved), None)
    below = next((step for step in target.steps[slot:] if step not in moved), None)
    refusal = refuse_row(above, moved, below)
    by = level_at(target, slot) - min((step.block.level for step in moved if is_heading(step)), default=LOWEST)
    lowest = max((lowest_level(snapshot, step) for step in moved if is_heading(step)), default=0)
    is_too_low = lowest + by > LOWEST and any(not _is_there(target, step) for step in moved)
    return refusal or (too_low() if is_too_low else None)


def _is_there(siblings: Siblings, step: Step) -> bool:
    return step in siblings.steps


def plan_move(snapshot: Snapshot, command: MoveSteps) -> EditPlan | Refusal:
    """The edits that move the steps; none when they are there already."""
    target = siblings_at(snapshot, command.place)
    if target is None:
        return no_such_place()
    steps = topmost(snapshot, command.steps)
    slot = slot_of(target, command.place)
    groups = grouped(snapshot, steps)
    draft = Draft(snapshot.text)
    if len(groups) == 1 and groups[0].siblings.key == target.key:
        reorder(draft, target, slot, groups[0].indices)
    else:
        here = next((group.indices for group in groups if group.siblings.key == target.key), frozenset())
        edit_list(draft, target, slot, [_item_for(target, slot, step) for step in steps], here)
        for group in groups:
            if group.siblings.key != target.key:
                edit_list(draft, group.siblings, max(group.indices), leaving=group.indices)
    return draft.finish(ngettext("Move step", "Move {count} steps", len(steps)))


def _item_for(target: Siblings, slot: int, step: Step) -> NewItem:
    """*step* on its way to *slot* of *target*, a heading at the level of those there."""
    item = item_from(target.snapshot, step)
    if not item.level or _is_there(target, step):
        return item
    level = level_at(target, slot)
    text = shifted(target.snapshot, step, level - item.level)
    return replace(item, text=text.rstrip("\r\n"), level=level)


def slot_of(siblings: Siblings, place: Place) -> int:
    """How many siblings stand above *place*."""
    return siblings.index(place.after) + 1 if place.after is not None else 0


def home_of(snapshot: Snapshot, steps: tuple[Step, ...]) -> Place | None:
    """The place that *steps* would have to be moved to in order to be where they are; None when they are scattered."""
    groups = grouped(snapshot, steps)
    if len(groups) != 1:
        return None
    siblings, indices = groups[0].siblings, groups[0].indices
    first = min(indices)
    if max(indices) - first + 1 != len(indices):
        return None
    after = siblings.steps[first - 1].id if first else None
    parent = siblings.parent.id if siblings.parent else None
    return Place(siblings.playbook.address, parent, after, siblings.kind)


def refuse_duplicate(snapshot: Snapshot, command: DuplicateSteps) -> Refusal | None:
    """Why the steps cannot be copied."""
    refusal = refuse_steps(snapshot, command.steps) or refuse_damage(snapshot, command.steps)
    if refusal:
        return refusal
    steps = topmost(snapshot, command.steps)
    is_nested = snapshot.parent(steps[-1].id) is not None
    if is_nested and any(step.item is None for step in steps) and _is_in_item(snapshot, _beside(snapshot, steps[-1])):
        return raw_inside()
    siblings = siblings_of(snapshot, steps[-1].id)
    below = next(iter(siblings.steps[siblings.index(steps[-1].id) + 1 :]), None)
    return refuse_row(steps[-1], steps, below) if snapshot.deriver.is_procedure else None


def _beside(snapshot: Snapshot, step: Step) -> Place:
    return Place(snapshot.playbook_of(step.id).address, _parent_id(snapshot, step.id), step.id)


def plan_duplicate(snapshot: Snapshot, command: DuplicateSteps) -> EditPlan:
    """The edits that add the copies; they get ids of their own."""
    steps = topmost(snapshot, command.steps)
    siblings = siblings_of(snapshot, steps[-1].id)
    items = [replace(item_from(snapshot, step), ids=()) for step in steps]
    draft = Draft(snapshot.text)
    edit_list(draft, siblings, siblings.index(steps[-1].id) + 1, items)
    return draft.finish(ngettext("Duplicate step", "Duplicate {count} steps", len(steps)))


def refuse_delete(snapshot: Snapshot, command: DeleteSteps) -> Refusal | None:
    """Why the steps cannot be deleted."""
    return refuse_steps(snapshot, command.steps)


def plan_delete(snapshot: Snapshot, command: DeleteSteps) -> EditPlan:
    """The edits that delete the steps."""
    steps = topmost(snapshot, command.steps)
    draft = Draft(snapshot.text)
    for group in grouped(snapshot, steps):
        edit_list(draft, group.siblings, max(group.indices), leaving=group.indices)
    removed = frozenset(step for top in steps for step in walk_ids(snapshot, top))
    return draft.finish(ngettext("Delete step", "Delete {count} steps", len(steps)), removed)
