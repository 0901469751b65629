"""Putting items into a list and taking them out, as edits of the text around them.

A blank gap between two items belongs to neither of them (between.py says to whom other gaps do). Whoever puts an item
in writes one gap more, whoever takes one out takes one along: the narrower of the two around it, since a blank line
sets two items apart, and still does when another item between them has gone. So B goes with the line end above it
here, with the one below it there::

    - A            - A                        - A            - A
    - B       →                                         →
                   - C                        - B            - C
    - C                                       - C

Headings, and comments that are set off by blank lines, stand in gaps too. They are no item's, and stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.editing.edit_plan import SEAM, Draft, Fragment
from workbench.editing.geometry.between import above_first_gap, end_with_text, is_open_gap
from workbench.editing.geometry.heading_steps import is_heading, renumbered_title, title_marker
from workbench.editing.geometry.indentation import reindented, remarked
from workbench.editing.geometry.numbering import renumbered
from workbench.editing.geometry.room import room_for_first
from workbench.editing.geometry.siblings import Siblings, core_of, own_end, walk_ids
from workbench.editing.geometry.style import gap_text, is_blank_gap, line_end, style_at
from workbench.model.program import Step, StepId
from workbench.model.snapshot import Snapshot
from workbench.regex import regex
from workbench.syntax.blocks import BlockKind
from workbench.syntax.text import Span, split_lines

_BLANK_LINES = regex(r"(?:[ \t]*(?:\r\n|\r|\n))+")
_LINE_END = regex(r"\r\n|\r|\n")
NOTHING: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class NewItem:
    """An item on its way into a list: whole lines without the last line end.

    *indent*, *marker*: as it is written now (an empty marker: a raw block, kept as it is).
    *lines_above*: how many comment lines stand above its head. *ids*: of all steps in it.
    *is_prose*: text or a heading, which needs an empty line around it. *level*: of a heading; its marker is a number.
    """

    text: str
    indent: str
    marker: str
    lines_above: int = 0
    ids: tuple[StepId, ...] = ()
    is_prose: bool = False
    level: int = 0

    @property
    def is_titled(self) -> bool:
        """True where the marker is a number in a title."""
        return bool(self.level) or self.is_prose

    def fitted(self, indent: str, marker: str) -> Fragment:
        """The item as it is to stand in the list."""
        if not self.marker or self.is_titled:
            text = renumbered_title(self.text, marker) if self.marker != marker else self.text
            return Fragment(text, ((0, self.ids),) if self.ids else (), (0,), (0, len(text)))
        text = remarked(reindented(self.text, self.indent, indent), self.marker, marker, self.lines_above)
        above = sum(len(line) for line in split_lines(text)[: self.lines_above])
        head = above + len(indent) + len(marker)
        return Fragment(text, ((0, self.ids),) if self.ids else (), (head,), (0, len(text)))


def item_from(snapshot: Snapshot, step: Step) -> NewItem:
    """*step* with all it owns, ready to be put elsewhere."""
    core = core_of(snapshot, step)
    if step.item is None:
        ids, level = walk_ids(snapshot, step), step.block.level if is_heading(step) else 0
        return NewItem(core.of(snapshot.text), "", title_marker(step), 0, ids, is_prose(step), level)
    above = snapshot.text[core.start : snapshot.block_start(step.id) + step.item.lines.start]
    return NewItem(
        core.of(snapshot.text),
        step.item.indent,
        snapshot.marker(step),
        len(split_lines(above)),
        walk_ids(snapshot, step),
    )


def edit_list(
    draft: Draft,
    siblings: Siblings,
    slot: int,
    items: Sequence[NewItem] = (),
    leaving: frozenset[int] = NOTHING,
) -> None:
    """Add to *draft* what puts *items* at *slot* of a list, takes *leaving* out of it, and numbers it anew."""
    before = [index for index in range(slot) if index not in leaving]
    after = [index for index in range(slot, len(siblings.steps)) if index not in leaving]
    style = style_at(siblings, slot)
    markers = _numbered(siblings, [*before, *items, *after], style.marker)
    if items:
        own = markers[len(before) : len(before) + len(items)]
        indents = [style.indent if item.marker and not item.is_titled else "" for item in items]
        fragments = [item.fitted(*look) for item, *look in zip(items, indents, own, strict=True)]
        _insert(draft, _Slot(siblings, slot, before[-1:], after[:1]), items, fragments)
    # where all others leave, the new items take the place of the first: its text is replaced, not cut
    is_replaced = bool(items) and not before and not after
    take_out(draft, siblings, leaving - {0} if is_replaced else leaving)
    kept = [*zip(before, markers, strict=False), *zip(after, markers[len(before) + len(items) :], strict=True)]
    siblings.write_markers(draft, kept)


def _numbered(siblings: Siblings, new: Sequence[int | NewItem], marker: str) -> list[str]:
    """The markers of a list that is to hold *new*, items by their index; items and titles each count by themselves.

    *marker*: how new items begin.
    """
    result = [""] * len(new)
    has_titles = any(step.item is None for step in siblings.steps) or any(
        item.is_titled for item in new if isinstance(item, NewItem)
    )
    for counts_titles in (False, True) if has_titles else (False,):
        steps = zip(siblings.markers, siblings.steps, strict=True)
        old = [mark if (step.item is None) is counts_titles else "" for mark, step in steps]
        wanted = [each if isinstance(each, int) else _wanted(each, marker, counts_titles) for each in new]
        result = [own or known for own, known in zip(renumbered(old, wanted), result, strict=True)]
    return result


def _wanted(item: NewItem, marker: str, counts_titles: bool) -> str:  # noqa: FBT001
    if not item.marker or item.is_titled is not counts_titles:
        return ""
    return item.marker if item.is_titled else marker


@dataclass(frozen=True, slots=True)
class _Slot:
    """Where new items go: between *above* and *below* (each one index, or empty)."""

    siblings: Siblings
    index: int
    above: Sequence[int]
    below: Sequence[int]

    @property
    def gap(self) -> str:
        """What separates new items from those around: what is there already, if it is blank."""
        steps = self.siblings.steps
        are_items = all(steps[at].item is not None for at in (*self.above, *self.below))
        if self.above and self.below and self.above[0] + 1 == self.below[0] and are_items:
            found = self.siblings.gap(self.above[0]).of(self.siblings.snapshot.text)
            if is_blank_gap(found):
                return found.rstrip(" \t")
        return gap_text(self.siblings, self.index)


def _insert(draft: Draft, slot: _Slot, items: Sequence[NewItem], fragments: Sequence[Fragment]) -> None:
    siblings, gap = slot.siblings, slot.gap
    body = fragments[0]
    for previous, item, fragment in zip(items, items[1:], fragments[1:], strict=False):
        body = body + Fragment(_wide(gap, previous.is_prose or item.is_prose)) + fragment
    if slot.above and not _joins_list_below(slot, items):
        at, core_end = end_with_text(siblings, slot.above[0]), siblings.core(slot.above[0]).end
        is_wide = items[0].is_prose or at > core_end or is_prose(siblings.steps[slot.above[0]])
        draft.replace(Span(at, at), Fragment(_wide(gap, is_wide)) + body)
    elif slot.below and (top := above_first_gap(siblings, slot.below[0])) is not None:
        draft.replace(Span(top, top), body + Fragment(line_end(siblings)))
    elif slot.below:
        at = siblings.core(slot.below[0]).start
        is_wide = items[-1].is_prose or is_prose(siblings.steps[slot.below[0]])
        draft.replace(Span(at, at), body + Fragment(_wide(gap, is_wide)))
    else:
        _insert_only(draft, siblings, body)


def _joins_list_below(slot: _Slot, items: Sequence[NewItem]) -> bool:
    """True where new items stand between text and a list, of which they are the first."""
    steps = slot.siblings.steps
    is_between = (
        slot.above and slot.below and steps[slot.above[0]].item is None and steps[slot.below[0]].item is not None
    )
    return bool(is_between) and slot.above[0] + 1 == slot.below[0] and not any(item.is_prose for item in items)


def _insert_only(draft: Draft, siblings: Siblings, body: Fragment) -> None:
    """Put *body* where no other item is, or where all others leave in the same change."""
    if siblings.steps:
        draft.replace(siblings.core(0), body)
        return
    room = room_for_first(siblings)
    draft.replace(Span(room.at, room.at), Fragment(room.before) + body + Fragment(room.after))


def is_prose(step: Step) -> bool:
    """True for text or a heading, which needs an empty line around it."""
    return step.item is None and (step.block.kind is not BlockKind.FENCE or step.is_spread)


def _wide(gap: str, is_wide: bool) -> str:
    """*gap*, with an empty line in it when *is_wide*."""
    return gap * 2 if is_wide and len(split_lines(gap)) == 1 else gap


def take_out(draft: Draft, siblings: Siblings, leaving: frozenset[int]) -> None:
    """Add to *draft* what removes the siblings *leaving*, and one of the blank gaps around each run of them."""
    for first in sorted(leaving):
        if first - 1 in leaving and is_open_gap(siblings, first - 1):
            continue
        last = first
        while last + 1 in leaving and is_open_gap(siblings, last):
            last += 1
        draft.replace(_cut(siblings, first, last), SEAM)


def _cut(siblings: Siblings, first: int, last: int) -> Span:
    """What to delete so that the items *first* to *last* go, and the narrower of the blank gaps around them.

    Comments between items stay: a gap with one in it belongs to no item.
    """
    text = siblings.snapshot.text
    start, end = siblings.core(first).start, siblings.core(last).end
    has_above, has_below = first > 0, last + 1 < len(siblings.steps)
    if not has_above and not has_below:
        return _cut_all(siblings, start, end)
    above = siblings.gap(first - 1).of(text) if has_above else ""
    below = siblings.gap(last).of(text) if has_below else ""
    is_open_above = has_above and is_open_gap(siblings, first - 1)
    if has_below and (not has_above or len(above) >= len(below) or not is_open_above):
        blank = _BLANK_LINES.match(below)
        if is_open_gap(siblings, last):
            return Span(start, end + len(below))
        if not has_above:
            # the first item, with a comment below: only its own line goes, the comment stays set off
            line_end_below = _LINE_END.match(below)
            return Span(start, end + (line_end_below.end() if line_end_below else 0))
        if not is_open_above:
            # a comment above and one below: the blank lines above the item are enough between the two
            return Span(start, end + (blank.end() if blank else 0))
    if is_open_above:
        return Span(start - len(above), end)
    # the last item, below a comment: the comment ends the list now, with no blank lines behind it
    return Span(start - len(above) + len(above.rstrip()), end)


def _cut_all(siblings: Siblings, start: int, end: int) -> Span:
    """What to delete when no item is left: the lines, with one line end."""
    text = siblings.snapshot.text
    # below a parent the line end above goes, since that of the parent's words is the one behind the last child;
    # below a heading the one behind goes, and a blank line under the heading stays for the next first item (room.py)
    if siblings.parent is not None and siblings.parent.item is not None:
        words_end = own_end(siblings.snapshot, siblings.parent)
        return Span(words_end, end) if is_blank_gap(text[words_end:start]) else Span(_line_start(text, start), end)
    if siblings.parent is not None:
        # what is put below the heading in the same change begins where this ends
        above = core_of(siblings.snapshot, siblings.parent).start
        return Span(above + len(text[above:start].rstrip()), end)
    line_end = _LINE_END.match(text, end)
    return Span(start, line_end.end()) if line_end else Span(_line_start(text, start), end)


def _line_start(text: str, start: int) -> int:
    """*start* moved back over the line end before it, if there is one."""
    if start and text[start - 1] == "\n":
        start -= 1
    return start - 1 if start and text[start - 1] == "\r" else start
