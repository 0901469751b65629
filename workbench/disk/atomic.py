"""Files written so that whatever ends the program meanwhile, a file is what it was or what it shall be.

Saving changes what a file holds and nothing else: its mode, its owner, its attributes and its other names stay. A new
file is put in its place where that can be all that the old one was; else the old one is written over, with a copy of
both kept until that is done.
"""

from __future__ import annotations

import errno
import logging
import os
import shutil
import stat
import sys
from collections.abc import Callable
from pathlib import Path

from workbench.disk.files import LARGEST_FILE, bytes_of, is_there, real_path
from workbench.disk.private import FILE_MODE, close_handle_to_others, open_private, open_to_change
from workbench.disk.unfinished import temporary_in, write_in_place
from workbench.i18n import _

log = logging.getLogger(__name__)

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_USUAL_MODE = 0o666  # the mask of the person takes away what others are not to do
_NO_NEW_FILE = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.EBUSY})


def _agree() -> None:
    """Nothing stands in the way."""


def replace_file(target: Path, data: bytes, confirm: Callable[[], None] = _agree) -> None:
    """Make *data* what *target* holds; links are followed, and a new file gets the mode that is usual.

    *confirm* is called directly before that happens, and raises to prevent it. Raises OSError.
    """
    _replace(real_path(target), data, None, confirm)


def replace_private_file(target: Path, data: bytes) -> None:
    """Make *data* what *target* holds, to be read by its owner alone. Raises OSError."""
    _replace(real_path(target), data, FILE_MODE, _agree)


def write_new_file(path: Path, data: bytes) -> None:
    """Write *data* to *path*, which must not exist; it is on the disk when this returns. Raises OSError."""
    _write_new(path, os.open(path, _NEW, _USUAL_MODE), data)


def write_new_private_file(path: Path, data: bytes) -> None:
    """The same for a file that its owner alone may read. Raises OSError."""
    _write_new(path, open_private(path), data)


def put_new_folder(folder: Path, name: str, data: bytes, beside: Path) -> None:
    """Make *folder* with the file *name* in it, in one step, from a draft in the folder *beside*. Raises OSError."""
    with temporary_in(beside) as draft:
        draft.mkdir()
        write_new_file(draft / name, data)
        draft.rename(folder)
    flush_folder(folder.parent)


def rename(path: Path, other: Path) -> None:
    """Call what is at *path* *other*, in place of what has that name. Raises OSError."""
    path.replace(other)


def give_name(draft: Path, path: Path) -> None:
    """Call *draft* *path* as well, without replacing anything. Raises OSError, FileExistsError among them."""
    try:
        os.link(draft, path)
    except FileExistsError:
        raise
    except OSError:
        # a file system without hard links
        if not is_there(path):
            draft.rename(path)


def copy_private_file(path: Path, copy: Path) -> None:
    """Make *copy* hold what *path* holds, to be read by its owner alone. Raises OSError."""
    with path.open("rb") as source, os.fdopen(open_private(copy), "wb") as target:
        shutil.copyfileobj(source, target)


def remove_file(path: Path) -> None:
    """Remove *path*, a file, where it is there. Raises OSError."""
    path.unlink(missing_ok=True)


def remove_folder(folder: Path) -> None:
    """Remove *folder* with all that is in it. Raises OSError."""
    shutil.rmtree(folder)


def make_folder(folder: Path) -> None:
    """Make *folder* and what is missing above it. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)


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


def _write_new(path: Path, handle: int, data: bytes) -> None:
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:  # whatever ends it, Ctrl+C too, no half-written file stays
        path.unlink()
        raise


def _replace(target: Path, data: bytes, mode: int | None, confirm: Callable[[], None]) -> None:
    old = _present(target)
    if old is not None and not (old.st_mode & 0o222 and os.access(target, os.W_OK)):
        # replacing it would go around what keeps it from being written: a mark counts for an administrator too
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(target))
    if old is None or old.st_nlink == 1:
        try:
            if _is_put_in_place(target, data, old, mode, confirm):
                return
        except OSError as error:
            if old is None or error.errno not in _NO_NEW_FILE:
                raise
    _write_over(target, data, mode, confirm)


def _present(target: Path) -> os.stat_result | None:
    """What *target* is now, None: nothing. Raises OSError for what is no regular file."""
    try:
        found = target.stat()
    except FileNotFoundError:
        return None
    if stat.S_ISREG(found.st_mode):
        return found
    raise OSError(errno.EINVAL, _("it is not a regular file"), str(target))


def _is_put_in_place(
    target: Path, data: bytes, old: os.stat_result | None, mode: int | None, confirm: Callable[[], None]
) -> bool:
    """True once a new file stands in place of *old*; false where that could not be all that *old* was."""
    with temporary_in(target.parent) as draft:
        first = _USUAL_MODE if old is None else FILE_MODE
        with os.fdopen(os.open(draft, _NEW, mode or first), "wb") as file:
            file.write(data)
            file.flush()
            if not _is_carried_over(target, old, mode, file.fileno()):
                return False
            os.fsync(file.fileno())
        confirm()
        draft.replace(target)
    flush_folder(target.parent)
    return True


def _is_carried_over(target: Path, old: os.stat_result | None, mode: int | None, handle: int) -> bool:
    """True once the new file behind *handle* has the owner, the attributes and the mode that it is to have."""
    if sys.platform == "win32":
        return True  # Windows has none of them; the new file inherits from its folder
    try:
        new = os.fstat(handle)
        if old is not None and (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
            os.fchown(handle, old.st_uid, old.st_gid)
        if old is not None:
            _carry_attributes(target, handle)
        wanted = mode or (old and stat.S_IMODE(old.st_mode))
        if wanted and stat.S_IMODE(os.fstat(handle).st_mode) != wanted:
            os.fchmod(handle, wanted)
            return stat.S_IMODE(os.fstat(handle).st_mode) == wanted
    except OSError as error:
        log.debug("Could not make a file like %s: %s", target.name, error)
        return False
    return True


def _carry_attributes(target: Path, handle: int) -> None:
    """Give the new file exactly the extended attributes of *target*, access lists among them. Raises OSError."""
    if sys.platform != "linux":
        return
    old, new = _attributes(target), _attributes(handle)
    for name in new.keys() - old.keys():
        os.removexattr(handle, name)
    for name, value in old.items():
        if new.get(name) != value:
            os.setxattr(handle, name, value)


if sys.platform == "linux":

    def _attributes(file: Path | int) -> dict[str, bytes]:
        """The extended attributes of *file*; none where its file system has none."""
        try:
            names = os.listxattr(file)
        except OSError:
            return {}
        return {name: os.getxattr(file, name) for name in names}


def _write_over(target: Path, data: bytes, mode: int | None, confirm: Callable[[], None]) -> None:
    """Write *data* into the file that is there, which stays the same file. Raises OSError."""
    handle = open_to_change(target)
    try:
        before = bytes_of(handle, LARGEST_FILE + 1)
        if len(before) > LARGEST_FILE:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(target))
        confirm()
        write_in_place(target, handle, before, data)
        if mode:
            close_handle_to_others(handle)
    finally:
        os.close(handle)
