"""Text among steps: a wider, calm block of a few lines; where each part of it stands inside."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from workbench.model.layout.shapes import LINE_HEIGHT
from workbench.model.showing.texts import FEW_LINES, MANY_LINES, Part, PartKind, ShownText, shown_text

TEXT_WIDTH = 320.0
_PADDING = 10.0
_GAP = 6.0
_CODE_PADDING = 4.0
_TOGETHER = frozenset({(PartKind.ITEM, PartKind.ITEM), (PartKind.CODE, PartKind.MORE), (PartKind.TABLE, PartKind.MORE)})


class PlacedPart(NamedTuple):
    """A part of a text, with the top and the height of its lines inside the block."""

    part: Part
    top: float
    height: float


def shown_in_box(text: str, *, is_open: bool) -> ShownText:
    """What a block shows of *text*: a few lines, many where it *is_open*."""
    return shown_text(text, MANY_LINES if is_open else FEW_LINES)


def placed_parts(shown: ShownText) -> Iterator[PlacedPart]:
    """The parts of *shown*, from the top."""
    top, before = _PADDING, None
    for part in shown.parts:
        if before is not None and (before, part.kind) not in _TOGETHER:
            top += _GAP
        padding = _CODE_PADDING if part.kind is PartKind.CODE else 0.0
        height = part.lines * LINE_HEIGHT
        yield PlacedPart(part, top + padding, height)
        top += height + 2 * padding
        before = part.kind


def height_of_text(shown: ShownText) -> float:
    """How high a block with *shown* is."""
    placed = tuple(placed_parts(shown))
    if not placed:
        return 2 * _PADDING + LINE_HEIGHT
    part, top, height = placed[-1]
    return top + height + (_CODE_PADDING if part.kind is PartKind.CODE else 0.0) + _PADDING
