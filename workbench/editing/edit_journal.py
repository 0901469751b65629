"""What was typed since the last save, kept on disk edit by edit, so that a crash loses nothing.

One file per document, append-only, a record per edit. A document that was never saved has a journal
of another kind, see ``unsaved_journal``.
"""

from __future__ import annotations

import base64
import hashlib
import logging
import os
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from workbench.editing.journal_records import Edited, Recovery, edit_record, edited_of, line, records
from workbench.syntax.text import SourceText, TextChange

log = logging.getLogger(__name__)
LARGEST_BASE = 8 * 1024 * 1024
LARGEST_JOURNAL = 16 * 1024 * 1024
MOST_LOOKED_AT = 20
_SUFFIX = ".edits"


def journal_path(directory: Path, path: Path) -> Path:
    """Where this process keeps the journal of the document at *path*."""
    return directory / f"{_key(path)}-{os.getpid()}{_SUFFIX}"


def _key(path: Path) -> str:
    return hashlib.sha256(str(path.absolute()).encode("utf-8", "surrogateescape")).hexdigest()[:24]


class EditJournal:
    """The journal of one open document; begins its file with the first edit."""

    def __init__(self, directory: Path, path: Path, base: SourceText, digest: str) -> None:
        self.file = journal_path(directory, path)
        self._path = path
        self._base = base
        self._digest = digest
        self._size = 0
        self._is_off = False
        self._earlier: Recovery | None = None

    def append(self, change: TextChange, label: str) -> None:
        """Add one change; when this returns, a crash of the program cannot lose it."""
        self._write(edit_record(Edited(change, label)))

    def mark_saved(self, digest: str) -> None:
        """Note that the file holds all edits so far and has *digest* now."""
        self._digest = digest
        if self._size:
            self._write({"saved": digest})

    def remove(self) -> None:
        """Forget everything."""
        self._size = 0
        self.file.unlink(missing_ok=True)

    def restart(self, base: SourceText, digest: str) -> None:
        """Begin anew from *base*, as when a file was saved under another name or became too long."""
        self.remove()
        self._base, self._digest, self._earlier = base, digest, None

    def go_on_from(self, earlier: Recovery) -> None:
        """Keep the saved edits of *earlier* in front of what is to come, so that they can still be undone."""
        self._earlier = earlier

    @property
    def is_too_long(self) -> bool:
        """True when it is worth beginning anew after the next save."""
        return self._size > LARGEST_JOURNAL

    def _write(self, record: dict[str, Any]) -> None:
        if self._is_off:
            return
        try:
            if not self._size:
                self._begin()
            self._put(line(record), "ab")
        except OSError as error:
            # Without a journal one can still work and save; said once, not at every key.
            log.warning("Stopped keeping a recovery file for %s: %s", self._path.name, error)
            self._is_off = True

    def _begin(self) -> None:
        begun = [_header(self._path, self._base, self._digest)]
        if self._earlier is not None:
            kept = self._earlier.edits[: self._earlier.saved]
            begun = [_header(self._path, self._earlier.base, self._digest), *map(edit_record, kept)]
            begun.append({"saved": self._digest})
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self._put(b"".join(map(line, begun)), "wb")

    def _put(self, data: bytes, mode: Literal["ab", "wb"]) -> None:
        """Write *data*; opened each time, so that nothing is held back and no handle is left open."""
        with self.file.open(mode) as stream:
            stream.write(data)
        self._size += len(data)


@dataclass(frozen=True, slots=True)
class Left:
    """What earlier sessions left. *saved*: edits that are in the file; *pending*: what is not, with where it lies."""

    saved: Recovery | None = None
    pending: Recovery | None = None
    pending_file: Path | None = None


def look_for_left(directory: Path, path: Path) -> Left:
    """What earlier sessions that edited *path* left behind; a session that still runs is let alone.

    Unsaved edits are set aside: they stay on disk until somebody removes the file, whatever
    else happens. Raises OSError where the directory cannot be used.
    """
    key = _key(path)
    saved: Recovery | None = None
    for file in sorted(directory.glob(f"{key}-*{_SUFFIX}"), key=_age):
        if not _is_abandoned(file):
            continue
        found = read_journal(file)
        if found is not None and found.pending:
            _set_aside(file, directory / f"{key}.pending")
        elif found is not None:
            saved = found
            file.replace(journal_path(directory, path))
        else:
            file.unlink()
    for file in sorted(directory.glob(f"{key}.pending*")):
        pending = read_journal(file)
        if pending is not None and pending.pending:
            return Left(saved, pending, file)
    return Left(saved)


def files_left(directory: Path) -> tuple[Path, ...]:
    """The files with unsaved edits of sessions that no longer run, newest first.

    Looks only at the newest journals: what nobody asked for in so long can wait until its
    file is opened. Raises OSError where the directory cannot be used.
    """
    abandoned = [file for file in directory.glob(f"*{_SUFFIX}") if _is_abandoned(file)]
    newest = sorted([*abandoned, *directory.glob("*.pending*")], key=_age, reverse=True)[:MOST_LOOKED_AT]
    left = (read_journal(file) for file in newest)
    paths = (recovery.path for recovery in left if recovery is not None and recovery.pending)
    return tuple(dict.fromkeys(path for path in paths if path is not None))


def _age(file: Path) -> float:
    return file.stat().st_mtime


def _is_abandoned(file: Path) -> bool:
    """True unless another living process writes *file*. Where that cannot be told, it counts as abandoned."""
    number = file.stem.rpartition("-")[2]
    if os.name != "posix" or not number.isdigit() or int(number) == os.getpid():
        return True
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False


def _set_aside(file: Path, name: Path) -> None:
    number = 1
    while (aside := name.with_name(f"{name.name}{number}")).exists():
        number += 1
    file.rename(aside)


def read_journal(file: Path) -> Recovery | None:
    """The journal in *file* as far as it is whole."""
    try:
        data = file.read_bytes()
    except OSError:
        return None
    found = records(data)
    header = next(found, None)
    base = _base_of(header) if header else None
    if header is None or base is None:
        return None
    edits: list[Edited] = []
    saved, digest = 0, str(header["digest"])
    for record in found:
        if "saved" in record:
            saved, digest = len(edits), str(record["saved"])
        else:
            edits.append(edited_of(record))
    return Recovery(Path(header["path"]), base, tuple(edits), saved, digest)


def _header(path: Path, base: SourceText, digest: str) -> dict[str, Any]:
    data = base.encode()
    packed = base64.b85encode(zlib.compress(data, 1)).decode("ascii") if len(data) <= LARGEST_BASE else None
    return {"path": str(path.absolute()), "digest": digest, "base": packed}


def _base_of(header: dict[str, Any]) -> SourceText | None:
    """The source that the edits start from: kept in the journal, or for a large file the file itself."""
    if header.get("base") is not None:
        return SourceText.decode(zlib.decompress(base64.b85decode(header["base"])))
    try:
        data = Path(header["path"]).read_bytes()
    except OSError:
        return None
    return SourceText.decode(data) if hashlib.sha256(data).hexdigest() == header["digest"] else None
