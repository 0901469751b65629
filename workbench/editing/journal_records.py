"""The records of a journal of edits: each line of the file is one, a checksum and JSON.

A line cut off anywhere, or damaged, ends the journal; what stands before it counts.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.syntax.text import SourceText, Span, TextChange, TextEdit


@dataclass(frozen=True, slots=True)
class Edited:
    """One change that was made, with its label."""

    change: TextChange
    label: str


@dataclass(frozen=True, slots=True)
class Recovery:
    """What a journal holds. *base*: the source its edits start from. *saved*: how many of *edits* were saved.

    *path*: None for a document that was never saved. *digest*: of the file when it was loaded or saved last.
    """

    path: Path | None
    base: SourceText
    edits: tuple[Edited, ...]
    saved: int
    digest: str

    @property
    def pending(self) -> tuple[Edited, ...]:
        """The edits that never reached the file."""
        return self.edits[self.saved :]

    def text_after(self, count: int) -> str:
        """The text after the first *count* edits."""
        text = self.base.text
        for edited in self.edits[:count]:
            text = edited.change.apply(text)
        return text

    @property
    def text(self) -> str:
        """The text as it was last."""
        return self.text_after(len(self.edits))


def line(record: dict[str, Any]) -> bytes:
    """*record* as a line of the journal."""
    body = json.dumps(record, separators=(",", ":")).encode("ascii")
    return b"%08x " % zlib.crc32(body) + body + b"\n"


def records(data: bytes) -> Iterator[dict[str, Any]]:
    """The whole records at the beginning of *data*."""
    for each in _whole_lines(data):
        yield json.loads(each.partition(b" ")[2])


def whole_length(data: bytes) -> int:
    """How many bytes at the beginning of *data* are whole records."""
    return sum(len(each) + 1 for each in _whole_lines(data))


def _whole_lines(data: bytes) -> Iterator[bytes]:
    for each in data.split(b"\n")[:-1]:
        checksum, _space, body = each.partition(b" ")
        if checksum != b"%08x" % zlib.crc32(body):
            return
        yield each


def edit_record(edited: Edited) -> dict[str, Any]:
    """One change as a record."""
    return {
        "edits": [[edit.span.start, edit.span.end, edit.insert] for edit in edited.change.edits],
        "label": edited.label,
    }


def edited_of(record: dict[str, Any]) -> Edited:
    """The change that ``edit_record`` wrote."""
    edits = tuple(TextEdit(Span(start, end), insert) for start, end, insert in record["edits"])
    return Edited(TextChange(edits), str(record["label"]))
