"""The last good copy of a store, to go back to when the store is damaged."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from workbench.disk.sqlite_file import connect
from workbench.library.store import PatternStore
from workbench.library.store_file import backup_path

EVERY_S = 24 * 3600.0


def back_up_when_due(store: PatternStore) -> Path | None:
    """The new backup, None when the last one is less than a day old or there is nothing to copy. Raises StoreFailed."""
    path, backup = store.path, backup_path(store.path)
    if not path.exists() or (backup.exists() and time.time() - backup.stat().st_mtime < EVERY_S):
        return None
    return back_up(store)


def back_up(store: PatternStore) -> Path:
    """The backup, made while others may write; it replaces the last one only when it is sound. Raises StoreFailed."""
    path = store.path
    draft = path.with_name(f".{path.name}.backup-draft")
    with store.database.reading() as connection:
        draft.unlink(missing_ok=True)
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        try:
            _copy(connection, draft)
            draft.replace(backup_path(path))
        finally:
            for leftover in (draft, draft.with_name(draft.name + "-wal"), draft.with_name(draft.name + "-shm")):
                leftover.unlink(missing_ok=True)
    return backup_path(path)


def _copy(connection: sqlite3.Connection, draft: Path) -> None:
    with closing(connect(str(draft))) as copy:
        connection.backup(copy)
        (verdict,) = copy.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise sqlite3.DatabaseError(verdict)
