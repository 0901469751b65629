"""How the lists of a procedure are counted: by the numbers that the author has written, or by place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from workbench.model.meaning import StepKind
from workbench.model.program import Program, Step, StepId
from workbench.syntax.heading_words import step_title


@dataclass(frozen=True, slots=True)
class Counted:
    """The steps of one list by number: as it is *written*, and *by_place* where the list is not counted."""

    written: Mapping[str, Step]
    by_place: Mapping[str, Step]


def counted_steps(program: Program) -> Mapping[StepId, Counted]:
    """For each step of a chapter, how its list is counted."""
    lists = (steps for chapter in program.playbooks if chapter.is_chapter for steps in lists_of(chapter.steps))
    return {step.id: counted for steps in lists for counted in (_counted(steps),) for step in steps}


def lists_of(steps: Sequence[Step]) -> Iterator[Sequence[Step]]:
    """Each list of steps: *steps*, and those below them; without the texts between."""
    yield [step for step in steps if step.kind is not StepKind.RAW]
    for step in steps:
        if step.children:
            yield from lists_of(step.children)


def _counted(steps: Sequence[Step]) -> Counted:
    written: dict[str, Step] = {}
    for step in steps:
        written.setdefault(written_number(step), step)
    # 1. 1. 1. is a way of writing, as bullets are
    places = {str(place): step for place, step in enumerate(steps, 1)} if len(written) < 2 else {}
    written.pop("", None)
    return Counted(written, places)


def written_number(step: Step) -> str:
    """The number that the author has written at *step*; empty where there is none."""
    if step.item is not None:
        marker = step.item.marker(step.block.text)
        return (marker[:-1].lstrip("0") or "0") if step.item.is_ordered else ""
    said = step_title(step.text.strip("*_ "))
    return said.number.lower() if said else ""
