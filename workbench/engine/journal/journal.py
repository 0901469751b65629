"""The file of the journal: its tables, and what can be wrong with it, in words."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from workbench.disk.files import why
from workbench.disk.private import make_private_folder
from workbench.disk.sqlite_file import WAIT_S, Trouble, connect, failure, in_plain_words
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.envelope import COLUMNS, FIRST_HASH, body_of, pack, redacted, seal, unpack, unseal
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.lease import Lease, Owner, is_alive, this_process
from workbench.engine.journal.payload import EventPayload
from workbench.engine.journal.run_events import (
    FINAL,
    RunCancelled,
    RunCompleted,
    RunCreated,
    RunFailure,
    RunPaused,
    RunResumed,
    RunStarted,
)
from workbench.engine.journal.signing import Signature, checked, sign
from workbench.errors import StoreFailed
from workbench.i18n import _, ngettext, numeral
from workbench.secrets import Redactor, known_secrets

_VERSION = 1
_TABLES = """
CREATE TABLE IF NOT EXISTS event (
    run TEXT, seq INTEGER, at INTEGER, mono INTEGER, type TEXT, span TEXT, parent TEXT, step TEXT,
    line INTEGER, attempt INTEGER, actor TEXT, body TEXT, blob TEXT, prev_hash BLOB, hash BLOB, v INTEGER,
    PRIMARY KEY (run, seq)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS blob (sha256 TEXT PRIMARY KEY, data BLOB) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS run (
    id TEXT PRIMARY KEY, playbook TEXT, path TEXT, status TEXT, started INTEGER, ended INTEGER,
    events INTEGER, error TEXT, head BLOB
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS lease (
    run TEXT PRIMARY KEY, pid INTEGER, process_started TEXT, boot TEXT, host TEXT, heartbeat INTEGER
) WITHOUT ROWID;
"""


def open_store(path: Path) -> sqlite3.Connection:
    """A connection to the journal at *path*, made where there is none. Raises StoreFailed."""
    try:
        make_private_folder(path.parent)
    except OSError as error:
        message = _("The folder {folder} for the run journal cannot be created: {reason}.")
        raise StoreFailed(message.format(folder=path.parent, reason=why(error))) from error
    with plain_words(path):
        connection = connect(str(path), WAIT_S)
        try:
            _prepare(connection, path)
        except BaseException:  # nobody else has the connection yet
            connection.close()
            raise
    return connection


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    found = connection.execute("PRAGMA user_version").fetchone()[0]
    if found > _VERSION:
        raise failure(Trouble.NEWER, _subject(path))
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
    if found < _VERSION:
        connection.executescript(f"BEGIN IMMEDIATE;{_TABLES}PRAGMA user_version={_VERSION};COMMIT;")


def plain_words(path: Path) -> AbstractContextManager[None]:
    """Turns what SQLite raises inside into StoreFailed, in words a person can act on."""
    return in_plain_words(_subject(path), WAIT_S)


def _subject(path: Path) -> str:
    return _("The run journal “{path}”").format(path=path)


@dataclass(frozen=True, slots=True)
class RunSummary:
    """What a list of runs shows.

    *is_live*: some process carries it out now.
    *ended_ns*: 0 while it is not over.
    """

    id: RunId
    playbook: str
    path: str
    status: RunStatus
    started_ns: int
    ended_ns: int
    events: int
    error: str
    is_live: bool

    @property
    def is_resumable(self) -> bool:
        """Whether it can be gone on with."""
        return not self.is_live and self.status not in {RunStatus.COMPLETED, RunStatus.FAILED}


_STATUS: dict[type[EventPayload], RunStatus] = {
    RunStarted: RunStatus.RUNNING,
    RunPaused: RunStatus.PAUSED,
    RunResumed: RunStatus.RUNNING,
    RunCancelled: RunStatus.CANCELLED,
    RunCompleted: RunStatus.COMPLETED,
    RunFailure: RunStatus.FAILED,
}
_NO_SECRET = 32
"""So long a body holds no secret besides its names."""
_STATUSES = frozenset(status.value for status in RunStatus)
_PLACES = ",".join("?" for _column in COLUMNS.split(","))
_INSERT = f"INSERT INTO event ({COLUMNS}) VALUES ({_PLACES})"  # noqa: S608 - constants
_SELECT = f"SELECT {COLUMNS} FROM event WHERE run=? ORDER BY seq"  # noqa: S608 - constants


class Journal:
    """The runs of one store; usable from several threads, and beside other processes."""

    def __init__(self, path: Path, key: bytes = b"") -> None:
        """Open or make the store. Raises StoreFailed where it is damaged, newer than us or cannot be written.

        *key*: what signs the runs, empty for none.
        """
        self.path = path
        self._key = key
        self._lock = threading.RLock()
        self._heads: dict[RunId, tuple[int, bytes]] = {}
        self._salted: Redactor | None = None
        self._connection = open_store(path)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it is written, or nothing. Raises StoreFailed."""
        with self._lock, plain_words(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:  # whatever ends the writing, nothing of it stays
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def append(self, events: Sequence[RunEvent]) -> Sequence[RunEvent]:
        """*events* of one run as they were written, with marks in the place of secrets.

        They survive the end of this process, not that of the machine.
        """
        return self._write(events) if events else ()

    def append_synced(self, events: Sequence[RunEvent]) -> Sequence[RunEvent]:
        """The same, and when this returns they survive a loss of power too."""
        if not events:
            return ()
        with self._lock, plain_words(self.path):
            self._connection.execute("PRAGMA synchronous=FULL")
            try:
                return self._write(events)
            finally:
                self._connection.execute("PRAGMA synchronous=NORMAL")

    def _write(self, events: Sequence[RunEvent]) -> Sequence[RunEvent]:
        run, written = events[0].run, []
        with self._transaction() as connection:
            count, head = self._heads.get(run) or _head(connection, run)
            if events[0].seq != count:
                raise StoreFailed(_("Another process has written to run {run}, so this process stops.").format(run=run))
            rows = []
            for event in events:
                body = body_of(event)
                if len(body) > _NO_SECRET and self._redactor(connection).suspects(body):
                    event = redacted(event, self._redactor(connection))  # noqa: PLW2901 - the other is not written
                    body = body_of(event)
                sealed = seal(event, head, body)
                written.append(event)
                rows.append(sealed.row)
                head = sealed.hash
                if sealed.blob is not None:
                    connection.execute("INSERT OR IGNORE INTO blob VALUES (?,?)", sealed.blob)
            connection.executemany(_INSERT, rows)
            _update_run(connection, events, head)
            if self._key:
                sign(connection, self._key, run, events[-1].seq + 1, head)
        self._heads[run] = (events[-1].seq + 1, head)
        return written

    def _redactor(self, connection: sqlite3.Connection) -> Redactor:
        """What takes secrets out; its salt stays in the store, so that nobody can try out the marks in an export."""
        if self._salted is None:
            connection.execute("CREATE TABLE IF NOT EXISTS salt (salt BLOB)")
            row = connection.execute("SELECT salt FROM salt").fetchone()
            salt = bytes(row[0]) if row is not None else os.urandom(16)
            if row is None:
                connection.execute("INSERT INTO salt VALUES (?)", (salt,))
            self._salted = Redactor(salt, known_secrets())
        return self._salted

    def read(self, run: RunId, first: int = 0) -> tuple[RunEvent, ...]:
        """The events of *run* from number *first* on, up to the first that is damaged (see ``check``)."""
        with self._lock, plain_words(self.path):
            return tuple(event for event in self._sound(run) if event.seq >= first)

    def check(self, run: RunId) -> tuple[RunEvent, ...]:
        """All events of *run*; raises StoreFailed where it is unknown, or rows are missing or not as written."""
        with self._lock, plain_words(self.path):
            row = self._connection.execute("SELECT events, head FROM run WHERE id=?", (run,)).fetchone()
            if row is None:
                raise StoreFailed(_("There is no run {run} in {path}.").format(run=run, path=self.path))
            events = tuple(self._sound(run))
        if len(events) != row[0] or not isinstance(row[1], bytes):
            counts = ngettext("{sound} of {count} event", "{sound} of {count} events", _number(row[0]))
            message = _(
                "The journal of run {run} is damaged after {events}. You can view "
                "earlier events, but the run cannot be resumed: later actions are unknown."
            )
            raise StoreFailed(message.format(run=run, events=counts.format(sound=numeral(len(events)))))
        if not events or not isinstance(events[0].payload, RunCreated):
            message = _("The journal of run {run} is damaged: what the run began with is missing.")
            raise StoreFailed(message.format(run=run))
        return events

    def _sound(self, run: RunId) -> Iterator[RunEvent]:
        """The events of *run* as far as the chain holds."""
        head = FIRST_HASH
        rows = self._connection.execute(_SELECT, (run,))
        for count, row in enumerate(rows):
            opened = unseal(row, head, partial(_blob, self._connection))
            if opened is None or opened[0].seq != count:
                return
            event, head = opened
            yield event

    def runs(self) -> tuple[RunSummary, ...]:
        """All runs, newest first."""
        query = """SELECT run.id, playbook, path, status, started, ended, events, error,
            lease.pid, lease.process_started, lease.boot, lease.host, lease.heartbeat
            FROM run LEFT JOIN lease ON lease.run = run.id ORDER BY started DESC, run.id DESC"""
        with self._lock, plain_words(self.path):
            rows = self._connection.execute(query).fetchall()
        return tuple(_summary(row) for row in rows)

    def find(self, prefix: str) -> RunId:
        """The run whose id begins with *prefix*; raises StoreFailed where none or several do."""
        found = [summary.id for summary in self.runs() if summary.id.startswith(prefix)]
        if len(found) == 1 or prefix in found:
            return found[0] if len(found) == 1 else RunId(prefix)
        message = _("“{prefix}” does not name one run in {path} but {count}; give more of the id.")
        raise StoreFailed(message.format(prefix=prefix, path=self.path, count=numeral(len(found))))

    def keep(self, content: bytes) -> str:
        """The name under which *content* can be had back from now on."""
        name, data = pack(content)
        self._execute("INSERT OR IGNORE INTO blob VALUES (?,?)", (name, data))
        return name

    def kept(self, name: str) -> bytes:
        """The content called *name*; raises StoreFailed where it is missing or damaged."""
        with self._lock, plain_words(self.path):
            content = _blob(self._connection, name)
        if content is None or pack(content)[0] != name:
            raise StoreFailed(_("A text that belongs to a run is missing from {path}.").format(path=self.path))
        return content

    def signature(self, run: RunId, count: int, head: bytes, key: bytes = b"") -> Signature:
        """What *key* (empty: the journal's own) says of *run*, which has *count* events that end with *head*."""
        with self._lock, plain_words(self.path):
            return checked(self._connection, key or self._key, run, count, head)

    def lease(self, run: RunId) -> Lease:
        """The right to carry out *run*; raises StoreFailed while another process, or another run handle, has it."""
        owner = this_process()
        with self._transaction() as connection:
            row = connection.execute(
                "SELECT pid, process_started, boot, host, heartbeat FROM lease WHERE run=?", (run,)
            ).fetchone()
            if row is not None and is_alive(Owner(*row[:4]), row[4]):
                message = _("Run {run} is being carried out by another process ({pid}); you can only watch it here.")
                raise StoreFailed(message.format(run=run, pid=row[0]))
            connection.execute(
                "INSERT OR REPLACE INTO lease VALUES (?,?,?,?,?,?)",
                (run, owner.pid, owner.started, owner.boot, owner.host, time.time_ns()),
            )
            self._heads.pop(run, None)
        return Lease(
            lambda: self._execute("UPDATE lease SET heartbeat=? WHERE run=?", (time.time_ns(), run)),
            lambda: self._execute("DELETE FROM lease WHERE run=?", (run,)),
        )

    def _execute(self, statement: str, values: tuple[object, ...]) -> None:
        with self._transaction() as connection:
            connection.execute(statement, values)


def _summary(row: tuple[Any, ...]) -> RunSummary:
    run, playbook, path, status, started, ended, events, error, *lease = row
    known = RunStatus(status) if status in _STATUSES else RunStatus.FAILED
    told = _text(error) if known.value == status else _("The entry of this run is damaged.")
    return RunSummary(
        *(run, _text(playbook), _text(path), known),
        *(_number(started), _number(ended), _number(events)),
        *(told, _is_held(tuple(lease))),
    )


def _text(value: object) -> str:
    """*value* of a row that somebody may have changed."""
    return value if isinstance(value, str) else ""


def _number(value: object) -> int:
    """The same for a number."""
    return value if isinstance(value, int) else 0


def _is_held(lease: tuple[Any, ...]) -> bool:
    """Whether the process in the columns of *lease* (all None: there is none) still carries out its run."""
    return lease[0] is not None and is_alive(Owner(*lease[:4]), lease[4])


def _head(connection: sqlite3.Connection, run: RunId) -> tuple[int, bytes]:
    row = connection.execute("SELECT events, head FROM run WHERE id=?", (run,)).fetchone()
    return (row[0], row[1]) if row else (0, FIRST_HASH)


def _update_run(connection: sqlite3.Connection, events: Sequence[RunEvent], head: bytes) -> None:
    run = events[0].run
    if isinstance(events[0].payload, RunCreated):
        connection.execute("INSERT INTO run (id) VALUES (?)", (run,))
    changed = {**entry_of(events), "events": events[-1].seq + 1, "head": head}
    columns = ",".join(f"{name}=?" for name in changed)  # constants of this file
    connection.execute(f"UPDATE run SET {columns} WHERE id=?", (*changed.values(), run))  # noqa: S608 - see above


def entry_of(events: Sequence[RunEvent]) -> dict[str, str | int]:
    """What *events* say for the entry of their run in the list, by column."""
    entry: dict[str, str | int] = {}
    for event in events:
        payload = event.payload
        if isinstance(payload, RunCreated):
            entry |= {"playbook": _storable(payload.playbook), "path": _storable(payload.path)}
            entry |= {"status": "created", "started": event.at_ns, "ended": 0, "error": ""}
        elif type(payload) in _STATUS:
            error = payload.message if isinstance(payload, RunFailure) else ""
            ended = event.at_ns if type(payload) in FINAL else 0
            entry |= {"status": _STATUS[type(payload)].value, "ended": ended, "error": _storable(error)}
    return entry


def _blob(connection: sqlite3.Connection, name: str) -> bytes | None:
    row = connection.execute("SELECT data FROM blob WHERE sha256=?", (name,)).fetchone()
    try:
        return unpack(row[0]) if row and isinstance(row[0], bytes) else None
    except zlib.error:
        return None


def _storable(text: str) -> str:
    """*text* with bytes that are not UTF-8 (of a file's name) written out."""
    return text.encode("utf-8", "backslashreplace").decode()


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """The entry of a run in the list. *count*, *head*: as it was closed with. *rows*: how many rows events have."""

    count: int
    head: bytes
    rows: int
    entry: Mapping[str, object]


def stored_entry(journal: Journal, run: RunId) -> StoredEntry:
    """What stands in the list of runs for *run*. Raises StoreFailed."""
    columns = ("playbook", "path", "status", "started", "ended", "error")
    query = f"SELECT events, head, {','.join(columns)} FROM run WHERE id=?"  # noqa: S608 - constants
    with journal._transaction() as connection:
        row = connection.execute(query, (run,)).fetchone()
        rows = connection.execute("SELECT count(*) FROM event WHERE run=?", (run,)).fetchone()[0]
    if row is None:
        raise StoreFailed(_("There is no run {run} in {path}.").format(run=run, path=journal.path))
    head = row[1] if isinstance(row[1], bytes) else b""
    return StoredEntry(_number(row[0]), head, rows, dict(zip(columns, row[2:], strict=True)))
