"""Which sibling steps belong together: *If … Else if … Otherwise*, and a switch by *When*."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workbench.model.meaning import Branch, BranchForm, StepKind
from workbench.model.program import Step


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
