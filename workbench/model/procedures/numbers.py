"""Which step an author means by a number: *go back to step 3*."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.model.meaning import StepKind
from workbench.model.program import Step, StepId
from workbench.model.queries import Queries
from workbench.syntax.heading_words import step_title


def jump_target(document: Queries, source: StepId, number: str) -> Step | None:
    """The step that *number* means in the words of the step *source*; None where there is none.

    In the language it is the address. In a procedure it is what stands there: the number of a list, or of a heading,
    looked for among the neighbours of *source*, then among those around, and so on.
    """
    playbook = document.playbook_of(source)
    if not playbook.is_chapter:
        return document.at_address(f"{playbook.name}:{padded_number(number)}")
    lists = [_numbered(document, here) for here in reversed(document.lineage(source))]
    written = (_written(among, number) for among in lists)
    # bullets are counted only where no list around has numbers: "step 3" below "Step 3" is not the third bullet
    return next(filter(None, written), None) or next(filter(None, (_by_place(among, number) for among in lists)), None)


def _numbered(document: Queries, step: Step) -> tuple[Step, ...]:
    return tuple(one for one in document.siblings(step.id) if one.kind is not StepKind.RAW)


def jump_address(document: Queries, address: str, number: str) -> str:
    """Where the step at *address* jumps to with *number*; in a procedure, empty where there is no such step.

    In the language the address need not exist: a jump that leads nowhere is told when it is made.
    """
    source = document.at_address(address)
    if source is None or not document.playbook_of(source.id).is_chapter:
        return f"{address.partition(':')[0]}:{padded_number(number)}"
    target = jump_target(document, source.id, number)
    return document.address(target.id) if target is not None else ""


def padded_number(number: str) -> str:
    """``2.1`` as addresses write it: ``02.01``; unchanged where it is no number."""
    parts = number.strip(" .").split(".")
    return ".".join(part.lstrip("0").zfill(2) if part.isascii() and part.isdigit() else part for part in parts)


def _written(steps: Sequence[Step], number: str) -> Step | None:
    """The one of *steps* at which its author has written *number*."""
    return next((step for step in steps if _said(step) == number), None)


def _by_place(steps: Sequence[Step], number: str) -> Step | None:
    """The one of *steps* that is counted as *number* where their author does not count."""
    place = int(number) if number.isdecimal() else 0
    is_counted = len({_said(step) for step in steps}) > 1
    return steps[place - 1] if not is_counted and 0 < place <= len(steps) else None


def _said(step: Step) -> str:
    """The number that the author has written at *step*; empty where there is none."""
    if step.item is not None:
        return step.item.marker[:-1].lstrip("0") if step.item.is_ordered else ""
    said = step_title(step.text.strip("*_ "))
    return said.number if said else ""
