"""Events in packs: some hundred rows as one compressed value, a tenth as large as the rows.

A pack holds exactly what its rows held, column by column, with the beginning of each event's hash. The whole hash of
its last event stands beside it, and that of the event before the first; all others follow from these, so the chain is
checked as it is for rows. Rows become a pack and are gone in one transaction.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise
from operator import sub
from typing import Any, NamedTuple

from workbench.engine.journal.envelope import COLUMNS, FIRST_HASH, Row, row_hash
from workbench.engine.journal.events import VERSION, RunId

SIZE = 512
"""How many events a pack has, but for the last of a run that is packed whole."""
KEPT_ROWS = 4096
"""So many of the newest events of a run stay rows while it goes on."""
_AT_ONCE = 4
_LEVEL = 6
_MARK = 8
_SEQ, _AT, _MONO, _TYPE, _STEP, _ACTOR, _BODY, _BLOB, _PREVIOUS, _HASH, _V = 1, 2, 3, 4, 7, 10, 11, 12, 13, 14, 15
_PLAIN = (str, int, int, int, str, str, str, str, int, int, str, str, str)
_ROWS = f"SELECT {COLUMNS} FROM event WHERE run=? AND seq>=? AND seq<? ORDER BY seq"  # noqa: S608 - constants
_encode = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode


class Columns(NamedTuple):
    """The events of a pack, column by column, but for what they say. *seqs*: their numbers."""

    seqs: Sequence[int]
    at: Sequence[int]
    mono: Sequence[int]
    types: Sequence[str]
    spans: Sequence[str]
    parents: Sequence[str]
    steps: Sequence[str]
    lines: Sequence[int]
    attempts: Sequence[int]
    actors: Sequence[str]


class Pack(NamedTuple):
    """One pack as it is stored. *size*: how many events are in it."""

    first: int
    size: int
    previous: bytes
    hash: bytes
    data: bytes


_PACKS = """SELECT first, count, prev_hash, hash, data FROM pack
    WHERE run=:run AND first>:first-512 AND first+count>:first ORDER BY first"""


def packs_of(connection: sqlite3.Connection, run: RunId, first: int = 0) -> Iterator[Pack]:
    """The packs of *run* that hold the event with number *first* or later ones."""
    for row in connection.execute(_PACKS, {"run": run, "first": first}):
        yield Pack(*row)


def packed_of(connection: sqlite3.Connection, run: RunId) -> int:
    """How many events of *run*, from the first on, are in packs."""
    query = "SELECT first+count FROM pack WHERE run=? ORDER BY first DESC LIMIT 1"
    row = connection.execute(query, (run,)).fetchone()
    return row[0] if row is not None else 0


def pack_old(connection: sqlite3.Connection, run: RunId, count: int) -> int:
    """Pack what is old of the *count* events of *run*, a few packs at once: whoever writes waits for it.

    How many of its events are in packs then.
    """
    packed = packed_of(connection, run)
    for _pack in range(_AT_ONCE):
        if count - packed < KEPT_ROWS + SIZE or not pack_rows(connection, run, packed):
            break
        packed += SIZE
    return packed


def pack_rows(connection: sqlite3.Connection, run: RunId, first: int) -> int:
    """How many rows of *run* from number *first* on have become a pack; 0 where they are not as they were written."""
    rows = connection.execute(_ROWS, (run, first, first + SIZE)).fetchall()
    if not rows or not _is_whole(rows, first):
        return 0
    entry = (run, first, len(rows), rows[0][_PREVIOUS], rows[-1][_HASH], packed(rows))
    connection.execute("INSERT INTO pack VALUES (?,?,?,?,?,?)", entry)
    connection.execute("DELETE FROM event WHERE run=? AND seq>=? AND seq<?", (run, first, first + len(rows)))
    return len(rows)


def _is_whole(rows: Sequence[Row], first: int) -> bool:
    """Whether *rows* follow each other; what they say is checked when they are read, in a pack as well."""
    return (
        all(is_plain(row) and row[_V] == VERSION for row in rows)
        and all(isinstance(row[_HASH], bytes) and isinstance(row[_PREVIOUS], bytes) for row in rows)
        and [row[_SEQ] for row in rows] == list(range(first, first + len(rows)))
        and all(row[_PREVIOUS] == before[_HASH] for before, row in pairwise(rows))
        and (first > 0 or rows[0][_PREVIOUS] == FIRST_HASH)
    )


def is_plain(row: Row) -> bool:
    """Whether the columns of *row* are texts and numbers where they are to be."""
    return tuple(map(type, row[: _BLOB + 1])) == _PLAIN


def of_rows(rows: Sequence[Row]) -> Opened:
    """*rows* as if they came from a pack; their numbers need not follow each other."""
    columns = list(zip(*rows, strict=True))
    return Opened(Columns(*columns[_SEQ : _ACTOR + 1]), columns[_BODY], columns[_BLOB], "")


def packed(rows: Sequence[Row]) -> bytes:
    """*rows*, which follow each other, as the data of a pack."""
    columns: list[Any] = [list(column) for column in zip(*rows, strict=True)]
    columns[_AT], columns[_MONO] = _steps(columns[_AT]), _steps(columns[_MONO])
    marks = "".join([own.hex()[:_MARK] for own in columns[_HASH]])
    what = _encode([columns[_TYPE], columns[_STEP], columns[_BLOB]])
    rest = [columns[place] for place in range(_AT, _ACTOR + 1) if place not in {_TYPE, _STEP}]
    return zlib.compress("\n".join([what, _encode([*rest, marks]), *columns[_BODY]]).encode("ascii"), _LEVEL)


def _steps(numbers: Sequence[int]) -> list[int]:
    return [numbers[0], *map(sub, numbers[1:], numbers)]


class Opened(NamedTuple):
    """The events of a pack. *texts*: what they say, as written; empty where the blob named in *blobs* has it."""

    columns: Columns
    texts: Sequence[str]
    blobs: Sequence[str]
    marks: str


def opened(pack: Pack) -> Opened | None:
    """What is in *pack*; None where it is no pack any more."""
    try:
        what, head, *texts = zlib.decompress(pack.data).decode("ascii").split("\n")
        types, steps, blobs = json.loads(what)
        at, mono, spans, parents, *rest, marks = json.loads(head)
        seqs = range(pack.first, pack.first + pack.size)
        times = list(accumulate(at)), list(accumulate(mono))
        columns = Columns(seqs, *times, types, spans, parents, steps, *rest)
        is_whole = {len(column) for column in (*columns, texts, blobs)} == {pack.size}
    except (ValueError, TypeError, zlib.error):
        return None
    return Opened(columns, texts, blobs, marks) if is_whole and isinstance(marks, str) else None


def said_in(pack: Pack) -> tuple[Sequence[str], Sequence[str], Sequence[str], Sequence[str]]:
    """Type, step, text and blob of each event in *pack*, without a look at the rest; nothing where it is none."""
    try:
        what, _head, *texts = zlib.decompress(pack.data).decode("ascii").split("\n")
        types, steps, blobs = json.loads(what)
    except (ValueError, TypeError, zlib.error):
        return (), (), (), ()
    return types, steps, texts, blobs


Told = tuple[Row, str, bytes]
"""The fields of an event, what it says, and its hash."""


def sound_events(pack: Pack, run: RunId, previous: bytes, blob_of: Callable[[str], bytes | None]) -> list[Told]:
    """The events in *pack*, up to the first that does not follow *previous* as it was written.

    None at all where each seems to fit and the last does not: somebody has made the pack anew.
    """
    found = opened(pack) if pack.previous == previous else None
    if found is None:
        return []
    sound: list[Told] = []
    for place, (fields, text, blob) in enumerate(zip(zip(*found.columns, strict=True), *found[1:3], strict=True)):
        content = blob_of(blob) if blob else None
        said = text if content is None else content.decode("ascii", "replace")
        previous = row_hash(previous, (run, *fields), said)
        if previous.hex()[:_MARK] != found.marks[place * _MARK : (place + 1) * _MARK]:
            return sound
        sound.append(((run, *fields), said, previous))
    return sound if previous == pack.hash else []
