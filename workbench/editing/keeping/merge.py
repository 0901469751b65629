"""Three-way merge of texts, line by line; what cannot be merged comes back as data.

Written by hand: the library ``merge3`` is under the GPL, which this program is not. It would save little, too: what
finds the differences is needed elsewhere as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from workbench.i18n import _
from workbench.syntax.comparing.lines import line_differences
from workbench.syntax.text import Span, split_lines

_MARK = 7


@dataclass(frozen=True, slots=True)
class Conflict:
    """Lines that were changed on both sides, differently. *span*: where it stands in the merged text."""

    base: str
    ours: str
    theirs: str
    span: Span


@dataclass(frozen=True, slots=True)
class Merge:
    """The merged *text*. A conflict stands in it with both sides, between marker lines."""

    text: str
    conflicts: tuple[Conflict, ...] = ()


def merge(base: str, ours: str, theirs: str) -> Merge:
    """*ours* with what changed from *base* to *theirs*. Idea: diff3 (Khanna, Kunal, Pierce 2007)."""
    if ours == theirs or base == theirs:
        return Merge(ours)
    if base == ours:
        return Merge(theirs)
    sides = tuple(split_lines(text) for text in (base, ours, theirs))
    parts: list[str] = []
    conflicts: list[Conflict] = []
    length = 0
    for pieces in _regions(*sides):
        piece, conflict = _merged(*pieces, at=length)
        parts.append(piece)
        conflicts += [conflict] if conflict else []
        length += len(piece)
    return Merge("".join(parts), tuple(conflicts))


def _merged(base: str, ours: str, theirs: str, at: int) -> tuple[str, Conflict | None]:
    """One region, and the conflict in it when both sides changed it differently."""
    if ours == theirs or theirs == base:
        return ours, None
    if ours == base:
        return theirs, None
    text = _with_markers(ours, theirs)
    return text, Conflict(base, ours, theirs, Span(at, at + len(text)))


def has_conflicts(text: str) -> bool:
    """Whether marker lines of a conflict are left in *text*."""
    return any(line.startswith("<" * _MARK + " ") for line in split_lines(text))


def _with_markers(ours: str, theirs: str) -> str:
    """Both sides between the marker lines that version control uses too."""
    end = "\r\n" if "\r\n" in ours + theirs else "\n"
    lines = ["<" * _MARK + " " + _("yours"), ours, "=" * _MARK, theirs, ">" * _MARK + " " + _("on disk")]
    return "".join(line if not line or line.endswith(("\n", "\r")) else line + end for line in lines)


def _regions(base: list[str], ours: list[str], theirs: list[str]) -> Iterator[tuple[str, str, str]]:
    """The three texts in pieces that belong together: stable where all agree, else as small as can be."""
    done = (0, 0, 0)
    for start, mine, other, size in _common(base, ours, theirs):
        here = (start, mine, other)
        if here != done:
            yield _cut(base, ours, theirs, done, here)
        done = (start + size, mine + size, other + size)
        yield _cut(base, ours, theirs, here, done)
    yield _cut(base, ours, theirs, done, (len(base), len(ours), len(theirs)))


def _cut(
    base: list[str], ours: list[str], theirs: list[str], start: tuple[int, int, int], end: tuple[int, int, int]
) -> tuple[str, str, str]:
    first, second, third = (
        "".join(lines[low:high]) for lines, low, high in zip((base, ours, theirs), start, end, strict=True)
    )
    return first, second, third


def _common(base: list[str], ours: list[str], theirs: list[str]) -> Iterator[tuple[int, int, int, int]]:
    """Runs of lines that stand in all three: (in base, in ours, in theirs, how many)."""
    mine, other = _matching(base, ours), _matching(base, theirs)
    line = 0
    while line < len(base):
        size = 0
        while line + size < len(base) and _continues(mine, other, line, size):
            size += 1
        if size:
            yield line, mine[line], other[line], size
        line += max(size, 1)


def _continues(mine: list[int], other: list[int], line: int, size: int) -> bool:
    first, second = mine[line + size], other[line + size]
    return first >= 0 and second >= 0 and first == mine[line] + size and second == other[line] + size


def _matching(base: list[str], side: list[str]) -> list[int]:
    """For each line of *base* the line of *side* it corresponds to, or -1."""
    found = [-1] * len(base)
    done, other = 0, 0
    for first, last, low, high in [*line_differences(base, side), (len(base), len(base), len(side), len(side))]:
        found[done:first] = range(other, low)
        done, other = last, high
    return found
