"""The records of a journal of edits: each line of the file is one, a checksum and JSON.

A line cut off anywhere, damaged, or with something else in it than this program writes ends the
journal; what stands before it counts.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from workbench.disk.files import look_at
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.text import SourceText, Span

_TYPING_BEFORE = "Typing"
"""The label by which earlier versions, which spoke English only, knew typing."""


class NotOurs(ValueError):
    """A record says something else than this program writes."""


@dataclass(frozen=True, slots=True)
class Edited:
    """One change that was made, with its label. *is_typing*: undo joins it to the typing before it."""

    change: TextChange
    label: str
    is_typing: bool = False


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
    return _line_of(json.dumps(record, separators=(",", ":")))


def _line_of(text: str) -> bytes:
    body = text.encode("ascii")
    return b"%08x " % zlib.crc32(body) + body + b"\n"


def records(data: bytes) -> Iterator[tuple[dict[str, Any], int]]:
    """The whole records at the beginning of *data*, each with the place where it ends."""
    end = 0
    for each in data.split(b"\n")[:-1]:
        record = _record_in(each)
        if record is None:
            return
        end += len(each) + 1
        yield record, end


def _record_in(whole: bytes) -> dict[str, Any] | None:
    checksum, _space, body = whole.partition(b" ")
    if checksum != b"%08x" % zlib.crc32(body):
        return None
    try:
        record = json.loads(body)
    except (ValueError, RecursionError):  # no JSON; or nested deeper than anything of ours
        return None
    return record if isinstance(record, dict) else None


def line_of_edit(edited: Edited) -> bytes:
    """One change as a line of the journal."""
    change = edited.change
    said = json.dumps({"label": edited.label, **({"typing": True} if edited.is_typing else {})}, separators=(",", ":"))
    # most of thousands are numbers, in which nothing has to be escaped
    words = [f'"{each}"' if each.isascii() and each.isalnum() else json.dumps(each) for each in change.inserts]
    rows = [f"[{start},{end},{word}]" for start, end, word in zip(change.starts, change.ends, words, strict=True)]
    return _line_of(f'{{"edits":[{",".join(rows)}],{said[1:]}')


@dataclass(frozen=True, slots=True)
class Readable:
    """What can be read of a journal, and how many bytes from its beginning that is.

    *saved_length*: how many bytes lead to what was saved.
    """

    recovery: Recovery
    length: int
    saved_length: int


def read(data: bytes, begun: Callable[[dict[str, Any]], Recovery]) -> Readable | None:
    """What *data* holds, as far as it makes sense; None where that is nothing.

    *begun*: what the first record says that the edits start from; raises ValueError where it is another.
    """
    found = records(data)
    header, length = next(found, ({}, 0))
    try:
        recovery = begun(header)
    except ValueError:
        return None
    edits: list[Edited] = []
    saved, digest, size = 0, recovery.digest, len(recovery.base.text)
    saved_length = length
    for record, end in found:
        try:
            if "saved" in record:
                saved, digest, saved_length = len(edits), text_in(record, "saved"), end
            else:
                edits.append(_edited_of(record, size))
                size += edits[-1].change.growth
        except ValueError:
            break
        length = end
    return Readable(replace(recovery, edits=tuple(edits), saved=saved, digest=digest), length, saved_length)


def text_in(record: dict[str, Any], name: str) -> str:
    """The text *name* of a record; raises NotOurs where it has none."""
    text = record.get(name)
    if not isinstance(text, str):
        raise NotOurs(f"no text {name}")
    return text


def _edited_of(record: dict[str, Any], size: int) -> Edited:
    """The change of a text with *size* code points that ``line_of_edit`` wrote; raises ValueError for other ones."""
    rows = record.get("edits")
    if not isinstance(rows, list):
        raise NotOurs("no edits")
    label = text_in(record, "label")
    is_typing = record.get("typing") is True or label == _TYPING_BEFORE
    return Edited(TextChange(tuple([_edit_of(row, size) for row in rows])), label, is_typing)


def _edit_of(row: object, size: int) -> TextEdit:
    match row:
        case [int(start), int(end), str(insert)] if 0 <= start <= end <= size and bool not in {type(start), type(end)}:
            return TextEdit(Span(start, end), insert)
    raise NotOurs("no edit")


def edited_s(file: Path) -> float:
    """When the journal *file* was written last, in seconds since 1970; 0 where it has just been removed."""
    return look_at(file).edited_s
