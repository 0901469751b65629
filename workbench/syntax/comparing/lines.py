"""Where two texts differ, line by line: found in a moment even where thousands of lines are alike."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from difflib import SequenceMatcher

from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.differences import common_length
from workbench.syntax.text import Span, split_lines

_COMPARED_WHOLE = 62_500
"""Lists of lines are compared as a whole while their lengths, multiplied, are at most this."""

Difference = tuple[int, int, int, int]
"""From and up to which line in the old list, and in the new one."""


def line_change(old: str, new: str) -> TextChange:
    """The edits, in whole lines, that lead from *old* to *new*; lines in common stay untouched."""
    if old == new:
        return TextChange(())
    old_lines, new_lines = split_lines(old), split_lines(new)
    starts = _starts(old_lines)
    edits = [
        TextEdit(Span(starts[first], starts[last]), "".join(new_lines[low:high]))
        for first, last, low, high in line_differences(old_lines, new_lines)
    ]
    return TextChange(tuple(edits))


def line_differences(old: list[str], new: list[str]) -> list[Difference]:
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
        found = _between(mine, other, _landmarks(mine, other))
    return [(first + head, last + head, low + head, high + head) for first, last, low, high in found]


def _between(old: list[str], new: list[str], landmarks: list[tuple[int, int]]) -> list[Difference]:
    """The differences before, between and after *landmarks*; without any, everything is one."""
    if not landmarks:
        return [(0, len(old), 0, len(new))]
    found: list[Difference] = []
    done, other = 0, 0
    for here, there in [*landmarks, (len(old), len(new))]:
        for first, last, low, high in line_differences(old[done:here], new[other:there]):
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
