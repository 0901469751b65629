"""Bytes ⇄ text, and places in a text: spans, lines, columns.

Positions are code points, 0 = before the first; spans are half-open. Nothing here knows
what a playbook is.
"""

from __future__ import annotations

import codecs
import operator
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate

from workbench.regex import regex

_LINE = regex(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_LINE_END = regex(r"\r\n|\r|\n")
LINE_START = r"(?:\A|(?<=[\r\n]))"
LINE_STOP = r"(?=[\r\n]|\Z)"
"""In patterns: before and behind the words of a line, whatever ends it; ``^`` and ``$`` know line feeds only."""
SURROGATES = regex("[\ud800-\udfff]")
_NO_BYTE = regex("[\ud800-\udc7f\udd00-\udfff]")
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


@dataclass(frozen=True)
class SourceText:
    """The text of a file, with what is needed to write the same bytes again.

    The text is the document: everything else is derived from it, and only it is saved. So
    opening a file must lose nothing: ``SourceText.decode(data).encode() == data`` for every
    *data*. Bytes that are not UTF-8 become lone surrogates (PEP 383) and are bytes again in
    the end; line ends stay as they are, line by line, and nothing is normalised. *bom* and
    *encoding* are what cannot be seen in the text: UTF-16 is only recognised by its mark.
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
        """The bytes of the file; half a character, which no bytes stand for, is written as the sign for a lost one."""
        is_utf8 = self.encoding == "utf-8"
        errors = "surrogateescape" if is_utf8 else "strict"
        try:
            return self.bom + self.text.encode(self.encoding, errors)
        except UnicodeEncodeError:
            whole = (_NO_BYTE if is_utf8 else SURROGATES).sub("\ufffd", self.text)
            return self.bom + whole.encode(self.encoding, errors)

    def with_text(self, text: str) -> SourceText:
        """The same kind of file with other text."""
        return SourceText(text, self.bom, self.encoding)


def line_start(text: str, at: int) -> int:
    """Where the line that holds *at* begins."""
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def line_stop(text: str, at: int) -> int:
    """Where the line that holds *at* ends, its line end included."""
    found = _LINE_END.search(text, at)
    return found.end() if found else len(text)


def line_end(text: str) -> str:
    """The line end that *text* uses first; a line feed where it uses none."""
    found = _LINE_END.search(text)
    return found[0] if found else "\n"


def last_line(text: str) -> str:
    """The last line of *text* that says something, without what is blank behind it; empty where none does."""
    lines = split_lines(text.rstrip())
    return lines[-1] if lines else ""


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
            ends = (match.end() for match in _LINE_END.finditer(text))
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
