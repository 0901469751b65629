"""How much room runs take: pinning them, leaving out old ones, and packing what is there."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from workbench.disk.files import look_at
from workbench.engine.journal.events import RunId
from workbench.engine.journal.lease import Owner, is_alive
from workbench.engine.journal.run_list import RunSummary
from workbench.engine.journal.storage.packs import pack_rows, packed_of
from workbench.engine.journal.storage.rows import END, blob, blobs_of, said_by
from workbench.engine.journal.storage.store import Store
from workbench.engine.journal.storage.words import fill_index
from workbench.regex import regex

_DAY_NS = 86_400_000_000_000
_ROW_BYTES = 260
"""What a row takes besides its body: times, hashes, the id of the run."""
_NAME = regex(r"[0-9a-f]{64}")
_OF_RUNS = ("event", "pack", "page", "pin", "lease", "fork", "purpose", "signature")


@dataclass(frozen=True, slots=True)
class Retention:
    """Which runs are kept: the newest, up to each limit; 0: no limit. *days* count from the end of a run."""

    days: int = 0
    runs: int = 0
    bytes: int = 0

    @property
    def has_limit(self) -> bool:
        """Whether anything would ever be left out."""
        return any((self.days, self.runs, self.bytes))


def set_pin(store: Store, run: RunId, *, is_pinned: bool) -> None:
    """Keep *run* whatever the limits are, or no longer."""
    with store.transaction() as connection:
        connection.execute("DELETE FROM pin WHERE run=?", (run,))
        if is_pinned:
            connection.execute("INSERT INTO pin VALUES (?)", (run,))


def sizes(store: Store) -> Mapping[RunId, int]:
    """About how many bytes the events of each run take, without contents that runs share."""
    query = f"""SELECT run, sum(bytes) FROM (
        SELECT run, length(data) AS bytes FROM pack
        UNION ALL SELECT run, length(body) + {_ROW_BYTES} FROM event) GROUP BY run"""  # noqa: S608 - constants
    with store.reading() as connection:
        return dict(connection.execute(query))


def surplus(
    summaries: Sequence[RunSummary], sized: Mapping[RunId, int], rule: Retention, now_ns: int
) -> tuple[RunSummary, ...]:
    """Which of *summaries*, newest first, *rule* leaves out at *now_ns*: none that is pinned or goes on.

    One that was cut off or waits is left out only for its days, since it can be gone on with.
    """
    found, kept, taken = [], 0, 0
    for one in summaries:
        since_ns = one.ended_ns or one.started_ns
        is_old = rule.days > 0 and now_ns - since_ns > rule.days * _DAY_NS
        is_above = (rule.runs > 0 and kept >= rule.runs) or (
            rule.bytes > 0 and taken + sized.get(one.id, 0) > rule.bytes
        )
        if not one.is_live and not one.is_pinned and (is_old or (is_above and one.ended_ns > 0)):
            found.append(one)
        else:
            kept, taken = kept + 1, taken + sized.get(one.id, 0)
    return tuple(found)


def leave_out(store: Store, runs: Iterable[RunId]) -> None:
    """Remove *runs* with all that only they have. What goes on or was pinned meanwhile stays.

    Long runs are looked through beforehand, since others may have to write meanwhile.
    """
    wanted = set(runs)
    with store.reading() as connection:
        named = {run: frozenset(_named_by(connection, run)) for run in wanted}
        counts = dict(connection.execute("SELECT id, events FROM run"))
        used = {name for run in counts.keys() - wanted for name in _named_by(connection, run)}
    with store.transaction() as connection:
        gone = {run for run in wanted if not _is_held(connection, run)}
        for table in filter(partial(_has, connection), _OF_RUNS):
            statement = f"DELETE FROM {table} WHERE run=?"  # noqa: S608 - constants of this file
            connection.executemany(statement, [(run,) for run in gone])
        connection.executemany("DELETE FROM run WHERE id=?", [(run,) for run in gone])
        for run, count in connection.execute("SELECT id, events FROM run").fetchall():
            if run in wanted or count != counts.get(run):
                used.update(_named_by(connection, run, 0 if run in wanted else counts.get(run, 0)))
        free = {name for run in gone for name in named[run]} - used
        connection.executemany("DELETE FROM blob WHERE sha256=?", [(name,) for name in free])


def _has(connection: sqlite3.Connection, table: str) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master WHERE name=?", (table,)).fetchone() is not None


def _is_held(connection: sqlite3.Connection, run: RunId) -> bool:
    """Whether somebody has pinned *run*, or carries it out."""
    if connection.execute("SELECT 1 FROM pin WHERE run=?", (run,)).fetchone() is not None:
        return True
    return _is_live(connection, run)


def _is_live(connection: sqlite3.Connection, run: RunId) -> bool:
    query = "SELECT pid, process_started, boot, host, heartbeat FROM lease WHERE run=?"
    row = connection.execute(query, (run,)).fetchone()
    return row is not None and is_alive(Owner(*row[:4]), row[4])


def _named_by(connection: sqlite3.Connection, run: RunId, first: int = 0) -> Iterator[str]:
    """The names of all contents that the events of *run* from *first* on may need, those in these contents included."""
    due = blobs_of(connection, run, first)
    for said in said_by(connection, run, first, END):
        due.update(_NAME.findall("\n".join(said.lines)))
    seen = set[str]()
    while due:
        name = due.pop()
        seen.add(name)
        content = blob(connection, name)
        if content is not None:
            yield name
            due.update(set(_NAME.findall(content.decode("ascii", "replace"))) - seen)


@dataclass(frozen=True, slots=True)
class Compacted:
    """How many bytes the store took *before*, and takes *after*."""

    before: int
    after: int


def compact(store: Store, idle: Iterable[RunId]) -> Compacted:
    """Pack the runs *idle*, which nobody carries out, make the index anew, and give free room back to the system."""
    before = _bytes_of(store.path)
    for run in idle:
        while _pack_next(store, run):
            pass
    with store.transaction() as connection:
        if _has(connection, "word") and not _is_exact(connection):
            connection.execute("DROP TABLE word")
            connection.execute("DELETE FROM page")
            connection.execute("DELETE FROM sqlite_sequence WHERE name='page'")
    fill_index(store)
    with store.alone() as connection:
        if _has(connection, "word"):
            connection.execute("INSERT INTO word(word) VALUES ('optimize')")
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    return Compacted(before, _bytes_of(store.path))


def _is_exact(connection: sqlite3.Connection) -> bool:
    """Whether the index knows only pages that are still there."""
    last, count = connection.execute("SELECT coalesce(max(id), 0), count(*) FROM page").fetchone()
    made = connection.execute("SELECT seq FROM sqlite_sequence WHERE name='page'").fetchone()
    return bool(last == count == (made[0] if made is not None else 0))


def _pack_next(store: Store, run: RunId) -> bool:
    """Whether there was something of *run* to pack, which is now; one transaction each, so that others can write."""
    with store.transaction() as connection:
        return not _is_live(connection, run) and bool(pack_rows(connection, run, packed_of(connection, run)))


def _bytes_of(path: Path) -> int:
    return sum(look_at(path.with_name(path.name + end)).size for end in ("", "-wal"))
