"""Moving whole lines sideways: a subtree keeps its inner shape, fences and comments included."""

from __future__ import annotations

import re

from workbench.syntax.lines import column
from workbench.syntax.text import split_lines

_INDENT = re.compile(r"[ \t]*")
_MARKED = re.compile(r"([ \t]*)([-+*]|[0-9]{1,9}[.)])([ \t]*)")


def indent_of(line: str) -> str:
    """The blanks and tabs that *line* begins with."""
    found = _INDENT.match(line)
    return found[0] if found else ""


def reindented(text: str, old: str, new: str) -> str:
    """*text* with its lines moved from the indent *old* to the indent *new*.

    Blank lines stay as they are, and so do lines that stand left of *old* (lazy
    continuations), so that the way back is exact.
    """
    if old == new:
        return text
    return "".join(_moved(line, old, new) for line in split_lines(text))


def _moved(line: str, old: str, new: str) -> str:
    if not line.strip():
        return line
    if line.startswith(old):
        return new + line[len(old) :]
    indent = indent_of(line)
    extra = column(indent) - column(old)
    return new + " " * extra + line[len(indent) :] if extra >= 0 else line


def remarked(text: str, old: str, new: str, head_line: int = 0) -> str:
    """*text* of an item with the marker *new* instead of *old*; *head_line*: how many lines stand above it.

    A wider marker pushes continuation lines, fences and children right with the words, a
    narrower one lets them back, as long as they are indented with blanks.
    """
    if old == new:
        return text
    lines = split_lines(text)
    head = lines[head_line]
    found = _MARKED.match(head)
    if found is None or found[2] != old:
        return text
    lines[head_line] = found[1] + new + head[found.end(2) :]
    by = len(new) - len(old)
    edge = column(found[1]) + len(old) + 1
    below = (_pushed(line, edge, by) for line in lines[head_line + 1 :])
    return "".join([*lines[: head_line + 1], *below])


def _pushed(line: str, edge: int, by: int) -> str:
    """*line* moved by *by* blanks when it stands at column *edge* or further right."""
    indent = indent_of(line)
    if by == 0 or not line.strip() or "\t" in indent or len(indent) < edge:
        return line
    return " " * by + line if by > 0 else line[-by:]
