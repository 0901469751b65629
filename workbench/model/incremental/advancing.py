"""``advance``: the snapshot after a change, with the ids of all steps that are still there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workbench.model.derivers import Deriver, deriver_of
from workbench.model.incremental.draft import Draft
from workbench.model.incremental.identity import Carried, name_steps
from workbench.model.incremental.rescanning import exchange_blocks, take_numbers
from workbench.model.markdown.lowering import Surroundings, lower_block
from workbench.model.markdown.structure import have_steps, is_bare_link, role_of, stands_still
from workbench.model.program import Agent, PlacedPlaybook, Playbook, Program, Step, StepId, Structure
from workbench.model.snapshot import Snapshot
from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.change import TextChange
from workbench.syntax.differences import Window, part
from workbench.syntax.signatures import normalise_name

_PLAIN = frozenset({BlockKind.ITEM, BlockKind.BLANK, BlockKind.COMMENT})
"""Blocks that can come and go without changing what the blocks around them are."""


def advance(snapshot: Snapshot, change: TextChange, carried: Sequence[Carried] = ()) -> Snapshot:
    """The snapshot after *change*: that of the new text, except that steps keep their ids.

    *carried*: which steps are which, as far as whoever planned the change knows it.
    """
    draft = Draft(snapshot)
    rest = take_numbers(draft, change)
    text = rest.apply(draft.text)
    deriver = deriver_of(text, snapshot.deriver.wanted, snapshot.deriver.chapters)
    exchange_blocks(draft, rest, text, deriver)
    names = name_steps(draft, change, carried) if draft.windows else snapshot.names
    draft.find_roots()
    blocks = draft.finished_blocks(text)
    return Snapshot(
        revision=snapshot.revision + 1,
        source=snapshot.source.with_text(text),
        blocks=blocks,
        block_starts=draft.starts,
        block_ids=tuple(draft.ids),
        structure=_structure_of(draft, blocks, deriver),
        where=draft.where(),
        deriver=deriver,
        names=names,
        windows=draft.windows,
        numbered=draft.numbered,
    )


def _structure_of(draft: Draft, blocks: Sequence[Block], deriver: Deriver) -> Structure:
    """What *blocks*, those of *draft*, mean as *deriver* reads them."""
    before = draft.before
    is_alike, in_windows = deriver == before.deriver, _reworded if deriver.is_procedure else _spliced
    structure = in_windows(draft) if is_alike and deriver.is_markdown else None
    if structure is not None:
        return structure
    known = draft.roots if is_alike else [None] * len(draft.roots)
    earlier = (before.blocks, before.block_ids, before.structure) if is_alike else None
    return deriver.assemble(blocks, draft.ids, known, before.structure.callables, earlier)


def _reworded(draft: Draft) -> Structure | None:
    """The structure of a procedure where the edits only changed words of steps; None where they did more."""
    from workbench.model.procedures.assembling import OF_PROCEDURES  # noqa: PLC0415 - no program needs it
    from workbench.model.procedures.exchanging import only_words_changed, with_steps  # noqa: PLC0415

    before = draft.before
    fresh: dict[StepId, Step] = {}
    for window in draft.windows:
        if not only_words_changed(before.blocks[part(window.old)], draft.blocks[part(window.new)]):
            return None
        for old, index in zip(window.old, window.new, strict=True):
            root, ids = before.roots[old], draft.ids[index]
            if draft.blocks[index].kind is BlockKind.ITEM:
                if root is None or root.item is None or before.block_ids[old] != ids:
                    return None
                fresh[root.id] = lower_block(draft.blocks[index], ids, OF_PROCEDURES)
    return with_steps(before.structure, fresh, before.where) if fresh else None


def _spliced(draft: Draft) -> Structure | None:
    """The structure where the edits only exchanged some steps of some sections; None where they did more.

    The same as assembling everything, without looking at the steps that stayed.
    """
    structure: Structure | None = draft.before.structure
    for window in reversed(draft.windows):
        if structure is not None:
            structure = _with_window(structure, draft, window)
    return replace(structure, roots=tuple(draft.roots)) if structure is not None else None


def _with_window(structure: Structure, draft: Draft, window: Window) -> Structure | None:
    """*structure* with the steps of one window exchanged; None where it holds more than steps."""
    before = draft.before
    gone, fresh = before.blocks[part(window.old)], draft.blocks[part(window.new)]
    roots = tuple([root for root in before.roots[part(window.old)] if root is not None])
    if not roots or not all(block.kind in _PLAIN for block in (*gone, *fresh)):
        return None
    role = role_of(roots[0])
    placed = next((one for one in structure.placed if one.start <= window.old.start < one.stop), None)
    home = normalise_name(placed.playbook.written).name if placed else ""
    steps: list[Step] = []
    for index in window.new:
        if draft.blocks[index].kind is BlockKind.ITEM:
            step = draft.roots[index]
            if step is None or not stands_still(step, role, home):
                around = Surroundings(role, home, structure.callables)
                step = lower_block(draft.blocks[index], draft.ids[index], around)
            draft.roots[index] = step
            steps.append(step)
    lead = next((at for at, block in enumerate(fresh) if block.kind is BlockKind.ITEM), None)
    return _exchanged(structure, window, roots, tuple(steps), lead)


def _exchanged(
    structure: Structure, window: Window, replaced: tuple[Step, ...], fresh: tuple[Step, ...], lead: int | None
) -> Structure | None:
    """*structure* with the steps *replaced*, those of *window*, exchanged for *fresh*; None where that is not all.

    *lead*: how many of the new blocks stand above the first item; None where there is no item.
    """
    index, growth = window.old.start, window.growth
    at = next((i for i, placed in enumerate(structure.placed) if placed.start <= index < placed.stop), None)
    # an item that is nothing but a link counts as no step, and can make a playbook a mere chapter
    if at is None or any(is_bare_link(step) for step in fresh):
        return None
    old = structure.placed[at]
    playbook = _with_steps(old.playbook, replaced, fresh)
    # a playbook without a heading of its own begins with its first item
    begins_here = old.start == index
    if playbook is None or (begins_here and lead is None):
        return None
    placed = list(structure.placed)
    for later, moved in enumerate(placed):
        if moved.start > index:
            placed[later] = PlacedPlaybook(moved.playbook, moved.start + growth, moved.stop + growth)
    placed[at] = PlacedPlaybook(playbook, old.start + (lead or 0) * begins_here, old.stop + growth)
    program = _with_playbook(structure.program, old.playbook, playbook)
    return replace(structure, program=program, placed=tuple(placed))


def _with_steps(playbook: Playbook, replaced: tuple[Step, ...], fresh: tuple[Step, ...]) -> Playbook | None:
    """*playbook* with steps exchanged; None where they are not neighbours in one section, or it may be none then."""
    for number, section in enumerate(playbook.sections):
        if replaced[0] in section.steps:
            first = section.steps.index(replaced[0])
            last = first + len(replaced)
            if section.steps[first:last] != replaced or (section.heading is None and not fresh):
                return None
            steps = section.steps[:first] + fresh + section.steps[last:]
            sections = list(playbook.sections)
            sections[number] = replace(section, steps=steps)
            return replace(playbook, sections=tuple(sections)) if have_steps(sections) else None
    return None


def _with_playbook(program: Program, old: Playbook, new: Playbook) -> Program:
    return replace(program, agents=tuple([_agent_with(agent, old, new) for agent in program.agents]))


def _agent_with(agent: Agent, old: Playbook, new: Playbook) -> Agent:
    if old not in agent.playbooks:
        return agent
    return replace(agent, playbooks=tuple([new if playbook is old else playbook for playbook in agent.playbooks]))
