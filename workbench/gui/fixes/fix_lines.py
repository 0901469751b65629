"""What a fix does to the text, line by line: before and after."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from workbench.model.windows import windows_between
from workbench.syntax.diagnostics import Fix
from workbench.syntax.text import TextChange, split_lines


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


def fix_lines(fix: Fix, text: str) -> tuple[FixLine, ...]:
    """The lines of *text* that *fix* changes, as they are and as they will be, each with a neighbour."""
    before, after = split_lines(text), split_lines(TextChange(fix.edits).apply(text))
    found: list[FixLine] = []
    shown = 0
    for window in windows_between(before, after):
        old, new = window.old, window.new
        found += [_line(LineSign.STAYS, before, index) for index in range(max(shown, old.start - 1), old.start)]
        found += [_line(LineSign.GOES, before, index) for index in old]
        found += [_line(LineSign.COMES, after, index) for index in new]
        shown = min(len(before), old.stop + 1)
        found += [_line(LineSign.STAYS, before, index) for index in range(old.stop, shown)]
    return tuple(found)


def _line(sign: LineSign, lines: list[str], index: int) -> FixLine:
    return FixLine(sign, index + 1, lines[index].rstrip("\r\n"))
