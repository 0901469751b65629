"""The room of the disk: troubles of SQLite by their kind, files written in one step, files that are held."""

from __future__ import annotations

import fcntl
import importlib.util
import os
import sqlite3
import sys
from pathlib import Path
from types import ModuleType

import pytest

from workbench.disk import lock
from workbench.disk.atomic import replace_file, replace_private_file
from workbench.disk.lock import HeldFile
from workbench.disk.sqlite_file import Trouble, in_plain_words, trouble_of
from workbench.errors import StoreFailed


@pytest.mark.parametrize(
    ("code", "trouble"),
    [
        (sqlite3.SQLITE_BUSY, Trouble.LOCKED),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, Trouble.LOCKED),
        (sqlite3.SQLITE_IOERR_READ, Trouble.DISK),
        (sqlite3.SQLITE_CORRUPT_INDEX, Trouble.DAMAGED),
        (sqlite3.SQLITE_READONLY_DBMOVED, Trouble.READ_ONLY),
        (sqlite3.SQLITE_FULL, Trouble.FULL),
        (sqlite3.SQLITE_CONSTRAINT, Trouble.OTHER),
        (None, Trouble.OTHER),
    ],
)
def test_what_sqlite_says_is_told_by_its_kind(code: int | None, trouble: Trouble) -> None:
    error = sqlite3.OperationalError("what it says")
    if code is not None:
        error.sqlite_errorcode = code
    assert trouble_of(error) is trouble
    with pytest.raises(StoreFailed, match=r"^The list "), in_plain_words("The list"):
        raise error


def test_a_replaced_file_keeps_its_mode_and_a_private_one_is_closed_to_others(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"old")
    file.chmod(0o640)
    replace_file(file, b"new")
    assert (file.read_bytes(), file.stat().st_mode & 0o777) == (b"new", 0o640)
    replace_private_file(file, b"own")
    assert (file.read_bytes(), file.stat().st_mode & 0o777) == (b"own", 0o600)
    assert list(tmp_path.iterdir()) == [file]


class WindowsLocks(ModuleType):
    """Stands for ``msvcrt``: locks as this system has them, refused as Windows refuses them."""

    LK_LOCK = fcntl.LOCK_EX
    LK_NBLCK = fcntl.LOCK_EX | fcntl.LOCK_NB

    def __init__(self) -> None:
        super().__init__("msvcrt")
        self.places: set[int] = set()

    def locking(self, handle: int, how: int, _length: int) -> None:
        self.places.add(os.lseek(handle, 0, os.SEEK_CUR))
        try:
            fcntl.flock(handle, how)
        except BlockingIOError as error:
            raise PermissionError(13, "Permission denied") from error


def test_a_held_file_is_held_on_windows_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    locks = WindowsLocks()
    monkeypatch.setitem(sys.modules, "msvcrt", locks)
    monkeypatch.setattr(sys, "platform", "win32")
    spec = importlib.util.spec_from_file_location("lock_on_windows", lock.__file__)
    assert spec is not None and spec.loader is not None
    windows = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(windows)
    held: HeldFile = windows.HeldFile.create(tmp_path / "a")
    held.append(b"text")
    assert windows.HeldFile.take(tmp_path / "a") is None
    held.move(tmp_path / "b")
    held.append(b", more")
    assert windows.HeldFile.take(tmp_path / "b") is None
    held.let_go()
    again: HeldFile = windows.HeldFile.take(tmp_path / "b")
    assert (again.has_lock, again.read()) == (True, b"text, more")
    assert min(locks.places) > 2**30
