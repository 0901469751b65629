"""What is not shown of a program: the insides of folded steps, steps that are left out, and whole playbooks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from workbench.model.program import Step, StepId

_NONE: frozenset[StepId] = frozenset()


@dataclass(frozen=True, slots=True)
class Focus:
    """What is looked at of a program. *playbook*: only the one of this name; empty: all of them.

    *left_out*: steps that are not shown, each with all that is in it: those beside one another are one stub. Of an
    arm whose decision is shown, only what is in it is left out.
    """

    playbook: str = ""
    left_out: frozenset[StepId] = _NONE

    @property
    def is_everything(self) -> bool:
        """True where nothing is left out."""
        return not self.playbook and not self.left_out


EVERYTHING = Focus()


@dataclass(frozen=True, slots=True)
class Folds:
    """The steps that are *folded*, and those that are *left_out*."""

    folded: frozenset[StepId] = _NONE
    left_out: frozenset[StepId] = _NONE

    def among(self, steps: Iterable[Step]) -> Folds:
        """Those of them that are among *steps* or in them."""
        if not self.folded and not self.left_out:
            return NOTHING_FOLDED
        inside = frozenset(step.id for root in steps for step in root.walk())
        return Folds(self.folded & inside, self.left_out & inside)

    def difference(self, other: Folds) -> frozenset[StepId]:
        """What is folded or left out in one of the two and not in the other."""
        return (self.folded ^ other.folded) | (self.left_out ^ other.left_out)

    def hides_inside(self, step: Step) -> bool:
        """Whether nothing of what is in *step* is shown."""
        return step.id in self.folded or step.id in self.left_out

    def leaves_out(self, chain: Iterable[Step]) -> bool:
        """Whether none of *chain* is shown: a step, or all arms of a decision."""
        return bool(self.left_out) and all(step.id in self.left_out for step in chain)


NOTHING_FOLDED = Folds()
