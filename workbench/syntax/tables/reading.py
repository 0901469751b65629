"""Tables of markdown: their rows and cells.

A table begins with a line of names and a line of dashes that has as many cells, and goes on up to a line that begins
something else. Cells are parted by bars; those in code and behind a backslash part nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from workbench.regex import regex
from workbench.syntax.text import Span, split_lines

DELIMITER = regex(r"[ ]{0,3}(?=[^\r\n|]*\|)\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*+\|?[ \t]*(?:\r\n|\r|\n|\Z)")
"""The line below the names of a table. What is only dashes underlines a heading."""
_MARKS = regex(r"\\.|`+|\|")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table. *span*: the whole line; *cells*: what stands between the bars, without blanks around it."""

    span: Span
    cells: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table, with spans that count from the start of *text*. *names*: its first line."""

    text: str
    names: Row
    rows: tuple[Row, ...]

    def column(self, index: int) -> tuple[str, ...]:
        """The words of each row in the column *index*; empty where a row has no such cell."""
        return tuple([row.cells[index].of(self.text) if index < len(row.cells) else "" for row in self.rows])


def read_table(text: str) -> Table | None:
    """The table that *text* begins with, or None."""
    lines = split_lines(text)
    if len(lines) < 2 or not begins_table(lines[0], lines[1]):
        return None
    rows: list[Row] = []
    start = 0
    for line in lines:
        rows.append(Row(Span(start, start + len(line)), tuple([each.shifted(start) for each in cells_of(line)])))
        start += len(line)
    return Table(text, rows[0], tuple(rows[2:]))


def begins_table(names: str, dashes: str) -> bool:
    """True where the lines *names* and *dashes* are the first two of a table."""
    return "|" in dashes and DELIMITER.fullmatch(dashes) is not None and len(cells_of(names)) == len(cells_of(dashes))


def cells_of(line: str) -> tuple[Span, ...]:
    """Where the cells of *line* stand, without the blanks around their words."""
    start, end = len(line) - len(line.lstrip()), len(line.rstrip())
    bars = [bar for bar in _bars(line) if bar < end]
    if bars and bars[0] == start:
        start, bars = start + 1, bars[1:]
    if not bars or bars[-1] != end - 1:
        bars.append(end)
    return tuple([_trimmed(line, *edges) for edges in zip([start, *[bar + 1 for bar in bars]], bars, strict=False)])


def words_of_cells(line: str) -> tuple[str, ...]:
    """What each cell of *line* says; a bar behind a backslash is a bar."""
    return tuple([cell.of(line).replace("\\|", "|") for cell in cells_of(line)])


def _bars(line: str) -> list[int]:
    """Where bars part cells."""
    marks = list(_MARKS.finditer(line))
    runs: dict[int, list[int]] = {}
    for mark in marks:
        if mark[0][0] == "`":
            runs.setdefault(len(mark[0]), []).append(mark.start())
    found: list[int] = []
    code_end = 0
    for mark in marks:
        if mark.start() < code_end:
            continue
        if mark[0] == "|":
            found.append(mark.start())
        elif mark[0][0] == "`":
            alike = runs[len(mark[0])]
            following = bisect_right(alike, mark.start())
            code_end = alike[following] + len(mark[0]) if following < len(alike) else 0
    return found


def _trimmed(line: str, start: int, end: int) -> Span:
    words = line[start:end]
    lead = len(words) - len(words.lstrip())
    return Span(start + lead, max(start + lead, start + len(words.rstrip())))
