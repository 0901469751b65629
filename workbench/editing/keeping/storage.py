"""Files of documents: read losslessly, written only over what was read, never by halves."""

from __future__ import annotations

import enum
import logging
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from workbench.disk.atomic import replace_file
from workbench.disk.files import Kind, look_at, read_file, real_path, why
from workbench.errors import CannotRead, CannotSave, ChangedOnDisk
from workbench.i18n import _
from workbench.syntax.text import SourceText

log = logging.getLogger(__name__)


class DiskState(enum.Enum):
    """How the file on disk compares with what was loaded or saved last. UNREADABLE: nobody can tell at the moment."""

    SAME = enum.auto()
    CHANGED = enum.auto()
    MISSING = enum.auto()
    UNREADABLE = enum.auto()


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was read. *is_binary*: holds zero bytes, so it is shown as plain text and hardly a playbook."""

    source: SourceText
    data: bytes
    is_binary: bool

    @property
    def digest(self) -> str:
        """What identifies it, for whoever will save it."""
        return digest_of(self.data)


def digest_of(data: bytes) -> str:
    """What identifies the content of a file."""
    import hashlib  # noqa: PLC0415 - loads OpenSSL, and whoever only reads needs none

    return hashlib.sha256(data).hexdigest()


def load(path: Path) -> Loaded:
    """The text of *path*, whatever its bytes are.

    Raises CannotRead for what is missing, a directory, a device, too large, or not readable.
    """
    data = read_file(path)
    source = SourceText.decode(data)
    return Loaded(source, data, source.encoding == "utf-8" and b"\0" in data)


def disk_digest(path: Path) -> str | None:
    """What identifies the bytes that *path* holds now; None where there is no such file. Raises CannotRead."""
    return None if look_at(path).kind is Kind.MISSING else digest_of(read_file(path))


def disk_state(path: Path, expected: str) -> DiskState:
    """How the file *path* stands to the content of which *expected* is the digest."""
    try:
        found = disk_digest(path)
    except CannotRead:
        return DiskState.UNREADABLE
    if found is None:
        return DiskState.MISSING
    return DiskState.SAME if found == expected else DiskState.CHANGED


def save(path: Path, data: bytes, expected: str | None) -> str:
    """Write *data* to *path*, so that a crash leaves the old content or the new one; the result is its digest.

    *expected*: the digest that the file must still have; None: the file must not exist.
    Symbolic links are followed; nothing but the content changes. Raises ChangedOnDisk when the
    file is another by now, CannotSave when writing fails; either way the file on disk is what
    it was.
    """
    confirm = partial(_check_unchanged, path, expected)
    confirm()
    try:
        replace_file(path, data, confirm)
    except (OSError, ValueError) as error:
        message = _("Could not save “{name}”: {reason}. Your changes are kept in the window.")
        raise CannotSave(message.format(name=path.name, reason=why(error))) from error
    log.info("Saved %s (%d bytes)", path.name, len(data))
    return digest_of(data)


def _check_unchanged(path: Path, expected: str | None) -> None:
    try:
        found = disk_digest(path)
    except CannotRead as error:
        message = _("Could not save “{name}”. {reason} Your changes are kept in the window.")
        raise CannotSave(message.format(name=path.name, reason=error)) from error
    if found == expected or (found is None and expected is not None):
        # a file that vanished holds nothing that a save could destroy
        return
    message = _("“{name}” was changed by another program. Merge its changes first, or use Save As.")
    raise ChangedOnDisk(message.format(name=real_path(path).name))
