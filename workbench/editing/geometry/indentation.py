"""How far lines are indented, and moving them sideways: one small edit per line."""

from __future__ import annotations

from collections.abc import Iterable

from workbench.editing.edit_plan import Draft
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot
from workbench.regex import regex
from workbench.syntax.differences import common_ends
from workbench.syntax.items import NESTING
from workbench.syntax.lines import column
from workbench.syntax.text import Span, split_lines

_INDENT = regex(r"[ \t]*")
_MARKED = regex(r"([ \t]*)([-+*]|[0-9]{1,9}[.)])([ \t]*)")


def indent_of(line: str) -> str:
    """The blanks and tabs that *line* begins with."""
    found = _INDENT.match(line)
    return found[0] if found else ""


def dedented(text: str) -> str:
    """*text* without the indentation that its lines share; blank lines keep what they have beyond it."""
    lines = split_lines(text)
    indents = [indent_of(line) for line in lines if line.strip()] or [""]
    shared = min(indents)[: common_ends(min(indents), max(indents))[0]]
    return "".join([line.removeprefix(shared) for line in lines])


def source_of(snapshot: Snapshot, steps: Iterable[StepId]) -> str:
    """The source lines of *steps*, each without the indentation that its lines share."""
    pieces = [snapshot.owned_span(step).of(snapshot.text) for step in steps]
    return "".join([dedented(piece if piece[-1:] in ("\n", "\r") else f"{piece}\n") for piece in pieces])


def nested(indent: str, unit: str) -> str:
    """*indent* with *unit* behind it, or with as many blanks as it takes to stand clearly further right."""
    deeper = indent + unit
    if column(deeper) - column(indent) >= NESTING:
        return deeper
    return indent + " " * max(NESTING, column(unit))


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
    indent = indent_of(line)
    extra = column(indent) - column(old)
    if line.startswith(old):
        shown = new + line[len(old) :]
        if extra < NESTING or column(indent_of(shown)) >= column(new) + NESTING:
            return shown
        # A tab behind the new indent reaches less far than it did.
        return new + " " * extra + line[len(indent) :]
    if extra < 0:
        return line
    moved = new + " " * extra if "\t" in indent else " " * (column(new) + extra)
    return moved + line[len(indent) :]


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


def shift_lines(draft: Draft, span: Span, old: str, new: str) -> None:
    """Add to *draft* what moves the lines of *span* from the indent *old* to *new*."""
    at = span.start
    for line in split_lines(span.of(draft.text)):
        moved = reindented(line, old, new)
        if moved != line:
            before, after = indent_of(line), indent_of(moved)
            draft.replace(Span(at, at + len(before)), after)
        at += len(line)
