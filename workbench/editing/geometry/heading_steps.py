"""Steps that headings begin: which they are, how they are numbered, and at which level they stand.

A heading holds all that stands below it, up to the next one of its level. So among siblings the headings come last:
what is put below one that is there already stands in it, and a heading put above text or a list takes that in.
"""

from __future__ import annotations

from workbench.model.meaning import StepKind
from workbench.model.program import Step
from workbench.model.snapshot import Snapshot
from workbench.regex import regex
from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.heading_words import step_title
from workbench.syntax.lines import title_span, underline_span
from workbench.syntax.scan import scan
from workbench.syntax.text import Span, line_end, split_lines

LOWEST = 6
_MARKS = regex(r"#{1,6}")
_BOLD = regex(r"(?:\*\*|__)([^*_\r\n][^*\r\n]*?)(?:\*\*|__)")
_AFTER_NUMBER = regex(r"[.)]?(?:[ \t]*[:–—-])?[*_]{0,3}(?:[ \t]*[:–—-])?[ \t]*")
_LOOSE = frozenset({BlockKind.BLANK, BlockKind.RULE})


def is_heading(step: Step) -> bool:
    """True where a heading begins *step*, be it a step, a group, or only text."""
    return step.item is None and step.block.kind is BlockKind.HEADING


def can_hold(step: Step) -> bool:
    """True where other steps can stand inside *step*."""
    return step.item is not None or (is_heading(step) and step.kind is not StepKind.RAW)


def number_span(block: Block) -> Span | None:
    """Where the number of the step stands that *block* begins: ``### Step 2: Rest``, ``**Step 2** Rest``."""
    title = _title_of(block)
    said = step_title(title.of(block.text)) if title is not None else None
    if title is None or said is None or not said.number.isdecimal():
        return None
    if block.kind is not BlockKind.HEADING and not said.is_said:
        return None
    start = block.text.find(said.number, title.start, title.end)
    return Span(start, start + len(said.number)) if start >= 0 else None


def _title_of(block: Block) -> Span | None:
    if block.kind is BlockKind.HEADING:
        return title_span(block)
    bold = _BOLD.match(block.text) if block.kind is BlockKind.PARAGRAPH else None
    return Span(*bold.span(1)) if bold else None


def title_marker(step: Step) -> str:
    """The number of *step* as a list would write it, ``2.``; empty where its heading or bold words have none."""
    span = number_span(step.block) if step.item is None and step.kind is not StepKind.RAW else None
    return f"{span.of(step.block.text)}." if span else ""


def renumbered_title(text: str, marker: str) -> str:
    """*text*, which begins with a title, with the number of *marker*."""
    span = number_span(scan(text)[0])
    return text[: span.start] + marker[:-1] + text[span.end :] if span else text


def title_like(block: Block, words: str) -> str:
    """The title of a new step with *words* that stands beside *block*: with a number where that has one."""
    span = number_span(block)
    if span is None or step_title(words.lstrip("*_")) is not None:
        return words
    title = title_span(block) if block.kind is BlockKind.HEADING else Span(0, 0)
    behind = _AFTER_NUMBER.match(block.text, span.end)
    assert title is not None and behind is not None
    return block.text[title.start : span.end] + behind[0] + words


def without_rules(snapshot: Snapshot, step: Step) -> int:
    """Where the text of *step* ends that takes several blocks: rules at its end set it off from what comes below."""
    first = snapshot.where[step.id]
    last = first + step.blocks
    while last > first + 1 and snapshot.blocks[last - 1].kind in _LOOSE:
        last -= 1
    return snapshot.block_starts[last]


def shifted(snapshot: Snapshot, step: Step, by: int) -> str:
    """The text of *step* with its headings *by* levels lower."""
    first = snapshot.where[step.id]
    blocks = snapshot.blocks[first : first + step.blocks]
    end = without_rules(snapshot, step)
    kept = [block for at, block in enumerate(blocks, first) if snapshot.block_starts[at] < end]
    return "".join([relevelled(block, block.level + by) for block in kept])


def lowest_level(snapshot: Snapshot, step: Step) -> int:
    """The level of the lowest heading in *step*."""
    first = snapshot.where[step.id]
    return max(block.level for block in snapshot.blocks[first : first + step.blocks])


def relevelled(block: Block, level: int) -> str:
    """The text of *block*, of a heading at *level*."""
    if block.kind is not BlockKind.HEADING or block.level == level:
        return block.text
    if not block.is_underlined:
        return _MARKS.sub("#" * level, block.text, count=1)
    line = underline_span(block)
    if level <= 2:
        return block.text[: line.start] + "=-"[level - 1] * len(line) + block.text[line.end :]
    words = " ".join([each.strip() for each in split_lines(block.text[: line.start])])
    return f"{'#' * level} {words.strip()}{line_end(block.text) if block.text[line.end :] else ''}"
