"""The events of a run as they stand in the store, in packs or in rows, as far as their chain holds."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

from workbench.engine.journal.envelope import COLUMNS, FIRST_HASH, event_of, unpack, unseal
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.storage.packs import (
    Opened,
    is_plain,
    of_rows,
    opened,
    packs_of,
    said_in,
    sound_events,
)
from workbench.engine.journal.storage.store import Store

_SELECT = f"SELECT {COLUMNS} FROM event WHERE run=? AND seq>=? ORDER BY seq"  # noqa: S608 - constants


def sound(connection: sqlite3.Connection, run: RunId, first: int = 0) -> Iterator[RunEvent]:
    """The events of *run* from number *first* on, as far as the chain holds."""
    blob_of = partial(blob, connection)
    following, head = _begin(connection, run, first)
    for pack in packs_of(connection, run, following):
        events = sound_events(pack, run, head, blob_of) if pack.first == following else []
        for fields, text, head in events:  # noqa: B007 - what follows continues from the last
            if fields[1] >= first:
                yield event_of(fields, text)
        following += len(events)
        if not events or following != pack.first + pack.size:
            return
    for count, row in enumerate(connection.execute(_SELECT, (run, following)), following):
        found = unseal(row, head, blob_of)
        if found is None or found[0].seq != count:
            return
        event, head = found
        yield event


def _begin(connection: sqlite3.Connection, run: RunId, first: int) -> tuple[int, bytes]:
    """Where reading from number *first* on begins: at the beginning of its pack, or at its row; and the hash before."""
    if not first:
        return 0, FIRST_HASH
    query = "SELECT first, prev_hash FROM pack WHERE run=? AND first<=? AND first+count>? ORDER BY first DESC LIMIT 1"
    row = connection.execute(query, (run, first, first)).fetchone()
    if row is not None:
        return row[0], row[1]
    query = """SELECT hash FROM event WHERE run=:run AND seq=:last
        UNION ALL SELECT hash FROM pack WHERE run=:run AND first+count=:last+1"""
    row = connection.execute(query, {"run": run, "last": first - 1}).fetchone()
    return first, row[0] if row is not None else b""


def blob(connection: sqlite3.Connection, name: str) -> bytes | None:
    """The content that is kept as *name*; None where there is none, or it is damaged."""
    row = connection.execute("SELECT data FROM blob WHERE sha256=?", (name,)).fetchone()
    try:
        return unpack(row[0]) if row and isinstance(row[0], bytes) else None
    except zlib.error:
        return None


_PACKS_AT_ONCE = 12
_ROWS_AT_ONCE = 4096


def glance(store: Store, run: RunId, first: int) -> tuple[Opened, ...]:
    """Some thousand events of *run* from number *first* on, or of the pack that it is in; none where there are no more.

    They are for pictures: whether the chain holds is not looked at, and no event is made.
    """
    with store.reading() as connection:
        found = [opened(pack) for pack in islice(packs_of(connection, run, first), _PACKS_AT_ONCE)]
        if not found:
            query = f"{_SELECT} LIMIT {_ROWS_AT_ONCE}"
            rows = [row for row in connection.execute(query, (run, first)) if is_plain(row)]
            found = [of_rows(rows)] if rows else []
        return tuple(_with_contents(connection, each) for each in found if each is not None)


def _with_contents(connection: sqlite3.Connection, one: Opened) -> Opened:
    if not any(one.blobs):
        return one
    told = zip(one.texts, one.blobs, strict=True)
    return one._replace(texts=[_kept(connection, name) if name else text for text, name in told])


END = 1 << 62
"""Above the number of every event."""


def blobs_of(connection: sqlite3.Connection, run: RunId, first: int) -> set[str]:
    """The names of what the events of *run* from number *first* on say that was too long for a row."""
    found = {name for pack in packs_of(connection, run, first) for name in said_in(pack)[3] if name}
    query = "SELECT DISTINCT blob FROM event WHERE run=? AND seq>=? AND blob<>''"
    return found | {row[0] for row in connection.execute(query, (run, first))}


class Said(NamedTuple):
    """What events say that follow each other, the first of them with the number *first*: a line for each, as written.

    A line is the type, the step and the text of the event, whether or not the chain holds.
    """

    first: int
    lines: list[str]


def said_by(connection: sqlite3.Connection, run: RunId, first: int, end: int) -> Iterator[Said]:
    """What the events of *run* say that have the numbers from *first* up to *end*."""
    for pack in packs_of(connection, run, first):
        if pack.first >= end:
            break
        lines = _lines(connection, zip(*said_in(pack), strict=False))
        skipped = max(0, first - pack.first)
        yield Said(pack.first + skipped, lines[skipped : end - pack.first])
    query = "SELECT type, step, body, blob, seq FROM event WHERE run=? AND seq>=? AND seq<? ORDER BY seq"
    lines, following = list[str](), first
    for *told, seq in connection.execute(query, (run, first, end)):
        if lines and seq != following + len(lines):  # rows are missing
            yield Said(following, lines)
            lines = []
        following = following if lines else seq
        lines += _lines(connection, (told,))
    if lines:
        yield Said(following, lines)


def _lines(connection: sqlite3.Connection, told: Iterable[Sequence[object]]) -> list[str]:
    return [f"{kind} {step} {text if not name else _kept(connection, name)}" for kind, step, text, name in told]


def _kept(connection: sqlite3.Connection, name: object) -> str:
    content = blob(connection, str(name))
    return "" if content is None else content.decode("ascii", "replace")
