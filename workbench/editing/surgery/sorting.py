"""Bringing steps into the order of their words; numbers, gaps and what each step owns stay right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workbench.editing.commands import Refusal, SortSteps
from workbench.editing.edit_plan import Draft, EditPlan
from workbench.editing.geometry.between import has_text
from workbench.editing.geometry.reorder import rearrange
from workbench.editing.geometry.siblings import Siblings, children_of, grouped, topmost, walk_ids
from workbench.editing.refusals import refuse_damage, refuse_steps, shortened
from workbench.editing.surgery.parts import refuse_scattered
from workbench.i18n import _
from workbench.model.decisions import continues_chain
from workbench.model.program import Step
from workbench.model.snapshot import Snapshot
from workbench.model.step_facts import facts_of
from workbench.regex import regex
from workbench.syntax.inline import plain_words

_NUMBER = regex(r"(\d+)")


def refuse(snapshot: Snapshot, command: SortSteps) -> Refusal | None:
    """Why the steps cannot be sorted."""
    refusal = refuse_steps(snapshot, command.steps)
    if refusal is not None:
        return refusal
    steps = _meant(snapshot, command)
    if len(steps) < 2:
        return Refusal("one-step", _("Select several steps, or one with steps in it, to sort them."))
    refusal = refuse_damage(snapshot, (step.id for step in steps)) or refuse_scattered(snapshot, steps)
    if refusal is not None:
        return refusal
    group = grouped(snapshot, steps)[0]
    first, last = min(group.indices), max(group.indices)
    if any(step.item is None for step in steps) or has_text(group.siblings, first, last):
        return Refusal("text-between", _("Text stands between these steps. Move it first."))
    around = group.siblings.steps[max(0, first - 1) : last + 2]
    if any(continues_chain(above, below) for above, below in zip(around, around[1:], strict=False)):
        return Refusal("branches", _("Branches of one decision must stay together, so these cannot be sorted."))
    ordered = sorted(steps, key=sort_key)
    if ordered == list(steps):
        return Refusal("sorted", _("These steps are in this order already."))
    return _refuse_order(steps, ordered)


def _refuse_order(steps: Sequence[Step], ordered: Sequence[Step]) -> Refusal | None:
    """Why *steps* need the order that they have: one reads what another sets, or leaves."""
    place = {step.id: at for at, step in enumerate(ordered)}
    for at, above in enumerate(steps):
        one = facts_of(above)
        for below in steps[at + 1 :]:
            other = facts_of(below)
            reads = other.read_names | other.uses, one.read_names | one.uses
            is_bound = one.may_leave or other.may_leave or one.sets & (reads[0] | other.sets) or other.sets & reads[1]
            if is_bound and place[below.id] < place[above.id]:
                message = _("“{below}” must stay below “{above}”, which it depends on, so these cannot be sorted.")
                return Refusal("order", message.format(below=shortened(below.text), above=shortened(above.text)))
    return None


def _meant(snapshot: Snapshot, command: SortSteps) -> tuple[Step, ...]:
    """The steps to sort: those chosen, or those inside the only one."""
    steps = topmost(snapshot, command.steps)
    return steps[0].children if len(steps) == 1 else steps


def sort_key(step: Step) -> tuple[tuple[tuple[int, int, str], ...], str]:
    """By which steps are sorted: their words as they are read, numbers by their value, small and capital alike."""
    words = plain_words(step.text).casefold()
    parts = (part for part in _NUMBER.split(words) if part)
    return tuple([_by_value(part) if part.isdecimal() else (1, 0, part) for part in parts]), step.text


def _by_value(digits: str) -> tuple[int, int, str]:
    """*digits* by the number that they are, which may be longer than any that is counted with."""
    digits = digits.lstrip("0")
    return 0, len(digits), digits


def plan(snapshot: Snapshot, command: SortSteps) -> EditPlan:
    """The edits that bring the steps into order."""
    steps = _meant(snapshot, command)
    siblings = _siblings(snapshot, command, steps)
    first = siblings.index(steps[0].id)
    inside = sorted(range(first, first + len(steps)), key=lambda index: sort_key(siblings.steps[index]))
    order = [*range(first), *inside, *range(first + len(steps), len(siblings.steps))]
    draft = Draft(snapshot.text)
    rearrange(draft, siblings, order)
    moved = frozenset(inner for step in steps for inner in walk_ids(snapshot, step))
    return replace(draft.finish(_("Sort steps")), moved=moved)


def _siblings(snapshot: Snapshot, command: SortSteps, steps: tuple[Step, ...]) -> Siblings:
    chosen = topmost(snapshot, command.steps)
    inner = children_of(snapshot, chosen[0].id) if len(chosen) == 1 else None
    return inner or grouped(snapshot, steps)[0].siblings
