"""What was typed since the last save, kept on disk edit by edit, so that a crash loses nothing.

One file per open document, append-only, a record per edit, held while the document is open: what
can be taken was left by a session that ended. A document that was never saved has a journal
of another kind, see ``unsaved_journal``.
"""

from __future__ import annotations

import base64
import hashlib
import logging
import os
import secrets
import zlib
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from workbench.disk.atomic import replace_private_file
from workbench.disk.files import absolute, entries, read_file
from workbench.disk.lock import HeldFile, is_another_living, take_left
from workbench.editing.keeping import storage
from workbench.editing.keeping.journal_records import (
    Edited,
    NotOurs,
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
from workbench.syntax.change import TextChange
from workbench.syntax.text import SourceText

log = logging.getLogger(__name__)
LARGEST_BASE = 8 * 1024 * 1024
LARGEST_JOURNAL = 16 * 1024 * 1024
LARGEST_READ = 256 * 1024 * 1024
MOST_LOOKED_AT = 20
_SUFFIX = ".edits"


def _key(path: Path) -> str:
    return hashlib.sha256(str(absolute(path)).encode("utf-8", "surrogateescape")).hexdigest()[:24]


def _new_name(directory: Path, path: Path) -> Path:
    """A name for a journal of *path* that no other has.

    It ends with the number of this process, for file systems without locks. Earlier versions wrote
    ``key-number.edits``, without a lock.
    """
    return directory / f"{_key(path)}-{secrets.token_hex(6)}-{os.getpid()}{_SUFFIX}"


class EditJournal(KeptLines):
    """The journal of one open document; begins its file with the first edit.

    A line names the text that all edits start from, then there is one line for each edit and one for each save, so
    that writing costs the same at the tenth edit and at the ten thousandth. Replaying them leads to any point: the
    edits before the last save can be undone in the next session, those after it are what a crash would have lost.

    The file is held (see ``disk.lock``) while the document is open. That tells "open in another window" from "left by
    a session that ended", which a time or a process number could not.

    What cannot be written waits (see ``KeptLines``). A save that cannot be noted begins the journal anew: one that
    does not know of it would offer edits that are in the file.
    """

    def __init__(self, directory: Path, path: Path, base: SourceText, digest: str) -> None:
        super().__init__(path.name, base)
        self._directory = directory
        self._path = path
        self._digest = digest
        self._saved_size = 0
        self._is_over = False

    def _new_file(self) -> Path:
        return _new_name(self._directory, self._path)

    def _begin(self) -> bytes:
        return line(_header(self._path, self.base, self._digest))

    def append(self, edited: Edited) -> None:
        """Add one change, unless the journal was given up."""
        if not self._is_over:
            super().append(edited)

    def mark_saved(self, source: SourceText, digest: str) -> None:
        """Note that the file holds all edits so far: it is *source* and has *digest* now."""
        if self.trouble:
            self.try_again()
        if self._held is None and not self.trouble:
            self._digest = digest
            return
        self._add(line({"saved": digest}))
        if self.trouble or self._size > LARGEST_JOURNAL or not _is_kept_whole(self.base):
            self.restart(source, digest)
        self._saved_size = self._size

    def follow(self, change: TextChange, source: SourceText, digest: str) -> None:
        """Note that another program made *change* of the text as it is here, to *source*, which the file holds."""
        if self.base.with_text(source.text) != source:
            # no edit of a text leads to another encoding
            self.restart(source, digest)
            return
        if not change.is_empty:
            self.append(Edited(change, _("Reload from disk")))
        self.mark_saved(source, digest)

    def take_over(self, earlier: KeptLines, source: SourceText, digest: str) -> None:
        """Go on from *earlier*, whose edits led to *source*, as when a document is saved under another name."""
        try:
            lines = earlier.lines
        except OSError as error:
            log.warning("Could not read the recovery file for %s: %s", earlier.name, error)
            return
        if lines and _is_kept_whole(earlier.base):
            self.base = earlier.base
            self._add(lines)
            self.mark_saved(source, digest)

    def remove(self) -> None:
        """Forget everything."""
        super().remove()
        self._saved_size = 0

    def restart(self, base: SourceText, digest: str) -> None:
        """Begin anew from *base*, as when the journal became too long."""
        self.remove()
        self.base, self._digest = base, digest

    def go_on_in(self, earlier: EarlierEdits) -> None:
        """Write behind the saved edits of an earlier session, so that they can still be undone."""
        self._held, self._size, self._saved_size = earlier.file, earlier.length, earlier.length
        self.base = earlier.base

    def give_up(self) -> None:
        """Forget what is in no file, and leave the rest to whoever opens the document next."""
        if self._held is None or not self._saved_size:
            self.remove()
            return
        try:
            self._held.cut(self._saved_size)
        except OSError as error:
            log.warning("Could not shorten the recovery file for %s: %s", self.name, error)
            self.remove()
        else:
            self._is_over = True
            self._held.let_go()
            self._held = None


@dataclass(frozen=True, slots=True)
class EarlierEdits:
    """What earlier sessions made of *base*: it is in the file by now. With the journal it stands in, and its length."""

    base: SourceText
    edits: tuple[Edited, ...]
    file: HeldFile
    length: int


@dataclass(frozen=True, slots=True)
class Left:
    """What earlier sessions left. *saved*: edits that are in the file; *pending*: what is not, with where it lies."""

    saved: EarlierEdits | None = None
    pending: Recovery | None = None
    pending_file: Path | None = None


def look_for_left(directory: Path, path: Path, source: SourceText) -> Left:
    """What earlier sessions that edited *path*, which holds *source*, left behind; one that still runs is let alone.

    Unsaved edits are set aside: they stay on disk until somebody removes the file, whatever
    else happens.
    """
    saved: EarlierEdits | None = None
    for file in _journals_of(directory, path, "-"):
        try:
            found = _sorted_out(file, path, source)
            if found is not None and saved is not None:
                saved.file.remove()
            saved = found or saved
        except OSError as error:
            # say on Windows, where another window has it open
            log.info("Let the journal %s alone: %s", file.name, error)
    for file in _journals_of(directory, path, ".pending"):
        pending = read_journal(file)
        if pending is not None and pending.pending:
            return Left(saved, pending, file)
    return Left(saved)


def _journals_of(directory: Path, path: Path, kind: str) -> list[Path]:
    """The journals of *path* that are called so, oldest first."""
    beginning = f"{_key(path)}{kind}"
    return sorted((file for file in entries(directory) if file.name.startswith(beginning)), key=edited_s)


def _sorted_out(file: Path, path: Path, source: SourceText) -> EarlierEdits | None:
    """The edits in a journal of *path* that led to *source*; pending ones are set aside, and what is of no use removed.

    A crash between two of the steps only has them done again.
    """
    held = _take(file)
    if held is None:
        return None
    data = held.read()
    found = _readable(data)
    if found is None:
        held.remove()
        return None
    saved = _leading_to(source, found)
    if found.recovery.edits[(saved or found).recovery.saved :]:
        replace_private_file(_pending_name(file.parent, path, data), data[: found.length])
    if saved is None:
        held.remove()
        return None
    held.move(_new_name(file.parent, path))
    # what was cut off in the middle, or never saved, must not stand before what is to come
    held.cut(saved.length)
    note = line({"saved": storage.digest_of(source.encode())}) if saved.length > found.saved_length else b""
    held.append(note)
    return EarlierEdits(saved.recovery.base, saved.recovery.edits, held, saved.length + len(note))


def _pending_name(directory: Path, path: Path, data: bytes) -> Path:
    """Where unsaved edits are set aside; the same for the same *data*, so that they are never offered twice."""
    return directory / f"{_key(path)}.pending-{hashlib.sha256(data).hexdigest()[:12]}"


def _leading_to(source: SourceText, found: Readable) -> Readable | None:
    """The edits of a journal that led to *source*, all of them saved; None where none did.

    All edits may be in the file without a note of it, when a crash came between the two.
    """
    recovery = found.recovery
    for count, length in ((len(recovery.edits), found.length), (recovery.saved, found.saved_length)):
        # not by their bytes: a mark at the start that was typed is read as the one of the encoding
        if count and recovery.base.with_text(recovery.text_after(count)) == source:
            return Readable(replace(recovery, edits=recovery.edits[:count], saved=count), length, length)
    return None


def files_left(directory: Path) -> tuple[Path, ...]:
    """The files with unsaved edits of sessions that no longer run, newest first.

    Looks only at the newest journals: what nobody asked for in so long can wait until its
    file is opened.
    """
    files = (file for file in entries(directory) if file.suffix == _SUFFIX or ".pending" in file.name)
    newest = sorted(files, key=edited_s, reverse=True)
    abandoned = islice((file for file in newest if file.suffix != _SUFFIX or _is_abandoned(file)), MOST_LOOKED_AT)
    left = map(read_journal, abandoned)
    paths = (recovery.path for recovery in left if recovery is not None and recovery.pending)
    return tuple(dict.fromkeys(path for path in paths if path is not None))


def _is_abandoned(file: Path) -> bool:
    try:
        held = _take(file)
    except OSError as error:
        log.info("Could not look into the journal %s: %s", file.name, error)
        return False
    if held is None:
        return False
    # let go of before it is read: nobody who wants it is to find it held
    held.let_go()
    return True


def _take(file: Path) -> HeldFile | None:
    """The journal *file*, unless another living process writes it; raises OSError."""
    held = take_left(file)
    # earlier versions wrote without a lock, under a name of two parts
    if held is not None and file.stem.count("-") < 2 and is_another_living(file.stem.rpartition("-")[2]):
        held.let_go()
        return None
    return held


def read_journal(file: Path) -> Recovery | None:
    """The journal in *file* as far as it makes sense; None where that is nothing."""
    try:
        found = _readable(read_file(file, LARGEST_READ))
    except CannotRead:
        return None
    return found.recovery if found is not None else None


def _readable(data: bytes) -> Readable | None:
    return read(data, _begun)


def _header(path: Path, base: SourceText, digest: str) -> dict[str, Any]:
    data = base.encode()
    packed = base64.b85encode(zlib.compress(data, 1)).decode("ascii") if _is_kept_whole(base) else None
    return {"path": str(absolute(path)), "digest": digest, "base": packed}


def _is_kept_whole(base: SourceText) -> bool:
    """Whether a journal holds the text that it begins with; a longer one is read from the file, while that has it."""
    return len(base.encode()) <= LARGEST_BASE


def _begun(header: dict[str, Any]) -> Recovery:
    """What ``_header`` wrote; raises ValueError for anything else."""
    path, digest = text_in(header, "path"), text_in(header, "digest")
    packed = header.get("base")
    data = _unpacked(text_in(header, "base")) if packed is not None else _still_in(Path(path), digest)
    return Recovery(Path(path), SourceText.decode(data), (), 0, digest)


def _unpacked(packed: str) -> bytes:
    unpacking = zlib.decompressobj()
    try:
        data = unpacking.decompress(base64.b85decode(packed), LARGEST_BASE + 1)
    except zlib.error as error:
        raise NotOurs(str(error)) from error
    if len(data) > LARGEST_BASE or not unpacking.eof:
        raise NotOurs("not the whole text")
    return data


def _still_in(path: Path, digest: str) -> bytes:
    """What a large file held when its journal began, where it still does."""
    try:
        data = read_file(path)
    except CannotRead as error:
        raise NotOurs(str(error)) from error
    if storage.digest_of(data) != digest:
        raise NotOurs("the file is another")
    return data
