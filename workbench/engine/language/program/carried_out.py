"""Which steps a playbook carries out, where jumps and repetitions in their words lead, and what is called for others.

Calls are made for actions which are none themselves: what a Return calls, and a wait for messages.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from workbench.model.meaning import (
    Action,
    Argument,
    Branch,
    BranchForm,
    Call,
    Group,
    Judge,
    Jump,
    JumpForm,
    Meaning,
    Note,
    Raw,
    Return,
    TriggerEvent,
    Variable,
    Yield,
)
from workbench.model.procedures.numbers import jump_address
from workbench.model.program import Step
from workbench.model.sentences.calls import call_of
from workbench.model.snapshot import Snapshot
from workbench.syntax.expressions import try_expression

MOST_REPEATED = 20
"""How many steps of a playbook can repeat others; those below them go back to the first of them."""
_MOST_STEPS = 50
RETURNED = Variable("result", is_state=False)


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


def called_for(action: Meaning) -> Call | None:
    """The call whose result is returned: ``Return Check($order)``."""
    if not isinstance(action, Return):
        return None
    words = action.text.strip(" .`") if action.value is None else action.value.source
    return call_of(words, RETURNED) if words.endswith(")") else None


def waiting_for(action: Yield) -> Call | None:
    """The wait for messages that a line of assembly asks for."""
    if not action.target.startswith(("meeting", "agent")):
        return None
    said = try_expression(json.dumps(action.target.strip(), ensure_ascii=False))
    return Call("WaitForMessage", (Argument("", said),)) if said else None
