"""One top-level list item with everything nested in it.

Nesting is read as people write it rather than to the letter of CommonMark: an item is a
child of the nearest item above whose marker stands at least two columns further left, so
2, 3, 4 spaces and tabs may be mixed. CommonMark measures from where the words of the item
above begin: there ``1. a`` with ``  - b`` below it, two columns in, are two lists, and a
model or a person who wrote this meant one. Comment lines directly above an item belong to it.

Items are read from top to bottom with a stack of those still open; a line closes all that
stand too far right to hold it. Whatever a line turns out to be, the block grows by whole
lines, and a line that belongs to no open item ends it.

A fence can open on the line of its marker. What stands in a procedure behind an empty line
is no more of the words of its item; in a program it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from workbench.syntax.blocks import Block, BlockKind, ItemNode, Problem
from workbench.syntax.lines import BOX, FENCE, LINE, Closers, closes_fence, column, content_end
from workbench.syntax.text import Span

DEEPEST = 64
"""How deep items can be nested; what is deeper is read as if at this depth."""

NESTING = 2
"""How many columns further right a marker must stand to be a child."""

BOX_LENGTH = len("[ ]")


@dataclass(slots=True)
class _OpenItem:
    """An item that is still growing; offsets are absolute until it is frozen."""

    column: int
    owned_start: int
    line: re.Match[str]
    content_start: int
    head_start: int
    head_end: int
    text_end: int
    end: int
    children: list[ItemNode] = field(default_factory=list)
    fences: list[tuple[int, int]] = field(default_factory=list)
    tails: list[tuple[int, int]] = field(default_factory=list)

    def closed(self, base: int) -> ItemNode:
        """The finished node, relative to *base*."""
        line = self.line
        start, end, head_start = line.start() - base, self.end - base, self.head_start - base
        owned_start = self.owned_start - base
        lines = Span(start, end)
        head = Span(head_start, self.head_end - base)
        return ItemNode(
            lines if owned_start == start else Span(owned_start, end),
            lines,
            line["indent"],
            line["marker"][-1],
            head,
            head if self.text_end == self.head_end else Span(head_start, self.text_end - base),
            tuple(self.children),
            _spans(self.fences, base),
            _spans(self.tails, base),
            # what stands between the marker and the words is a box to tick
            Span(self.content_start - base, self.content_start + BOX_LENGTH - base)
            if self.content_start < self.head_start
            else None,
            len(line["marker"]) - 1,
        )


def _spans(pairs: list[tuple[int, int]], base: int) -> tuple[Span, ...]:
    return tuple([Span(start - base, end - base) for start, end in pairs]) if pairs else ()


def read_item(text: str) -> ItemNode:
    """The item of the ITEM block that *text* is."""
    return ItemScanner(text, 0, Closers(text)).read(_match(text, 0))


class ItemScanner:
    """Scans one ITEM block of *text*, which begins at *start* (leading comments included)."""

    def __init__(self, text: str, start: int, closers: Closers, *, is_procedure: bool = False) -> None:
        self._text = text
        self._start = start
        self._closers = closers
        self._stack: list[_OpenItem] = []
        self._problems: list[Problem] = []
        self._end = start
        self._can_continue = False
        self._is_procedure = is_procedure
        self._is_apart = False

    def scan(self, line: re.Match[str]) -> Block:
        """The block whose first item line is *line*."""
        item = self.read(line)
        text = self._text[self._start : self._end]
        return Block(BlockKind.ITEM, text, item_source=item, problems=tuple(self._problems))

    def read(self, line: re.Match[str]) -> ItemNode:
        """The item whose first line is *line*, with all that is nested in it."""
        self._open_item(line, self._start)
        position = self._end
        while position < len(self._text):
            following = self._next_line(position)
            if following is None or not self._take(following, position):
                break
            position = self._end
        while len(self._stack) > 1:
            self._close_top()
        return self._stack[0].closed(self._start)

    def _next_line(self, position: int) -> re.Match[str] | None:
        """The next line that is not blank, or None at the end of the text."""
        line = _match(self._text, position)
        while line.lastgroup == "blank":
            self._can_continue, self._is_apart = False, True
            position = line.end()
            if position >= len(self._text):
                return None
            line = _match(self._text, position)
        return line

    def _take(self, line: re.Match[str], position: int) -> bool:
        """Take *line* into the block if it belongs there; *position* is where the last one ended."""
        at = column(line["indent"])
        is_nested = _is_nested(line, self._stack[0])
        kind = line.lastgroup
        if kind == "marker" and is_nested:
            self._open_item(line, line.start())
        elif kind == "comment" and is_nested:
            self._take_comment(line, at)
        elif kind == "fence" and is_nested:
            self._take_fence(line, at)
        elif kind == "inclusion" and is_nested:
            self._take_inclusion(line, at)
        elif (kind == "indent" and (is_nested or self._can_continue)) or (is_nested and kind in ("heading", "rule")):
            self._take_text(line, at, is_lazy=self._can_continue)
        else:
            return False
        return True

    def _owner(self, at: int) -> _OpenItem:
        """The innermost open item that a line at column *at* belongs to; deeper ones are closed."""
        while len(self._stack) > 1 and self._stack[-1].column + NESTING > at:
            self._close_top()
        return self._stack[-1]

    def _close_top(self) -> None:
        child = self._stack.pop()
        parent = self._stack[-1]
        parent.end = max(parent.end, child.end)
        parent.children.append(child.closed(self._start))

    def _grow(self, end: int) -> None:
        """Let the innermost open item reach to *end*; those around it follow when it is closed."""
        self._stack[-1].end = end
        self._end = end
        self._is_apart = False

    def _open_item(self, line: re.Match[str], owned_start: int) -> None:
        at = column(line["indent"])
        if self._stack:
            self._owner(at)
        if len(self._stack) >= DEEPEST:
            self._too_deep(line)
        head_start = line.end("marker")
        text = self._text
        while head_start < line.end() and text[head_start] in " \t":
            head_start += 1
        content_start = head_start
        box = BOX.match(text, head_start, line.end()) if text.startswith("[", head_start) else None
        if box is not None:
            head_start = box.end()
        fence_end = _fence_end(text, line, head_start)
        ends = self._ends(head_start, line.end()) if fence_end is None else (fence_end, head_start, head_start)
        end, head_end, text_end = ends
        self._stack.append(_OpenItem(at, owned_start, line, content_start, head_start, head_end, text_end, end))
        if fence_end is not None:
            self._stack[-1].fences.append((head_start, fence_end))
        self._grow(end)
        self._can_continue = fence_end is None

    def _too_deep(self, line: re.Match[str]) -> None:
        """Make room for a sibling of the deepest item there may be, and say so once."""
        if not any(problem.code == "nested-too-deep" for problem in self._problems):
            span = Span(line.start("marker") - self._start, line.end("marker") - self._start)
            self._problems.append(Problem("nested-too-deep", span))
        while len(self._stack) >= DEEPEST:
            self._close_top()

    def _ends(self, start: int, end: int) -> tuple[int, int, int]:
        """End of the last line, of the head, and of the words, of text from *start* on one line.

        A comment that begins on the line and ends further down takes its lines along.
        """
        text = self._text
        head_end = text_end = content_end(text, start, end)
        opening = text.find("<!--", start, head_end)
        if opening < 0:
            return end, head_end, text_end
        while opening >= 0:
            closed = self._closers.comment_end(opening)
            if closed < 0:
                self._problems.append(_open_problem("unclosed-comment", opening, end, self._start))
                return end, head_end, text_end
            if closed >= head_end:
                rest_end = _match(text, closed).end() if closed < len(text) else closed
                head_end = content_end(text, start, min(opening, head_end))
                text_end = content_end(text, closed, rest_end)
                end = max(end, rest_end)
                return end, head_end, text_end if text_end > closed else head_end
            opening = text.find("<!--", closed, end)
        return end, head_end, text_end

    def _take_text(self, line: re.Match[str], at: int, *, is_lazy: bool) -> None:
        owner = self._stack[-1] if is_lazy else self._owner(at)
        end, _head, text_end = self._ends(line.end("indent"), line.end())
        if self._is_procedure and is_lazy and owner.tails and owner.tails[-1][1] == line.start():
            owner.tails[-1] = (owner.tails[-1][0], end)
        elif owner.children or owner.fences or owner.tails or (self._is_procedure and self._is_apart):
            owner.tails.append((line.start(), end))
        else:
            owner.text_end = text_end
        self._grow(end)
        self._can_continue = True

    def _take_inclusion(self, line: re.Match[str], at: int) -> None:
        """A line that stands for a file is kept with its item and is none of its words."""
        self._owner(at).tails.append((line.start(), line.end()))
        self._grow(line.end())
        self._can_continue = False

    def _take_fence(self, line: re.Match[str], at: int) -> None:
        owner = self._owner(at)
        close = self._closers.fence_end(line)
        end = close.end() if close else line.end()
        if close is None:
            self._problems.append(_open_problem("unclosed-fence", line.start("fence"), line.end(), self._start))
        owner.fences.append((line.start(), end))
        self._grow(end)
        self._can_continue = False

    def _take_comment(self, line: re.Match[str], at: int) -> None:
        """Comment lines: owned by the item directly below, else by the block they end."""
        end = line.end()
        start = line.start()
        current: re.Match[str] | None = line
        while current is not None and current.lastgroup == "comment" and _is_nested(current, self._stack[0]):
            closed = self._closers.comment_end(current.start("comment"))
            if closed < 0:
                self._problems.append(_open_problem("unclosed-comment", current.start("comment"), end, self._start))
                end = current.end()
                break
            end = _match(self._text, closed).end() if closed < len(self._text) else closed
            current = _match(self._text, end) if end < len(self._text) else None
        is_item = current is not None and current.lastgroup == "marker" and _is_nested(current, self._stack[0])
        if current is not None and is_item and at < column(current["indent"]) + NESTING:
            self._open_item(current, start)
            return
        self._owner(at)
        self._grow(end)
        self._can_continue = False


def _is_nested(line: re.Match[str], item: _OpenItem) -> bool:
    """True where *line* stands far enough right to be part of *item*."""
    return column(line["indent"]) >= item.column + NESTING


def _fence_end(text: str, line: re.Match[str], start: int) -> int | None:
    """Where the fence ends that opens at *start* behind the marker of *line*, if it ends inside the item."""
    opening = FENCE.match(text, start, line.end())
    position = line.end()
    while opening is not None and position < len(text):
        following = _match(text, position)
        if following.lastgroup != "blank" and column(following["indent"]) < column(line["indent"]) + NESTING:
            return None
        position = following.end()
        if closes_fence(following, opening[0]):
            return position
    return None


def _match(text: str, position: int) -> re.Match[str]:
    """The line that begins at *position*; the pattern matches any text."""
    line = LINE.match(text, position)
    assert line is not None
    return line


def _open_problem(code: str, start: int, end: int, base: int) -> Problem:
    return Problem(code, Span(start - base, end - base), is_open=True)
