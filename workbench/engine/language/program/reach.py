"""Which steps a playbook carries out, and where jumps and repetitions in the words of its steps can lead."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.model.meaning import (
    Action,
    Branch,
    BranchForm,
    Group,
    Judge,
    Jump,
    JumpForm,
    Meaning,
    Note,
    Raw,
    TriggerEvent,
)
from workbench.model.procedures.numbers import jump_address
from workbench.model.program import Step
from workbench.model.snapshot import Snapshot

MOST_REPEATED = 20
"""How many steps of a playbook can repeat others; those below them go back to the first of them."""
_MOST_STEPS = 50


def executable(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps that are carried out: not notes, triggers, nor what is kept word for word."""
    return tuple(
        step
        for step in steps
        if not isinstance(step.meaning, Raw | Note | TriggerEvent) and step.meaning != Group(is_read=True)
    )


def is_rest(step: Step) -> bool:
    """True for *Otherwise*, which means something only behind an *If*."""
    return isinstance(step.meaning, Branch) and step.meaning.form is BranchForm.OTHERWISE


def open_ways(judge: Judge, address: str, snapshot: Snapshot, *, is_in_loop: bool) -> tuple[Action, ...]:
    """The outcomes of *judge*, at the step *address*, that lead anywhere."""
    return tuple(one for one in judge.outcomes if _leads(one, address, snapshot, is_in_loop=is_in_loop))


def _leads(action: Action, address: str, snapshot: Snapshot, *, is_in_loop: bool) -> bool:
    if not isinstance(action, Jump):
        return True
    if action.form is not JumpForm.GO_TO:
        return is_in_loop
    return bool(jump_address(snapshot, address, action.number))


def repeated_steps(snapshot: Snapshot, address: str, action: Meaning) -> tuple[Step, ...]:
    """What *action*, in the step *address*, does once more before that step is asked again: *repeat steps 3-5*.

    Empty where a jump does the same, since the step stands right behind the last of them, and where going back to the
    first is all that can be done.
    """
    if not isinstance(action, Jump) or not action.last:
        return ()
    step, first, last = (
        snapshot.at_address(each)
        for each in (address, *(jump_address(snapshot, address, one) for one in (action.number, action.last)))
    )
    if step is None or first is None or last is None:
        return ()
    siblings = executable(snapshot.siblings(step.id))
    places = {each.id: place for place, each in enumerate(siblings)}
    start, stop, at = (places.get(each.id, -1) for each in (first, last, step))
    again = siblings[start : stop + 1] if 0 <= start <= stop < at - 1 else ()
    return again if sum(1 for each in again for _ in each.walk()) <= _MOST_STEPS else ()
