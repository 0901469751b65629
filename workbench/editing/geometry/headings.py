"""Headings as an author writes them: with marks before the title, or with a line below it."""

from __future__ import annotations

from workbench.editing.edit_plan import Draft
from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.lines import underline_span
from workbench.syntax.scan import scan
from workbench.syntax.text import Span, split_lines


def written_heading(level: int, title: str, end: str, like: Block | None = None) -> str:
    """The lines of a heading, the last without its line end *end*; underlined where *like* is."""
    if like is None or not like.is_underlined or level > 2:
        return "#" * level + " " + title
    own = underline_span(like).of(like.text)
    return title + end + "=-"[level - 1] * (len(title) if _is_as_long(like, own) else len(own))


def retitle(draft: Draft, heading: Block, start: int, words: Span, title: str) -> None:
    """Add to *draft* what puts *title* in place of the *words* of *heading*, which begins at *start*.

    An underline that was as long as the title is so again; any other stays as it is.
    """
    draft.replace(words.shifted(start), title)
    if not heading.is_underlined:
        return
    line = underline_span(heading)
    own = line.of(heading.text)
    if _is_as_long(heading, own):
        above = heading.text[: words.start] + title + heading.text[words.end : line.start]
        draft.replace(line.shifted(start), own[0] * max(2, _length(above)))


def is_title(heading: Block, title: str) -> bool:
    """True where *title* reads as one when it is written where that of *heading* stands."""
    mark = "#" * heading.level + " "
    underline = heading.text[underline_span(heading).start :] if heading.is_underlined else ""
    blocks = scan(f"\n{title}\n{underline}" if underline else f"\n{mark}{title}")[1:]
    return len(blocks) == 1 and blocks[0].kind is BlockKind.HEADING and blocks[0].title == title


def _is_as_long(heading: Block, underline: str) -> bool:
    return len(underline) == _length(heading.text[: underline_span(heading).start])


def _length(lines: str) -> int:
    """The length of the longest line of a title."""
    return max(len(line.strip()) for line in split_lines(lines))
