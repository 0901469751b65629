"""Puts a finished text where it belongs in one step, and can take it back."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from workbench.disk.atomic import flush_folder, write_new_file
from workbench.errors import CannotSave, ChangedOnDisk
from workbench.i18n import _


@dataclass(frozen=True, slots=True)
class Placed:
    """What was put where. *before*: the bytes that were there, None: nothing was. *folder*: a folder that is new."""

    path: Path
    before: bytes | None
    folder: Path | None


def place(path: Path, text: str, expected: str | None) -> Placed:
    """Write *text* to *path* so that nobody ever sees half of it.

    *expected*: what stands there now; None: nothing. The draft is written outside the folder
    that programs look for skills in, then moved. Raises ChangedOnDisk when something else
    stands there, CannotSave when it cannot be written; then all is as before.
    """
    data = text.encode("utf-8", "surrogateescape")
    try:
        before = path.read_bytes() if path.exists() else None
        if before != (None if expected is None else expected.encode("utf-8", "surrogateescape")):
            raise ChangedOnDisk(
                _("“{path}” was changed by somebody else meanwhile; it was left alone.").format(path=path)
            )
        if before == data:
            return Placed(path, before, None)
        folder = _move_in(path, data)
    except OSError as error:
        reason = error.strerror or str(error)
        text = _("“{path}” could not be written: {reason}. The pattern can still be promoted.")
        raise CannotSave(text.format(path=path, reason=reason)) from error
    return Placed(path, before, folder)


def take_back(placed: Placed) -> None:
    """Make everything as it was before *placed*."""
    with suppress(OSError):
        if placed.folder is not None:
            shutil.rmtree(placed.folder)
        elif placed.before is None:
            placed.path.unlink(missing_ok=True)
        else:
            placed.path.write_bytes(placed.before)


def _move_in(path: Path, data: bytes) -> Path | None:
    """Write beside, then move; gives the new folder where the text brought one of its own."""
    is_own_folder = path.name == "SKILL.md" and not path.parent.exists()
    root = path.parent.parent if is_own_folder else path.parent
    root.mkdir(parents=True, exist_ok=True)
    draft = _draft_root(root) / f".{path.parent.name if is_own_folder else path.name}.draft"
    _clear(draft)
    try:
        if is_own_folder:
            draft.mkdir()
            write_new_file(draft / path.name, data)
            draft.rename(path.parent)
        else:
            write_new_file(draft, data)
            draft.replace(path)
    finally:
        _clear(draft)
    flush_folder(root)
    return path.parent if is_own_folder else None


def _draft_root(root: Path) -> Path:
    """The folder above *root* where it can be written to and is of the same disk, else *root*."""
    above = root.parent
    is_usable = os.access(above, os.W_OK) and above.stat().st_dev == root.stat().st_dev
    return above if is_usable else root


def _clear(draft: Path) -> None:
    """Remove a draft that a killed process left behind."""
    if draft.is_dir() and not draft.is_symlink():
        shutil.rmtree(draft)
    else:
        draft.unlink(missing_ok=True)
