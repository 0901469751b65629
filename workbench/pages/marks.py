"""What a picture tells of steps besides their words: what a run did, what became of them, where they lead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from workbench.engine.comparing.passes import Pass
from workbench.engine.journal.choices import StepStatus
from workbench.model.program import Playbook, Step, StepId
from workbench.model.snapshot import Snapshot
from workbench.pages.comparison_words import step_words
from workbench.vocabulary import Status


@dataclass(frozen=True, slots=True)
class Mark:
    """What a run did at a step, or what became of it: *kind* is how it looks, *words* say it.

    *visits*: how often the run came there.
    """

    kind: str
    words: str
    visits: int


_KINDS = {StepStatus.DONE: "done", StepStatus.SKIPPED: "skipped", StepStatus.FAILED: "failed"}


def marks_of(passes: Iterable[Pass]) -> dict[str, Mark]:
    """What *passes* did, by the address of the step: how the last pass ended."""
    marks: dict[str, Mark] = {}
    for one in passes:
        visits = marks[one.address].visits + 1 if one.address in marks else 1
        is_no = one.branch is False and one.status is StepStatus.SKIPPED
        words = str(Status.NO) if is_no else step_words(one.status)
        marks[one.address] = Mark(_KINDS.get(one.status, "open"), words, visits)
    return marks


class About(NamedTuple):
    """What a picture says of a step besides its words. *name*: of its block, in the file of the picture.

    *href*: what the block leads to, empty for nothing.
    """

    name: str
    number: str
    says: str
    href: str = ""


@dataclass(frozen=True, slots=True)
class Ran:
    """A text that a run went through, a version with its *marks*, or a text by itself.

    *before*: what stands before its addresses. *about*: what is told of steps, where there is more than their words.
    """

    snapshot: Snapshot
    before: str
    marks: Mapping[str, Mark]
    about: Mapping[StepId, About] = field(default_factory=dict)

    def at(self, step: Step | None) -> Mark | None:
        """The mark of *step*."""
        return self.marks.get(f"{self.before}{self.snapshot.address(step.id)}") if step is not None else None

    def at_prompt(self, playbook: Playbook) -> Mark | None:
        """The mark of the one box of *playbook*, which is carried out by its text."""
        return self.marks.get(f"{self.before}{playbook.address}")

    def has_marks(self, playbook: Playbook) -> bool:
        """Whether anything in *playbook* is marked."""
        names = (key.removeprefix(self.before).rpartition(":")[0] for key in self.marks)
        return playbook.address in self.marks or playbook.address in names
