"""The journal of runs: what is written to it, and read again. Secrets are never written to it."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from workbench.disk.sqlite_file import WAIT_S
from workbench.engine.expressions.data import canonical
from workbench.engine.journal.codec import decoded, encoded
from workbench.engine.journal.debug_events import StateEdited
from workbench.engine.journal.envelope import COLUMNS, FIRST_HASH, body_of, pack, seal
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.lease import Lease, Owner, is_alive, this_process
from workbench.engine.journal.run_events import RunCreated, VariableSet
from workbench.engine.journal.run_list import (
    RunSummary,
    StoredEntry,
    forks_in,
    number_in,
    purposes_in,
    stored_entry,
    summary_of,
    update_entry,
)
from workbench.engine.journal.signing import Signature, checked, sign
from workbench.engine.journal.storage.packs import SIZE, pack_old
from workbench.engine.journal.storage.rows import blob, sound
from workbench.engine.journal.storage.store import Store, plain_words
from workbench.engine.journal.storage.words import index_packed
from workbench.errors import StoreFailed
from workbench.i18n import _, ngettext, numeral
from workbench.secrets import Redactor, known_secrets

_NO_SECRET = 32
"""So long a body holds no secret besides its names."""
_MOST_UNNAMED = 64
_PLACES = ",".join("?" for _column in COLUMNS.split(","))
_INSERT = f"INSERT INTO event ({COLUMNS}) VALUES ({_PLACES})"  # noqa: S608 - constants


class Keeps(Protocol):
    """What keeps texts that belong to runs."""

    def keep(self, content: bytes | Mapping[str, Any]) -> str:
        """The name under which *content* can be had back from now on."""
        ...

    def kept(self, name: str) -> bytes:
        """The content called *name*. Raises StoreFailed where it is not there."""
        ...


class Journal(Store):
    """The runs of one store; usable from several threads, and beside other processes."""

    def __init__(self, path: Path, key: bytes = b"", wait_s: float = WAIT_S) -> None:
        """Open or make the store. Raises StoreFailed where it is damaged, newer than us or cannot be written.

        *key*: what signs the runs, empty for none. *wait_s*: how long another program may hold the store; then
        StoreBusy is raised.
        """
        super().__init__(path, wait_s)
        self._key = key
        self._heads: dict[RunId, tuple[int, bytes]] = {}
        self._unnamed = Unnamed()
        self._redactor: Redactor | None = None

    def append(self, events: Sequence[RunEvent]) -> Sequence[RunEvent]:
        """*events* of one run as they were written, with marks in the place of secrets.

        They survive the end of this process, not that of the machine.
        """
        return self._write(events) if events else ()

    def append_synced(self, events: Sequence[RunEvent], source: RunId | None = None) -> Sequence[RunEvent]:
        """The same, and when this returns they survive a loss of power too.

        *source*: the run that has told them first. What they name is there as long as that is, for runs are left out
        with all that only they name: StoreFailed is raised where it is gone by now.
        """
        if not events:
            return ()
        with self._lock, plain_words(self.path, self._wait_s):
            self._connection.execute("PRAGMA synchronous=FULL")
            try:
                return self._write(events, source)
            finally:
                self._connection.execute("PRAGMA synchronous=NORMAL")

    def _write(self, events: Sequence[RunEvent], source: RunId | None = None) -> Sequence[RunEvent]:
        run = events[0].run
        with self.transaction() as connection:
            if source is not None and connection.execute("SELECT 1 FROM run WHERE id=?", (source,)).fetchone() is None:
                raise StoreFailed(_("Run {run} was removed meanwhile, so nothing goes on from it.").format(run=source))
            count, head = self._heads.get(run) or _head(connection, run)
            if events[0].seq != count:
                raise StoreFailed(_("Another process has written to run {run}, so this process stops.").format(run=run))
            self._redactor = self._redactor or store_redactor(connection)
            written, bodies, head = _sealed(connection, events, head, self._redactor)
            named = self._unnamed.write_again(connection, bodies)
            update_entry(connection, written, head)  # a goal may hold a secret
            if events[0].seq // SIZE != (events[-1].seq + 1) // SIZE:
                index_packed(connection, run, pack_old(connection, run, events[-1].seq + 1))
            if self._key:
                sign(connection, self._key, run, events[-1].seq + 1, head)
        self._unnamed.forget(named)
        self._heads[run] = (events[-1].seq + 1, head)
        return written

    def read(self, run: RunId, first: int = 0, limit: int | None = None) -> tuple[RunEvent, ...]:
        """The events of *run* from number *first* on, up to the first that is damaged (see ``check``).

        With a *limit* at most so many: what stands before *first* has been read, and is not looked at again.
        """
        with self.reading() as connection:
            if limit is None:
                return tuple(event for event in sound(connection, run) if event.seq >= first)
            return tuple(islice(sound(connection, run, first), limit))

    def check(self, run: RunId) -> tuple[RunEvent, ...]:
        """All events of *run*; raises StoreFailed where it is unknown, or rows are missing or not as written."""
        with self.reading() as connection:
            row = connection.execute("SELECT events, head FROM run WHERE id=?", (run,)).fetchone()
            if row is None:
                raise StoreFailed(_("There is no run {run} in {path}.").format(run=run, path=self.path))
            events = tuple(sound(connection, run))
        if len(events) != row[0] or not isinstance(row[1], bytes):
            counts = ngettext("{sound} of {count} event", "{sound} of {count} events", number_in(row[0]))
            message = _(
                "The journal of run {run} is damaged after {events}. You can view "
                "earlier events, but the run cannot be resumed: later actions are unknown."
            )
            raise StoreFailed(message.format(run=run, events=counts.format(sound=numeral(len(events)))))
        if not events or not isinstance(events[0].payload, RunCreated):
            message = _("The journal of run {run} is damaged: what the run began with is missing.")
            raise StoreFailed(message.format(run=run))
        return events

    def runs(self) -> tuple[RunSummary, ...]:
        """All runs, newest first."""
        query = """SELECT run.id, playbook, path, status, started, ended, events, error, pin.run,
            lease.pid, lease.process_started, lease.boot, lease.host, lease.heartbeat
            FROM run LEFT JOIN lease ON lease.run = run.id LEFT JOIN pin ON pin.run = run.id
            ORDER BY started DESC, run.id DESC"""
        with self.reading() as connection:
            rows, forks, purposes = connection.execute(query).fetchall(), forks_in(connection), purposes_in(connection)
        return tuple(summary_of(row, forks, purposes) for row in rows)

    def find(self, prefix: str) -> RunId:
        """The run whose id begins with *prefix*; raises StoreFailed where none or several do."""
        found = [summary.id for summary in self.runs() if summary.id.startswith(prefix)]
        if len(found) == 1 or prefix in found:
            return found[0] if len(found) == 1 else RunId(prefix)
        if not found:
            raise StoreFailed(_("There is no run {run} in {path}.").format(run=prefix, path=self.path))
        message = _("More than one run in {path} starts with “{prefix}” ({count}); give more of the id.")
        raise StoreFailed(message.format(prefix=prefix, path=self.path, count=numeral(len(found))))

    def keep(self, content: bytes | Mapping[str, Any]) -> str:
        """The name under which *content* can be had back from now on; a mapping as JSON, with marks for secrets."""
        with self.transaction() as connection:
            if not isinstance(content, bytes):
                redactor = self._redactor = self._redactor or store_redactor(connection)
                content = canonical(redactor.redacted(content)).encode("utf-8", "surrogatepass")
            name, data = pack(content)
            connection.execute("INSERT OR IGNORE INTO blob VALUES (?,?)", (name, data))
            self._unnamed.add(name, content, data)
        return name

    def kept(self, name: str) -> bytes:
        """The content called *name*; raises StoreFailed where it is missing or damaged."""
        with self.reading() as connection:
            content = blob(connection, name)
        if content is None or pack(content)[0] != name:
            raise StoreFailed(_("A text that belongs to a run is missing from {path}.").format(path=self.path))
        return content

    def proof(self, run: RunId, count: int, head: bytes, key: bytes) -> tuple[StoredEntry, Signature]:
        """The entry of *run* in the list, and what *key* (empty: our own) says of its *count* events up to *head*.

        Raises StoreFailed where there is no such run.
        """
        with self.reading() as connection:
            entry = stored_entry(connection, run)
            signature = checked(connection, key or self._key, run, count, head)
        if entry is None:
            raise StoreFailed(_("There is no run {run} in {path}.").format(run=run, path=self.path))
        return entry, signature

    def lease(self, run: RunId) -> Lease:
        """The right to carry out *run*; raises StoreFailed while another process, or another run handle, has it."""
        owner = this_process()
        with self.transaction() as connection:
            other = _owner(connection, run)
            if other is not None:
                message = _("Run {run} is being carried out by another process ({pid}); you can only watch it here.")
                raise StoreFailed(message.format(run=run, pid=other.pid))
            connection.execute(
                "INSERT OR REPLACE INTO lease VALUES (?,?,?,?,?,?)",
                (run, owner.pid, owner.started, owner.boot, owner.host, time.time_ns()),
            )
            self._heads.pop(run, None)
        return Lease(
            lambda: self._execute("UPDATE lease SET heartbeat=? WHERE run=?", (time.time_ns(), run)),
            lambda: self._execute("DELETE FROM lease WHERE run=?", (run,)),
        )

    def owner(self, run: RunId) -> Owner | None:
        """The process that carries out *run* now; None where none does."""
        with self.reading() as connection:
            return _owner(connection, run)

    def _execute(self, statement: str, values: tuple[object, ...]) -> None:
        with self.transaction() as connection:
            connection.execute(statement, values)


class Unnamed:
    """Contents that were kept here, and that no event names yet.

    Whoever leaves runs out at that moment takes them for what nobody needs. So they are written once more together with
    the first event that names them.
    """

    def __init__(self) -> None:
        self._contents: dict[str, tuple[str, bytes]] = {}

    def add(self, name: str, content: bytes, data: bytes) -> None:
        """*content*, packed as *data*, is kept as *name*; of many that nobody came to name, the oldest is given up."""
        self._contents[name] = content.decode("ascii", "replace"), data
        while len(self._contents) > _MOST_UNNAMED:
            del self._contents[next(iter(self._contents))]

    def write_again(self, connection: sqlite3.Connection, bodies: Sequence[str]) -> list[str]:
        """Write what *bodies* name, or what that names in turn; the names."""
        named: list[str] = []
        due = list(bodies) if self._contents else []
        while due:
            said = due.pop()
            found = [name for name in self._contents if name in said and name not in named]
            named += found
            due += [self._contents[name][0] for name in found]
        rows = [(name, self._contents[name][1]) for name in named]
        connection.executemany("INSERT OR IGNORE INTO blob VALUES (?,?)", rows)
        return named

    def forget(self, names: Sequence[str]) -> None:
        """*names* are those of contents that events name now."""
        for name in names:
            self._contents.pop(name, None)


def _sealed(
    connection: sqlite3.Connection, events: Sequence[RunEvent], head: bytes, redactor: Redactor
) -> tuple[list[RunEvent], list[str], bytes]:
    """Write *events* behind the hash *head*: as they were written, their bodies, and the hash of the last one."""
    written, bodies, rows = [], [], []
    for event in events:
        body = body_of(event)
        if len(body) > _NO_SECRET and redactor.suspects(body):
            event = redacted(event, redactor)  # noqa: PLW2901 - the other is not written
            body = body_of(event)
        sealed = seal(event, head, body)
        written.append(event)
        bodies.append(body)
        rows.append(sealed.row)
        head = sealed.hash
        if sealed.blob is not None:
            connection.execute("INSERT OR IGNORE INTO blob VALUES (?,?)", sealed.blob)
    connection.executemany(_INSERT, rows)
    return written, bodies, head


def _owner(connection: sqlite3.Connection, run: RunId) -> Owner | None:
    """Who holds the lease of *run*, and lives."""
    query = "SELECT pid, process_started, boot, host, heartbeat FROM lease WHERE run=?"
    row = connection.execute(query, (run,)).fetchone()
    owner = Owner(*row[:4]) if row is not None else None
    return owner if owner is not None and is_alive(owner, row[4]) else None


def _head(connection: sqlite3.Connection, run: RunId) -> tuple[int, bytes]:
    row = connection.execute("SELECT events, head FROM run WHERE id=?", (run,)).fetchone()
    return (row[0], row[1]) if row else (0, FIRST_HASH)


def store_redactor(connection: sqlite3.Connection) -> Redactor:
    """What takes secrets out; its salt stays in the store, so that nobody can try out the marks in an export."""
    connection.execute("CREATE TABLE IF NOT EXISTS salt (salt BLOB)")
    row = connection.execute("SELECT salt FROM salt").fetchone()
    salt = bytes(row[0]) if row is not None else os.urandom(16)
    if row is None:
        connection.execute("INSERT INTO salt VALUES (?)", (salt,))
    return Redactor(salt, known_secrets())


def redacted(event: RunEvent, redactor: Redactor) -> RunEvent:
    """*event* with marks in the place of secrets; as that of a field, the name of a variable says what it holds."""
    payload = decoded(event.name, redactor.redacted(encoded(event.payload)))
    given = event.payload
    if isinstance(payload, VariableSet | StateEdited) and isinstance(given, VariableSet | StateEdited):
        payload = replace(payload, new=redactor.redacted(given.new, given.name))
    return replace(event, payload=payload)
