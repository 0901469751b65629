"""What can be known about a store's file before SQLite opens it, and how a new one comes to be.

SQLite would take an emptied file for a new store and a cut one for a damaged one only when
the missing page is read; here both are noticed at once, and nothing is written over.
"""

from __future__ import annotations

import enum
import hashlib
import sqlite3
import struct
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

from workbench.disk.atomic import copy_private_file, give_name, remove_file, rename
from workbench.disk.files import Kind, Look, fitting, is_same_content, is_there, look_at, read_beginning
from workbench.disk.lock import in_turn
from workbench.disk.places import places
from workbench.disk.private import make_private_file, make_private_folder
from workbench.disk.sqlite_file import WAIT_S, connect, marks_of, write_ahead
from workbench.disk.unfinished import temporary_in
from workbench.errors import CannotRead, StoreFailed
from workbench.i18n import _
from workbench.library import schema

_MAGIC = b"SQLite format 3\x00"
_HEADER_BYTES = 100


class FileState(enum.Enum):
    """What a store's file is. NEWER: written by a later version of this program."""

    MISSING = enum.auto()
    SOUND = enum.auto()
    NEWER = enum.auto()


def inspect(path: Path) -> FileState:
    """What *path* is.

    Raises StoreFailed, in words for the person, when it cannot be used as a store; a damaged
    file has been copied aside by then.
    """
    look = look_at(path)
    if look.kind is Kind.MISSING:
        return FileState.MISSING
    if look.kind is Kind.FILE and not look.mode & 0o444:
        # the administrator could read it all the same, but whoever closed it meant it
        raise StoreFailed(_unreadable(path, _("you do not have permission to read it")))
    if look.kind is Kind.FILE and look.size == 0:
        raise damaged(path, _("it is empty"))
    try:
        application, version = marks_of(path)
    except sqlite3.Error:
        application, version = _marks_read(path, look)
    if application != schema.APPLICATION_ID:
        raise StoreFailed(_foreign(path))
    return FileState.NEWER if version > schema.SCHEMA_VERSION else FileState.SOUND


def _marks_read(path: Path, look: Look) -> tuple[int, int]:
    """What the header says where SQLite makes nothing of the file. Raises StoreFailed, naming what is wrong."""
    try:
        header = read_beginning(path, _HEADER_BYTES)
    except CannotRead as error:
        raise StoreFailed(_unreadable(path, look.reason or str(error))) from error
    if not header.startswith(_MAGIC):
        raise StoreFailed(_foreign(path)) if _looks_like_text(header) else damaged(path, _("its beginning is missing"))
    if len(header) < _HEADER_BYTES or _is_cut(path, header, look.size):
        raise damaged(path, _("its end is missing"))
    version, application = struct.unpack(">I4xI", header[60:72])
    return application, version


def _is_cut(path: Path, header: bytes, size: int) -> bool:
    """True when the header counts more pages than there are; while a log waits, the log may hold them."""
    wal = path.with_name(path.name + "-wal")
    if look_at(wal).size > 0:
        return False
    page_size, pages = int.from_bytes(header[16:18], "big"), int.from_bytes(header[28:32], "big")
    return size < pages * (65536 if page_size == 1 else page_size)


def _looks_like_text(header: bytes) -> bool:
    return bool(header.strip()) and all(byte >= 9 for byte in header)


def create(path: Path) -> None:
    """Put a new, empty store at *path*, private to the person; leaves one that is already there alone.

    It is built under another name first, so that nobody ever sees half of it; and by one at a time, so that nobody
    takes the log of the new store for that of one that was moved away.
    """
    make_private_folder(path.parent)
    name = hashlib.sha256(str(path).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    with in_turn(places().unfinished_dir / f"{name}.lock", WAIT_S), temporary_in(path.parent) as draft:
        if is_there(path):
            return
        _put_log_aside(path)
        make_private_file(draft)
        _build(draft)
        with suppress(FileExistsError):
            give_name(draft, path)


def _build(draft: Path) -> None:
    with closing(connect(str(draft))) as connection:
        connection.execute(f"PRAGMA page_size={schema.PAGE_SIZE}")
        write_ahead(connection)
        connection.execute("BEGIN")
        connection.execute(f"PRAGMA application_id={schema.APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version={schema.SCHEMA_VERSION}")
        for statement in schema.STATEMENTS:
            connection.execute(statement)
        connection.execute("COMMIT")


def _put_log_aside(path: Path) -> None:
    """Keep the log of a store that was moved away from being taken for that of the new one."""
    wal = path.with_name(path.name + "-wal")
    if is_there(wal) and not is_there(path):
        rename(wal, path.with_name(f"{path.name}.log-of-moved-{datetime.now(UTC):%Y%m%dT%H%M%S}"))
        remove_file(path.with_name(path.name + "-shm"))


def damaged(path: Path, detail: str) -> StoreFailed:
    """The error for a damaged store; a copy of it has been put aside, and the file itself is as it was."""
    copy = _copy_aside(path)
    kept = _("It was left unchanged.")
    if copy is not None:
        kept = _("It was left unchanged, and a copy is in “{copy}”.").format(copy=copy.name)
    backup = backup_path(path)
    advice = _("To start a new library, move it away.")
    if is_there(backup):
        advice = _("A good backup is in “{backup}”: to restore it, copy it over the damaged file.").format(
            backup=backup.name
        )
    text = _("The pattern library “{path}” is damaged: {detail}. {kept} {advice}")
    return StoreFailed(text.format(path=path, detail=detail, kept=kept, advice=advice))


def backup_path(path: Path) -> Path:
    """Where the last good backup of the store at *path* is kept."""
    return path.with_name(path.name + ".backup")


def _copy_aside(path: Path) -> Path | None:
    """A copy of the damaged file, made once per state of it; None when no copy could be made."""
    try:
        for earlier in fitting(path.parent, f"{path.name}.corrupt-*"):
            if is_same_content(earlier, path):
                return earlier
        copy = path.with_name(f"{path.name}.corrupt-{datetime.now(UTC):%Y%m%dT%H%M%S}")
        copy_private_file(path, copy)
    except OSError:
        return None
    return copy


def _unreadable(path: Path, reason: str) -> str:
    text = _("The pattern library “{path}” cannot be read: {reason}. Nothing was changed; check its permissions.")
    return text.format(path=path, reason=reason)


def _foreign(path: Path) -> str:
    text = _(
        "“{path}” is not a pattern library of this program, so it was left unchanged. To import "
        "a published playbook.json, use: workbench patterns import FILE."
    )
    return text.format(path=path)
