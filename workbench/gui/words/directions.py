"""Text that runs from right to left, with names and code in it that do not.

A sign such as ``$`` or ``/`` takes the direction of what stands around it: in a Hebrew sentence, ``$name`` would be
drawn as ``name$``. So names, code and paths are set apart, by marks that nobody sees (U+2066 to U+2069), and only in
what is drawn: text that can be edited, copied or compared has none. Call this last, where a text is handed to Qt: what
makes text visible (``workbench/visible.py``) shows such marks, as it must in text of others.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from unicodedata import bidirectional

from workbench.regex import regex
from workbench.visible import RIGHT_TO_LEFT

ELLIPSIS = "…"
_TO_RIGHT, _TO_LEFT, _AS_IT_BEGINS, _OVER = "\u2066", "\u2067", "\u2068", "\u2069"
_RUNS_LEFT = regex(f"[{RIGHT_TO_LEFT}]")
# a name of the language with what is taken of it; code; any word with letters from left to right and signs in it
_WHOLE = regex(
    r"(?P<name>\$\w+(?:\.\w+|\[[^\]\s]*\])*)"
    r"|(?P<code>`[^`\n]+`)"
    rf"|(?P<word>[^\s{RIGHT_TO_LEFT}$`]*[A-Za-z][^\s{RIGHT_TO_LEFT}$`]*)"
)
_BEFORE, _BEHIND = "([{\"'«„“‚‘<", ".,;:!?…\"'»“”’)]}>"
_PAIRS = {")": "(", "]": "[", "}": "{", ">": "<"}
_LEFTWARDS = frozenset({"R", "AL"})

Island = tuple[int, int, str]
"""Start and end of what stays whole, and the mark before it."""


def ordered(text: str) -> str:
    """*text* as it is drawn where the window decides on the direction: a line that runs from right to left does so
    there as well, and names, code and paths in it stay whole.
    """
    return "\n".join(map(_in_order, text.split("\n"))) if runs_left(text) else text


def _in_order(line: str) -> str:
    found = _found(line, ())
    if not _runs_left(line, found):
        return line
    return f"{_TO_LEFT}{Marked(line, found).piece(0, len(line))}{_OVER}"


def islands(text: str, code: Sequence[tuple[int, int]] = ()) -> tuple[Island, ...]:
    """What stays whole in *text*, in order; nothing where it runs from left to right. *code*: where code stands."""
    if not runs_left(text):
        return ()
    found = _found(text, code)
    return found if _runs_left(text, found) else ()


def _found(text: str, code: Sequence[tuple[int, int]]) -> tuple[Island, ...]:
    found: list[Island] = [(start, end, _TO_RIGHT) for start, end in code if start < end]
    for match in _WHOLE.finditer(text):
        start, end = match.span()
        if match["word"]:
            start, end = _trimmed(text, start, end)
        if start < end and not any(start < last and first < end for first, last in code):
            found.append((start, end, _TO_RIGHT if match["code"] else _AS_IT_BEGINS))
    return tuple(sorted(found))


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Without the signs of the sentence around a word; a bracket that the word opened itself stays."""
    while start < end and (text[start] in _BEFORE or (text[start] == "-" and not text[start - 1 : start].isspace())):
        start += 1  # in Hebrew, a hyphen joins a short word to what follows
    while start < end and text[end - 1] in _BEHIND:
        opened = _PAIRS.get(text[end - 1])
        if opened is not None and text.count(opened, start, end) >= text.count(text[end - 1], start, end):
            break
        end -= 1
    return start, end


def _runs_left(text: str, found: Iterable[Island]) -> bool:
    """Whether the first letter outside of names and code runs from right to left."""
    at = 0
    apart = [(start, end) for start, end, mark in found if mark == _TO_RIGHT or text[start] == "$"]
    for start, end in (*apart, (len(text), len(text))):
        for each in text[at:start]:
            kind = bidirectional(each)
            if kind == "L" or kind in _LEFTWARDS:
                return kind in _LEFTWARDS
        at = end
    return False


def begins_left(text: str) -> bool:
    """Whether the first line of *text* that has any letters runs from right to left, whatever name it begins with."""
    lines = (line for line in text.split("\n") if any(map(str.isalpha, line)))
    line = next(lines, "") if runs_left(text) else ""
    return _runs_left(line, _found(line, ()))


class Marked:
    """*text* with the marks of its islands, and where its parts are then."""

    def __init__(self, text: str, found: Sequence[Island]) -> None:
        self._text = text
        self._found = found
        self._starts = [start for start, _end, _mark in found]
        self._ends = [end for _start, end, _mark in found]

    @property
    def has_marks(self) -> bool:
        """Whether anything is set apart."""
        return bool(self._found)

    def place(self, at: int) -> int:
        """Where the character at *at* is among the marks."""
        return at + bisect_right(self._starts, at) + bisect_right(self._ends, at)

    def span(self, part: tuple[int, int]) -> tuple[int, int]:
        """Where *part* is, without the mark behind it."""
        start, end = part
        return self.place(start), self.place(end - 1) + 1 if end > start else self.place(start)

    def piece(self, start: int, end: int) -> str:
        """The characters from *start* to *end* with the marks that belong to them: all pieces make up the whole."""
        pieces, at = [], start
        for begin, over, mark in self._found[bisect_right(self._ends, start) :]:
            if begin >= end:
                break
            if begin >= at:
                pieces += [self._text[at:begin], mark]
                at = begin
            if over <= end:
                pieces += [self._text[at:over], _OVER]
                at = over
        return "".join((*pieces, self._text[at:end]))


def runs_left(text: str) -> bool:
    """Whether there are letters in *text* that run from right to left."""
    return not text.isascii() and _RUNS_LEFT.search(text) is not None


def has_marks(text: str) -> bool:
    """Whether *text* is ordered already."""
    return not text.isascii() and _OVER in text


def closed(text: str) -> str:
    """*text* as Qt cuts it off, with its ellipsis behind the island that was cut: that is where the text goes on."""
    if text.isascii() or _OVER not in text or ELLIPSIS not in text:
        return text
    # Qt keeps the marks of what it leaves out
    head = text[: text.rindex(ELLIPSIS)]
    open_marks = sum(map(head.count, (_TO_RIGHT, _TO_LEFT, _AS_IT_BEGINS))) - head.count(_OVER)
    around = min(open_marks, head.count(_TO_LEFT))
    return f"{head}{_OVER * (open_marks - around)}{ELLIPSIS}{_OVER * around}"
