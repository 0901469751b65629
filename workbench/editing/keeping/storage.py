"""Files: read losslessly, written only over what was read, never by halves."""

from __future__ import annotations

import errno
import hashlib
import logging
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from workbench.disk.atomic import replace_file
from workbench.errors import CannotRead, CannotSave, ChangedOnDisk
from workbench.i18n import _
from workbench.syntax.text import SourceText

LARGEST_FILE = 16 * 1024 * 1024
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was read. *is_binary*: holds zero bytes, so it is shown as plain text and hardly a playbook."""

    source: SourceText
    digest: str
    is_binary: bool


def digest_of(data: bytes) -> str:
    """What identifies the content of a file."""
    return hashlib.sha256(data).hexdigest()


def load(path: Path) -> Loaded:
    """The text of *path*, whatever its bytes are.

    Raises CannotRead for what is missing, a directory, a device, too large, or not readable.
    """
    data = read_bytes(path)
    source = SourceText.decode(data)
    return Loaded(source, digest_of(data), source.encoding == "utf-8" and b"\0" in data)


def read_bytes(path: Path) -> bytes:
    """The bytes of *path*; raises CannotRead as ``load`` does."""
    try:
        found = path.stat()
        _check_readable(path, found)
        return path.read_bytes()
    except OSError as error:
        raise CannotRead(_("Could not open “{name}”: {reason}.").format(name=path.name, reason=_why(error))) from error


def _check_readable(path: Path, found: os.stat_result) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise CannotRead(_("“{name}” is a folder. Open a file in it, or open it as a project.").format(name=path.name))
    if not stat.S_ISREG(found.st_mode):
        raise CannotRead(_("“{name}” is not a regular file, so it cannot be edited.").format(name=path.name))
    if found.st_size > LARGEST_FILE:
        message = _("“{name}” has {size} MiB; files up to {limit} MiB can be opened.")
        mib = 1024 * 1024
        raise CannotRead(message.format(name=path.name, size=found.st_size // mib, limit=LARGEST_FILE // mib))


def disk_digest(path: Path) -> str | None:
    """What identifies the bytes that *path* holds now; None where they cannot be read."""
    try:
        return digest_of(path.read_bytes())
    except OSError:
        return None


def save(path: Path, data: bytes, expected: str | None) -> str:
    """Write *data* to *path* in one step; the result is its digest.

    *expected*: the digest that the file must still have; None: the file must not exist.
    Symbolic links are followed; mode and, where allowed, owner stay. Raises ChangedOnDisk
    when the file is another by now, CannotSave when writing fails; either way the file on
    disk is what it was.
    """
    target = Path(os.path.realpath(path))
    try:
        _check_unchanged(target, expected)
        _check_writable(target)
        replace_file(target, data)
    except OSError as error:
        message = _("Could not save “{name}”: {reason}. Your changes are kept in the window.")
        raise CannotSave(message.format(name=path.name, reason=_why(error))) from error
    log.info("Saved %s (%d bytes)", path.name, len(data))
    return digest_of(data)


def _check_unchanged(target: Path, expected: str | None) -> None:
    try:
        found: str | None = digest_of(target.read_bytes())
    except FileNotFoundError:
        found = None
    if found == expected or (found is None and expected is not None):
        # A file that vanished holds nothing that a save could destroy.
        return
    message = _("“{name}” was changed by another program. Merge its changes first, or use Save As.")
    raise ChangedOnDisk(message.format(name=target.name))


def _check_writable(target: Path) -> None:
    """Raise for a file that is marked read-only: replacing it would go around the mark."""
    if target.exists() and not target.stat().st_mode & 0o222:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(target))


def _why(error: OSError) -> str:
    """The reason in plain words."""
    reasons = {
        errno.ENOENT: _("it does not exist"),
        errno.EACCES: _("you do not have permission, or it is read-only"),
        errno.EPERM: _("you do not have permission"),
        errno.EROFS: _("the disk is read-only"),
        errno.ENOSPC: _("the disk is full"),
        errno.EDQUOT: _("the disk quota is exceeded"),
        errno.ENAMETOOLONG: _("its name is too long"),
        errno.ENOTDIR: _("part of its path is not a folder"),
        errno.EIO: _("the disk reported an error"),
    }
    return reasons.get(error.errno or 0, (error.strerror or str(error)).lower())
