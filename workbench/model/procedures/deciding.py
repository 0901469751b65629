"""Which chapters and lists of a procedure are something to do, and which are something to read.

Words decide where they are clear: *Mitigation* is done, *References* is read. Where they are not, what stands there
does: numbers, boxes to tick and lines that begin with what to do are steps. Where nothing in a file would be done by
that, its lists are, for an author who wrote nothing else meant them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from workbench.model.procedures.headings import Node
from workbench.regex import regex
from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.heading_words import Sort, begins_with_verb, is_constraint, sort_of, step_title
from workbench.syntax.text import last_line

_FEW = 4
"""How many words a line has that only names what stands below it."""
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
    """What the first line of a list item shows: all that decides whether it is a step."""

    is_numbered: bool
    has_box: bool
    is_link: bool
    is_constraint: bool
    is_told: bool


# by the block itself: of a long list, an edit makes one new
@lru_cache(maxsize=32_768)
def list_head(block: Block) -> ListHead:
    """What the first line of the ITEM *block* shows."""
    found = _HEAD.match(block.text)
    words = (found["words"] if found else block.text).strip()
    return ListHead(
        found is not None and found["marker"][0].isdigit(),
        found is not None and found["box"] is not None,
        _BARE_LINK.match(words) is not None,
        is_constraint(words),
        begins_with_verb(words),
    )


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
    return last if _LABEL_END.search(last) and not bold_step(block) else ""


def _heads(blocks: Sequence[Block], run: Run) -> list[ListHead]:
    return list(map(list_head, [blocks[at] for at in run.items]))


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
    _runs: dict[int, tuple[Run, ...]] = field(default_factory=dict)
    _steps: dict[tuple[int, int], bool] = field(default_factory=dict)

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
        if any(self.has_steps(node, run) for run in self.runs(node, node.own)):
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

    def runs(self, node: Node, own: range) -> tuple[Run, ...]:
        """The lists in *own*, which stands directly under *node*."""
        known = self._runs.get(own.start)
        if known is None:
            known = self._runs[own.start] = tuple(runs_of(self.blocks, own))
        return known

    def has_steps(self, node: Node, run: Run) -> bool:
        """True where the items of *run*, a list directly under *node*, are steps."""
        key = (node.at, run.start)
        known = self._steps.get(key)
        if known is None:
            known = self._steps[key] = self._are_steps(node, run, _heads(self.blocks, run))
        return known

    def _are_steps(self, node: Node, run: Run, heads: Sequence[ListHead]) -> bool:
        if all(head.is_link for head in heads):
            return False
        if self.is_reading:
            return any(head.has_box or head.is_numbered for head in heads)
        if any(head.has_box for head in heads):
            return node.sort is not Sort.ASIDE
        if _is_aside(run.label) and not any(head.is_numbered for head in heads):
            return False
        if 2 * sum([head.is_constraint for head in heads]) > len(heads):
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
        told = [list_head(self.blocks[at]).is_told for at in node.own if self.blocks[at].kind is BlockKind.ITEM]
        return 2 * sum(told) >= len(told)


def _is_aside(label: str) -> bool:
    """True for *Notes:* and *Expected output:* above a list; a whole sentence leads to something else."""
    words = label.split()
    return 0 < len(words) <= _FEW and sort_of(label) in (Sort.READ, Sort.ASIDE)


def _is_plain(node: Node) -> bool:
    """True for what is done even below a heading that only explains."""
    return node.is_step or node.sort is Sort.DONE
