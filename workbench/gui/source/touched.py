"""What a change touched in the new text."""

from __future__ import annotations

from workbench.syntax.change import TextChange
from workbench.syntax.text import Span


def touched_spans(change: TextChange) -> tuple[Span, ...]:
    """Where each edit left something, in the new text; an empty span where it only took away."""
    pairs = zip(change.new_spans, change.edits, strict=True)
    return tuple(Span(span.start, span.start + len(edit.insert.rstrip("\r\n"))) for span, edit in pairs)
