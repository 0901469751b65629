"""What was typed into a document that was never saved, kept on disk edit by edit, so that a crash loses nothing.

The file has a random name, begins with the text that the document began with, and is held
while the document is open: what can be taken was left by a session that was cut off.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.disk.files import entries
from workbench.disk.lock import HeldFile
from workbench.editing.keeping.journal_records import (
    Readable,
    Recovery,
    edited_s,
    line,
    read,
    text_in,
)
from workbench.editing.keeping.kept_lines import KeptLines
from workbench.errors import CannotRead
from workbench.i18n import _
from workbench.syntax.text import SourceText

log = logging.getLogger(__name__)
MOST_LOOKED_AT = 20
_SUFFIX = ".unsaved"


class UnsavedJournal(KeptLines):
    """The journal of one document without a file."""

    def __init__(self, directory: Path, base: SourceText) -> None:
        super().__init__("a playbook without a name", base)
        self.directory = directory

    @classmethod
    def going_on(cls, held: HeldFile, left: Readable) -> UnsavedJournal:
        """The journal in *held*, of which *left* could be read."""
        journal = cls(held.path.parent, left.recovery.base)
        journal._held, journal._size = held, left.length
        return journal

    def _new_file(self) -> Path:
        return self.directory / f"{secrets.token_hex(12)}{_SUFFIX}"

    def _begin(self) -> bytes:
        return line({"begun": self.base.text})


@dataclass(frozen=True, slots=True)
class UnsavedLeft:
    """A document that was never saved, left by a session that was cut off.

    *edited_s*: when it was changed last, in seconds since 1970. *text*: what it held then; *base*: what it began with.
    """

    file: Path
    edited_s: float
    text: str
    base: str = ""


def unsaved_left(directory: Path) -> tuple[UnsavedLeft, ...]:
    """What sessions that no longer run left in *directory* without ever saving it, newest first.

    Looks only at the newest journals. Those in which nothing is left to restore are removed.
    """
    files = (file for file in entries(directory) if file.suffix == _SUFFIX)
    newest = sorted(files, key=edited_s, reverse=True)[:MOST_LOOKED_AT]
    return tuple(left for left in map(_left_in, newest) if left is not None)


def _left_in(file: Path) -> UnsavedLeft | None:
    held = _take(file)
    if held is None:
        return None
    try:
        left = _readable(held.read())
    except OSError as error:
        log.info("Could not read %s: %s", file.name, error)
        return None
    if left is None:
        with contextlib.suppress(OSError):  # nor does it matter if it stays
            held.remove()
        return None
    held.let_go()
    return UnsavedLeft(file, edited_s(file), left.recovery.text, left.recovery.base.text)


def take_unsaved(file: Path) -> tuple[Recovery, UnsavedJournal]:
    """What the journal in *file* holds, and the journal itself to go on with; raises CannotRead."""
    held = _take(file)
    left = _readable(held.read()) if held is not None else None
    if held is None or left is None:
        raise CannotRead(_("The unsaved playbook no longer exists. It may be open in another window."))
    # what was cut off in the middle must not stand before what is to come
    held.cut(left.length)
    return left.recovery, UnsavedJournal.going_on(held, left)


def discard_unsaved(file: Path) -> None:
    """Give up what the journal in *file* holds, unless somebody has taken it since it was offered.

    Where the file cannot be removed, it is offered again at the next start.
    """
    held = _take(file)
    if held is None:
        return
    try:
        held.remove()
    except OSError as error:
        log.warning("Could not remove %s: %s", file.name, error)
        held.let_go()


def _take(file: Path) -> HeldFile | None:
    try:
        return HeldFile.take(file)
    except OSError as error:
        log.info("Could not look into %s: %s", file.name, error)
        return None


def _readable(data: bytes) -> Readable | None:
    """What *data* holds as far as it makes sense; None where that is nothing."""
    left = read(data, _begun)
    return left if left is not None and left.recovery.text != left.recovery.base.text else None


def _begun(record: dict[str, Any]) -> Recovery:
    return Recovery(None, SourceText(text_in(record, "begun")), (), 0, "")
