"""What can be folded in a text: sections below headings, steps with what is nested in them, fences, front matter."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from workbench.model.queries import Queries
from workbench.syntax.blocks import Block, BlockKind, ItemNode
from workbench.syntax.text import Span, line_stop

_WHOLE = frozenset({BlockKind.FENCE, BlockKind.FRONT_MATTER, BlockKind.COMMENT, BlockKind.CODE, BlockKind.TABLE})
Kept = tuple[int, str]
"""A folded line as it is kept: its number, 0-based, and its words, by which it is found again."""


def fold_at(document: Queries, start: int) -> Span | None:
    """The lines that are hidden when the line at *start* is folded, which keeps to be seen; None where none are.

    From the beginning of the first of them to the end of the last, its line end included. Blank lines at the end stay.
    """
    index = document.block_index_at(start)
    if index < 0:
        return None
    block, at = document.blocks[index], document.block_starts[index]
    if block.kind is BlockKind.HEADING:
        end = document.block_starts[_end_of_section(document, index)] if start == at else start
    elif block.kind is BlockKind.ITEM and block.item is not None:
        end = at + _end_of_item(block, block.item, start - at)
    else:
        end = at + len(block.text) if block.kind in _WHOLE and start == at else start
    first = line_stop(document.text, start)
    last = first + len(document.text[first:end].rstrip())
    return Span(first, line_stop(document.text, last)) if last > first else None


def _end_of_section(document: Queries, index: int) -> int:
    """The block behind all that stands below the heading *index*."""
    level = document.blocks[index].level
    at, levels = _headings(document)
    place = bisect_right(at, index)
    found = (at[other] for other in range(place, len(at)) if levels[other] <= level)
    return next(found, len(document.blocks))


@lru_cache(maxsize=4)
def _headings(document: Queries) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The blocks that are headings, and their levels; asked for every line that is in view."""
    found = [(at, block.level) for at, block in enumerate(document.blocks) if block.kind is BlockKind.HEADING]
    return tuple([at for at, _level in found]), tuple([level for _at, level in found])


def _end_of_item(block: Block, root: ItemNode, inner: int) -> int:
    """Where the item ends whose first line begins at *inner* of *block*, or a fence of one; *inner* where none does."""
    node: ItemNode | None = root
    while node is not None:
        if node.lines.start == inner:
            return node.lines.end
        fence = next((one for one in node.fences if one.start == inner), None)
        if fence is not None:
            return fence.end
        at = bisect_right(node.children, inner, key=_owned_start) - 1
        node = node.children[at] if at >= 0 and inner < node.children[at].owned.end else None
    return inner


def _owned_start(item: ItemNode) -> int:
    return item.owned.start


def foldable_lines(document: Queries) -> list[int]:
    """Where each line begins that can be folded, in the order of the text."""
    starts: list[int] = []
    at = 0
    while at < len(document.text):
        if fold_at(document, at) is not None:
            starts.append(at)
        at = line_stop(document.text, at)
    return starts


def found_again(kept: Iterable[Kept], lines: Sequence[str]) -> tuple[int, ...]:
    """The lines, 0-based, of a text of *lines* that *kept* are: at their number, else the nearest with their words."""
    places: Mapping[str, list[int]] = {}
    found: list[int] = []
    for number, words in kept:
        if number < len(lines) and lines[number] == words:
            found.append(number)
            continue
        places = places or _places(lines)
        nearest = min(places.get(words, ()), key=lambda place: abs(place - number), default=None)
        if nearest is not None:
            found.append(nearest)
    return tuple(dict.fromkeys(found))


def _places(lines: Sequence[str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for at, line in enumerate(lines):
        found.setdefault(line, []).append(at)
    return found
