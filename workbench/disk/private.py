"""Folders and files that are for their owner alone, whatever the person's mask for new files is."""

from __future__ import annotations

import errno
import logging
import os
import stat
from contextlib import suppress
from pathlib import Path

from workbench.disk.files import Kind, look_at
from workbench.disk.places import Places
from workbench.i18n import _

log = logging.getLogger(__name__)

FILE_MODE = 0o600
_FOLDER_MODE = 0o700
_READ_AND_WRITE = os.O_RDWR | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_UNBLOCKED = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)


def make_private_folder(folder: Path) -> None:
    """Make *folder* and what is missing above it, closed to others; what is there stays as it is. Raises OSError."""
    missing = []
    at = folder
    while look_at(at).kind is Kind.MISSING and at != at.parent:
        missing.append(at)
        at = at.parent
    for each in reversed(missing):
        with suppress(FileExistsError):  # somebody else was quicker
            each.mkdir(_FOLDER_MODE)
            with suppress(OSError):  # a file system without modes
                each.chmod(_FOLDER_MODE)
    look = look_at(folder)
    if look.kind is not Kind.FOLDER:
        reason = look.reason or os.strerror(errno.ENOTDIR)
        raise OSError(errno.EINVAL if look.reason else errno.ENOTDIR, reason, str(folder))


def open_private(path: Path) -> int:
    """The handle of the new file *path*, to read and write. Raises OSError."""
    handle = os.open(path, _READ_AND_WRITE | os.O_CREAT | os.O_EXCL, FILE_MODE)
    close_handle_to_others(handle)
    return handle


def open_to_change(path: Path) -> int:
    """The handle of the file *path*, to read and write. Raises OSError, also for what is no regular file."""
    return _checked(os.open(path, _READ_AND_WRITE | _UNBLOCKED), path)


def open_private_to_append(path: Path) -> int:
    """The handle of the file *path*, made where there is none, to write at its end. Raises OSError."""
    make_private_file(path)
    handle = _checked(os.open(path, _READ_AND_WRITE | _UNBLOCKED | os.O_APPEND), path)
    close_handle_to_others(handle)
    return handle


def _checked(handle: int, path: Path) -> int:
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return handle
    os.close(handle)
    raise OSError(errno.EINVAL, _("it is not a regular file"), str(path))


def make_private_file(path: Path) -> None:
    """Make the empty file *path* unless it is there. Raises OSError."""
    with suppress(FileExistsError):
        os.close(open_private(path))


def close_handle_to_others(handle: int) -> None:
    """Let nobody but its owner read or write an open file of ours; the mask for new files may have taken more away."""
    if os.name == "posix":
        with suppress(OSError):  # a file system without modes
            os.fchmod(handle, FILE_MODE)


def close_to_others(where: Places) -> None:
    """Close what earlier versions left open to others, as far as that can be done."""
    if os.name != "posix":
        return
    stores = (where.runs_file, where.patterns_file)
    beside = (store.with_name(store.name + ending) for store in stores for ending in ("-wal", "-shm"))
    for path in (*stores, *beside, where.settings_file, where.remembered_file):
        look = look_at(path)
        if look.kind is Kind.FILE and look.mode & (stat.S_IRWXG | stat.S_IRWXO):
            try:
                path.chmod(FILE_MODE)
            except OSError as error:
                log.info("Left %s readable for others: %s", path.name, error)
