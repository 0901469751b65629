"""A text as a row of blocks: headings, items, fences, comments, … that cover it exactly.

A block knows nothing of where it stands: everything inside is relative to its own first
character. Whether and where a block ends depends only on the text from its start on (and on
being at the start of the document), so after an edit a small window is scanned again and
the rest is kept. That is why this is not the parser of a markdown library: those read a
document as a whole, and what they say about one paragraph may depend on any other.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import overload

from workbench.syntax.data.nodes import DataNode
from workbench.syntax.text import Span


class BlockKind(enum.Enum):
    """What a block is."""

    SHEBANG = enum.auto()
    FRONT_MATTER = enum.auto()
    HEADING = enum.auto()
    ITEM = enum.auto()
    COMMENT = enum.auto()
    FENCE = enum.auto()
    RULE = enum.auto()
    PARAGRAPH = enum.auto()
    TABLE = enum.auto()
    CODE = enum.auto()
    BLANK = enum.auto()
    DATA = enum.auto()
    DAMAGED = enum.auto()


# not frozen, for the same reason as a block: a step far away gives ten thousand items another number
@dataclass(slots=True, eq=False)
class ItemNode:
    """One list item. Spans count from the start of its block.

    *owned*: whole lines, from the comment lines directly above to the end of the last
    child (trailing blank lines belong to no item). *lines*: the same without the comments
    above. *head*: the first line's content without marker, trailing comment and line end.
    *text*: from the head to the end of the item's own words, with continuation lines and
    paragraphs, before fences and children. *fences*: whole lines of code fences inside.
    *tails*: whole lines of paragraphs that follow a fence or a child. *box*: ``[ ]`` or ``[x]``
    behind the marker; the head begins behind it.

    Of a number before the words it knows how many *digits* it has, and the *sign* behind them: ``.`` or ``)``. Which
    number it is stands in the text of the block (``marker``), so that an item with another number is the same item.
    Without digits, *sign* is all of the marker: ``-``, ``*``, ``+``; or what stands for one in a step list.
    """

    owned: Span
    lines: Span
    indent: str
    sign: str
    head: Span
    text: Span
    children: tuple[ItemNode, ...] = ()
    fences: tuple[Span, ...] = ()
    tails: tuple[Span, ...] = ()
    box: Span | None = None
    digits: int = 0

    @property
    def marker_span(self) -> Span:
        """Where the marker stands."""
        start = self.lines.start + len(self.indent)
        return Span(start, start + self.digits + len(self.sign))

    def marker(self, text: str) -> str:
        """``-``, ``12.``: what stands before the words in *text*, that of the block; empty where nothing does."""
        start = self.lines.start + len(self.indent)
        return text[start : start + self.digits] + self.sign

    @property
    def content_start(self) -> int:
        """Where what stands behind the marker begins: the box, or the words."""
        return min(self.box.start, self.head.start) if self.box is not None else self.head.start

    @property
    def is_ordered(self) -> bool:
        """True for ``1.`` and ``1)``, false for bullets and for what has no marker."""
        return self.digits > 0

    def walk(self) -> Iterator[ItemNode]:
        """This item and everything nested in it, in source order: the order of the ids of its block."""
        yield self
        for child in self.children:
            yield from child.walk()

    def count(self) -> int:
        """How many items ``walk`` gives."""
        return 1 + sum([child.count() for child in self.children]) if self.children else 1


@dataclass(frozen=True, slots=True)
class Problem:
    """Damage seen while scanning: a stable code and a span inside the block.

    *is_open*: something begins here and never ends, so that the block depends on all the
    text after it.
    """

    code: str
    span: Span
    is_open: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ListElement:
    """What a block of a step list was read from.

    *key*: of the list that it stands in, ``steps`` or ``step_groups``. *node*: its data, with
    spans that count from the start of the block; None where it cannot be read.
    """

    key: str
    node: DataNode | None


# not frozen: a text has tens of thousands of blocks, and making a frozen one takes more than twice as long
@dataclass(slots=True, eq=False)
class Block:
    """A run of whole lines. ``"".join(block.text for block in scan(text)) == text``.

    A block is compared by identity and nothing in it changes, so one that an edit left alone
    *is* the same object in the next snapshot. (*item_source* is only exchanged for the item that
    it reads.) Few kinds have more than a text:

    ========  ==================================================================================
    HEADING   *level* (1 to 6), *title* without ``#``, the line below that underlines it, and comments
    FENCE     *title*: the info string, ``python``; empty where there is none
    ITEM      *item*, read when it is first asked for; in a step list, *element*
    TABLE     *item*, where its rows are steps: a child for each of them
    DAMAGED   an element of a step list that cannot be read: *element* without a node
    DATA      the lines of YAML or JSON around the elements
    ========  ==================================================================================

    *problems*: damage that was seen while scanning, of any kind of block. *is_step*: a heading that can be a step.
    """

    kind: BlockKind
    text: str
    level: int = 0
    title: str = ""
    item_source: ItemNode | Callable[[str], ItemNode] | None = None
    problems: tuple[Problem, ...] = ()
    element: ListElement | None = None
    is_step: bool = False

    @property
    def list_key(self) -> str:
        """The key of the step list that the block is an element of, else empty."""
        return self.element.key if self.element is not None else ""

    @property
    def is_underlined(self) -> bool:
        """True for a heading whose level is written by a line of ``=`` or ``-`` below its title."""
        written = self.text.rstrip() if self.kind is BlockKind.HEADING else ""
        return "\n" in written or "\r" in written

    @property
    def item(self) -> ItemNode | None:
        """The item of an ITEM block, or of a table of steps, else None. Read from the text when it is first asked for.

        Two threads that ask at once may both read it; what they get is equal.
        """
        source = self.item_source
        if callable(source):
            source = source(self.text)
            self.item_source = source
        return source


@dataclass(frozen=True, slots=True, eq=False)
class NumberedBlocks(Sequence[Block]):
    """The blocks of *text*, of which many only have another number before their words than when they were read.

    Those are made when somebody asks for them, and are the same ones from then on. *read*: the blocks as they were
    read. *stale*: 1 for each that has another number by now. *starts*: see ``block_starts``.
    """

    read: tuple[Block, ...]
    stale: bytes
    text: str
    starts: Sequence[int]
    _made: dict[int, Block] = field(default_factory=dict)
    _whole: list[tuple[Block, ...]] = field(default_factory=list)

    @property
    def whole(self) -> tuple[Block, ...]:
        """All of them."""
        if not self._whole:
            self._whole.append(tuple(map(self._block, range(len(self.read)))))
        return self._whole[0]

    @property
    def is_whole(self) -> bool:
        """Whether somebody has asked for all of them."""
        return bool(self._whole)

    def _block(self, index: int) -> Block:
        block = self.read[index]
        if not self.stale[index]:
            return block
        made = self._made.get(index)
        if made is None:
            text = self.text[self.starts[index] : self.starts[index + 1]]
            # two threads that ask at once get the same one
            made = self._made.setdefault(index, Block(block.kind, text, block.level, "", block.item_source))
        return made

    def __len__(self) -> int:
        return len(self.read)

    def __iter__(self) -> Iterator[Block]:
        return iter(self.whole)

    @overload
    def __getitem__(self, at: int) -> Block: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Block, ...]: ...
    def __getitem__(self, at: int | slice) -> Block | tuple[Block, ...]:
        if self._whole:
            return self._whole[0][at]
        places = range(len(self.read))[at]
        return self._block(places) if isinstance(places, int) else tuple(map(self._block, places))


def block_starts(blocks: Sequence[Block]) -> list[int]:
    """Where each block starts, and as a last element the length of the text."""
    return list(accumulate((len(block.text) for block in blocks), initial=0))
