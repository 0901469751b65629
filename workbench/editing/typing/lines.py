"""Moving, copying, joining and sorting whole lines, and the pairs that brackets make.

What is left alone keeps its steps: a line that moves is put on the other side of those that stay, and a sort writes
only the lines that come to stand elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.regex import regex
from workbench.syntax.change import TextEdit
from workbench.syntax.text import Span, line_end, line_start, line_stop, split_lines

_MARKER = regex(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")


@dataclass(frozen=True, slots=True)
class Rewritten:
    """What a key does: *edits* of the text, and what is selected afterwards, in the new text."""

    edits: tuple[TextEdit, ...]
    selected: Span


def whole_lines(text: str, span: Span) -> Span:
    """The lines that *span* touches; of a selection that ends at the beginning of a line, not that line."""
    end = span.end - 1 if len(span) and span.end == line_start(text, span.end) else span.end
    return Span(line_start(text, span.start), line_stop(text, end))


def moved_up(text: str, span: Span) -> Rewritten | None:
    """The lines of *span* above the line before them; None where they are the first."""
    lines = whole_lines(text, span)
    if lines.start == 0:
        return None
    above = Span(line_start(text, lines.start - 1 - text.startswith("\r\n", lines.start - 2)), lines.start)
    words, end = _cut(above.of(text))
    _own, own_end = _cut(lines.of(text))
    insert = words + end if own_end else end + words
    taken = Span(above.start, above.end)
    return Rewritten((TextEdit(taken, ""), TextEdit(Span(lines.end, lines.end), insert)), span.shifted(-len(taken)))


def moved_down(text: str, span: Span) -> Rewritten | None:
    """The lines of *span* below the line behind them; None where they are the last."""
    lines = whole_lines(text, span)
    if lines.end == len(text):
        return None
    below = Span(lines.end, line_stop(text, lines.end))
    words, end = _cut(below.of(text))
    _own, own_end = _cut(lines.of(text))
    taken = below if end else Span(below.start - len(own_end), below.end)
    insert = words + (end or own_end)
    return Rewritten((TextEdit(Span(lines.start, lines.start), insert), TextEdit(taken, "")), span.shifted(len(insert)))


def copied_up(text: str, span: Span) -> Rewritten:
    """The lines of *span* twice; the upper ones are selected."""
    return Rewritten((_copy(text, span),), span)


def copied_down(text: str, span: Span) -> Rewritten:
    """The lines of *span* twice; the lower ones are selected."""
    copy = _copy(text, span)
    return Rewritten((copy,), span.shifted(len(copy.insert)))


def _copy(text: str, span: Span) -> TextEdit:
    lines = whole_lines(text, span)
    words = lines.of(text)
    has_end = len(_cut(words)[1]) > 0
    return TextEdit(Span(lines.end, lines.end), words if has_end else line_end(text) + words)


def joined(text: str, span: Span) -> Rewritten | None:
    """The lines of *span* as one, of a single line that with the next; markers of items go. None where none follows."""
    lines = whole_lines(text, span)
    if len(split_lines(lines.of(text))) == 1:
        lines = Span(lines.start, line_stop(text, lines.end) if lines.end < len(text) else lines.end)
    edits: list[TextEdit] = []
    at = lines.start
    *upper, _last = split_lines(lines.of(text)) or [""]
    for line in upper:
        at += len(line)
        words, _end = _cut(line)
        marker = _MARKER.match(text, at)
        rest = text[at : lines.end]
        begin = marker.end() if marker is not None else at + len(rest) - len(rest.lstrip(" \t"))
        start = at - len(line) + len(words.rstrip(" \t"))
        edits.append(TextEdit(Span(start, begin), " " if start > lines.start and begin < len(text) else ""))
    if not edits:
        return None
    seam = edits[-1].span.start - sum(len(each.span) - len(each.insert) for each in edits[:-1])
    return Rewritten(tuple(edits), Span(seam, seam))


def sorted_lines(text: str, span: Span) -> Rewritten | None:
    """The lines of *span* in the order of their words; what is set in further stays below its line. None: they are."""
    lines = whole_lines(text, span)
    pieces = [_cut(line) for line in split_lines(lines.of(text))]
    groups: list[list[str]] = []
    least = min((_indent(words) for words, _end in pieces if words.strip()), default=0)
    for words, _end in pieces:
        if groups and (_indent(words) > least or not words.strip()):
            groups[-1].append(words)
        else:
            groups.append([words])
    ordered = [words for group in sorted(groups, key=_by_words) for words in group]
    insert = "".join([words + end for words, (_old, end) in zip(ordered, pieces, strict=True)])
    if insert == lines.of(text):
        return None
    return Rewritten((TextEdit(lines, insert),), Span(lines.start, lines.start + len(insert)))


def _by_words(group: list[str]) -> tuple[str, str]:
    marker = _MARKER.match(group[0])
    words = group[0][marker.end() :] if marker is not None else group[0].strip()
    return words.casefold(), group[0]


def _indent(words: str) -> int:
    return len(words) - len(words.lstrip(" \t"))


def _cut(line: str) -> tuple[str, str]:
    """*line* without what ends it, and that."""
    words = line.rstrip("\r\n")
    return words, line[len(words) :]


PAIRS = {"(": ")", "[": "]", "{": "}", '"': '"', "`": "`"}
_OPENING = {close: opening for opening, close in PAIRS.items() if opening != close}
_FAR = 20_000


def closing_for(text: str, at: int, typed: str) -> str:
    """What is written behind *typed*, a bracket or quote at *at* of *text*; empty where nothing is."""
    close = PAIRS.get(typed, "")
    before, after = text[at - 1 : at] if at else "", text[at : at + 1]
    if not close or (after and not (after.isspace() or after in ")]}\"',.;:")):
        return ""
    if close == typed:
        start = line_start(text, at)
        is_open = text.count(typed, start, at) % 2 == 1
        return "" if is_open or before == typed or before.isalnum() else close
    return close


def is_typed_over(text: str, at: int, typed: str) -> bool:
    """Whether *typed*, a closing bracket or quote, is at *at* already and closes what was opened before it."""
    if not typed or text[at : at + 1] != typed or typed not in PAIRS.values():
        return False
    start, stop = line_start(text, at), line_stop(text, at)
    opening = _OPENING.get(typed)
    if opening is None:
        return text.count(typed, start, at) % 2 == 1
    return text.count(opening, start, stop) <= text.count(typed, start, stop)


def is_pair(text: str, at: int) -> bool:
    """Whether *at* stands between an opening bracket or quote and the one that closes it."""
    return 0 < at < len(text) and PAIRS.get(text[at - 1]) == text[at]


def matching_brackets(text: str, at: int) -> tuple[int, ...]:
    """Where the bracket beside *at* stands and where its partner does; the first alone without one, else nothing."""
    for place in (at, at - 1):
        char = text[place : place + 1] if place >= 0 else ""
        if char in ("(", "[", "{"):
            return _partner(text, place, PAIRS[char], 1)
        if char in _OPENING:
            return _partner(text, place, _OPENING[char], -1)
    return ()


def _partner(text: str, place: int, other: str, step: int) -> tuple[int, ...]:
    depth, char = 0, text[place]
    end = min(len(text), place + _FAR) if step > 0 else max(-1, place - _FAR)
    for at in range(place, end, step):
        depth += (text[at] == char) - (text[at] == other)
        if depth == 0:
            return (place, at)
    return (place,)
