"""Where the words of a heading stand in its text."""

from __future__ import annotations

from workbench.syntax.blocks import Block
from workbench.syntax.lines import COMMENT
from workbench.syntax.text import Span


def title_span(heading: Block) -> Span | None:
    """Where the title stands, counted from the start of *heading*; None where a comment splits it."""
    return span_in_title(heading, heading.title)


def span_in_title(heading: Block, words: str) -> Span | None:
    """Where *words* stand first outside of comments; None where they do not stand there in one piece."""
    # line ends in place of comments: no title has any
    visible = COMMENT.sub(lambda comment: "\n" * len(comment[0]), heading.text)
    start = visible.find(words, heading.level)
    return Span(start, start + len(words)) if start >= 0 else None
