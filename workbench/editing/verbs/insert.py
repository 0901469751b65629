"""New steps, triggers and notes, with the heading they need."""

from __future__ import annotations

from workbench.editing.commands import AddNote, AddTrigger, InsertLines, InsertStep, Place, Refusal
from workbench.editing.edit_plan import Draft, EditPlan
from workbench.editing.geometry.heading_places import new_heading, new_paragraph, pasted_headings, wants_heading
from workbench.editing.geometry.heading_steps import is_heading
from workbench.editing.geometry.indentation import dedented
from workbench.editing.geometry.placing import NewItem, edit_list
from workbench.editing.geometry.siblings import Siblings, siblings_at
from workbench.editing.geometry.style import ItemStyle, line_end, style_at
from workbench.editing.refusals import (
    below_heading,
    heading_inside,
    no_such_place,
    no_such_playbook,
    no_words,
    nothing_to_paste,
    raw_inside,
    takes_in,
)
from workbench.editing.verbs.move import refuse_place, slot_of
from workbench.editing.verbs.step_text import refuse_words
from workbench.i18n import _, ngettext
from workbench.model.program import SectionKind
from workbench.model.snapshot import Snapshot
from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.scan import scan
from workbench.syntax.text import split_lines

_RAW = frozenset({BlockKind.FENCE, BlockKind.PARAGRAPH, BlockKind.TABLE, BlockKind.CODE})


def refuse_step(snapshot: Snapshot, command: InsertStep) -> Refusal | None:
    """Why no step can be written there."""
    return no_words() if not command.text.strip() else refuse_place(snapshot, command.place)


def plan_step(snapshot: Snapshot, command: InsertStep) -> EditPlan | Refusal:
    """The edits that add one step; further lines of its text go on below its first."""
    first, *more = split_lines(command.text.strip())
    lines = [first, *(line if line.startswith(("  ", "\t")) or not line.strip() else f"  {line}" for line in more)]
    siblings = siblings_at(snapshot, command.place)
    if siblings is not None and wants_heading(siblings, slot_of(siblings, command.place)):
        item = new_heading(siblings, slot_of(siblings, command.place), first.strip(), more)
        return _not_a_step() if item is None else _inserted(snapshot, siblings, command.place, [item])
    if siblings is not None and (
        item := new_paragraph(siblings, slot_of(siblings, command.place), command.text.strip())
    ):
        return _inserted(snapshot, siblings, command.place, [item])
    return _plan(snapshot, command, "- " + "".join(lines), count=1)


def refuse_lines(snapshot: Snapshot, command: InsertLines) -> Refusal | None:
    """Why the piece of source cannot be put there."""
    if not command.source.strip():
        return nothing_to_paste()
    return refuse_place(snapshot, command.place)


def plan_lines(snapshot: Snapshot, command: InsertLines) -> EditPlan | Refusal:
    """The edits that add the steps of a piece of source; what is nested in it stays nested."""
    source = dedented(command.source).strip("\r\n")
    blocks, siblings = scan(source), siblings_at(snapshot, command.place)
    if siblings is not None and siblings.playbook.is_chapter and blocks[0].kind is BlockKind.HEADING:
        return _plan_headings(snapshot, siblings, command.place, blocks)
    if not any(block.item for block in scan(source)):
        source = "".join([_in_steps(block) for block in scan(source)])
    return _plan(snapshot, command, source, count=0)


def _plan_headings(
    snapshot: Snapshot, siblings: Siblings, place: Place, blocks: tuple[Block, ...]
) -> EditPlan | Refusal:
    """The edits that add steps which headings begin."""
    slot = slot_of(siblings, place)
    below = next(iter(siblings.steps[slot:]), None)
    if place.parent is not None and snapshot.step(place.parent).item is not None:
        return heading_inside()
    if below is not None and not is_heading(below):
        return takes_in(below)
    if blocks[0].level > min(block.level for block in blocks if block.kind is BlockKind.HEADING):
        return _not_steps()
    items = pasted_headings(blocks, siblings, slot)
    return items if isinstance(items, Refusal) else _inserted(snapshot, siblings, place, items)


def _in_steps(block: Block) -> str:
    """Each line of *block* as a step; a fence is one already, and what never ends is refused later."""
    if block.kind is BlockKind.FENCE or any(problem.is_open for problem in block.problems):
        return _with_end(block.text, "\n")
    return "".join([f"- {line.strip()}\n" for line in block.text.splitlines() if line.strip()])


def _plan(snapshot: Snapshot, command: InsertStep | InsertLines, source: str, count: int) -> EditPlan | Refusal:
    siblings = siblings_at(snapshot, command.place)
    if siblings is None:
        return no_such_place()
    slot = slot_of(siblings, command.place)
    items = _items(source, siblings, slot)
    if isinstance(items, Refusal):
        return items
    if not items or (count and len(items) != count):
        return _not_a_step()
    if slot and siblings.playbook.is_chapter and is_heading(siblings.steps[slot - 1]):
        return below_heading(siblings.steps[slot - 1])
    return _inserted(snapshot, siblings, command.place, items)


def _not_a_step() -> Refusal:
    return Refusal("not-a-step", _("This text would not be a single step. Paste it into the source instead."))


def _inserted(snapshot: Snapshot, siblings: Siblings, place: Place, items: list[NewItem]) -> EditPlan:
    draft = Draft(snapshot.text)
    edit_list(draft, siblings, slot_of(siblings, place), items)
    return draft.finish(ngettext("Insert step", "Insert {count} steps", len(items)))


def _items(source: str, siblings: Siblings, slot: int) -> list[NewItem] | Refusal:
    """The list items of *source*, its comments directly above what they announce."""
    end = line_end(siblings)
    style = style_at(siblings, slot)
    items: list[NewItem] = []
    comments = ""
    for block in scan(source):
        if block.kind is BlockKind.HEADING or any(problem.is_open for problem in block.problems):
            return _not_steps()
        if block.kind is BlockKind.COMMENT:
            comments += _with_end(block.text, end)
        elif block.kind is BlockKind.ITEM:
            items.append(_item(block, comments, end, style))
            comments = ""
        elif block.kind in _RAW:
            if siblings.parent is not None and siblings.parent.item is not None:
                return raw_inside()
            is_prose = block.kind is not BlockKind.FENCE
            items.append(NewItem(_with_end(block.text, end).rstrip("\r\n"), "", "", is_prose=is_prose))
    if comments and items:
        last = items[-1]
        items[-1] = NewItem(last.text + end + comments.rstrip("\r\n"), last.indent, last.marker, last.lines_above)
    return items


def _not_steps() -> Refusal:
    return Refusal(
        "not-steps", _("Only whole steps can be inserted here; this text contains headings or incomplete parts.")
    )


def _item(block: Block, comments: str, end: str, style: ItemStyle) -> NewItem:
    item = block.item
    assert item is not None
    text, start = block.text, item.content_start
    box = style.box if item.box is None else ""
    if start == item.marker_span.end + 1:
        text = text[: start - 1] + style.spacing + box + text[start:]
    else:
        text = text[:start] + box + text[start:]
    above = comments + _with_end(text[: item.lines.start], end) if item.lines.start else comments
    whole = above + _with_end(text[item.lines.start :], end)
    return NewItem(whole.rstrip("\r\n"), item.indent, item.marker(block.text), len(split_lines(above)))


def _with_end(text: str, end: str) -> str:
    """*text* with all its line ends written as *end*, the last one included."""
    return "".join(line.rstrip("\r\n") + end for line in split_lines(text))


def refuse_heading(snapshot: Snapshot, command: AddTrigger | AddNote) -> Refusal | None:
    """Why nothing can be added."""
    if snapshot.program.playbook(command.playbook) is None:
        return no_such_playbook(command.playbook)
    return refuse_words(command.text) if command.text.strip() else no_words()


def plan_trigger(snapshot: Snapshot, command: AddTrigger) -> EditPlan:
    """The edits that add a trigger below those there are."""
    return _plan_item(snapshot, command, SectionKind.TRIGGERS, _("Add trigger"))


def plan_note(snapshot: Snapshot, command: AddNote) -> EditPlan:
    """The edits that add a note below those there are."""
    return _plan_item(snapshot, command, SectionKind.NOTES, _("Add note"))


def _plan_item(snapshot: Snapshot, command: AddTrigger | AddNote, kind: SectionKind, label: str) -> EditPlan:
    siblings = siblings_at(snapshot, Place(command.playbook, section=kind))
    assert isinstance(siblings, Siblings)
    slot = len(siblings.steps)
    style = style_at(siblings, slot)
    text = " ".join(command.text.split())
    draft = Draft(snapshot.text)
    edit_list(draft, siblings, slot, [NewItem(f"-{style.spacing}{style.box}{text}", "", "-")])
    return draft.finish(label)
