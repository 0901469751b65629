"""How new text should look at a place: taken from the nearest neighbours, never imposed.

Near beats usual: in a list of ``*`` a new item gets ``*`` though the rest of the file has ``-``; only where a list is
empty are other lists asked, first those of the same playbook. That keeps the diff of an edit to what was meant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from workbench.editing.geometry.indentation import nested
from workbench.editing.geometry.siblings import Siblings, core_of, line_end_of
from workbench.model.program import Step
from workbench.model.snapshot import Snapshot
from workbench.regex import regex
from workbench.syntax.blocks import ItemNode
from workbench.syntax.lines import column

_BLANK_GAP = regex(r"(?:[ \t]*(?:\r\n|\r|\n))+[ \t]*\Z")
_NEAR = 16
"""How many gaps on each side are looked at."""


@dataclass(frozen=True, slots=True)
class ItemStyle:
    """How an item begins: *indent*, *marker* (its number is filled in later), blanks after the marker.

    *box*: an empty box to tick, with the blanks behind it; empty where items have none.
    """

    indent: str
    marker: str
    spacing: str
    box: str = ""

    @property
    def start(self) -> str:
        """What stands left of the words."""
        return self.indent + self.marker + self.spacing + self.box

    @property
    def continuation(self) -> str:
        """The indent of further lines of the same item."""
        return self.indent + " " * (len(self.marker) + len(self.spacing))


PLAIN = ItemStyle("", "-", " ")


def style_of(snapshot: Snapshot, step: Step) -> ItemStyle:
    """The style that *step* itself is written in."""
    item, text = step.item, step.block.text
    assert item is not None
    return ItemStyle(item.indent, snapshot.marker(step), _spacing(text, item), _box(text, item))


def _spacing(text: str, item: ItemNode) -> str:
    between = text[item.marker_span.end : item.content_start]
    return between if between.strip(" \t") == "" and between else " "


def _box(text: str, item: ItemNode) -> str:
    return "[ ]" + (text[item.box.end : item.head.start] or " ") if item.box is not None else ""


def style_at(siblings: Siblings, slot: int) -> ItemStyle:
    """The style of an item put at *slot*: of the one above, else below, else as in lists alike."""
    steps = siblings.steps
    for step in [*reversed(steps[:slot]), *steps[slot:]]:
        if step.item is not None:
            return style_of(siblings.snapshot, step)
    is_nested = siblings.parent is not None and siblings.parent.item is not None
    return nested_style(siblings) if is_nested else _top_style(siblings)


def _top_style(siblings: Siblings) -> ItemStyle:
    """The style of other top-level lists: of the same playbook, then of the others."""
    for playbook in [siblings.playbook, *siblings.snapshot.program.playbooks]:
        for section in sorted(playbook.sections, key=lambda one: one.kind is not siblings.kind):
            inner = (each for step in section.steps for each in step.walk())
            step = next((step for step in inner if step.item and step.item.sign), None)
            if step is not None:
                style = style_of(siblings.snapshot, step)
                box = style.box if section.kind is siblings.kind else ""
                return ItemStyle(style.indent, _first_marker(style.marker), style.spacing, box)
    return PLAIN


def nested_style(siblings: Siblings) -> ItemStyle:
    """The style of a first child of the parent of *siblings*, as others of their parents' children look."""
    parent = siblings.parent
    assert parent is not None and parent.item is not None
    example = _example(siblings)
    if example is not None:
        above, below = example
        unit = _unit(above, below)
        style = style_of(siblings.snapshot, below)
        return replace(style, indent=nested(parent.item.indent, unit), marker=_first_marker(style.marker))
    own = style_of(siblings.snapshot, parent)
    unit = "\t" if "\t" in own.indent else " " * max(2, len(own.marker) + len(own.spacing))
    return replace(own, indent=nested(own.indent, unit), marker="-" if parent.item.is_ordered else own.marker)


def indent_unit(siblings: Siblings, parent: Step) -> str:
    """By how much children of *parent* are indented (whether it has some or not)."""
    below = next((child for child in parent.children if child.item), None)
    assert parent.item is not None
    if below is not None:
        return nested(parent.item.indent, _unit(parent, below))[len(parent.item.indent) :]
    inner = Siblings(siblings.snapshot, siblings.playbook, siblings.section, parent, ())
    return nested_style(inner).indent[len(parent.item.indent) :]


def _unit(above: Step, below: Step) -> str:
    assert above.item is not None and below.item is not None
    outer, inner = above.item.indent, below.item.indent
    return inner[len(outer) :] if inner.startswith(outer) else " " * (column(inner) - column(outer))


def _example(siblings: Siblings) -> tuple[Step, Step] | None:
    """A parent and its first child elsewhere, nearest first; one with the same kind of marker if there is one.

    Children of ``1.`` stand further right than those of ``-``, so the one is no example for the other: what is
    nested too little under a number would not be its child. The other way round it would only look odd.
    """
    parent = siblings.parent
    assert parent is not None and parent.item is not None
    spare: tuple[Step, Step] | None = None
    for pair in _pairs(_playbook_steps(siblings)):
        above, below = pair
        if above is parent or above.item is None or below.item is None:
            continue
        if above.item.is_ordered == parent.item.is_ordered:
            return pair
        spare = spare or pair
    return spare if spare and not parent.item.is_ordered else None


def _playbook_steps(siblings: Siblings) -> Iterator[Step]:
    """Top-level steps of the playbook, then of the others."""
    if siblings.section:
        yield from siblings.section.steps
    for playbook in siblings.snapshot.program.playbooks:
        yield from playbook.steps


def _pairs(steps: Iterable[Step]) -> Iterator[tuple[Step, Step]]:
    for top in steps:
        for step in top.walk():
            if step.children:
                yield step, step.children[0]


def _first_marker(marker: str) -> str:
    """*marker* for the first item of a list."""
    if not marker[0].isdigit():
        return marker
    return f"{1:0{len(marker) - 1 if marker.startswith('0') else 1}d}{marker[-1]}"


def gap_text(siblings: Siblings, slot: int) -> str:
    """What to put between two items around *slot*: what stands most often between those nearby."""
    count = len(siblings.steps) - 1
    near = sorted(
        range(max(0, slot - _NEAR), min(count, slot + _NEAR)), key=lambda index: abs(2 * index + 1 - 2 * slot)
    )
    steps = siblings.steps
    listed = [index for index in near if steps[index].item is not None and steps[index + 1].item is not None]
    gaps = [siblings.gap(index).of(siblings.snapshot.text).rstrip(" \t") for index in listed or near]
    # of equally common ones the nearest: a Counter keeps the order in which it met them
    usual = Counter(gap for gap in gaps if is_blank_gap(gap)).most_common(1)
    return usual[0][0] if usual else _gap_elsewhere(siblings)


def _gap_elsewhere(siblings: Siblings) -> str:
    """The gap of another list at the same depth, or a bare line end."""
    snapshot = siblings.snapshot
    if siblings.parent is None:
        for playbook in [siblings.playbook, *snapshot.program.playbooks]:
            pair = playbook.steps[:2]
            if len(pair) == 2 and all(step.item for step in pair):
                between = snapshot.text[core_of(snapshot, pair[0]).end : core_of(snapshot, pair[1]).start]
                if is_blank_gap(between):
                    return between
    return line_end(siblings)


def line_end(siblings: Siblings) -> str:
    """The line end used around the list."""
    snapshot = siblings.snapshot
    near = siblings.parent or (siblings.steps[0] if siblings.steps else None)
    return line_end_of(snapshot, snapshot.head_span(near.id).end if near and near.item else 0)


def is_blank_gap(text: str) -> bool:
    """True when nothing but line ends (at least one) and blanks stand in *text*."""
    return bool(_BLANK_GAP.match(text))
