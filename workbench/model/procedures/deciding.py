"""Which chapters and lists of a procedure are something to do, and which are something to read.

Words decide where they are clear: *Mitigation* is done, *References* is read. Where they are not, what stands there
does: numbers, boxes to tick and lines that begin with what to do are steps. Where nothing in a file would be done by
that, its lists are, for an author who wrote nothing else meant them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from workbench.model.procedures.headings import Node
from workbench.regex import regex
from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.heading_words import Sort, begins_with_verb, is_constraint, sort_of, step_title
from workbench.syntax.text import last_line

_LOOSE = frozenset({BlockKind.BLANK, BlockKind.COMMENT})
_HEAD = regex(
    r"(?:<!--.*?-->\s*)*[ \t]*(?P<marker>[-+*]|\d{1,9}[.)])[ \t]+(?P<box>\[[ xX]\][ \t]+)?(?P<words>[^\r\n]*)",
    re.DOTALL,
)
_BARE_LINK = regex(r"(?:[*_`]{0,3})\[[^\]]*\]\([^)]*\)(?:[*_`]{0,3})[ \t.]*\Z|https?://\S+\Z")
_BOLD = regex(r"(?:\*\*|__)(?P<words>[^*_][^*\r\n]*?)(?:\*\*|__)")
_LABEL_END = regex(r"(?::|(?:\*\*|__):?)[ \t]*\Z")


@dataclass(frozen=True, slots=True)
class ListHead:
    """What the first line of a list item shows."""

    is_numbered: bool
    has_box: bool
    words: str


def list_head(block: Block) -> ListHead:
    """The first line of an ITEM block."""
    found = _HEAD.match(block.text)
    if found is None:
        return ListHead(False, False, block.text.strip())
    return ListHead(found["marker"][0].isdigit(), found["box"] is not None, found["words"].strip())


def bold_step(block: Block) -> bool:
    """True for a paragraph such as ``**Step 1** Switch the light off.``"""
    if block.kind is not BlockKind.PARAGRAPH:
        return False
    found = _BOLD.match(block.text)
    said = step_title(found["words"].strip()) if found else None
    return said is not None and said.is_said


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbours in one list: the blocks of *items*, from *start* (a line that introduces them) to *stop*."""

    start: int
    stop: int
    items: tuple[int, ...]
    label: str


def runs_of(blocks: Sequence[Block], own: range) -> Iterator[Run]:
    """The lists that stand in *own*, in source order."""
    at = own.start
    while at < own.stop:
        if blocks[at].kind is not BlockKind.ITEM:
            at += 1
            continue
        items, stop = [at], at + 1
        for index in range(at + 1, own.stop):
            kind = blocks[index].kind
            if kind is BlockKind.ITEM:
                items.append(index)
                stop = index + 1
            elif kind not in _LOOSE:
                break
        above = _above(blocks, own, at)
        label = _label(blocks[above]) if above is not None else ""
        yield Run(above if above is not None and label else at, stop, tuple(items), label)
        at = stop


def _above(blocks: Sequence[Block], own: range, at: int) -> int | None:
    """The paragraph above the list at *at*."""
    for index in range(at - 1, own.start - 1, -1):
        if blocks[index].kind is BlockKind.PARAGRAPH:
            return index
        if blocks[index].kind not in _LOOSE:
            break
    return None


def _label(block: Block) -> str:
    """The words with which a paragraph leads to a list; empty where it is running text."""
    last = last_line(block.text).strip()
    return last if _LABEL_END.search(last) else ""


@dataclass(slots=True)
class Deciding:
    """What is done in one document. *wanted*: what a person says of chapters, by their titles.

    *is_generous*: lists are done where nothing else is. *is_reading*: what is asked is only what has the look of steps,
    in parts that are not done: numbers and boxes.
    """

    blocks: Sequence[Block]
    wanted: Mapping[str, bool] = field(default_factory=dict)
    is_generous: bool = False
    is_reading: bool = False
    _known: dict[int, bool] = field(default_factory=dict)

    def is_done(self, node: Node) -> bool:
        """True where something below *node* is to be done."""
        known = self._known.get(node.at)
        if known is None:
            known = self._known[node.at] = self._decide(node)
        return known

    def _decide(self, node: Node) -> bool:
        if node.title in self.wanted and not self.is_reading:
            return self.wanted[node.title]
        if node.is_step:
            return True
        if node.sort is Sort.ASIDE and not self.is_reading:
            return False
        if any(self.has_steps(node, run) for run in runs_of(self.blocks, node.own)):
            return True
        if any(bold_step(self.blocks[index]) or self.is_step_table(index) for index in node.own):
            return True
        is_open = self.is_reading or node.sort is not Sort.READ
        if any(self.is_done(each) for each in node.below if is_open or _is_plain(each)):
            return True
        if self.is_reading:
            return False
        is_empty = not node.below and all(self.blocks[index].kind is BlockKind.BLANK for index in node.own)
        return node.sort is Sort.DONE and not is_empty

    def is_step_table(self, index: int) -> bool:
        """True for a table whose rows are steps: the scanner has found one step per row."""
        block = self.blocks[index]
        return block.kind is not BlockKind.ITEM and block.item_source is not None

    def has_steps(self, node: Node, run: Run) -> bool:
        """True where the items of *run*, a list directly under *node*, are steps."""
        heads = [list_head(self.blocks[index]) for index in run.items]
        if all(_BARE_LINK.match(head.words) for head in heads):
            return False
        if self.is_reading:
            return any(head.has_box or head.is_numbered for head in heads)
        if any(head.has_box for head in heads):
            return node.sort is not Sort.ASIDE
        if run.label and sort_of(run.label) in (Sort.READ, Sort.ASIDE):
            return False
        if 2 * sum(is_constraint(head.words) for head in heads) > len(heads):
            return False
        if node.is_step or self.wanted.get(node.title) is True:
            return True
        return self._by_sort(node, heads)

    def _by_sort(self, node: Node, heads: Sequence[ListHead]) -> bool:
        is_numbered = any(head.is_numbered for head in heads)
        if node.sort is Sort.DONE:
            return True
        if node.sort is Sort.NEUTRAL:
            return is_numbered or self.is_generous or self._is_told(node)
        return self.is_generous and is_numbered and node.sort is Sort.READ

    def _is_told(self, node: Node) -> bool:
        """True where the lines below *node* that begin with a marker mostly say what to do."""
        lines = [list_head(self.blocks[at]).words for at in node.own if self.blocks[at].kind is BlockKind.ITEM]
        return 2 * sum(map(begins_with_verb, lines)) >= len(lines)


def _is_plain(node: Node) -> bool:
    """True for what is done even below a heading that only explains."""
    return node.is_step or node.sort is Sort.DONE
