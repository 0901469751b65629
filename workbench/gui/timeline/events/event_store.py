"""All events of a run in little memory: the newest as they are, older ones packed a few hundred at a time."""

from __future__ import annotations

import marshal
import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import overload

from workbench.engine.journal.codec import decoded, encoded
from workbench.engine.journal.events import RunEvent

PACK = 250
UNPACKED = 96


class EventStore(Sequence[RunEvent]):
    """Grows at its end. A loop that never ends makes millions of events; packed, one takes some forty bytes."""

    def __init__(self) -> None:
        self._packed: list[bytes] = []
        self._recent: list[RunEvent] = []
        # the rows in sight, and a few around them, are looked at again and again
        self._unpack = lru_cache(UNPACKED)(self._unpacked)

    def extend(self, events: Iterable[RunEvent]) -> None:
        """Add *events*."""
        self._recent.extend(events)
        # the newest pack stays unpacked: a live view reads its rows all the time
        while len(self._recent) >= 2 * PACK:
            self._packed.append(pack(self._recent[:PACK]))
            del self._recent[:PACK]

    def __len__(self) -> int:
        return len(self._packed) * PACK + len(self._recent)

    @overload
    def __getitem__(self, index: int) -> RunEvent: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[RunEvent]: ...

    def __getitem__(self, index: int | slice) -> RunEvent | Sequence[RunEvent]:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        at = index + len(self) if index < 0 else index
        part, place = divmod(at, PACK)
        return self._unpack(part)[place] if part < len(self._packed) else self._recent[at - len(self._packed) * PACK]

    def __iter__(self) -> Iterator[RunEvent]:
        for packed in self._packed:
            yield from unpack(packed)
        yield from self._recent

    def _unpacked(self, part: int) -> tuple[RunEvent, ...]:
        return unpack(self._packed[part])


def pack(events: Iterable[RunEvent]) -> bytes:
    """*events* as bytes, for this process only. Bodies are JSON values, which is all that marshal must know."""
    return zlib.compress(marshal.dumps([_row(event) for event in events]), 1)


def _row(event: RunEvent) -> tuple[object, ...]:
    told = (event.name, encoded(event.payload))
    place = (event.span, event.parent, event.step, event.line, event.attempt, event.actor)
    return (event.run, event.seq, told, event.at_ns, event.mono_ns, *place)


def unpack(packed: bytes) -> tuple[RunEvent, ...]:
    """The events in *packed*."""
    rows = marshal.loads(zlib.decompress(packed))  # noqa: S302 - our own bytes
    return tuple(RunEvent(run, seq, decoded(*told), *rest) for run, seq, told, *rest in rows)
