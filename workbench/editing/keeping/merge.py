"""Three-way merge of texts, line by line; what cannot be merged comes back as data.

Written by hand: the library ``merge3`` is under the GPL, which this program is not. It would save little, too. Half of
what is here finds the differences of two texts, which is needed as well to take a merged text in by small edits
(``line_change``), and finds them in a moment even where thousands of lines are alike, as in steps that a program wrote.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from workbench.i18n import _
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.differences import common_length
from workbench.syntax.text import Span, split_lines

_MARK = 7
_COMPARED_WHOLE = 62_500
"""Lists of lines are compared as a whole while their lengths, multiplied, are at most this."""

Difference = tuple[int, int, int, int]
"""From and up to which line in the old list, and in the new one."""


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


def line_change(old: str, new: str) -> TextChange:
    """The edits, in whole lines, that lead from *old* to *new*; lines in common stay untouched."""
    if old == new:
        return TextChange(())
    old_lines, new_lines = split_lines(old), split_lines(new)
    starts = _starts(old_lines)
    edits = [
        TextEdit(Span(starts[first], starts[last]), "".join(new_lines[low:high]))
        for first, last, low, high in _differences(old_lines, new_lines)
    ]
    return TextChange(tuple(edits))


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
    for first, last, low, high in [*_differences(base, side), (len(base), len(base), len(side), len(side))]:
        found[done:first] = range(other, low)
        done, other = last, high
    return found


def _differences(old: list[str], new: list[str]) -> list[Difference]:
    """Where two lists of lines differ, in order; the common head and tail are cut off first (they are cheap).

    Long lists are taken apart at the lines that stand once in both: comparing them as a whole
    takes hours where many lines are alike. Idea: patience diff (Cohen).
    """
    head = common_length(old, new)
    tail = common_length(old[head:][::-1], new[head:][::-1])
    mine, other = old[head : len(old) - tail], new[head : len(new) - tail]
    found: list[Difference] = []
    if len(mine) * len(other) <= _COMPARED_WHOLE:
        matcher = SequenceMatcher(None, mine, other, autojunk=False)
        found = [(first, last, low, high) for tag, first, last, low, high in matcher.get_opcodes() if tag != "equal"]
    else:
        found = _differences_between(mine, other, _landmarks(mine, other))
    return [(first + head, last + head, low + head, high + head) for first, last, low, high in found]


def _differences_between(old: list[str], new: list[str], landmarks: list[tuple[int, int]]) -> list[Difference]:
    """The differences before, between and after *landmarks*; without any, everything is one."""
    if not landmarks:
        return [(0, len(old), 0, len(new))]
    found: list[Difference] = []
    done, other = 0, 0
    for here, there in [*landmarks, (len(old), len(new))]:
        for first, last, low, high in _differences(old[done:here], new[other:there]):
            found.append((first + done, last + done, low + other, high + other))
        done, other = here + 1, there + 1
    return found


def _landmarks(old: list[str], new: list[str]) -> list[tuple[int, int]]:
    """Lines that stand once in both, as (in old, in new): as many as stand in the same order."""
    places = {line: index for index, line in enumerate(new)}
    once, other = Counter(old), Counter(new)
    shared = [(index, places[line]) for index, line in enumerate(old) if once[line] == 1 == other[line]]
    ends: list[int] = []  # of the rows that rise, by their length: the lowest last place in new
    last: list[int] = []
    before: list[int] = []
    for number, (_here, there) in enumerate(shared):
        length = bisect_left(ends, there)
        ends[length : length + 1], last[length : length + 1] = [there], [number]
        before.append(last[length - 1] if length else -1)
    found: list[tuple[int, int]] = []
    number = last[-1] if last else -1
    while number >= 0:
        found.append(shared[number])
        number = before[number]
    return found[::-1]


def _starts(lines: list[str]) -> list[int]:
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    return starts
