"""What a change touched in the new text."""

from __future__ import annotations

from workbench.syntax.text import Span, TextChange


def touched_spans(change: TextChange) -> tuple[Span, ...]:
    """Where each edit left something, in the new text; an empty span where it only took away."""
    found: list[Span] = []
    shift = 0
    for edit in change.edits:
        start = edit.span.start + shift
        found.append(Span(start, start + len(edit.insert.rstrip("\r\n"))))
        shift += len(edit.insert) - len(edit.span)
    return tuple(found)
