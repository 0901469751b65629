"""Where the first item of a list goes that is empty, or that has no heading yet.

There is no neighbour to look like, so the rest of the file decides: whether headings have an empty line above and
below, how the headings of sections are written (``### Steps``, ``### STEPS:``, ``#### Step``), and in which order the
sections of a playbook stand.
"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.editing.geometry.headings import written_heading
from workbench.editing.geometry.siblings import Siblings, line_end_of, own_end
from workbench.model.program import Playbook, SectionKind
from workbench.model.snapshot import Snapshot
from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.text import split_lines

_PROSE = frozenset({BlockKind.PARAGRAPH, BlockKind.TABLE, BlockKind.CODE})
_LOOSE = frozenset({BlockKind.BLANK, BlockKind.COMMENT})
_WORDS = {
    SectionKind.TRIGGERS: ("Triggers", "Trigger"),
    SectionKind.STEPS: ("Steps", "Step"),
    SectionKind.NOTES: ("Notes", "Note"),
}


@dataclass(frozen=True, slots=True)
class Room:
    """A place for new lines: an offset, and what must stand before and after them."""

    at: int
    before: str
    after: str


def room_for_first(siblings: Siblings) -> Room:
    """Where the first item of an empty list goes, with the heading it may need."""
    snapshot = siblings.snapshot
    heading = _heading_of(siblings)
    if heading is not None:
        return _room_below(snapshot, _index_of(snapshot, heading))
    if siblings.parent is not None:
        at = own_end(snapshot, siblings.parent)
        return Room(at, line_end_of(snapshot, at), "")
    return _room_for_section(siblings)


def list_start(siblings: Siblings) -> int | None:
    """Where the line below the heading, or below the words of the parent, begins; None where there is neither."""
    snapshot, heading = siblings.snapshot, _heading_of(siblings)
    if heading is not None:
        return snapshot.block_starts[_index_of(snapshot, heading) + 1]
    if siblings.parent is None:
        return None
    at = own_end(snapshot, siblings.parent)
    return at + len(line_end_of(snapshot, at)) if at < len(snapshot.text) else None


def _heading_of(siblings: Siblings) -> Block | None:
    """The heading right above the list; None below a list item, and where there is none."""
    if siblings.parent is not None:
        return siblings.parent.block if siblings.parent.item is None else None
    if siblings.section is not None and siblings.section.heading is not None:
        return siblings.section.heading
    return siblings.playbook.heading if siblings.playbook.is_chapter and siblings.kind is SectionKind.STEPS else None


def _room_below(snapshot: Snapshot, heading: int) -> Room:
    """Below a heading, and below a paragraph that explains the list."""
    last = heading
    for index in range(heading + 1, len(snapshot.blocks)):
        kind = snapshot.blocks[index].kind
        if kind in _PROSE:
            last = index
        elif kind not in _LOOSE:
            break
    at = snapshot.block_starts[last + 1]
    end = line_end_of(snapshot, at)
    before = "" if _ends_line(snapshot.text, at) else end
    is_spaced = last > heading or _lists_are_spaced(snapshot)
    room = _room_in_blank(snapshot, last + 1, is_spaced=is_spaced)
    return room or Room(at, before + (end if is_spaced else ""), "" if before else end)


def _room_in_blank(snapshot: Snapshot, index: int, *, is_spaced: bool) -> Room | None:
    """Below a blank line that stands where the list goes; it sets the list off as others are, or was left by one."""
    block = snapshot.blocks[index] if index < len(snapshot.blocks) else None
    if block is None or block.kind is not BlockKind.BLANK:
        return None
    lines = split_lines(block.text)
    if len(lines) == 1 and not is_spaced:
        return None
    at = snapshot.block_starts[index] + len(lines[0])
    end = line_end_of(snapshot, at)
    # the one blank line now stands above the new item: what comes below needs one again
    is_tight = len(lines) == 1 and index + 1 < len(snapshot.blocks)
    return Room(at, "" if _ends_line(snapshot.text, at) else end, end * 2 if is_tight else end)


def _lists_are_spaced(snapshot: Snapshot) -> bool:
    """True when lists usually have an empty line between them and their heading."""
    pairs = zip(snapshot.blocks, snapshot.blocks[1:], strict=False)
    below = [second.kind for first, second in pairs if first.kind is BlockKind.HEADING and first.level >= 3]
    return below.count(BlockKind.BLANK) > below.count(BlockKind.ITEM)


def _room_for_section(siblings: Siblings) -> Room:
    """A place for a section that is not there yet, heading included."""
    snapshot, playbook, kind = siblings.snapshot, siblings.playbook, siblings.kind
    at_block = _section_place(snapshot, playbook, kind, _stop(snapshot, playbook))
    at = snapshot.block_starts[at_block]
    end = line_end_of(snapshot, at)
    heading = heading_line(snapshot, playbook, kind) + end
    is_spaced = is_heading_spaced(snapshot)
    before = "" if _ends_line(snapshot.text, at) else end
    above = snapshot.blocks[at_block - 1].kind if at_block else BlockKind.BLANK
    needs_blank = above is not BlockKind.BLANK and is_spaced
    blank = end if is_spaced else ""
    follows = snapshot.blocks[at_block].kind if at_block < len(snapshot.blocks) else None
    after = "" if before else end
    if follows is BlockKind.HEADING:
        after += blank
    elif follows is not None and kind is SectionKind.TRIGGERS and follows is not BlockKind.BLANK:
        # Steps without a heading would become triggers under the new one.
        after += blank + heading_line(snapshot, playbook, SectionKind.STEPS) + end
    return Room(at, before + (end if needs_blank else "") + heading, after)


def _stop(snapshot: Snapshot, playbook: Playbook) -> int:
    """The block behind the last one of *playbook*."""
    return next(placed.stop for placed in snapshot.structure.placed if placed.playbook is playbook)


def _section_place(snapshot: Snapshot, playbook: Playbook, kind: SectionKind, stop: int) -> int:
    """The block before which a section of *kind* goes: triggers, then steps, then notes."""
    for section in playbook.sections:
        if section.heading is not None and _rank(section.kind) > _rank(kind):
            return _index_of(snapshot, section.heading)
    loose = next((section for section in playbook.sections if section.heading is None and section.steps), None)
    if loose is not None and kind is SectionKind.TRIGGERS:
        return snapshot.where[loose.steps[0].id]
    return _before_trailing(snapshot, stop)


def _rank(kind: SectionKind) -> int:
    order = [SectionKind.DESCRIPTION, SectionKind.TRIGGERS, SectionKind.STEPS, SectionKind.NOTES, SectionKind.OTHER]
    return order.index(kind)


def _before_trailing(snapshot: Snapshot, stop: int) -> int:
    """*stop* moved back over blank lines and rules, and comments directly above what comes next.

    A comment directly above the next heading belongs to what comes; at the end of the file nothing comes, so a
    comment there is part of the playbook.
    """
    kinds = [block.kind for block in snapshot.blocks[:stop]]
    while stop < len(snapshot.blocks) and kinds and kinds[-1] in (BlockKind.COMMENT, BlockKind.RULE):
        kinds.pop()
    while kinds and kinds[-1] in (BlockKind.BLANK, BlockKind.RULE):
        kinds.pop()
    return len(kinds)


def playbook_end(snapshot: Snapshot, name: str) -> int:
    """The block before which a playbook goes that is to follow *name* (empty: to come last)."""
    placed = snapshot.placed_named(name) if name else None
    return _before_trailing(snapshot, placed.stop if placed else len(snapshot.blocks))


def heading_line(snapshot: Snapshot, playbook: Playbook | None, kind: SectionKind) -> str:
    """The heading of a section of *kind* as this file writes such headings, without the line end."""
    end = line_end_of(snapshot, len(snapshot.text))
    nearest = [playbook] if playbook else []
    sections = [section for one in [*nearest, *snapshot.program.playbooks] for section in one.sections]
    alike = next((one for one in sections if one.kind is kind and one.heading is not None), None)
    if alike is not None and alike.heading is not None:
        return written_heading(alike.heading.level, alike.heading.title, end, alike.heading)
    known = next((one for one in sections if one.kind in _WORDS and one.heading is not None), None)
    plural, singular = _WORDS[kind]
    if known is None or known.heading is None:
        return f"### {plural}"
    title = known.heading.title
    word = singular if title.rstrip(": ").lower() == _WORDS[known.kind][1].lower() else plural
    word = word.upper() if title.isupper() else word.lower() if title.islower() else word
    return written_heading(known.heading.level, word + (":" if title.endswith(":") else ""), end, known.heading)


def is_heading_spaced(snapshot: Snapshot) -> bool:
    """True when section headings usually have an empty line above."""
    blocks = snapshot.blocks
    votes = [
        blocks[index - 1].kind is BlockKind.BLANK
        for index in range(1, len(blocks))
        if blocks[index].kind is BlockKind.HEADING and blocks[index].level >= 3
    ]
    return sum(votes) * 2 > len(votes) if votes else True


def _index_of(snapshot: Snapshot, block: Block) -> int:
    return next(index for index, candidate in enumerate(snapshot.blocks) if candidate is block)


def _ends_line(text: str, at: int) -> bool:
    return at == 0 or text[at - 1] in "\n\r"
