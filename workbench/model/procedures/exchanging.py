"""The structure of a procedure after an edit that only changed words of steps, in little time: asked at every key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from workbench.model.procedures.deciding import list_head
from workbench.model.program import PlacedPlaybook, Step, StepId, Structure
from workbench.syntax.blocks import Block, BlockKind

_LOOSE = frozenset({BlockKind.BLANK, BlockKind.COMMENT})


def only_words_changed(gone: Sequence[Block], fresh: Sequence[Block]) -> bool:
    """True where *fresh* items stand in the place of those that are *gone*, and look the same as far as steps go."""
    if len(gone) != len(fresh):
        return False
    return all(
        old.kind is new.kind
        and (old.kind in _LOOSE or (old.kind is BlockKind.ITEM and list_head(old) == list_head(new)))
        for old, new in zip(gone, fresh, strict=True)
    )


def with_steps(structure: Structure, fresh: Mapping[StepId, Step], where: Mapping[StepId, int]) -> Structure:
    """*structure* with the steps *fresh* in the place of those that have their ids; *where*: the block of each id."""
    roots = list(structure.roots)
    for step_id, step in fresh.items():
        roots[where[step_id]] = step
    at = {_place(structure, where[step_id]) for step_id in fresh}
    placed = list(structure.placed)
    for index in at:
        one = placed[index]
        steps = _exchanged(one.playbook.steps, fresh, where, roots)
        section = replace(one.playbook.sections[0], steps=steps)
        placed[index] = PlacedPlaybook(replace(one.playbook, sections=(section,)), one.start, one.stop)
    agent = replace(structure.program.agents[0], playbooks=tuple([one.playbook for one in placed]))
    program = replace(structure.program, agents=(agent,))
    return replace(structure, program=program, placed=tuple(placed), roots=tuple(roots))


def _place(structure: Structure, index: int) -> int:
    """Which of the chapters holds the block *index*."""
    return next(at for at, one in enumerate(structure.placed) if one.start <= index < one.stop)


def _exchanged(
    steps: tuple[Step, ...], fresh: Mapping[StepId, Step], where: Mapping[StepId, int], roots: list[Step | None]
) -> tuple[Step, ...]:
    """*steps* with those in *fresh* in their places, and with new headings around them."""
    found = list(steps)
    for at, step in enumerate(steps):
        if step.id in fresh:
            found[at] = fresh[step.id]
        elif step.children and step.is_spread:
            children = _exchanged(step.children, fresh, where, roots)
            if children != step.children:
                found[at] = roots[where[step.id]] = replace(step, children=children)
    return tuple(found)
