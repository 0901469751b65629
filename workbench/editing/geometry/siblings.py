"""The list that a step stands in, as text: the bare items, and the gaps between them.

A *core* is an item's own lines without the last line end. A *gap* is everything between
two cores: line ends, blank lines, and comments set off by them, which belong to no step::

    <!-- about A -->        core of A: a comment directly above belongs to it
    - A
      more about A
                            gap: the line end of A, the blank lines, and the comment,
    <!-- a heading -->      which is set off by blank lines on both sides

    - B                     core of B

The last line end is left to the gap, so that cores can change places where the last one ends the file without one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter, sub

from workbench.editing.commands import Place
from workbench.editing.edit_plan import Draft, Fragment
from workbench.editing.geometry.heading_steps import can_hold, number_span, title_marker, without_rules
from workbench.model.program import Playbook, Section, SectionKind, Step, StepId
from workbench.model.snapshot import Snapshot
from workbench.syntax.blocks import ItemNode
from workbench.syntax.text import Span, split_lines

_SIGN, _DIGITS, _INDENT, _OWNED_END = map(attrgetter, ("sign", "digits", "indent", "owned.end"))


@dataclass(frozen=True, slots=True)
class Siblings:
    """Steps that stand side by side under *parent*, or at the top level of *section*.

    *section* is None where the playbook has none of *kind* yet.
    """

    snapshot: Snapshot
    playbook: Playbook
    section: Section | None
    parent: Step | None
    steps: tuple[Step, ...]
    kind: SectionKind = SectionKind.STEPS

    def core(self, index: int) -> Span:
        """The lines of one item, without the last line end."""
        return core_of(self.snapshot, self.steps[index])

    def gap(self, index: int) -> Span:
        """What stands between the items *index* and *index* + 1."""
        return Span(self.core(index).end, self.core(index + 1).start)

    def index(self, step: StepId) -> int:
        """Where *step* stands; ValueError when it is not here."""
        found = self.snapshot.find(step)
        if found is None:
            raise ValueError(step)
        return self.steps.index(found)

    @property
    def markers(self) -> tuple[str, ...]:
        """The marker of each item; empty for a raw block."""
        return tuple(self.marker(index) for index in range(len(self.steps)))

    def marker(self, index: int) -> str:
        """The marker of the item *index*, of a heading its number and a dot; empty for a raw block."""
        step = self.steps[index]
        return self.snapshot.marker(step) if step.item else title_marker(step)

    def write_marker(self, draft: Draft, index: int, marker: str) -> None:
        """Add to *draft* what gives the item *index* the *marker*; of a heading only the number changes."""
        step, old = self.steps[index], self.marker(index)
        if old == marker:
            return
        at = self.snapshot.block_start(step.id)
        if step.item is not None:
            draft.replace(step.item.marker_span.shifted(at), marker)
        elif (number := number_span(step.block)) is not None:
            # with its id, for by its text it could be the one that had the number before
            before = step.block.text[: number.start]
            draft.replace(Span(at, at + number.end), Fragment(before + marker[:-1], ((0, (step.id,)),)))

    def write_markers(self, draft: Draft, wanted: Iterable[tuple[int, str]]) -> None:
        """Add to *draft* what gives items, by their index, the markers *wanted*; of a long list most are numbers."""
        starts, where = self.snapshot.block_starts, self.snapshot.where
        rows: list[tuple[int, str, str]] = []
        for index, marker in wanted:
            step = self.steps[index]
            item, old = step.item, self.marker(index)
            if item is None or not _is_other_number(old, marker):
                self.write_marker(draft, index, marker)
            else:
                rows.append((starts[where[step.id]] + item.marker_span.start, old[:-1], marker[:-1]))
        if rows:
            draft.renumber(*zip(*rows, strict=True))

    @property
    def key(self) -> tuple[str, int]:
        """What tells this list from others of the same snapshot."""
        return (self.parent.id if self.parent else "", id(self.section))


def _is_other_number(old: str, new: str) -> bool:
    """True for two markers that differ in nothing but digits."""
    return len(old) == len(new) and old[-1:] == new[-1:] and old[:1].isdecimal() and new[:1].isdecimal()


def siblings_of(snapshot: Snapshot, step: StepId) -> Siblings:
    """The list that *step* stands in."""
    parent, section = snapshot.parent(step), snapshot.section_of(step)
    steps = parent.children if parent else section.steps
    return Siblings(snapshot, snapshot.playbook_of(step), section, parent, steps, section.kind)


def siblings_at(snapshot: Snapshot, place: Place) -> Siblings | None:
    """The list that *place* lies in, or None where it names nothing there is."""
    if place.parent is not None:
        return children_of(snapshot, place.parent)
    if place.after is not None:
        return siblings_of(snapshot, place.after) if snapshot.has(place.after) else None
    playbook = snapshot.program.playbook(place.playbook)
    if playbook is None:
        return None
    section = first_section(playbook, place.section)
    return Siblings(snapshot, playbook, section, None, section.steps if section else (), place.section)


def children_of(snapshot: Snapshot, step: StepId) -> Siblings | None:
    """The list below *step*, or None where there is no such step or it can have none."""
    parent = snapshot.find(step)
    if parent is None or not can_hold(parent):
        return None
    section = snapshot.section_of(step)
    return Siblings(snapshot, snapshot.playbook_of(step), section, parent, parent.children, section.kind)


def first_section(playbook: Playbook, kind: SectionKind) -> Section | None:
    """The first section of *kind*, or None."""
    return next((section for section in playbook.sections if section.kind is kind), None)


def core_of(snapshot: Snapshot, step: Step) -> Span:
    """The owned lines of *step* without the last line end, and without rules that set it off from what is below."""
    if step.is_spread:
        start = snapshot.block_start(step.id)
        return Span(start, _without_line_end(snapshot.text, start, without_rules(snapshot, step)))
    inner = step.item.owned if step.item else Span(0, len(step.block.text))
    span = inner.shifted(snapshot.block_start(step.id))
    return Span(span.start, _without_line_end(snapshot.text, span.start, span.end))


def _without_line_end(text: str, start: int, end: int) -> int:
    if end > start and text[end - 1] == "\n":
        end -= 1
        return end - 1 if end > start and text[end - 1] == "\r" else end
    return end - 1 if end > start and text[end - 1] == "\r" else end


def are_alike(items: Sequence[ItemNode]) -> bool:
    """True for bullets of one kind, ``items_in_row``: any two can change places.

    Then nothing has to be fitted or numbered anew, and only what moves has to be looked at.
    """
    return len(set(map(_SIGN, items))) == 1 and not any(map(_DIGITS, items))


def are_counted(items: Sequence[ItemNode]) -> bool:
    """The same of items with numbers of one kind, but for the numbers."""
    return len(set(map(_SIGN, items))) == 1 and all(map(_DIGITS, items))


def items_in_row(snapshot: Snapshot, steps: Sequence[Step]) -> list[ItemNode]:
    """The top-level items of *steps* that follow directly on one another, with one indent; none where they do not."""
    first, last = snapshot.where[steps[0].id], snapshot.where[steps[-1].id]
    starts = snapshot.block_starts[first : last + 2]
    if last - first != len(steps) - 1 or snapshot.text.find("\r", starts[0], starts[-1]) >= 0:
        return []
    items = [step.item for step in steps if step.item is not None]
    if len(items) < len(steps) or len(set(map(_INDENT, items))) > 1:
        return []
    return items if list(map(_OWNED_END, items)) == list(map(sub, starts[1:], starts)) else []


def own_end(snapshot: Snapshot, step: Step) -> int:
    """Where the first child of the childless *step* goes: after its words and fences, on their last line."""
    item = step.item
    start = snapshot.block_start(step.id)
    if item is None:  # a heading
        return _without_line_end(snapshot.text, start, start + len(step.block.text))
    ends = [_words_end(step.block.text, item), *(span.end for span in item.fences + item.tails)]
    return _without_line_end(snapshot.text, start, start + max(ends))


def _words_end(text: str, item: ItemNode) -> int:
    """The end of the line on which the words end, with comments that begin there.

    A comment behind the words may go on over lines: a child put below the first of them would stand inside it.
    """
    at = item.text.end
    while True:
        line_end = at + len(split_lines(text[at:])[0]) if at < len(text) else at
        opening = text.find("<!--", at, line_end)
        if opening < 0:
            return min(line_end, item.owned.end)
        closing = text.find("-->", opening)
        if closing < 0:
            return min(line_end, item.owned.end)
        at = closing + 3


def line_end_of(snapshot: Snapshot, near: int) -> str:
    """The line end used around *near*: that of the line before, else of the first line."""
    text = snapshot.text
    at = text.rfind("\n", 0, near)
    if at < 0:
        at = text.find("\n", near)
    if at >= 0:
        return "\r\n" if at > 0 and text[at - 1] == "\r" else "\n"
    return "\r" if "\r" in text else "\n"


def walk_ids(snapshot: Snapshot, step: Step) -> tuple[StepId, ...]:
    """The ids of *step* and of all that it takes, in source order."""
    if not step.is_spread:
        return tuple(inner.id for inner in step.walk())
    first = snapshot.where[step.id]
    return tuple(inner for ids in snapshot.block_ids[first : first + step.blocks] for inner in ids)


@dataclass(frozen=True, slots=True)
class Group:
    """Steps of one list. *indices*: where they stand in it."""

    siblings: Siblings
    indices: frozenset[int]


def topmost(snapshot: Snapshot, ids: Iterable[StepId]) -> tuple[Step, ...]:
    """The steps *ids* in source order, without those that stand inside another of them."""
    wanted = set(ids)
    lineages = [snapshot.lineage(step) for step in wanted]
    top = [line[-1] for line in lineages if not any(above.id in wanted for above in line[:-1])]
    return tuple(sorted(top, key=lambda step: position_of(snapshot, step)))


def position_of(snapshot: Snapshot, step: Step) -> int:
    """Where the words of *step* begin."""
    return snapshot.block_start(step.id) + (step.item.head.start if step.item else 0)


def grouped(snapshot: Snapshot, steps: Iterable[Step]) -> tuple[Group, ...]:
    """*steps* by the list they stand in."""
    left = {step.id for step in steps}
    groups: list[Group] = []
    while left:
        first = next(iter(left))
        siblings = siblings_of(snapshot, first)
        if len(left) == 1:
            indices = frozenset({siblings.index(first)})
        else:
            indices = frozenset(index for index, step in enumerate(siblings.steps) if step.id in left)
        groups.append(Group(siblings, indices))
        left -= {siblings.steps[index].id for index in indices}
    return tuple(groups)
