"""A stretch of markdown as it is drawn in a box: paragraphs, lists, code and tables, in a few lines.

How many lines it takes follows from the text alone, so that a box has its height before anybody looks at it.
"""

from __future__ import annotations

import enum
import math
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from workbench.i18n import ngettext
from workbench.model.meaning import StepKind
from workbench.model.program import Step
from workbench.regex import regex
from workbench.syntax.blocks import BlockKind
from workbench.syntax.inline import Stretch, plain_words, stretches_of
from workbench.syntax.tables.reading import begins_table, cells_of

FEW_LINES = 8
MANY_LINES = 80
CHARACTERS_PER_LINE = 38
_WIDE = "\u2e80"
_ITEM_INDENT = 3


class PartKind(enum.Enum):
    """What a part of a text is. MORE: the line that says how much was left out."""

    WORDS = enum.auto()
    HEADING = enum.auto()
    ITEM = enum.auto()
    CODE = enum.auto()
    TABLE = enum.auto()
    MORE = enum.auto()


@dataclass(frozen=True, slots=True)
class Part:
    """One paragraph, heading, list item, piece of code or table, and how many *lines* it takes.

    *words*: of prose, *source*: as it is written. *rows*: the lines of code, each in one cell, or the rows of a table,
    its head first. *sign*: what stands before a list item, which is *depth* lists deep. *language*: of code.
    *count*: how many rows are left out.
    """

    kind: PartKind
    lines: int
    words: tuple[Stretch, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    sign: str = ""
    depth: int = 0
    language: str = ""
    count: int = 0
    source: str = ""


@dataclass(frozen=True, slots=True)
class ShownText:
    """The parts of a text that are shown. *is_cut*: there is more of it than was to be shown."""

    parts: tuple[Part, ...]
    is_cut: bool = False

    @property
    def lines(self) -> int:
        """How many lines all parts take, one at least."""
        return max(1, sum([part.lines for part in self.parts]))


@lru_cache(maxsize=2048)
def shown_text(text: str, most: int = FEW_LINES) -> ShownText:
    """What of *text* is shown in *most* lines."""
    found: list[Part] = []
    room = most
    for part in _Reader(text.splitlines()).read():
        if part.lines <= room:
            found.append(part)
            room -= part.lines
            continue
        found += _cut(part, room)
        return ShownText(tuple(found), is_cut=True)
    return ShownText(tuple(found))


def _cut(part: Part, room: int) -> tuple[Part, ...]:
    """As much of *part* as *room* holds, with a last line that counts the rest of rows."""
    if room < 1:
        return ()
    if not part.rows:
        return (replace(part, lines=room),)
    kept = part.rows[: max(0, room - 1)]
    more = Part(
        PartKind.MORE, 1, count=len(part.rows) - len(kept), language="" if part.kind is PartKind.TABLE else "code"
    )
    return (replace(part, lines=len(kept), rows=kept), more) if kept else (more,)


def contents_of(step: Step) -> tuple[Part, ...]:
    """What stands in *step* besides its words and the steps below it."""
    if step.kind is StepKind.RAW:
        texts: tuple[str, ...] = (text_of(step),)
    elif step.is_spread:
        texts = tuple([text_of(child) for child in step.children if child.kind is StepKind.RAW])
    else:
        texts = tuple([textwrap.dedent(text) for text in step.details])
    return tuple([part for text in texts for part in parts_of(text)])


def first_words(text: str) -> str:
    """How *text* begins, on one line: for a row of a list."""
    part = next(_Reader(text.splitlines()).read(), None)
    if part is None:
        return ""
    row = next((row for row in part.rows if any(row)), ())
    words = " · ".join(row) if row else "".join([each.text for each in part.words])
    return f"{part.sign} {words}".strip()


def constraint_in(text: str) -> str:
    """The word by which *text* demands, advises or allows something: MUST, SHOULD, MAY; empty where it does neither."""
    found = _CONSTRAINT.search(text)
    return found[0] if found else ""


_CONSTRAINT = regex(r"\b(?:MUST NOT|MUST|SHALL NOT|SHALL|SHOULD NOT|SHOULD|MAY)\b")


def more_words(part: Part) -> str:
    """What the last line says of rows that are left out."""
    if part.language:
        return ngettext("… {count} more line", "… {count} more lines", part.count)
    return ngettext("… {count} more row", "… {count} more rows", part.count)


def codes_in(text: str) -> tuple[str, ...]:
    """The pieces of code in *text*, each without what it is set in by."""
    return tuple(["\n".join([row[0] for row in part.rows]) for part in parts_of(text) if part.kind is PartKind.CODE])


def parts_of(text: str) -> tuple[Part, ...]:
    """All of *text* in its parts."""
    return tuple(_Reader(text.splitlines()).read())


def text_of(step: Step) -> str:
    """The markdown of *step*, which is kept as written; what is no prose whatever stands in it is a piece of code."""
    if step.block.kind in (BlockKind.CODE, BlockKind.DAMAGED) and not step.is_spread:
        return f"{_CODE_MARK}\n{step.block.text.rstrip()}\n{_CODE_MARK}"
    return step.text


_CODE_MARK = "~" * 12


def code_of(step: Step) -> str:
    """All code that stands in *step* itself, as it can be run; empty where there is none."""
    texts = (text_of(step),) if step.kind is StepKind.RAW else step.details
    return "\n".join([code for text in texts for code in codes_in(textwrap.dedent(text))])


_FENCE = regex(r" {0,12}(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})[ \t]*([^\s`]*)")
_HEADING = regex(r" {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*$")
_ITEM = regex(r"([ \t]*)([-*+]|\d{1,9}[.)])[ \t]+(?:\[([ xX])\][ \t]+)?(.*)")
_RULE = regex(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|={3,}|-{2,})$")
_QUOTE = regex(r"[ \t]*>[ \t]?")


class _Reader:
    """Takes the lines of a text one part after the other."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.at = 0

    def read(self) -> Iterator[Part]:
        """The parts, in the order of the text."""
        takers: tuple[Callable[[], Part | None], ...] = (
            self._fence,
            self._indented,
            self._heading,
            self._table,
            self._item,
        )
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if not line.strip() or _RULE.match(line) or self._skips_comment(line):
                self.at += 1
                continue
            yield next((part for part in (take() for take in takers) if part is not None), None) or self._words()

    def _skips_comment(self, line: str) -> bool:
        if not line.lstrip().startswith("<!--"):
            return False
        while "-->" not in self.lines[self.at] and self.at + 1 < len(self.lines):
            self.at += 1
        return True

    def _fence(self) -> Part | None:
        opening = _FENCE.match(self.lines[self.at])
        if opening is None:
            return None
        start = self.at + 1
        end = next((at for at in range(start, len(self.lines)) if self._closes(at, opening[1])), len(self.lines))
        self.at = end + 1
        return _code(self.lines[start:end], opening[2])

    def _closes(self, at: int, mark: str) -> bool:
        closing = self.lines[at].strip()
        return closing.startswith(mark) and not closing.strip(mark[0])

    def _indented(self) -> Part | None:
        """Code that is set in, where it does not go on with what stands above it."""
        if not self.lines[self.at].startswith(("    ", "\t")) or (self.at and self.lines[self.at - 1].strip()):
            return None
        if _ITEM.match(self.lines[self.at]):
            return None
        start = self.at
        while self.at < len(self.lines) and self.lines[self.at].startswith(("    ", "\t")):
            self.at += 1
        return _code([line.expandtabs(4)[4:] for line in self.lines[start : self.at]], "")

    def _heading(self) -> Part | None:
        found = _HEADING.match(self.lines[self.at])
        if found is None:
            return None
        self.at += 1
        words = tuple([each._replace(bold=True) for each in stretches_of(found[1])])
        return Part(PartKind.HEADING, lines_of(found[1]), words, source=found[1])

    def _table(self) -> Part | None:
        head, rule = self.lines[self.at], self.lines[self.at + 1 : self.at + 2]
        if "|" not in head or not rule or not begins_table(head.strip(), rule[0].strip()):
            return None
        rows = [_cells(head)]
        self.at += 2
        while self.at < len(self.lines) and "|" in self.lines[self.at]:
            rows.append(_cells(self.lines[self.at]))
            self.at += 1
        return Part(PartKind.TABLE, len(rows), rows=tuple(rows))

    def _item(self) -> Part | None:
        found = _ITEM.match(self.lines[self.at])
        if found is None:
            return None
        self.at += 1
        words = " ".join([found[4], *self._more()])
        sign = found[2] if found[2][0].isdigit() else "•"
        if found[3] is not None:
            sign = "☐" if found[3] == " " else "☑"
        depth = min(4, len(found[1].expandtabs(4)) // 2)
        return Part(
            PartKind.ITEM,
            lines_of(words, _ITEM_INDENT * (depth + 1)),
            stretches_of(words),
            sign=sign,
            depth=depth,
            source=words,
        )

    def _words(self) -> Part:
        first = _QUOTE.sub("", self.lines[self.at])
        self.at += 1
        words = " ".join([first.strip(), *self._more()])
        return Part(PartKind.WORDS, lines_of(words), stretches_of(words), source=words)

    def _more(self) -> Iterator[str]:
        """The lines that go on with the same words."""
        while self.at < len(self.lines):
            line = _QUOTE.sub("", self.lines[self.at])
            if not line.strip() or _FENCE.match(line) or _HEADING.match(line) or _ITEM.match(line) or _RULE.match(line):
                return
            self.at += 1
            yield line.strip()


def _code(lines: Sequence[str], language: str) -> Part:
    shown = [line.expandtabs(4) for line in lines]
    indent = min((len(line) - len(line.lstrip()) for line in shown if line.strip()), default=0)
    rows = tuple([(line[indent:],) for line in shown]) or (("",),)
    return Part(PartKind.CODE, len(rows), rows=rows, language=language)


def _cells(line: str) -> tuple[str, ...]:
    return tuple([plain_words(cell.of(line)) for cell in cells_of(line)])


def lines_of(text: str, indent: int = 0) -> int:
    """How many lines the words of *text* take, set in by *indent* characters; wide ones count double."""
    shown = plain_words(text)
    length = len(shown) + (0 if shown.isascii() else sum(character > _WIDE for character in shown))
    return max(1, math.ceil(length / (CHARACTERS_PER_LINE - indent)))
