"""Marks of files that are open in a window, so that nobody edits one in two windows unawares.

A mark is a file that is held while the document is open, by the path of that. Who wants the window that has a file open
to come forward leaves a wish beside its mark.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
from pathlib import Path

from workbench.disk.atomic import remove_file, write_new_private_file
from workbench.disk.files import entries, is_there, real_path
from workbench.disk.lock import HeldFile

log = logging.getLogger(__name__)
_OPEN, _WANTED = ".open", ".wanted"


class OpenMark:
    """Says that the file at *path* is open here. Raises OSError where that cannot be said."""

    def __init__(self, folder: Path, path: Path) -> None:
        self.path = path
        self._held = HeldFile.create(folder / f"{_key(path)}-{secrets.token_hex(8)}{_OPEN}")

    @property
    def file(self) -> Path:
        """Where the mark is."""
        return self._held.path

    def take_wish(self) -> bool:
        """Whether somebody wants this document to come forward; asked once, it is taken as granted."""
        wish = self.file.with_suffix(_WANTED)
        if not is_there(wish):
            return False
        remove_file(wish)
        return True

    def remove(self) -> None:
        """The file is open here no more."""
        try:
            remove_file(self.file.with_suffix(_WANTED))
            self._held.remove()
        except OSError as error:
            log.info("Could not remove the mark %s: %s", self.file.name, error)


def marks_elsewhere(folder: Path, path: Path, own: Path | None = None) -> tuple[Path, ...]:
    """The marks that others have for the file at *path*; those that nobody holds any more are removed."""
    named = (each for each in entries(folder) if each.name.startswith(f"{_key(path)}-") and each.suffix == _OPEN)
    return tuple(each for each in named if each != own and _is_held(each))


def _is_held(mark: Path) -> bool:
    try:
        held = HeldFile.take(mark)
        if held is not None:
            held.remove()
    except OSError as error:
        log.info("Could not look at the mark %s: %s", mark.name, error)
        return False
    return held is None


def leave_wish(mark: Path) -> None:
    """Ask whoever holds *mark* to bring its document forward. Raises OSError, FileExistsError where that was asked."""
    write_new_private_file(mark.with_suffix(_WANTED), b"")


def _key(path: Path) -> str:
    return hashlib.sha256(str(real_path(path)).encode("utf-8", "surrogatepass")).hexdigest()[:24]
