"""Notes about what is just being saved: what a killed program leaves is put in order at the next start.

A note is a file of its own that is held while the program saves (see ``lock``), so that one that can be taken is that
of a dead program. It names a temporary file, which is removed; or it holds what a file that is written in place held
before and shall hold, so that the writing can be finished.
"""

from __future__ import annotations

import base64
import binascii
import json
import logging
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from workbench.disk.files import Kind, entries, look_at, read_file
from workbench.disk.lock import HeldFile, take_left
from workbench.disk.places import places
from workbench.disk.private import open_to_change
from workbench.errors import CannotRead
from workbench.regex import regex

log = logging.getLogger(__name__)

_TEMPORARY = regex(r"\.workbench-[0-9a-f]{16}\.tmp")
_ENDING = ".note"
_BESIDE_STORES = ("", "-wal", "-shm", "-journal")
_PIECE_BYTES = 4096
_LONGEST_WRITING_S = 60


@contextmanager
def temporary_in(folder: Path) -> Iterator[Path]:
    """A free name in *folder*; what stands there in the end is removed, if need be at the next start."""
    path = folder / f".workbench-{os.urandom(8).hex()}.tmp"
    note = None
    try:
        note = _new_note({"temporary": str(path)})
    except OSError as error:
        # saving matters more than being tidy after a crash
        log.info("Saved in %s without a note: %s", folder, error)
    try:
        yield path
    finally:
        _remove(path)
        if note is not None:
            _drop(note)


def write_in_place(target: Path, handle: int, before: bytes, after: bytes) -> None:
    """Write *after* over *before*, which is all that *target*, open as *handle*, holds.

    Raises OSError; then the file holds *before*. Where a crash leaves half of each, the next start finishes it.
    """
    note = _new_note({"target": str(target), "before": _packed(before), "after": _packed(after)})
    try:
        note.flush()
        _overwrite(handle, len(before), after)
    except BaseException:  # Ctrl+C too: no half-written file stays
        _put_back(handle, before, note)
        raise
    _drop(note)


def clear_up() -> None:
    """Remove or finish what killed programs left; what another one is just saving is let alone."""
    for file in entries(places().unfinished_dir):
        try:
            note = take_left(file) if file.suffix == _ENDING else None
            if note is not None and _is_settled(note.read(), look_at(file).edited_s):
                note.remove()
        except OSError as error:
            log.info("Could not settle %s: %s", file.name, error)


def _new_note(record: dict[str, str]) -> HeldFile:
    note = HeldFile.create(places().unfinished_dir / f"{os.urandom(8).hex()}-{os.getpid()}{_ENDING}")
    try:
        note.append(json.dumps(record).encode("ascii"))
    except OSError:
        _drop(note)
        raise
    return note


def _drop(note: HeldFile) -> None:
    with suppress(OSError):  # settled again at the next start, to no effect
        note.remove()


def _packed(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _overwrite(handle: int, length: int, data: bytes) -> None:
    """Put *data* in place of the first *length* bytes; what needs room goes first, while nothing is lost yet."""
    _write_at(handle, length, data[length:])
    _write_at(handle, 0, data[:length])
    os.ftruncate(handle, len(data))
    os.fsync(handle)


def _write_at(handle: int, place: int, data: bytes) -> None:
    if data:
        os.lseek(handle, place, os.SEEK_SET)
    while data:
        data = data[os.write(handle, data) :]


def _put_back(handle: int, before: bytes, note: HeldFile) -> None:
    try:
        _overwrite(handle, len(before), before)
    except OSError as error:
        log.warning("Could not put back what was there; the next start will finish the saving: %s", error)
        note.let_go()
    else:
        _drop(note)


def _is_settled(data: bytes, noted_s: float) -> bool:
    """Do what the note with *data* asks for; false where that cannot be done now. Raises OSError."""
    try:
        record = json.loads(data)
        if "temporary" in record:
            return _is_removed(Path(record["temporary"]))
        before, after = (base64.b64decode(record[name], validate=True) for name in ("before", "after"))
        target = Path(record["target"])
        # who has written it later knew what it held
        return look_at(target).edited_s > noted_s + _LONGEST_WRITING_S or _is_finished(target, before, after)
    except (ValueError, TypeError, KeyError, binascii.Error):
        return True  # cut off before it said anything, so nothing was begun


def _is_removed(path: Path) -> bool:
    if not _TEMPORARY.fullmatch(path.name):
        return True
    if look_at(path.parent).kind is not Kind.FOLDER:
        return False  # a disk that is not connected now
    _remove(path)
    log.info("Removed %s, which a session that was cut off had left", path)
    return True


def _remove(path: Path) -> None:
    for each in (path.with_name(path.name + ending) for ending in _BESIDE_STORES):
        with suppress(OSError):  # it is not there, as a rule
            if each.is_dir() and not each.is_symlink():
                shutil.rmtree(each)
            else:
                each.unlink()


def _is_finished(target: Path, before: bytes, after: bytes) -> bool:
    try:
        found = read_file(target, max(len(before), len(after)))
    except CannotRead:
        # larger, so somebody else has written it since; or not connected now
        return look_at(target).kind is Kind.FILE
    if found in {before, after} or not _is_half(found, before, after):
        return True
    handle = open_to_change(target)
    try:
        _overwrite(handle, len(found), after)
    finally:
        os.close(handle)
    log.info("Finished saving %s, which was cut off", target)
    return True


def _is_half(found: bytes, before: bytes, after: bytes) -> bool:
    """True when each byte is from *before* or from *after*, as a writing that was cut off leaves it."""
    if not min(len(before), len(after)) <= len(found) <= max(len(before), len(after)):
        return False
    for start in range(0, len(found), _PIECE_BYTES):
        piece = found[start : start + _PIECE_BYTES]
        pairs = (before[start : start + len(piece)], after[start : start + len(piece)])
        if piece not in pairs and not all(
            piece[at] in {side[at] for side in pairs if at < len(side)} for at in range(len(piece))
        ):
            return False
    return True
