"""A file that one process holds while it lives: the system lets go of it however the process ends.

Written by hand, after a look at the library ``filelock``. That one locks a file of its own beside the one that is
meant: a journal that is renamed or deleted while it is held would leave its lock behind under the old name. Where a
file system has no locks it falls back on marker files, which a killed process leaves for ever. And it takes as long to
import as the whole syntax package. Here the file that is written is itself what is locked, so that the lock goes
wherever the file goes, and ends when the process does.
"""

from __future__ import annotations

import enum
import os
import sys
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path

from workbench.disk.private import make_private_file, make_private_folder, open_private, open_to_change

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_POLL_S = 0.01

# Windows keeps others from reading what is locked, so a byte is locked that no journal is long enough to have
_LOCKED_BYTE = 2**31 - 2


class _Lock(enum.Enum):
    """What trying to hold a file gave; UNKNOWN where the system keeps no locks."""

    OURS = enum.auto()
    THEIRS = enum.auto()
    UNKNOWN = enum.auto()


class HeldFile:
    """A file that grows at its end and that nobody else takes before it is let go of.

    A lock and not the number of a process says who holds it: numbers are used again, and in a
    sandbox every program has the same. *has_lock*: false where the system keeps no locks, so
    that others may take the file all the same.
    """

    def __init__(self, path: Path, stream: FileIO, lock: _Lock) -> None:
        self.path = path
        self.has_lock = lock is _Lock.OURS
        self._hold(stream)

    def _hold(self, stream: FileIO) -> None:
        self._stream = stream
        self._close = weakref.finalize(self, stream.close)

    @classmethod
    def create(cls, path: Path) -> HeldFile:
        """A new file at *path*; raises OSError."""
        make_private_folder(path.parent)
        while True:
            stream = FileIO(open_private(path), "rb+")
            lock = _wait_for(stream)
            if _is_there(stream):
                return cls(path, stream, lock)
            # somebody looked at it before it was held, found nothing in it and removed it
            stream.close()

    @classmethod
    def take(cls, path: Path) -> HeldFile | None:
        """The file at *path*; None while it is held elsewhere. Raises OSError where it cannot be opened."""
        stream = FileIO(open_to_change(path), "rb+")
        lock = _try_to_hold(stream)
        if lock is not _Lock.THEIRS and _is_there(stream):
            return cls(path, stream, lock)
        stream.close()
        return None

    @property
    def handle(self) -> int:
        """Its descriptor. A process that inherits it holds the file too, for as long as it lives."""
        return self._stream.fileno()

    @property
    def size(self) -> int:
        """How many bytes it has, whoever wrote them."""
        return os.fstat(self._stream.fileno()).st_size

    def read(self) -> bytes:
        """All that it holds."""
        self._stream.seek(0)
        return self._stream.readall()

    def append(self, data: bytes) -> None:
        """Write *data* at the end; when this returns, a crash of the program cannot lose it."""
        while data:
            data = data[self._stream.write(data) :]

    def flush(self) -> None:
        """Have it on the disk; when this returns, a power cut cannot lose it. Raises OSError."""
        os.fsync(self._stream.fileno())

    def cut(self, length: int) -> None:
        """Keep the first *length* bytes."""
        self._stream.truncate(length)
        self._stream.seek(length)

    def move(self, path: Path) -> None:
        """Give it another name, in place of what has that; raises OSError."""
        if sys.platform == "win32":  # an open file cannot be renamed there
            self._close()
            self.path.replace(path)
            self._hold(FileIO(open_to_change(path), "rb+"))
            self._stream.seek(0, os.SEEK_END)
            _wait_for(self._stream)
        else:
            self.path.replace(path)
        self.path = path

    def let_go(self) -> None:
        """Leave the file to whoever comes."""
        self._close()

    def remove(self) -> None:
        """Delete the file; nobody can take it in between."""
        if sys.platform == "win32":  # an open file cannot be deleted there
            self._close()
        self.path.unlink(missing_ok=True)
        self._close()


@contextmanager
def in_turn(path: Path, patience_s: float) -> Iterator[bool]:
    """Whether nobody else is inside with the same *path*, an empty file; false after *patience_s*. Raises OSError.

    Where the system keeps no locks, everybody is let in.
    """
    make_private_folder(path.parent)
    make_private_file(path)
    with FileIO(open_to_change(path), "rb+") as stream:
        deadline = time.monotonic() + patience_s
        while (lock := _try_to_hold(stream)) is _Lock.THEIRS and time.monotonic() < deadline:
            time.sleep(_POLL_S)
        yield lock is not _Lock.THEIRS


def take_left(path: Path) -> HeldFile | None:
    """The file at *path*, whose name ends with ``-`` and the number of its process; None while that one lives.

    The number counts only on file systems without locks. Raises OSError where it cannot be opened.
    """
    held = HeldFile.take(path)
    if held is not None and not held.has_lock and is_another_living(path.stem.rpartition("-")[2]):
        held.let_go()
        return None
    return held


def is_another_living(number: str) -> bool:
    """True when another process has this *number* now. Where that cannot be told, there is none."""
    return number.isdigit() and int(number) != os.getpid() and is_running(int(number)) is True


def _wait_for(stream: FileIO) -> _Lock:
    """Hold *stream*; who looks at it just now is done in a moment."""
    try:
        if sys.platform == "win32":
            _lock_far_byte(stream, msvcrt.LK_LOCK)
        else:
            fcntl.flock(stream, fcntl.LOCK_EX)
    except OSError:
        # a file system without locks: kept all the same, at the risk of being offered while it is written
        return _Lock.UNKNOWN
    return _Lock.OURS


def _try_to_hold(stream: FileIO) -> _Lock:
    """Hold *stream* unless somebody else does."""
    try:
        if sys.platform == "win32":
            _lock_far_byte(stream, msvcrt.LK_NBLCK)
        else:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # the one on Unix, the other on Windows
        return _Lock.THEIRS
    except OSError:
        return _Lock.UNKNOWN
    return _Lock.OURS


if sys.platform == "win32":

    def _lock_far_byte(stream: FileIO, how: int) -> None:
        """Lock a byte of *stream* behind all that is in it, and stay where it was; raises OSError."""
        before = stream.tell()
        try:
            stream.seek(_LOCKED_BYTE)
            msvcrt.locking(stream.fileno(), how, 1)
        finally:
            stream.seek(before)


def _is_there(stream: FileIO) -> bool:
    """True unless the file was deleted since it was opened."""
    return os.fstat(stream.fileno()).st_nlink > 0


def is_running(pid: int) -> bool | None:
    """Whether the process *pid* lives; None where that cannot be asked.

    Only for file systems without locks: a number is used again by another process, and in a
    sandbox every program may have the same.
    """
    if os.name != "posix":
        return None  # asking would end the process
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
