"""Decisions: which sibling steps belong to one, and when nothing below it is reached because all its arms leave."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from workbench.model.meaning import Branch, BranchForm, End, Jump, Return, StepKind, parts_of
from workbench.model.program import Step
from workbench.model.step_facts import facts_of


def chains(steps: Sequence[Step]) -> Iterator[tuple[Step, ...]]:
    """*steps* in order, the arms of one decision together and every other step alone."""
    chain: list[Step] = []
    for step in steps:
        if chain and not continues_chain(chain[-1], step):
            yield tuple(chain)
            chain = []
        chain.append(step)
    if chain:
        yield tuple(chain)


def continues_chain(before: Step, step: Step) -> bool:
    """True when *step* is a further arm of the decision that *before* belongs to."""
    if step.kind is not StepKind.DECISION or before.kind is not StepKind.DECISION:
        return False
    assert isinstance(before.meaning, Branch)
    assert isinstance(step.meaning, Branch)
    first, second = before.meaning.form, step.meaning.form
    if first is BranchForm.OTHERWISE or second is BranchForm.IF:
        return False
    return second is not BranchForm.WHEN or first is BranchForm.WHEN


def is_total(arms: Sequence[Step]) -> bool:
    """True when one of *arms* is taken in any case: the last is an *Otherwise*, and another one stands above it.

    An *Otherwise* alone is a question like any other: whoever decides may say no.
    """
    last = arms[-1].meaning
    return len(arms) > 1 and isinstance(last, Branch) and last.form is BranchForm.OTHERWISE


@lru_cache(maxsize=65_536)
def leaves(chain: tuple[Step, ...]) -> bool:
    """True when nothing that stands after *chain* in the same list can be reached from it."""
    first = chain[0]
    if first.kind is StepKind.DECISION:
        return is_total(chain) and all(arm_leaves(arm) for arm in chain)
    if first.kind is StepKind.LOOP:
        return False
    if leaves_alone(first):
        return True
    return any(leaves(inner) for inner in chains(first.children))


def leaves_alone(step: Step) -> bool:
    """True for a step that ends its playbook or jumps elsewhere."""
    return isinstance(parts_of(step.meaning)[-1], Return | End | Jump)


def arm_leaves(arm: Step) -> bool:
    """True when nothing below its decision is reached through *arm*."""
    assert isinstance(arm.meaning, Branch)
    action = arm.meaning.action
    if action is not None and not arm.children:
        return isinstance(parts_of(action)[-1], Return | End | Jump)
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
