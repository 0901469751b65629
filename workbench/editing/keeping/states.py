"""Local history: what a file was, state by state, kept beside the edit journals, also where there is no git.

A folder for each file, and in it a file for each state, named by its time, why it was kept and what identifies its
bytes. Nothing has to agree with anything else: a state is there as a whole or not at all, whenever a program ends. A
name that a person gives stands in a file beside the state.

What is kept is bounded. Of states without a name, the further back they lie the fewer stay; what was named stays until
there are very many.
"""

from __future__ import annotations

import enum
import hashlib
import logging
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from workbench.disk.atomic import remove_file, remove_folder, rename, replace_private_file
from workbench.disk.files import LARGEST_FILE, absolute, entries, look_at, read_file
from workbench.disk.private import make_private_folder
from workbench.errors import CannotRead, CannotSave
from workbench.i18n import _

log = logging.getLogger(__name__)
MOST_STATES = 200
MOST_NAMED = 200
MOST_FILES = 2_000
LONGEST_NAME = 200
_STATE, _NAME = ".state", ".name"
_DIGITS = 20
_NS_PER_S = 1_000_000_000
_HOUR_S, _DAY_S = 3_600, 86_400
_SPARSER = ((_HOUR_S, 0), (_DAY_S, _HOUR_S // 4), (30 * _DAY_S, _DAY_S), (365 * _DAY_S, 7 * _DAY_S))
"""Of states younger than so many seconds, one stays in so many; none of older ones."""


class Reason(enum.Enum):
    """Why a state was kept. FOUND: it stood in the file before it was saved over. OUTSIDE: another program wrote it."""

    FOUND = "found"
    SAVED = "saved"
    OUTSIDE = "outside"
    NAMED = "named"


@dataclass(frozen=True, slots=True)
class KeptState:
    """What a file was. *time_ns*: since 1970; *digest*: the beginning of what identifies its bytes.

    *name*: what a person calls it, empty for nothing. *file*: where it lies.
    """

    time_ns: int
    reason: Reason
    digest: str
    name: str
    file: Path

    @property
    def time_s(self) -> float:
        """The same in seconds."""
        return self.time_ns / _NS_PER_S


def states_beside(journals: Path) -> Path:
    """The folder of the states that belong to the edit journals in *journals*."""
    return journals.with_name("states")


def states_of(directory: Path, path: Path) -> tuple[KeptState, ...]:
    """The states of the file *path* that are kept in *directory*, the newest first."""
    return _states_in(_folder_of(directory, path))


def _states_in(folder: Path) -> tuple[KeptState, ...]:
    files = entries(folder)
    names = {file.stem: file for file in files if file.suffix == _NAME}
    found = (_state_in(file, names.get(file.stem)) for file in files if file.suffix == _STATE)
    return tuple(sorted((each for each in found if each is not None), key=_age, reverse=True))


def _age(state: KeptState) -> int:
    return state.time_ns


def _state_in(file: Path, name: Path | None) -> KeptState | None:
    """The state that *file* holds, as its own name and that of a person say; None for a file that is none of ours."""
    time_ns, _dash, rest = file.stem.partition("-")
    reason, _dash, digest = rest.partition("-")
    if not time_ns.isdecimal() or reason not in {each.value for each in Reason}:
        return None
    return KeptState(int(time_ns), Reason(reason), digest, _read_name(name) if name is not None else "", file)


def _read_name(file: Path) -> str:
    try:
        return read_file(file, 4 * LONGEST_NAME).decode("utf-8", "replace")[:LONGEST_NAME]
    except CannotRead:
        return ""


def keep_state(
    directory: Path, path: Path, data: bytes, reason: Reason, time_ns: int | None = None
) -> KeptState | None:
    """Keep *data* as a state of the file *path*; None where that cannot be, which prevents nothing else.

    What is the newest state already is not kept again.
    """
    digest, known = _digest_of(data), states_of(directory, path)
    if known and known[0].digest == digest:
        return known[0]
    now = time.time_ns() if time_ns is None else time_ns
    if known and time_ns is None:
        now = max(now, known[0].time_ns + 1)  # a clock that was put back changes no order
    folder = _folder_of(directory, path)
    state = KeptState(now, reason, digest, "", folder / f"{now:0{_DIGITS}d}-{reason.value}-{digest}{_STATE}")
    try:
        if not known:
            _make_room(folder.parent)
        make_private_folder(folder)
        replace_private_file(state.file, zlib.compress(data, 6))
    except (OSError, CannotRead) as error:
        log.info("Could not keep a state of %s: %s", path.name, error)
        return None
    _forget(_superfluous((state, *known), now))
    return state


def has_state(directory: Path, path: Path, data: bytes) -> bool:
    """Whether *data* is among the states that are kept of the file *path*."""
    digest = _digest_of(data)
    return any(state.digest == digest for state in states_of(directory, path))


def read_state(state: KeptState) -> bytes:
    """The bytes of *state*. Raises CannotRead where they are no longer those that were kept."""
    packed = read_file(state.file, 2 * LARGEST_FILE)
    unpacking = zlib.decompressobj()
    try:
        data = unpacking.decompress(packed, LARGEST_FILE + 1)
    except zlib.error as error:
        raise CannotRead(_("This state is damaged, so it cannot be shown or restored.")) from error
    if _digest_of(data) != state.digest:
        raise CannotRead(_("This state is damaged, so it cannot be shown or restored."))
    return data


def name_state(state: KeptState, name: str) -> None:
    """Call *state* *name* from now on; nothing for an empty one. Raises CannotSave."""
    file, words = state.file.with_suffix(_NAME), " ".join(name.split())[:LONGEST_NAME]
    siblings = sum(each.suffix == _NAME and each != file for each in entries(state.file.parent))
    if words and siblings >= MOST_NAMED:
        raise CannotSave(_("This file has very many named states. Take the name of one away before you name another."))
    try:
        if words:
            replace_private_file(file, words.encode("utf-8", "replace"))
        elif look_at(file).stamp is not None:
            remove_file(file)
    except OSError as error:
        raise CannotSave(_("Could not name this state: {reason}.").format(reason=error.strerror)) from error


def keep_named(directory: Path, path: Path | None, data: bytes, name: str) -> None:
    """Keep *data*, whether or not it is saved, as a state of the file *path* called *name*. Raises CannotSave."""
    if path is None:
        raise CannotSave(_("This document has no file yet. Save it before you name a state of it."))
    state = keep_state(directory, path, data, Reason.NAMED)
    if state is None:
        raise CannotSave(_("This state could not be kept. The disk may be full, or the folder closed."))
    name_state(state, name)


def move_states(directory: Path, path: Path, other: Path) -> None:
    """Let the states of the file *path* be those of *other*, as when it was renamed; where that has none itself."""
    source, target = _folder_of(directory, path), _folder_of(directory, other)
    if look_at(source).stamp is not None and look_at(target).stamp is None:
        with suppress(OSError):
            rename(source, target)


def _folder_of(directory: Path, path: Path) -> Path:
    key = hashlib.sha256(str(absolute(path)).encode("utf-8", "surrogateescape")).hexdigest()[:24]
    return directory / key


def _digest_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:24]


def _superfluous(states: Sequence[KeptState], now_ns: int) -> Iterator[KeptState]:
    """Those of *states*, the newest first, that need not stay: the newest in each stretch of time does."""
    taken: set[tuple[int, int]] = set()
    count = 0
    for at, state in enumerate(states):
        if state.name or not at:
            continue
        age_s = max(0, now_ns - state.time_ns) // _NS_PER_S
        every_s = next((every for limit, every in _SPARSER if age_s < limit), None)
        stretch = (every_s or 0, state.time_ns // (every_s * _NS_PER_S) if every_s else state.time_ns)
        if every_s is None or stretch in taken or count >= MOST_STATES:
            yield state
        else:
            taken.add(stretch)
            count += 1


def thin_out(directory: Path, days: int, most: int, now_ns: int) -> int:
    """Remove states of all files in *directory* that are older than *days*, or more than *most* of one file; how many.

    The newest of each file stays, and so does what has a name. What cannot be removed is left.
    """
    count = 0
    for folder in entries(directory):
        unnamed = [state for state in _states_in(folder)[1:] if not state.name]
        oldest_ns = now_ns - days * _DAY_S * _NS_PER_S
        gone = [state for at, state in enumerate(unnamed) if at + 1 >= most or state.time_ns < oldest_ns]
        _forget(iter(gone))
        count += len(gone)
    return count


def _forget(states: Iterator[KeptState]) -> None:
    for state in states:
        with suppress(OSError):
            remove_file(state.file)


def _make_room(folder: Path) -> None:
    """Have no more than so many files with states: those go that were not kept again for longest, and have no names."""
    kept = entries(folder)
    if len(kept) < MOST_FILES:
        return
    for each in sorted(kept, key=lambda one: look_at(one).edited_s)[: len(kept) - MOST_FILES + 1]:
        files = entries(each)
        if not any(file.suffix == _NAME for file in files):
            with suppress(OSError):
                remove_folder(each)
