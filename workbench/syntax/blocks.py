"""A text as a row of blocks: headings, items, fences, comments, … that cover it exactly.

A block is a value that knows nothing of where it stands: everything inside is relative to
its own first character. Whether and where a block ends depends only on the text from its
start on (and on being at the start of the document), which is what makes re-scanning a
small window after an edit exact.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

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
    CODE = enum.auto()
    BLANK = enum.auto()
    DATA = enum.auto()
    DAMAGED = enum.auto()


@dataclass(frozen=True, slots=True, eq=False)
class ItemNode:
    """One list item. Spans count from the start of its block.

    *owned*: whole lines, from the comment lines directly above to the end of the last
    child (trailing blank lines belong to no item). *lines*: the same without the comments
    above. *head*: the first line's content without marker, trailing comment and line end.
    *text*: from the head to the end of the item's own words, with continuation lines and
    paragraphs, before fences and children. *fences*: whole lines of code fences inside.
    *tails*: whole lines of paragraphs that follow a fence or a child.
    """

    owned: Span
    lines: Span
    indent: str
    marker: str
    head: Span
    text: Span
    children: tuple[ItemNode, ...] = ()
    fences: tuple[Span, ...] = ()
    tails: tuple[Span, ...] = ()

    @property
    def is_ordered(self) -> bool:
        """True for ``1.`` and ``1)``, false for bullets."""
        return self.marker[0].isdigit()

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


# not frozen: a text has tens of thousands of blocks, and making a frozen one takes more than twice as long
@dataclass(slots=True, eq=False)
class Block:
    """A run of whole lines. ``"".join(block.text for block in scan(text)) == text``.

    *level*: of a heading, else 0. *title*: of a heading without ``#`` and comments; of a
    fence its info string; of an element of a step list the key that its list stands under.
    *item_source*: of an ITEM block its item, or what reads it from *text*; see ``item``. In a
    step list *data* is the element as it was read, its spans counted from the start of the
    block. DATA: lines of YAML or JSON around the elements; DAMAGED: an element that cannot be
    read.
    """

    kind: BlockKind
    text: str
    level: int = 0
    title: str = ""
    item_source: ItemNode | Callable[[str], ItemNode] | None = None
    problems: tuple[Problem, ...] = ()
    data: DataNode | None = None

    @property
    def item(self) -> ItemNode | None:
        """The item of an ITEM block, else None. Read from the text when it is first asked for.

        Two threads that ask at once may both read it; what they get is equal.
        """
        source = self.item_source
        if callable(source):
            source = source(self.text)
            self.item_source = source
        return source


def block_starts(blocks: Sequence[Block]) -> list[int]:
    """Where each block starts, and as a last element the length of the text."""
    return list(accumulate((len(block.text) for block in blocks), initial=0))
