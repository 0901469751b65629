"""A file that one process holds while it lives: the system lets go of it however the process ends."""

from __future__ import annotations

import os
import sys
import weakref
from io import FileIO
from pathlib import Path

if sys.platform != "win32":  # there is no fcntl on Windows
    import fcntl


class HeldFile:
    """A file that grows at its end and that nobody else takes before it is let go of.

    A lock and not the number of a process says who holds it: numbers are used again, and in a
    sandbox every program has the same.
    """

    def __init__(self, path: Path, stream: FileIO) -> None:
        self.path = path
        self._stream = stream
        self._close = weakref.finalize(self, stream.close)

    @classmethod
    def create(cls, path: Path) -> HeldFile:
        """A new file at *path*; raises OSError."""
        path.parent.mkdir(parents=True, exist_ok=True)
        while True:
            stream = path.open("xb+", buffering=0)
            _wait_for(stream)
            if _is_there(stream):
                return cls(path, stream)
            # somebody looked at it before it was held, found nothing in it and removed it
            stream.close()

    @classmethod
    def take(cls, path: Path) -> HeldFile | None:
        """The file at *path*; None while it is held elsewhere. Raises OSError where it cannot be opened."""
        stream = path.open("rb+", buffering=0)
        if _is_free(stream) and _is_there(stream):
            return cls(path, stream)
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

    def let_go(self) -> None:
        """Leave the file to whoever comes."""
        self._close()

    def remove(self) -> None:
        """Delete the file; nobody can take it in between."""
        if sys.platform == "win32":  # an open file cannot be deleted there
            self._close()
        self.path.unlink(missing_ok=True)
        self._close()


def _wait_for(stream: FileIO) -> None:
    """Hold *stream*; who looks at it just now is done in a moment."""
    if sys.platform == "win32":
        return
    try:
        fcntl.flock(stream, fcntl.LOCK_EX)
    except OSError:
        # a file system without locks: kept all the same, at the risk of being offered while it is written
        return


def _is_free(stream: FileIO) -> bool:
    """True when nobody else holds *stream*, which is held now. Where that cannot be told, it counts as free."""
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def _is_there(stream: FileIO) -> bool:
    """True unless the file was deleted since it was opened."""
    return os.fstat(stream.fileno()).st_nlink > 0
