"""A file that one process holds while it lives: the system lets go of it however the process ends."""

from __future__ import annotations

import enum
import os
import sys
import weakref
from io import FileIO
from pathlib import Path

if sys.platform != "win32":  # there is no fcntl on Windows
    import fcntl


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
        path.parent.mkdir(parents=True, exist_ok=True)
        while True:
            stream = path.open("xb+", buffering=0)
            lock = _wait_for(stream)
            if _is_there(stream):
                return cls(path, stream, lock)
            # somebody looked at it before it was held, found nothing in it and removed it
            stream.close()

    @classmethod
    def take(cls, path: Path) -> HeldFile | None:
        """The file at *path*; None while it is held elsewhere. Raises OSError where it cannot be opened."""
        stream = path.open("rb+", buffering=0)
        lock = _try_to_hold(stream)
        if lock is not _Lock.THEIRS and _is_there(stream):
            return cls(path, stream, lock)
        stream.close()
        return None

    def read(self) -> bytes:
        """All that it holds."""
        self._stream.seek(0)
        return self._stream.readall()

    def append(self, data: bytes) -> None:
        """Write *data* at the end; when this returns, a crash of the program cannot lose it."""
        while data:
            data = data[self._stream.write(data) :]

    def cut(self, length: int) -> None:
        """Keep the first *length* bytes."""
        self._stream.truncate(length)
        self._stream.seek(length)

    def move(self, path: Path) -> None:
        """Give it another name, in place of what has that; raises OSError.

        On Windows, where there is no lock, that tells that another process has it open.
        """
        if sys.platform == "win32":  # an open file cannot be renamed there
            self._close()
            self.path.replace(path)
            self._hold(path.open("rb+", buffering=0))
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


def _wait_for(stream: FileIO) -> _Lock:
    """Hold *stream*; who looks at it just now is done in a moment."""
    if sys.platform == "win32":
        return _Lock.UNKNOWN
    try:
        fcntl.flock(stream, fcntl.LOCK_EX)
    except OSError:
        # a file system without locks: kept all the same, at the risk of being offered while it is written
        return _Lock.UNKNOWN
    return _Lock.OURS


def _try_to_hold(stream: FileIO) -> _Lock:
    """Hold *stream* unless somebody else does."""
    if sys.platform == "win32":
        return _Lock.UNKNOWN
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return _Lock.THEIRS
    except OSError:
        return _Lock.UNKNOWN
    return _Lock.OURS


def _is_there(stream: FileIO) -> bool:
    """True unless the file was deleted since it was opened."""
    return os.fstat(stream.fileno()).st_nlink > 0
