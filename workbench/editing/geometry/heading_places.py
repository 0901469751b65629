"""New headings that begin steps: where they can stand, and how they look, at the level and in the style of others."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.editing.commands import Refusal
from workbench.editing.geometry.heading_steps import (
    LOWEST,
    is_heading,
    number_span,
    relevelled,
    title_like,
    title_marker,
)
from workbench.editing.geometry.headings import written_heading
from workbench.editing.geometry.placing import NewItem
from workbench.editing.geometry.siblings import Siblings, line_end_of
from workbench.editing.refusals import below_heading, takes_in, too_low
from workbench.model.meaning import StepKind
from workbench.model.program import Step
from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.scan import scan
from workbench.syntax.text import split_lines


def level_at(siblings: Siblings, slot: int) -> int:
    """The level of a heading put at *slot*: of those beside it, else one below the heading that they stand under."""
    beside = _neighbour(siblings, slot)
    if beside is not None:
        return beside.block.level
    above = siblings.parent.block if siblings.parent is not None else siblings.playbook.heading
    return (above.level if above is not None else 0) + 1


def wants_heading(siblings: Siblings, slot: int) -> bool:
    """True where only a heading can stand: below another one, or where a list of headings begins."""
    if not siblings.playbook.is_chapter:
        return False
    if slot:
        return is_heading(siblings.steps[slot - 1])
    return bool(siblings.steps) and is_heading(siblings.steps[0]) and siblings.steps[0].kind is not StepKind.RAW


def new_paragraph(siblings: Siblings, slot: int, words: str) -> NewItem | None:
    """A step that is a paragraph, ``**Step 2** Rest`` or plain words, beside one like that; None where there is none.

    A list among them would say that it is the steps, and they are text.
    """
    near = (*reversed(siblings.steps[:slot]), *siblings.steps[slot:])
    beside = next((step for step in near if step.kind is not StepKind.RAW), None)
    if beside is None or beside.block.kind is not BlockKind.PARAGRAPH:
        return None
    return NewItem(title_like(beside.block, words), "", title_marker(beside), is_prose=True)


def new_heading(siblings: Siblings, slot: int, words: str, more: Sequence[str]) -> NewItem | None:
    """A heading with *words* and the lines *more* below it, to be put at *slot*; None where it would be none."""
    beside, level = _neighbour(siblings, slot), level_at(siblings, slot)
    end = line_end_of(siblings.snapshot, siblings.core(slot - 1).end if slot else 0)
    title = title_like(beside.block, words) if beside else words
    text = written_heading(level, title, end, beside.block if beside else None)
    head = scan(text)
    if len(head) != 1 or head[0].kind is not BlockKind.HEADING or head[0].title != title or level > LOWEST:
        return None
    below = end.join([line.strip() for line in more])
    number = number_span(head[0])
    marker = f"{number.of(text)}." if number else ""
    return NewItem(f"{text}{end}{end}{below}" if below else text, "", marker, is_prose=True, level=level)


def pasted_headings(blocks: Sequence[Block], siblings: Siblings, slot: int) -> list[NewItem] | Refusal:
    """The headings of *blocks*, each with what stands below it, at the level of those at *slot*."""
    levels = [block.level for block in blocks if block.kind is BlockKind.HEADING]
    top, level = min(levels), level_at(siblings, slot)
    if max(levels) - top + level > LOWEST:
        return too_low()
    items: list[list[Block]] = []
    for block in blocks:
        if block.kind is BlockKind.HEADING and block.level == top:
            items.append([])
        items[-1].append(block)
    return [_pasted(each, level - top, line_end_of(siblings.snapshot, 0)) for each in items]


def _pasted(blocks: Sequence[Block], by: int, end: str) -> NewItem:
    text = "".join([relevelled(block, block.level + by) for block in blocks])
    lines = end.join([line.rstrip("\r\n") for line in split_lines(text.rstrip())])
    number = number_span(scan(lines)[0])
    marker = f"{number.of(lines)}." if number else ""
    return NewItem(lines, "", marker, is_prose=True, level=blocks[0].level + by)


def refuse_row(above: Step | None, moved: Sequence[Step], below: Step | None) -> Refusal | None:
    """Why *moved* cannot stand between *above* and *below*: a heading holds what stands below it."""
    row = [*([above] if above else []), *moved, *([below] if below else [])]
    for upper, lower in zip(row, row[1:], strict=False):
        if is_heading(upper) and not is_heading(lower):
            return below_heading(upper) if upper is above else takes_in(lower)
    return None


def _neighbour(siblings: Siblings, slot: int) -> Step | None:
    """The heading beside *slot* that a new one is like: above it, else below; rather a step than only text."""
    near = [step for step in [*reversed(siblings.steps[:slot]), *siblings.steps[slot:]] if is_heading(step)]
    steps = [step for step in near if step.kind is not StepKind.RAW]
    numbered = [step for step in steps if title_marker(step)]
    return next(iter(numbered or steps or near), None)
