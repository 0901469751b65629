"""Where the document's text stands in the widget: the only place that knows how the two differ.

The document counts code points and keeps every line end; the widget counts UTF-16 units and
knows only one kind of line end. What it is given for odd characters is in ``words/widget_text``.
The widget's text is never read back as a whole.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from workbench.syntax.change import TextChange, changed_window
from workbench.syntax.text import Span, split_lines

_LAST_NARROW = "\uffff"


def units(text: str) -> int:
    """How many UTF-16 units *text* has, as the widget shows it."""
    if text.isascii() or max(text) <= _LAST_NARROW:
        return len(text)
    return len(text) + sum(char > _LAST_NARROW for char in text)


def code_points(text: str, count: int) -> int:
    """How many characters of *text* its first *count* units are."""
    if text.isascii() or not text or max(text) <= _LAST_NARROW:
        return min(count, len(text))
    for index, char in enumerate(text):
        if count <= 0:
            return index
        count -= 2 if char > _LAST_NARROW else 1
    return len(text)


def _is_plain(text: str) -> bool:
    """True where every character is one unit, and every line end is one character: so the widget counts alike."""
    return text.isascii() and "\r" not in text


class PositionMap:
    """Offsets of one text ⇄ positions in the widget that shows it, kept up to date line by line."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._is_plain = _is_plain(text)
        self._starts: list[int] = [0]
        self._positions: list[int] = [0]
        self._append(text)

    def _append(self, text: str) -> None:
        """Measure *text* from the beginning."""
        starts, positions = _measured(text, 0, 0)
        self._starts = [0, *starts]
        self._positions = self._starts if self._is_plain else [0, *positions]  # one list, as long as they are equal

    @property
    def line_count(self) -> int:
        """How many lines there are; a text that ends with a line end has an empty last one."""
        return len(self._starts)

    def line_at(self, offset: int) -> int:
        """The 0-based line that holds *offset*."""
        return bisect_right(self._starts, offset) - 1

    def line_span(self, line: int) -> Span:
        """The line with its end."""
        end = self._starts[line + 1] if line + 1 < len(self._starts) else len(self.text)
        return Span(self._starts[line], end)

    def content(self, line: int) -> str:
        """The line without its end."""
        return self.line_span(line).of(self.text).rstrip("\r\n")

    def line_end(self, line: int) -> str:
        """What ends *line*, or the line before it where nothing does: what a new line end should look like."""
        for near in (line, line - 1):
            if 0 <= near < len(self._starts):
                whole = self.line_span(near).of(self.text)
                end = whole[len(whole.rstrip("\r\n")) :]
                if end:
                    return end
        return "\n"

    def offset(self, position: int) -> int:
        """The offset in the document of *position* in the widget."""
        line = bisect_right(self._positions, position) - 1
        return self._starts[line] + code_points(self.content(line), position - self._positions[line])

    def position(self, offset: int) -> int:
        """The position in the widget of *offset* in the document."""
        if self._is_plain:  # an edit of thousands of lines asks thousands of times
            return offset
        line = self.line_at(offset)
        before = self.content(line)[: offset - self._starts[line]]
        return self._positions[line] + (units(before) if before else 0)

    def change(self, change: TextChange, text: str) -> None:
        """Follow *change*, which led to *text*; only the lines around it are measured again."""
        for portion in change.portions(self.text):
            self._follow(portion, portion.apply(self.text))
        self.text = text
        self._is_plain = _is_plain(text)

    def _follow(self, change: TextChange, text: str) -> None:
        # One more line on either side: an edit at the edge of a line can make a line end with its neighbour, or take
        # one apart. A "\n" that is typed behind the lone "\r" of the line above makes one end out of two.
        old, _new = changed_window(change)
        first = max(0, self.line_at(old.start) - 1)
        last = min(len(self._starts) - 1, self.line_at(old.end) + 1)
        growth = len(text) - len(self.text)
        is_end = last == len(self._starts) - 1
        old_end = len(self.text) if is_end else self._starts[last + 1]
        region = text[self._starts[first] : old_end + growth]
        if self._positions is self._starts and not _is_plain(region):
            self._positions = list(self._starts)
        starts, positions = _measured(region, self._starts[first], self._positions[first])
        both = [(self._starts, starts)]
        if self._positions is not self._starts:
            both.append((self._positions, positions))
        for known, fresh in both:
            # the last that was measured is that of the first line behind the region: from there on all lines are what
            # they were, further up or down
            shift = fresh[-1] - known[last + 1] if fresh and not is_end else 0
            if shift or is_end:
                known[first + 1 :] = fresh if is_end else [*fresh[:-1], *[start + shift for start in known[last + 1 :]]]
            else:
                known[first + 1 : last + 2] = fresh
        self.text = text


def _measured(text: str, offset: int, position: int) -> tuple[list[int], list[int]]:
    """Where each line after the first begins, in the document and in the widget, for *text* at these places."""
    if _is_plain(text):
        ends = list(accumulate([len(line) + 1 for line in text.split("\n")[:-1]]))
        return [offset + end for end in ends], [position + end for end in ends]
    starts: list[int] = []
    positions: list[int] = []
    for line in split_lines(text):
        content = line.rstrip("\r\n")
        if len(content) == len(line):
            break
        offset += len(line)
        position += (units(content) if content else 0) + 1
        starts.append(offset)
        positions.append(position)
    return starts, positions
