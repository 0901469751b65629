"""One connection to a store, with every failure of SQLite turned into words for the person."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from workbench.disk.files import Identity, is_there, is_writable, look_at, real_path, why
from workbench.disk.sqlite_file import WAIT_S, Trouble, connect, failure, trouble_of, write_ahead
from workbench.errors import StoreFailed
from workbench.i18n import _
from workbench.library import schema, store_file
from workbench.library.entries import lower_bound
from workbench.library.store_file import FileState


class Database:
    """The file of a store. Safe to share between threads; several processes may have it open.

    *path*: links are followed, so that a linked store stays linked. The file comes to be with
    the first write; until then reading finds an empty store.
    """

    def __init__(self, path: Path, lock_wait_s: float = WAIT_S) -> None:
        self.path = real_path(path)
        self._lock_wait_s = lock_wait_s
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._identity: Identity | None = None
        self._process = os.getpid()
        self._inherited: list[sqlite3.Connection] = []
        self._state = FileState.MISSING

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection to read from. Raises StoreFailed."""
        with self._lock, self._told():
            yield self._connected()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A connection inside one transaction: all of it is kept, on disk, or nothing is. Raises StoreFailed."""
        with self._lock, self._told():
            self._refuse_read_only()
            if not is_there(self.path):
                store_file.create(self.path)
            connection = self._connected()
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:  # whatever ends the writing, nothing of it stays
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def data_version(self) -> tuple[object, ...]:
        """A value that changes whenever anybody writes to the store, this connection included."""
        with self.reading() as connection:
            (others,) = connection.execute("PRAGMA data_version").fetchone()
            return (self._identity, others, connection.total_changes)

    def close(self) -> None:
        """Let go of the file; the next use opens it again."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection, self._identity = None, None

    def _connected(self) -> sqlite3.Connection:
        """The open connection; a new one when the file was created, replaced or removed meanwhile."""
        identity = _identity_of(self.path)
        if self._process != os.getpid():
            self._leave_inherited()
        if self._connection is None or identity != self._identity:
            self.close()
            self._state = store_file.inspect(self.path)
            self._connection = self._open()
            self._identity = identity
        return self._connection

    def _leave_inherited(self) -> None:
        """Neither use nor close what came with a fork: it belongs to the process that opened it."""
        if self._connection is not None:
            self._inherited.append(self._connection)
        self._connection, self._identity, self._process = None, None, os.getpid()

    def _open(self) -> sqlite3.Connection:
        if self._state is FileState.MISSING:
            connection = _connect(":memory:", self._lock_wait_s)
            for statement in schema.STATEMENTS:
                connection.execute(statement)
            return connection
        if self._is_read_only():
            return _open_read_only(self.path, self._lock_wait_s)
        connection = _connect(str(self.path), self._lock_wait_s)
        write_ahead(connection, self._lock_wait_s)
        # every acknowledged record is on the disk, power cut or not
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")
        return connection

    def _is_read_only(self) -> bool:
        if self._state is FileState.NEWER:
            return True
        return not (is_writable(self.path) and is_writable(self.path.parent))

    def _refuse_read_only(self) -> None:
        if not is_there(self.path):
            return
        self._state = store_file.inspect(self.path)
        if self._state is FileState.NEWER:
            raise failure(Trouble.NEWER, _subject(self.path))
        if self._is_read_only():
            raise failure(Trouble.READ_ONLY, _subject(self.path))

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._failure(error) from error
        except OSError as error:
            raise failure(Trouble.OTHER, _subject(self.path), why(error)) from error

    def _failure(self, error: sqlite3.Error) -> StoreFailed:
        trouble = trouble_of(error)
        if trouble is Trouble.DAMAGED:
            self.close()
            return store_file.damaged(self.path, _("parts of it cannot be read"))
        if trouble is Trouble.OTHER and self._state is FileState.NEWER:
            # what it holds may have other columns by now
            trouble = Trouble.NEWER
        return failure(trouble, _subject(self.path), str(error), self._lock_wait_s)


def _connect(target: str, lock_wait_s: float) -> sqlite3.Connection:
    connection = connect(target, lock_wait_s)
    connection.create_function("lower_bound", 2, lower_bound, deterministic=True)
    return connection


def _open_read_only(path: Path, lock_wait_s: float) -> sqlite3.Connection:
    """A connection that cannot write, not even the small files beside the store."""
    address = f"file:{quote(str(path))}?mode=ro"
    connection = _connect(address, lock_wait_s)
    try:
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()
    except sqlite3.OperationalError:
        # without leave to write beside it SQLite can only read a store that nobody else writes to
        connection.close()
        connection = _connect(address + "&immutable=1", lock_wait_s)
    return connection


def _identity_of(path: Path) -> Identity | None:
    """What stays the same as long as *path* is the same file; None: there is none."""
    return look_at(path).identity


def _subject(path: Path) -> str:
    return _("The pattern library “{path}”").format(path=path)
