"""What a fix does to the text, line by line: before and after."""

from __future__ import annotations

import enum
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.diagnostics import Fix
from workbench.syntax.differences import windows_between
from workbench.syntax.text import split_lines


class LineSign(enum.Enum):
    """What happens to a line."""

    STAYS = " "
    GOES = "−"
    COMES = "+"


@dataclass(frozen=True, slots=True)
class FixLine:
    """One line of the preview. *number*: 1-based, in the text before the fix, or after it for what comes."""

    sign: LineSign
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class _Place:
    """Lines that edits touch, as they are and as they will be. *first*: 0-based, before the fix."""

    first: int
    old: list[str]
    new: list[str]


def fix_lines(fix: Fix, text: str) -> tuple[FixLine, ...]:
    """The lines of *text* that *fix* changes, as they are and as they will be, each with a neighbour."""
    lines = split_lines(text)
    found: list[FixLine] = []
    shown = growth = 0
    for place in _places(TextChange(fix.edits), text, lines):
        for window in windows_between(place.old, place.new):
            start, stop = place.first + window.old.start, place.first + window.old.stop
            found += _row(LineSign.STAYS, lines, range(max(shown, start - 1), start), 0)
            found += _row(LineSign.GOES, lines, range(start, stop), 0)
            found += _row(LineSign.COMES, place.new, window.new, place.first + growth)
            shown = min(len(lines), stop + 1)
            found += _row(LineSign.STAYS, lines, range(stop, shown), 0)
        growth += len(place.new) - len(place.old)
    return tuple(found)


def _places(change: TextChange, text: str, lines: Sequence[str]) -> Iterator[_Place]:
    """Where *change* touches *lines*, from its edits: looking for differences takes long in a long text."""
    starts = [*accumulate(map(len, lines), initial=0)]
    group: list[TextEdit] = []
    first = last = 0
    for edit in change.edits:
        low, high = _line_at(starts, edit.span.start), _line_at(starts, edit.span.end)
        if group and low > last + 1:
            yield _place(group, text, starts, range(first, last + 1))
            group = []
        first = first if group else low
        last = high
        group.append(edit)
    if group:
        yield _place(group, text, starts, range(first, last + 1))


def _line_at(starts: Sequence[int], offset: int) -> int:
    """The line that *offset* is in; the end of the text belongs to its last line."""
    return min(bisect_right(starts, offset), max(1, len(starts) - 1)) - 1


def _place(group: Sequence[TextEdit], text: str, starts: Sequence[int], lines: range) -> _Place:
    start, stop = starts[lines.start], starts[min(lines.stop, len(starts) - 1)]
    old = text[start:stop]
    change = TextChange(tuple([TextEdit(edit.span.shifted(-start), edit.insert) for edit in group]))
    return _Place(lines.start, split_lines(old), split_lines(change.apply(old)))


def _row(sign: LineSign, lines: Sequence[str], numbers: range, before: int) -> list[FixLine]:
    """*numbers* of *lines*, of which *before* more stand above them."""
    return [FixLine(sign, before + number + 1, lines[number].rstrip("\r\n")) for number in numbers]
