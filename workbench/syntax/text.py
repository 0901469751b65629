"""Bytes ⇄ text, positions, and changes of text.

Positions are code points, 0 = before the first; spans are half-open. Nothing here knows
what a playbook is.
"""

from __future__ import annotations

import codecs
import enum
import operator
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate

from workbench.syntax.differences import common_length

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_MANY_EDITS = 8
"""Beyond this many edits, one look at all of them is cheaper than one at each."""
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open stretch of text, in code points."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    def shifted(self, by: int) -> Span:
        """The same stretch, *by* code points further on."""
        return Span(self.start + by, self.end + by)

    def of(self, text: str) -> str:
        """The part of *text* that this span covers."""
        return text[self.start : self.end]


class Side(enum.Enum):
    """To which side of an insertion a position sticks."""

    BEFORE = enum.auto()
    AFTER = enum.auto()


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Replace *span* by *insert*."""

    span: Span
    insert: str


@dataclass(frozen=True, slots=True)
class TextChange:
    """Sorted, disjoint edits against one text, applied together.

    Idea: the change sets of CodeMirror 6, reduced to what one document needs.
    Raises ValueError when edits overlap.
    """

    edits: tuple[TextEdit, ...]
    _ends: tuple[int, ...] = field(init=False, repr=False, compare=False)
    _shifts: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        ordered = tuple(sorted(self.edits, key=lambda edit: (edit.span.start, edit.span.end)))
        for first, second in zip(ordered, ordered[1:], strict=False):
            if first.span.end > second.span.start:
                raise ValueError(f"edits overlap at {second.span.start}")
        object.__setattr__(self, "edits", ordered)
        # where each edit ends and how far all before it push, so that mapping need not walk through them
        growth = (len(edit.insert) - len(edit.span) for edit in ordered)
        object.__setattr__(self, "_ends", tuple(edit.span.end for edit in ordered))
        object.__setattr__(self, "_shifts", tuple(accumulate(growth, initial=0)))

    @property
    def is_empty(self) -> bool:
        """True when applying it gives back every text unchanged, by construction."""
        return not any(len(edit.span) or edit.insert for edit in self.edits)

    def apply(self, text: str) -> str:
        """*text* with all edits made."""
        parts: list[str] = []
        done = 0
        for edit in self.edits:
            parts += (text[done : edit.span.start], edit.insert)
            done = edit.span.end
        parts.append(text[done:])
        return "".join(parts)

    def portions(self, text: str) -> Iterator[TextChange]:
        """This change of *text* as changes to be made one after the other, the last in the text first.

        What follows them looks at each by itself: a step that moves from one end of a long
        text to the other touches two small windows, not all that lies between.
        """
        edits = [edit for edit in self.edits if edit.insert != edit.span.of(text)]
        if len(edits) <= _MANY_EDITS:
            for edit in reversed(edits):
                yield TextChange((edit,))
            return
        start, end = edits[0].span.start, edits[-1].span.end
        inner = TextChange(tuple([TextEdit(edit.span.shifted(-start), edit.insert) for edit in edits]))
        yield TextChange((TextEdit(Span(start, end), inner.apply(text[start:end])),))

    def invert(self, text: str) -> TextChange:
        """The change that leads from ``apply(text)`` back to *text*."""
        inverse: list[TextEdit] = []
        shift = 0
        for edit in self.edits:
            start = edit.span.start + shift
            inverse.append(TextEdit(Span(start, start + len(edit.insert)), edit.span.of(text)))
            shift += len(edit.insert) - len(edit.span)
        return TextChange(tuple(inverse))

    def map_position(self, position: int, side: Side = Side.AFTER) -> int:
        """Where *position* lies after this change.

        An insertion exactly at *position* pushes it right only if *side* is AFTER. Inside
        deleted text: the start of the deletion. Idea: ProseMirror's mapping with a side.
        """
        first = bisect_left(self._ends, position)
        shift = self._shifts[first]
        for edit in self.edits[first : first + 3]:
            start, end = edit.span.start, edit.span.end
            if position < start:
                break
            if position > end or (position == end and end > start):
                shift += len(edit.insert) - (end - start)
                continue
            if position == start:
                grows = side is Side.AFTER and start == end
                return position + shift + (len(edit.insert) if grows else 0)
            return start + shift
        return position + shift


def changed_window(change: TextChange) -> tuple[Span, Span]:
    """The smallest span that holds every edit: in the old text, and in the new text."""
    if not change.edits:
        return Span(0, 0), Span(0, 0)
    start = change.edits[0].span.start
    end = change.edits[-1].span.end
    growth = sum(len(edit.insert) - len(edit.span) for edit in change.edits)
    return Span(start, end), Span(start, end + growth)


def smallest_change(old: str, new: str) -> TextChange:
    """One edit between the common prefix and the common suffix of *old* and *new*."""
    if old == new:
        return TextChange(())
    start = common_length(old, new)
    tail = common_length(old[start:][::-1], new[start:][::-1])
    return TextChange((TextEdit(Span(start, len(old) - tail), new[start : len(new) - tail]),))


@dataclass(frozen=True)
class SourceText:
    """The text of a file, with what is needed to write the same bytes again.

    ``SourceText.decode(data).encode() == data`` for every *data*: bytes that are not UTF-8
    become lone surrogates (PEP 383), line ends stay as they are, line by line.
    """

    text: str
    bom: bytes = b""
    encoding: str = "utf-8"

    @classmethod
    def decode(cls, data: bytes) -> SourceText:
        """The text in *data*; never fails."""
        for bom, encoding in _BOMS:
            if data.startswith(bom):
                candidate = cls._decoded(data[len(bom) :], bom, encoding)
                if candidate is not None:
                    return candidate
        return cls(data.decode("utf-8", "surrogateescape"))

    @classmethod
    def _decoded(cls, body: bytes, bom: bytes, encoding: str) -> SourceText | None:
        """A source in *encoding*, or None where its bytes would not come back the same."""
        if encoding == "utf-8":
            return cls(body.decode("utf-8", "surrogateescape"), bom)
        try:
            text = body.decode(encoding)
        except UnicodeDecodeError:
            return None
        return cls(text, bom, encoding) if text.encode(encoding) == body else None

    def encode(self) -> bytes:
        """The bytes of the file."""
        errors = "surrogateescape" if self.encoding == "utf-8" else "strict"
        return self.bom + self.text.encode(self.encoding, errors)

    def with_text(self, text: str) -> SourceText:
        """The same kind of file with other text."""
        return SourceText(text, self.bom, self.encoding)


def split_lines(text: str) -> list[str]:
    """The lines of *text* with their ends; only LF, CR LF and CR end a line."""
    return _LINE.findall(text)


@dataclass(frozen=True)
class LineIndex:
    """Offsets ⇄ lines and columns (both 0-based, code points) of one text."""

    starts: tuple[int, ...]
    length: int

    @classmethod
    def of(cls, text: str) -> LineIndex:
        """The index of *text*; a text that ends with a line end has an empty last line."""
        if "\r" in text:
            ends = (match.end() for match in re.finditer(r"\r\n|\r|\n", text))
            return cls((0, *ends), len(text))
        lengths = map(len, text.split("\n"))
        return cls(tuple(map(operator.add, accumulate(lengths, initial=0), range(text.count("\n") + 1))), len(text))

    def line(self, offset: int) -> int:
        """The line that holds *offset*."""
        return bisect_right(self.starts, offset) - 1

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of *offset*."""
        line = self.line(offset)
        return line, offset - self.starts[line]

    def offset(self, line: int, column: int = 0) -> int:
        """The offset of *column* in *line*, kept inside the text."""
        if line >= len(self.starts):
            return self.length
        limit = self.starts[line + 1] if line + 1 < len(self.starts) else self.length
        return min(self.starts[max(line, 0)] + column, limit)
