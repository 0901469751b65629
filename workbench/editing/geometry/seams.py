"""Blank lines where an edit brought things together that markdown reads as one."""

from __future__ import annotations

from collections.abc import Iterable

from workbench.editing.geometry.siblings import line_end_of
from workbench.model.snapshot import Snapshot
from workbench.syntax.blocks import BlockKind, ItemNode
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.text import Span, line_stop

_LOOSE = frozenset({BlockKind.BLANK, BlockKind.COMMENT})


def blank_lines(after: Snapshot, seams: Iterable[int]) -> TextChange:
    """The blank lines that *after* needs at *seams*: below each, where the line below has become part of what is above.

    A paragraph goes on with every line of text below it, and so does the last item of a list.
    """
    places = {_line_below(after.text, seam) for seam in seams}
    joined = sorted(at for at in places if at is not None and _is_joined(after, at))
    return TextChange(tuple(TextEdit(Span(at, at), line_end_of(after, at)) for at in joined))


def _line_below(text: str, seam: int) -> int | None:
    """Where the line at or below *seam* begins; None where a blank line stands there or above it, or nothing."""
    at = seam if seam == 0 or text[seam - 1] in "\r\n" else line_stop(text, seam)
    below = text[at : line_stop(text, at)]
    return at if below.strip() and text[_line_above(text, at) : at].strip() else None


def _line_above(text: str, at: int) -> int:
    """Where the line begins that ends at *at*."""
    end = max(0, at - (2 if text.startswith("\r\n", at - 2) else 1))
    return max(text.rfind("\n", 0, end), text.rfind("\r", 0, end)) + 1


def _is_joined(after: Snapshot, at: int) -> bool:
    """True when the line at *at* goes on with what stands above it."""
    index = after.block_index_at(at)
    block, inner = after.blocks[index], at - after.block_starts[index]
    if inner == 0 or block.kind in _LOOSE:
        return False
    return block.item is None or any(_goes_on(item, inner) for item in block.item.walk())


def _goes_on(item: ItemNode, inner: int) -> bool:
    return any(span.start < inner < span.end for span in (item.text, *item.fences, *item.tails))
