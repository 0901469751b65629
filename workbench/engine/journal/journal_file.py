"""The file of the journal: its tables, and what can be wrong with it, in words."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from workbench.errors import StoreFailed
from workbench.i18n import _

_VERSION = 1
_BUSY_MS = 5000

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
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = _("The folder {folder} for the journal of runs cannot be made: {reason}.")
        raise StoreFailed(message.format(folder=path.parent, reason=error.strerror or error)) from error
    with plain_words(path):
        connection = sqlite3.connect(path, timeout=_BUSY_MS / 1000, isolation_level=None, check_same_thread=False)
        try:
            _prepare(connection, path)
        except BaseException:  # nobody else has the connection yet
            connection.close()
            raise
    return connection


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    found = connection.execute("PRAGMA user_version").fetchone()[0]
    if found > _VERSION:
        message = _("The journal {path} was written by a newer Playbook Workbench. Update this one to open it.")
        raise StoreFailed(message.format(path=path))
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
    if found < _VERSION:
        connection.executescript(f"BEGIN IMMEDIATE;{_TABLES}PRAGMA user_version={_VERSION};COMMIT;")


@contextmanager
def plain_words(path: Path) -> Iterator[None]:
    """Turns what SQLite raises inside into StoreFailed, in words a person can act on."""
    try:
        yield
    except sqlite3.Error as error:
        code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
        message = _words().get(code, _("The journal {path} cannot be used: {reason}."))
        raise StoreFailed(message.format(path=path, reason=error)) from error


def _words() -> dict[int, str]:
    damaged = _("The journal {path} is damaged ({reason}). Move it away to start a new one; keep it for recovery.")
    locked = _("The journal {path} is in use by another program. Try again in a moment.")
    closed = _("The journal {path} cannot be written: {reason}. Check who may write there.")
    return {
        sqlite3.SQLITE_CORRUPT: damaged,
        sqlite3.SQLITE_NOTADB: damaged,
        sqlite3.SQLITE_ERROR: damaged,
        sqlite3.SQLITE_BUSY: locked,
        sqlite3.SQLITE_LOCKED: locked,
        sqlite3.SQLITE_READONLY: closed,
        sqlite3.SQLITE_CANTOPEN: closed,
        sqlite3.SQLITE_PERM: closed,
        sqlite3.SQLITE_IOERR: closed,
        sqlite3.SQLITE_FULL: _("The journal {path} cannot be written: the disk is full. Free some space, then resume."),
    }
