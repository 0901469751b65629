"""Which steps leave the playbook or the loop, so that nothing below them in the same list is reached."""

from __future__ import annotations

from functools import lru_cache

from workbench.model.chains import chains, continues_chain
from workbench.model.facts import facts_of
from workbench.model.meaning import Branch, BranchForm, End, Jump, Return, StepKind
from workbench.model.program import Step


@lru_cache(maxsize=65_536)
def leaves(chain: tuple[Step, ...]) -> bool:
    """True when nothing that stands after *chain* in the same list can be reached from it."""
    first = chain[0]
    if first.kind is StepKind.DECISION:
        last = chain[-1].meaning
        is_total = isinstance(last, Branch) and last.form is BranchForm.OTHERWISE
        return is_total and all(arm_leaves(arm) for arm in chain)
    if first.kind is StepKind.LOOP:
        return False
    if leaves_alone(first):
        return True
    return any(leaves(inner) for inner in chains(first.children))


def leaves_alone(step: Step) -> bool:
    """True for a step that ends its playbook or jumps elsewhere."""
    return step.kind is StepKind.RETURN or step.kind is StepKind.END or isinstance(step.meaning, Jump)


def arm_leaves(arm: Step) -> bool:
    """True when nothing below its decision is reached through *arm*."""
    assert isinstance(arm.meaning, Branch)
    action = arm.meaning.action
    if action is not None and not arm.children:
        return isinstance(action, Return | End | Jump)
    return any(leaves(inner) for inner in chains(arm.children))


def _first_that_may_leave(steps: tuple[Step, ...]) -> int:
    return next((at for at, step in enumerate(steps) if facts_of(step).may_leave), len(steps))


def unreached(steps: tuple[Step, ...]) -> Step | None:
    """The first step of a list that nothing reaches, because one above it leaves."""
    first = _first_that_may_leave(steps)
    while 0 < first < len(steps) and continues_chain(steps[first - 1], steps[first]):
        first -= 1
    arms: list[Step] = []
    has_left = False
    for step in steps[first:]:
        if arms and not continues_chain(arms[-1], step):
            has_left = leaves(tuple(arms))
            arms = []
        if has_left and step.kind is not StepKind.RAW:
            return step
        if step.kind is StepKind.DECISION:
            arms.append(step)
        elif step.children:
            has_left = has_left or leaves((step,))
        else:
            has_left = has_left or leaves_alone(step)
    return None
