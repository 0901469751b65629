"""Several carets in one text: what is written or taken away at each of them is one change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from workbench.regex import regex
from workbench.syntax.change import TextEdit
from workbench.syntax.text import Span, line_start, line_stop

_WORD = regex(r"\w+")
_MOST = 10_000
"""How many carets there can be."""


@dataclass(frozen=True, slots=True)
class Caret:
    """A place in a text, or what is selected from *anchor* to *head*, where the caret stands."""

    anchor: int
    head: int

    @property
    def span(self) -> Span:
        """What is selected; empty where the caret is, if nothing is."""
        return Span(min(self.anchor, self.head), max(self.anchor, self.head))


Carets = tuple[Caret, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """Edits at some carets, and where each of these stands in the text that comes of it."""

    edits: tuple[TextEdit, ...]
    carets: Carets


def in_order(carets: Iterable[Caret]) -> Carets:
    """*carets* in the order of the text, each place once; what overlaps becomes one."""
    found: list[Caret] = []
    for caret in sorted(carets, key=_place):
        last = found[-1].span if found else Span(-1, -1)
        is_beside = caret.span.start == last.end and len(last) > 0 and len(caret.span) > 0
        if caret.span.start > last.end or is_beside:
            found.append(caret)
        else:
            end = max(last.end, caret.span.end)
            found[-1] = Caret(last.start, end) if found[-1].head >= found[-1].anchor else Caret(end, last.start)
    return tuple(found[:_MOST])


def _place(caret: Caret) -> tuple[int, int]:
    return caret.span.start, caret.span.end


def written(carets: Carets, words: Sequence[str]) -> Written:
    """What comes of writing *words*, one for each of *carets* in order (a single one: at all of them)."""
    inserts = words if len(words) == len(carets) else [words[0]] * len(carets)
    return _made([TextEdit(caret.span, insert) for caret, insert in zip(carets, inserts, strict=True)])


def replaced(text: str, carets: Carets, head: int, change: TextEdit) -> Written:
    """What comes of making *change*, which the caret at *head* is in, around each of *carets*.

    The others are in the middle of the same word where the same stands before and behind them; else it is only put in.
    """
    before, behind = text[change.span.start : head], text[head : change.span.end]
    edits: list[TextEdit] = []
    for caret in carets:
        at = caret.head
        start = at - len(before) if at >= len(before) and text.startswith(before, at - len(before)) else at
        end = at + len(behind) if text.startswith(behind, at) else at
        last = edits[-1].span.end if edits else 0
        edits.append(TextEdit(Span(max(start, last), max(end, last)), change.insert))
    return _made(edits)


def taken_back(text: str, carets: Carets) -> Written:
    """What comes of taking away what is selected, or the character before each caret."""
    return _made([TextEdit(caret.span if len(caret.span) else _before(text, caret.head), "") for caret in carets])


def taken_forward(text: str, carets: Carets) -> Written:
    """The same with the character behind each caret."""
    return _made([TextEdit(caret.span if len(caret.span) else _behind(text, caret.head), "") for caret in carets])


def _before(text: str, at: int) -> Span:
    return Span(max(0, at - (2 if text[max(0, at - 2) : at] == "\r\n" else 1)), at)


def _behind(text: str, at: int) -> Span:
    return Span(at, min(len(text), at + (2 if text.startswith("\r\n", at) else 1)))


def _made(edits: list[TextEdit]) -> Written:
    shift, carets = 0, []
    for edit in edits:
        end = edit.span.start + shift + len(edit.insert)
        carets.append(Caret(end, end))
        shift += len(edit.insert) - len(edit.span)
    return Written(tuple(each for each in edits if len(each.span) or each.insert), tuple(carets))


def word_at(text: str, at: int) -> Span:
    """The word that *at* stands in or beside; empty where there is none."""
    start = line_start(text, at)
    for match in _WORD.finditer(text, start, line_stop(text, at)):
        if match.start() <= at <= match.end():
            return Span(*match.span())
    return Span(at, at)


def next_occurrence(text: str, carets: Carets, latest: Caret) -> Caret | None:
    """What is selected by *latest* where it stands next and no caret is yet; of a bare caret, its own word."""
    if not len(latest.span):
        word = word_at(text, latest.head)
        return Caret(word.start, word.end) if len(word) else None
    wanted, taken = latest.span.of(text), {caret.span for caret in carets}
    at = latest.span.end
    for _turn in range(len(taken) + 2):
        found = text.find(wanted, at)
        if found < 0:
            found = text.find(wanted)
        span = Span(found, found + len(wanted))
        if span not in taken:
            return Caret(span.start, span.end)
        at = span.end
    return None


def beside(text: str, caret: Caret, step: int) -> Caret | None:
    """A caret in the same column of the line above (*step* -1) or below (1); None where there is no such line."""
    start = line_start(text, caret.head)
    column = caret.head - start
    if step < 0:
        if start == 0:
            return None
        above = line_start(text, start - 1 - (text[start - 2 : start] == "\r\n"))
        return _in_line(text, above, column)
    below = line_stop(text, caret.head)
    has_end = below > start and text[below - 1] in "\n\r"
    return _in_line(text, below, column) if has_end else None


def _in_line(text: str, start: int, column: int) -> Caret:
    words = text[start : line_stop(text, start)].rstrip("\r\n")
    at = start + min(column, len(words))
    return Caret(at, at)


def in_column(text: str, anchor: int, head: int) -> Carets:
    """What is selected of each line between *anchor* and *head*, from the column of the one to that of the other."""
    columns = (anchor - line_start(text, anchor), head - line_start(text, head))
    at, end = line_start(text, min(anchor, head)), max(anchor, head)
    carets: list[Caret] = []
    while len(carets) < _MOST:
        carets.append(Caret(_in_line(text, at, columns[0]).head, _in_line(text, at, columns[1]).head))
        below = line_stop(text, at)
        if below > end or below == at or (below == len(text) and text[below - 1 : below] not in ("\n", "\r")):
            break
        at = below
    return tuple(carets)
