"""Which blocks of a step list an edit exchanges: the one element it lies in, or what differs from all of them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.scan import Rescan
from workbench.syntax.steplists.pieces import yaml_runs
from workbench.syntax.steplists.scan import Known, is_read_whole, read_element, scan_list
from workbench.syntax.text import Span, TextChange, changed_window


def rescan_list(
    blocks: Sequence[Block], starts: Sequence[int], change: TextChange, text: str, *, is_json: bool
) -> Rescan:
    """The blocks that differ after *change* led to *text*; blocks that are equal are kept as they are."""
    within = None if is_json else _within_element(blocks, starts, change, text)
    return within or _compared(blocks, text, is_json=is_json)


def _within_element(
    blocks: Sequence[Block], starts: Sequence[int], change: TextChange, text: str
) -> Rescan | None:
    """The element that *change* lies in, read again; None where more than this element may have changed.

    Equal to scanning everything: the new lines are cut like those of any element, so they are
    no more and no less than one, and whatever is around them is cut as it was.
    """
    old, new = changed_window(change)
    index = bisect_right(starts, old.start) - 1
    if not 0 <= index < len(blocks) or not _is_cut_by_lines(blocks):
        return None
    block, start = blocks[index], starts[index]
    words_end = start + len(block.text.rstrip("\r\n"))
    if block.kind is not BlockKind.ITEM or old.start == start or old.end > words_end:
        return None
    piece = text[start : starts[index + 1] + len(new) - len(old)]
    fresh = _element_of(piece, block)
    return Rescan(index, index + 1, (fresh,)) if fresh is not None else None


def _element_of(piece: str, before: Block) -> Block | None:
    """*piece* as an element where *before* stood, if it is one by itself."""
    lead = f"{before.title}:\n"
    runs = yaml_runs(lead + piece)
    whole = (Span(len(lead), len(lead) + len(piece)),)
    if len(runs) != 1 or runs[0].elements != whole or before.item is None or runs[0].indent != before.item.indent:
        return None
    if "+" in piece or "+" in before.text:  # blank lines below may belong to a text that keeps them
        return None
    fresh = read_element(piece, before.title, len(runs[0].indent), is_json=False)
    return fresh if fresh.kind is BlockKind.ITEM and fresh.text == piece else None


def _is_cut_by_lines(blocks: Sequence[Block]) -> bool:
    """True where no element depends on the others: else all lines around the elements say so."""
    around = next((block for block in blocks if block.kind is BlockKind.DATA), None)
    return around is not None and not around.problems


def _compared(blocks: Sequence[Block], text: str, *, is_json: bool) -> Rescan:
    elements = {(block.title, block.text): block for block in blocks if block.kind is BlockKind.ITEM}
    known = Known(elements, are_of_whole=any(is_read_whole(block) for block in blocks))
    fresh = scan_list(text, is_json=is_json, known=known)
    limit = min(len(blocks), len(fresh))
    first = next((index for index in range(limit) if not _is_same(blocks[index], fresh[index])), limit)
    rest = range(limit - first)
    tail = next((index for index in rest if not _is_same(blocks[-1 - index], fresh[-1 - index])), limit - first)
    return Rescan(first, len(blocks) - tail, fresh[first : len(fresh) - tail])


def _is_same(old: Block, new: Block) -> bool:
    if old is new:
        return True
    same_kind = old.kind is new.kind and old.kind is not BlockKind.ITEM and old.title == new.title
    return same_kind and old.text == new.text and old.problems == new.problems
