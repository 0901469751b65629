"""The file of the journal: its tables, how it is opened, and what can be wrong with it, in words."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from workbench.disk.files import why
from workbench.disk.private import make_private_folder
from workbench.disk.sqlite_file import WAIT_S, Trouble, connect, failure, in_plain_words, write_ahead
from workbench.errors import StoreFailed
from workbench.i18n import _

_VERSION = 2
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
CREATE TABLE IF NOT EXISTS pack (
    run TEXT, first INTEGER, count INTEGER, prev_hash BLOB, hash BLOB, data BLOB, PRIMARY KEY (run, first)
);
CREATE TABLE IF NOT EXISTS page (id INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT, first INTEGER, count INTEGER);
CREATE UNIQUE INDEX IF NOT EXISTS page_of_run ON page (run, first);
CREATE TABLE IF NOT EXISTS pin (run TEXT PRIMARY KEY) WITHOUT ROWID;
"""
"""Since version 2: events in packs (``packs``), pages of what can be searched (``words``), pins (``room``)."""


def open_store(path: Path, wait_s: float = WAIT_S) -> sqlite3.Connection:
    """A connection to the journal at *path*, made where there is none. Raises StoreFailed."""
    try:
        make_private_folder(path.parent)
    except OSError as error:
        message = _("The folder {folder} for the run journal cannot be created: {reason}.")
        raise StoreFailed(message.format(folder=path.parent, reason=why(error))) from error
    with plain_words(path, wait_s):
        connection = connect(str(path), wait_s)
        try:
            _prepare(connection, path, wait_s)
        except BaseException:  # nobody else has the connection yet
            connection.close()
            raise
    return connection


def _prepare(connection: sqlite3.Connection, path: Path, wait_s: float) -> None:
    found = connection.execute("PRAGMA user_version").fetchone()[0]
    if found > _VERSION:
        raise failure(Trouble.NEWER, _subject(path))
    write_ahead(connection, wait_s)
    connection.execute("PRAGMA synchronous=NORMAL")
    if found < _VERSION:
        connection.executescript(f"BEGIN IMMEDIATE;{_TABLES}PRAGMA user_version={_VERSION};COMMIT;")


def plain_words(path: Path, wait_s: float) -> AbstractContextManager[None]:
    """Turns what SQLite raises inside into StoreFailed, in words a person can act on."""
    return in_plain_words(_subject(path), wait_s)


def _subject(path: Path) -> str:
    return _("The run journal “{path}”").format(path=path)


class Store:
    """One connection to a journal, for several threads; *wait_s*: how long another program may hold the file.

    *is_waiting*: another program holds it just now, and somebody here wants to write; any thread may ask.
    """

    def __init__(self, path: Path, wait_s: float = WAIT_S) -> None:
        """Open or make it. Raises StoreFailed where it is damaged, newer than us or cannot be written."""
        self.path = path
        self._wait_s = wait_s
        self._lock = threading.RLock()
        self.is_waiting = False
        self._connection = open_store(path, wait_s)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it is written, or nothing. Raises StoreFailed."""
        with self._lock, plain_words(self.path, self._wait_s):
            self.is_waiting = True  # as a rule for no time at all
            try:
                self._connection.execute("BEGIN IMMEDIATE")
            finally:
                self.is_waiting = False
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:  # whatever ends the writing, nothing of it stays
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """All that is read inside is of one moment: events may be packed meanwhile. Raises StoreFailed."""
        with self._lock, plain_words(self.path, self._wait_s):
            self._connection.execute("BEGIN")
            try:
                yield self._connection
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    @contextmanager
    def alone(self) -> Iterator[sqlite3.Connection]:
        """Outside of any transaction, for what SQLite does in none (``VACUUM``). Raises StoreFailed."""
        with self._lock, plain_words(self.path, self._wait_s):
            yield self._connection
