"""The one door through which files are looked at and opened.

What stands under a name is up to other people and programs: a pipe, a device, a folder that may not be entered, a mount
whose server is gone. Nothing here waits for what such a thing may say, and nothing raises but ``CannotRead``, in words.
A test holds that no other module asks the system about a path.
"""

from __future__ import annotations

import enum
import errno
import filecmp
import glob
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from workbench.errors import CannotRead
from workbench.i18n import _, numeral

_MIB = 1024 * 1024
LARGEST_FILE = 16 * _MIB
PROJECT_FILE = "workbench.toml"
"""Named here, for what reads it takes time to load."""

# a pipe is not waited for, a terminal does not become ours; Windows knows neither, but would change line ends
_CAREFULLY = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)

_MOST_LINKS = 40

Stamp = tuple[int, int, int, int, int]


class Kind(enum.Enum):
    """What a name stands for, links followed. OTHER: a pipe, a device, a socket. UNREACHABLE: nobody can tell."""

    FILE = enum.auto()
    FOLDER = enum.auto()
    OTHER = enum.auto()
    MISSING = enum.auto()
    UNREACHABLE = enum.auto()


Identity = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Look:
    """What stands under a name. *reason*: in words, where nothing can be told or nothing is there.

    *stamp*: is another one for another file, and after every change of one; None where there is none.
    """

    kind: Kind
    reason: str = ""
    stamp: Stamp | None = None
    size: int = 0
    mode: int = 0
    edited_s: float = 0.0

    @property
    def identity(self) -> Identity | None:
        """What stays the same as long as it is the same file, whatever it holds; None where there is none."""
        return self.stamp[:2] if self.stamp is not None else None


def look_at(path: Path) -> Look:
    """What stands under *path*."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError) as error:
        return Look(Kind.MISSING, why(error))
    except (OSError, ValueError) as error:
        return Look(Kind.UNREACHABLE, why(error))
    stamp = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
    return Look(_kind_of(found.st_mode), "", stamp, found.st_size, stat.S_IMODE(found.st_mode), found.st_mtime)


def _kind_of(mode: int) -> Kind:
    if stat.S_ISREG(mode):
        return Kind.FILE
    return Kind.FOLDER if stat.S_ISDIR(mode) else Kind.OTHER


def is_file(path: Path) -> bool:
    """True when *path* can be reached and is a regular file."""
    return look_at(path).kind is Kind.FILE


def is_folder(path: Path) -> bool:
    """True when *path* can be reached and is a folder."""
    return look_at(path).kind is Kind.FOLDER


def is_there(path: Path) -> bool:
    """False when it is certain that nothing has the name *path*."""
    return look_at(path).kind is not Kind.MISSING


def is_link(path: Path) -> bool:
    """True when *path* can be reached and is a symbolic link."""
    try:
        return path.is_symlink()
    except (OSError, ValueError):
        return False


def is_writable(path: Path) -> bool:
    """True when *path* may be written to: a mark that forbids it counts for an administrator too."""
    return bool(look_at(path).mode & 0o222) and os.access(path, os.W_OK)


def read_file(path: Path, limit: int = LARGEST_FILE) -> bytes:
    """All bytes of the file *path*.

    Raises CannotRead for what is missing, no regular file, larger than *limit*, or not to be read.
    """
    with _opened(path) as (handle, size):
        data = bytes_of(handle, limit + 1) if size <= limit else b""
    size = max(size, len(data))
    if size > limit:
        message = _("“{name}” has {size} MiB; files up to {limit} MiB can be opened.")
        raise CannotRead(message.format(name=path.name, size=numeral(size // _MIB), limit=limit // _MIB))
    return data


def read_beginning(path: Path, count: int) -> bytes:
    """The first *count* bytes of the file *path*, fewer where it has no more. Raises CannotRead as ``read_file``."""
    with _opened(path) as (handle, _size):
        return bytes_of(handle, count)


def open_to_read(path: Path) -> BinaryIO:
    """The file *path*, for its lines. Raises OSError, also for what is no regular file."""
    return os.fdopen(_handle_of(path), "rb")


@contextmanager
def _opened(path: Path) -> Iterator[tuple[int, int]]:
    """The handle of a regular file, to read from, and its size. Raises CannotRead, also for what fails inside."""
    try:
        handle = _handle_of(path)
        try:
            yield handle, os.fstat(handle).st_size
        finally:
            os.close(handle)
    except IsADirectoryError as error:
        message = _("“{name}” is a folder. Open a file in it, or open it as a project.")
        raise CannotRead(message.format(name=path.name)) from error
    except (OSError, ValueError) as error:
        raise CannotRead(_("Could not open “{name}”: {reason}.").format(name=path.name, reason=why(error))) from error


def _handle_of(path: Path) -> int:
    """The handle of a regular file, to read from. Raises OSError and ValueError."""
    # looked at before it is opened: some devices do something when they are
    _check_regular(path, path.stat().st_mode)
    handle = os.open(path, _CAREFULLY)
    try:
        _check_regular(path, os.fstat(handle).st_mode)
    except OSError:
        os.close(handle)
        raise
    return handle


def _check_regular(path: Path, mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, _("it is not a regular file"), str(path))


def bytes_of(handle: int, count: int) -> bytes:
    """The next *count* bytes of the open file *handle*, fewer where it has no more. Raises OSError."""
    pieces = []
    while count > 0 and (piece := os.read(handle, min(count, _MIB))):
        pieces.append(piece)
        count -= len(piece)
    return b"".join(pieces)


def is_same_content(one: Path, other: Path) -> bool:
    """True when both are files that hold the same. Raises OSError."""
    return is_file(one) and is_file(other) and filecmp.cmp(one, other, shallow=False)


def entries(folder: Path) -> tuple[Path, ...]:
    """What is in *folder*, by name; nothing where it cannot be listed."""
    try:
        return tuple(sorted(folder.iterdir()))
    except (OSError, ValueError):
        return ()


def fitting(folder: Path, pattern: str) -> tuple[Path, ...]:
    """The files in *folder* that fit *pattern*, by name; ``**`` stands for folders of any depth."""
    found = glob.glob(pattern, root_dir=folder, recursive=True, include_hidden=True)  # noqa: PTH207 - goes on
    return tuple(path for path in sorted({folder / name for name in found}) if is_file(path))


def absolute(path: Path) -> Path:
    """*path* from the root on; as it is where the current folder is gone."""
    try:
        return path.absolute()
    except OSError:
        return path


def real_path(path: Path) -> Path:
    """*path* from the root on, links followed as far as they can be."""
    try:
        return Path(os.path.realpath(path))
    except (OSError, ValueError):
        return absolute(path)


def way_to(path: Path) -> tuple[Path, ...]:
    """What decides what *path*, from the root on, stands for: the folders in which a part of its name or of a link on
    the way is looked up, and in the end what is found there."""
    if not path.is_absolute():
        return ()  # there is no current folder
    at = Path(path.anchor)
    left = list(path.parts[:0:-1])
    folders = [at]
    links = 0
    while left:
        part = left.pop()
        at = at.parent if part == ".." else at / part
        target = _target_of(at)
        if target is not None and links < _MOST_LINKS:
            links += 1
            left += target.parts[::-1]
            at = at.parent
            if target.is_absolute():
                at = Path(left.pop())
        folders.append(at)
    return tuple(dict.fromkeys(folders))


def _target_of(path: Path) -> Path | None:
    """What the link *path* points to; None where it is no link, or cannot be reached."""
    try:
        return path.readlink()
    except (OSError, ValueError):
        return None


def home_folder() -> Path:
    """The folder of the person; the root where nobody can tell."""
    try:
        return Path.home()
    except RuntimeError:
        return Path(os.sep)


def from_home(written: str) -> Path:
    """The path *written*, in which ``~`` stands for the folder of a person. Raises CannotRead for one nobody knows."""
    try:
        return Path(written).expanduser()
    except RuntimeError as error:
        raise CannotRead(_("“{name}” has no home folder here.").format(name=Path(written).parts[0])) from error


def why(error: OSError | ValueError) -> str:
    """The reason in plain words, to stand in a sentence."""
    if not isinstance(error, OSError):
        return _("no file can have such a name")
    reasons = {
        errno.ENOENT: _("it does not exist"),
        errno.EACCES: _("you do not have permission, or it is read-only"),
        errno.EPERM: _("you do not have permission"),
        errno.EROFS: _("the disk is read-only"),
        errno.ENOSPC: _("the disk is full"),
        errno.EDQUOT: _("the disk quota is exceeded"),
        errno.ENAMETOOLONG: _("its name is too long"),
        errno.ENOTDIR: _("part of its path is not a folder"),
        errno.ELOOP: _("its links lead in a circle"),
        errno.EIO: _("the disk reported an error"),
        errno.EAGAIN: _("it is not a regular file"),
        errno.ENXIO: _("it is not a regular file"),
        errno.ESTALE: _("its disk is no longer connected"),
        errno.ENOTCONN: _("its disk is no longer connected"),
        errno.ETIMEDOUT: _("its disk does not answer"),
    }
    return reasons.get(error.errno or 0) or (error.strerror or str(error)).lower()


def project_folder(path: Path) -> Path:
    """The folder of the repository that the file *path* is in, else its own folder; links followed."""
    folder = real_path(path).parent
    return next((above for above in (folder, *folder.parents) if is_there(above / ".git")), folder)


def is_in_project(path: Path) -> bool:
    """Whether a project file lies beside the file *path*, so that it holds for it."""
    return is_there(path.parent / PROJECT_FILE)
