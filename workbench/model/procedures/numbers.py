"""Which step an author means by a number: *go back to step 3*."""

from __future__ import annotations

from workbench.model.program import Step, StepId
from workbench.model.queries import Queries


def jump_target(document: Queries, source: StepId, number: str) -> Step | None:
    """The step that *number* means in the words of the step *source*; None where there is none.

    In the language it is the address. In a procedure it is what stands there: the number of a list, or of a heading,
    looked for among the neighbours of *source*, then among those around, and so on.
    """
    playbook = document.playbook_of(source)
    if not playbook.is_chapter:
        return document.at_address(f"{playbook.address}:{padded_number(number)}")
    lists = [document.counted[here.id] for here in reversed(document.lineage(source)) if here.id in document.counted]
    # bullets are counted only where no list around has numbers: "step 3" below "Step 3" is not the third bullet
    found = (
        by_number.get(number.lower())
        for by_number in [*(one.written for one in lists), *(one.by_place for one in lists)]
    )
    return next((step for step in found if step is not None and step.id != source), None)


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
