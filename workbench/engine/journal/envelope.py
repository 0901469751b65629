"""One journal row: an event in canonical form, chained to the row before it by a hash."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from workbench.engine.expressions.data import canonical
from workbench.engine.journal.codec import decoded, encoded
from workbench.engine.journal.events import VERSION, RunEvent, RunId

FIRST_HASH = bytes(32)
COLUMNS = "run,seq,at,mono,type,span,parent,step,line,attempt,actor,body,blob,prev_hash,hash,v"
_INLINE_BYTES = 2048
_FIELDS = COLUMNS.split(",").index("body")
_PLAIN = frozenset({str, int})
_decode = json.JSONDecoder().decode
_encode = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Sealed:
    """A row ready to be written. *blob*: name and packed content of a body too big for the row."""

    row: Row
    hash: bytes
    blob: tuple[str, bytes] | None = None


def seal(event: RunEvent, previous: bytes, body: str = "") -> Sealed:
    """The row of *event* after the row whose hash is *previous*; *body*: its body, where it is known already."""
    body = body or body_of(event)
    name, packed = "", None
    if len(body) > _INLINE_BYTES:
        name, data = pack(body.encode("ascii"))
        packed = (name, data)
    fields = _fields(event)
    own = row_hash(previous, fields, body)
    row = (*fields, "" if packed else body, name, previous, own, VERSION)
    return Sealed(row, own, packed)


def body_of(event: RunEvent) -> str:
    """The payload of *event* as it is written."""
    return canonical(encoded(event.payload))


def pack(content: bytes) -> tuple[str, bytes]:
    """The name of *content* and its compressed form."""
    return hashlib.sha256(content).hexdigest(), zlib.compress(content, 1)


def unpack(data: bytes) -> bytes:
    """The content that ``pack`` compressed; raises zlib.error when it is damaged."""
    return zlib.decompress(data)


def unseal(row: Row, previous: bytes, blob_of: Callable[[str], bytes | None]) -> tuple[RunEvent, bytes] | None:
    """The event in *row* and its hash, or None where the row does not follow *previous* as it was written."""
    fields, (body, name, prev_hash, own, version) = row[:_FIELDS], row[_FIELDS:]
    if name:
        content = blob_of(name)
        body = content.decode("ascii", "replace") if content is not None else ""
    # what is no text, or a number where there is to be a text, was not written by us
    texts = isinstance(body, str) and isinstance(name, str)
    is_readable = texts and _PLAIN.issuperset(map(type, fields))
    if not is_readable or version != VERSION or prev_hash != previous or row_hash(previous, fields, body) != own:
        return None
    return event_of(fields, body), own


def _fields(event: RunEvent) -> Row:
    return (
        event.run,
        event.seq,
        event.at_ns,
        event.mono_ns,
        event.name,
        event.span,
        event.parent,
        event.step,
        event.line,
        event.attempt,
        event.actor,
    )


def event_of(fields: Row, body: str) -> RunEvent:
    """The event with *fields* that says *body*."""
    run, seq, at, mono, type_, span, parent, step, line, attempt, actor = fields
    payload = decoded(type_, _decode(body))
    return RunEvent(RunId(run), seq, payload, at, mono, span, parent, step, line, attempt, actor)


def row_hash(previous: bytes, fields: Row, body: str) -> bytes:
    """The hash of the event with *fields* that says *body*, after the one whose hash is *previous*."""
    head = _encode([*fields, VERSION])
    return hashlib.sha256(b"\n".join((previous.hex().encode("ascii"), head.encode("ascii"), body.encode()))).digest()
