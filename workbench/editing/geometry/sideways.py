"""Indenting whole lines in place: one small edit per line, so that every position behind it is known."""

from __future__ import annotations

from workbench.editing.edit_plan import Draft
from workbench.editing.geometry.indentation import indent_of, reindented
from workbench.syntax.text import Span, split_lines


def shift_lines(draft: Draft, span: Span, old: str, new: str) -> None:
    """Add to *draft* what moves the lines of *span* from the indent *old* to *new*."""
    at = span.start
    for line in split_lines(span.of(draft.text)):
        moved = reindented(line, old, new)
        if moved != line:
            before, after = indent_of(line), indent_of(moved)
            draft.replace(Span(at, at + len(before)), after)
        at += len(line)
