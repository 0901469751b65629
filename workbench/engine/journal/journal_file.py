"""The file of the journal: its tables, and what can be wrong with it, in words."""

from __future__ import annotations

import sqlite3
from contextlib import AbstractContextManager
from pathlib import Path

from workbench.disk.sqlite_file import WAIT_S, Trouble, connect, failure, in_plain_words
from workbench.errors import StoreFailed
from workbench.i18n import _

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
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = _("The folder {folder} for the run journal cannot be created: {reason}.")
        raise StoreFailed(message.format(folder=path.parent, reason=error.strerror or error)) from error
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
