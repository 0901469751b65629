"""Between the widget and the document: what was typed as an edit, and what changed elsewhere as splices."""

from __future__ import annotations

from workbench.gui.source.editor import Splice
from workbench.gui.source.position_map import PositionMap, shown, units
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.differences import common_ends
from workbench.syntax.text import Span


def edit_of(positions: PositionMap, typed: Splice) -> TextEdit | None:
    """The edit of the document that *typed* stands for; None where nothing changed.

    Only what really differs is taken over: the widget may report more than was typed, and
    its stand-ins must not get into the text.
    """
    old = Span(positions.offset(typed.position), positions.offset(typed.position + typed.removed))
    before, after = shown(old.of(positions.text)), typed.added
    head, tail = common_ends(before, after)
    start = positions.offset(typed.position + units(before[:head]))
    end = positions.offset(typed.position + units(before[: len(before) - tail]))
    inserted = after[head : len(after) - tail]
    if start == end and not inserted:
        return None
    return TextEdit(Span(start, end), with_line_ends(positions, start, inserted))


def with_line_ends(positions: PositionMap, at: int, text: str) -> str:
    """*text* with the line ends that the document has around *at*."""
    if "\n" not in text:
        return text
    return text.replace("\n", positions.line_end(positions.line_at(at)))


def splices_of(positions: PositionMap, change: TextChange) -> tuple[Splice, ...]:
    """What to do in the widget for *change* of the text that *positions* knows."""
    return tuple(_splice(positions, edit) for edit in change.edits if len(edit.span) or edit.insert)


def _splice(positions: PositionMap, edit: TextEdit) -> Splice:
    start, end = positions.position(edit.span.start), positions.position(edit.span.end)
    return Splice(start, end - start, shown(edit.insert))


def breaks_a_line_end(text: str, change: TextChange) -> bool:
    """True when an edit begins or ends between CR and LF, where the widget has no position.

    "a\\r\\nb" is three units there. Taking out the "\\r" changes nothing that it shows, and putting "x" between both
    makes two line ends out of one: neither can be told as a splice of the place alone.
    """
    return any(
        text[offset - 1 : offset + 1] == "\r\n" or _meets_half(text, edit)
        for edit in change.edits
        for offset in (edit.span.start, edit.span.end)
        if offset > 0 or edit.insert
    )


def _meets_half(text: str, edit: TextEdit) -> bool:
    """True when the edit makes a CR and a LF neighbours that were none, or leaves one of them alone."""
    left = text[edit.span.start - 1 : edit.span.start] if edit.span.start else ""
    right = text[edit.span.end : edit.span.end + 1]
    first = edit.insert[:1] or right
    last = edit.insert[-1:] or left
    return (left == "\r" and first == "\n") or (last == "\r" and right == "\n")
