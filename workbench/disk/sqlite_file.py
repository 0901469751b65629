"""SQLite files: how every store is opened, and what can be wrong with one, in words a person can act on."""

from __future__ import annotations

import enum
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from workbench.disk.files import Kind, look_at
from workbench.disk.private import make_private_file
from workbench.errors import StoreBusy, StoreFailed
from workbench.i18n import _, numeral

_MEMORY = ":memory:"

WAIT_S = 5.0
"""How long another program may hold a store before waiting for it is given up."""

WINDOW_WAIT_S = 0.1
"""The same on the thread that draws the window, which has to answer; whoever may wait longer does so elsewhere."""


_RETRY_S = 0.005


class Trouble(enum.Enum):
    """What is wrong with a store. NEWER: a later version of this program wrote it."""

    DAMAGED = enum.auto()
    LOCKED = enum.auto()
    READ_ONLY = enum.auto()
    CLOSED = enum.auto()
    FULL = enum.auto()
    DISK = enum.auto()
    NEWER = enum.auto()
    OTHER = enum.auto()


_TROUBLES = {
    sqlite3.SQLITE_CORRUPT: Trouble.DAMAGED,
    sqlite3.SQLITE_NOTADB: Trouble.DAMAGED,
    sqlite3.SQLITE_BUSY: Trouble.LOCKED,
    sqlite3.SQLITE_LOCKED: Trouble.LOCKED,
    sqlite3.SQLITE_READONLY: Trouble.READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: Trouble.CLOSED,
    sqlite3.SQLITE_PERM: Trouble.CLOSED,
    sqlite3.SQLITE_FULL: Trouble.FULL,
    sqlite3.SQLITE_IOERR: Trouble.DISK,
}


def connect(target: str, wait_s: float = WAIT_S) -> sqlite3.Connection:
    """A connection to *target*, a path or a ``file:`` address, that any thread may use; raises sqlite3.Error.

    Transactions are begun and ended by hand: what belongs together is said where it is written.
    """
    is_address = target.startswith("file:")
    if not is_address and target != _MEMORY:
        _prepare(Path(target))
    return sqlite3.connect(target, timeout=wait_s, isolation_level=None, check_same_thread=False, uri=is_address)


def _prepare(path: Path) -> None:
    """Make the file *path* unless it is there, private as what SQLite puts beside it will be. Raises sqlite3.Error."""
    look = look_at(path)
    if look.kind is Kind.OTHER:
        raise sqlite3.OperationalError(_("it is not a regular file"))
    if look.kind is Kind.MISSING:
        with suppress(OSError):  # SQLite says what is wrong
            make_private_file(path)


def write_ahead(connection: sqlite3.Connection, wait_s: float = WAIT_S) -> None:
    """Have the store write into a log beside it, so that nobody who reads waits. Raises sqlite3.Error.

    SQLite itself does not wait for others here, and the first users of a new store come at the same moment.
    """
    last_s = time.monotonic() + wait_s
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if trouble_of(error) is not Trouble.LOCKED or time.monotonic() > last_s:
                raise
            time.sleep(_RETRY_S)
        else:
            return


def marks_of(path: Path) -> tuple[int, int]:
    """The application and the version that the header of *path* names. Raises sqlite3.Error.

    SQLite looks itself: where a handle of ours was closed, the system would take from every other
    connection of this process the locks that it holds on the file.
    """
    if look_at(path).kind is Kind.OTHER:  # opening a pipe would wait for whoever writes into it
        raise sqlite3.OperationalError(_("it is not a regular file"))
    address = f"file:{quote(str(path))}?mode=ro&immutable=1"
    with closing(sqlite3.connect(address, isolation_level=None, uri=True)) as connection:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
    return application, version


def trouble_of(error: sqlite3.Error) -> Trouble:
    """What *error* says about the store."""
    # the lowest byte is the kind; the others tell it apart further (SQLITE_IOERR_READ, SQLITE_BUSY_SNAPSHOT)
    code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
    return _TROUBLES.get(code, Trouble.OTHER)


def failure(trouble: Trouble, subject: str, reason: str = "", waited_s: float = WAIT_S) -> StoreFailed:
    """The error that tells of *trouble* with *subject*, the store with its path, as the sentence begins."""
    kind = StoreBusy if trouble is Trouble.LOCKED else StoreFailed
    return kind(_words()[trouble].format(subject=subject, reason=reason, seconds=numeral(waited_s, "g")))


@contextmanager
def in_plain_words(subject: str, waited_s: float = WAIT_S) -> Iterator[None]:
    """Turns what SQLite raises inside into StoreFailed about *subject*."""
    try:
        yield
    except sqlite3.Error as error:
        raise failure(trouble_of(error), subject, str(error), waited_s) from error


def _words() -> dict[Trouble, str]:
    return {
        Trouble.DAMAGED: _(
            "{subject} is damaged: {reason}. Move it away to start a new one, and keep it for recovery."
        ),
        Trouble.LOCKED: _(
            "{subject} has been locked by another program for more than {seconds} s. "
            "Nothing was changed; try again in a moment."
        ),
        Trouble.READ_ONLY: _("{subject} is read-only: you can view it, but nothing was recorded."),
        Trouble.CLOSED: _("{subject} cannot be written: {reason}. Check its permissions."),
        Trouble.FULL: _("{subject} cannot be written: the disk is full. Free some space and try again."),
        Trouble.DISK: _("{subject} cannot be used: a disk read or write failed. Its contents are unchanged."),
        Trouble.NEWER: _(
            "{subject} was written by a newer version of this program. Nothing was changed; "
            "update the program to write to it."
        ),
        Trouble.OTHER: _("{subject} cannot be used: {reason}. Its contents are unchanged."),
    }
