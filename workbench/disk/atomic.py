"""Files written in one step: whatever ends the program meanwhile, a file is what it was or what it shall be."""

from __future__ import annotations

import logging
import os
import stat
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

log = logging.getLogger(__name__)


def replace_file(target: Path, data: bytes) -> None:
    """Put *data* in place of *target*, which keeps its mode and, where allowed, its owner; raises OSError."""
    _put_in_place(target, data, _keep_attributes)
    flush_folder(target.parent)


def replace_private_file(target: Path, data: bytes) -> None:
    """Put *data* in place of *target*, readable for its owner alone; raises OSError."""
    _put_in_place(target, data, _leave_private)


def write_new_file(path: Path, data: bytes) -> None:
    """Write *data* to *path*, which must not exist; it is on the disk when this returns. Raises OSError."""
    with path.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def flush_folder(folder: Path) -> None:
    """Make new names in *folder* survive a power cut, where the system lets folders be flushed."""
    if os.name != "posix":
        return
    try:
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        # some network file systems refuse this; the file itself is written
        log.debug("Could not flush the folder %s: %s", folder, error)


def _put_in_place(target: Path, data: bytes, prepare: Callable[[Path, int], None]) -> None:
    """Write beside *target*, flush to the disk, then put it in its place."""
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            prepare(target, file.fileno())
            os.fsync(file.fileno())
        Path(name).replace(target)
    except BaseException:  # whatever ends it, Ctrl+C too, no half-written file stays
        Path(name).unlink(missing_ok=True)
        raise


def _leave_private(_target: Path, _handle: int) -> None:
    """A temporary file is private already."""


def _keep_attributes(target: Path, handle: int) -> None:
    """Give the new file the mode and the owner of *target*, or what a new file would get."""
    if sys.platform == "win32":
        return  # Windows has neither; the temporary file inherits from its folder
    try:
        old = target.stat()
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        os.fchmod(handle, 0o666 & ~mask)
        return
    try:
        os.fchown(handle, old.st_uid, old.st_gid)
    except PermissionError:
        log.debug("Kept own ownership of %s", target.name)
    os.fchmod(handle, stat.S_IMODE(old.st_mode))
