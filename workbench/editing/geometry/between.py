"""What stands between two steps and is none: headings, rules, comments set apart, text where it is no step.

None of it is ever moved with a step, whichever step goes or comes, so it stays in the order in which it was written.
It belongs to the step above or to the one below, and what is put between the two goes between what belongs to each:

- From the first heading, rule or comment on, everything belongs to the step **below**: these begin something. Only a
  comment right below a step, with no blank line between them, is said of the step **above**.
- A paragraph right above a step belongs to it when it ends with a colon: it introduces the step.
- All other text, and code, belongs to the step **above**, which it goes on explaining.

So X, put below A, comes here::

    - A                                   - A
                                          - X
    ###### In the cellar
                                          ###### In the cellar
    - B
                                          - B

and below a line such as “This takes a minute.” between A and B, but above one such as “If it is dark:”.
"""

from __future__ import annotations

from workbench.editing.geometry.heading_steps import is_heading
from workbench.editing.geometry.indentation import dedented
from workbench.editing.geometry.room import list_start
from workbench.editing.geometry.siblings import Siblings
from workbench.editing.geometry.style import is_blank_gap
from workbench.regex import regex
from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.lines import COMMENT
from workbench.syntax.scan import scan
from workbench.syntax.text import split_lines

_BLANK_LINES = regex(r"(?:[ \t]*(?:\r\n|\r|\n))+")
_BEGINNING = frozenset({BlockKind.HEADING, BlockKind.RULE, BlockKind.COMMENT})


def end_with_text(siblings: Siblings, index: int) -> int:
    """Where the item *index* ends together with the text below that belongs to it, without the last line end."""
    end = siblings.core(index).end
    if index + 1 >= len(siblings.steps):
        return end
    gap = siblings.gap(index).of(siblings.snapshot.text)
    if is_blank_gap(gap):
        return end
    first, *lines = split_lines(gap)
    count = _lines_above(scan(dedented("".join(lines))))
    text = "".join([first, *lines[:count]]) if count else ""
    return end + len(text.rstrip())


def has_text(siblings: Siblings, first: int, last: int) -> bool:
    """True when something stands between two of the items from *first* to *last*, or is set apart above item 0."""
    if first < 0 and above_first_gap(siblings, 0) is not None:
        return True
    return not all(is_open_gap(siblings, at) for at in range(max(first, 0), min(last, len(siblings.steps) - 1)))


def is_open_gap(siblings: Siblings, index: int) -> bool:
    """True when nothing stands below the item *index*, up to the next one: between headings a rule is nothing."""
    gap = siblings.gap(index).of(siblings.snapshot.text)
    if is_blank_gap(gap) or not all(is_heading(step) for step in siblings.steps[index : index + 2]):
        return is_blank_gap(gap)
    return all(block.kind in (BlockKind.BLANK, BlockKind.RULE) for block in scan(gap))


def above_first_gap(siblings: Siblings, first: int) -> int | None:
    """Where the list begins, when comments set off by blank lines stand between there and its first item.

    That is what a list looks like whose first item has been taken out. A new first item goes above the comments, so
    that one that comes back finds its old place.
    """
    text, below = siblings.snapshot.text, siblings.core(first).start
    start = list_start(siblings)
    lead = text[start:below] if start is not None and start < below else ""
    is_gap = "<!--" in lead and not COMMENT.sub("", lead).strip() and _BLANK_LINES.match(lead)
    return start if is_gap else None


def _lines_above(blocks: tuple[Block, ...]) -> int:
    """How many lines of what *blocks* hold belong to the step above."""
    first = 1 if blocks and blocks[0].kind is BlockKind.COMMENT else 0
    stop = next((at for at, block in enumerate(blocks) if at >= first and block.kind in _BEGINNING), None)
    above = [block for block in blocks[:stop] if block.kind is not BlockKind.BLANK]
    if stop is None and above and introduces(above[-1]):
        above.pop()
    if not above:
        return 0
    last = blocks.index(above[-1])
    return sum(len(split_lines(block.text)) for block in blocks[: last + 1])


def introduces(block: Block) -> bool:
    """True for a paragraph that says what comes below it."""
    return block.kind is BlockKind.PARAGRAPH and block.text.rstrip(" \t\r\n*_").endswith(":")
