"""All events of a run in little memory, and what each says: in a line, to a search, and as JSON.

The newest are kept as they are, older ones packed a few hundred at a time.
"""

from __future__ import annotations

import json
import marshal
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, overload

from workbench.engine.journal.codec import decoded, encoded
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.run_events import CallInDoubt, RunFailure, StepFailure, ToolError
from workbench.engine.journal.steplist_events import CallBlocked
from workbench.event_words import described
from workbench.i18n import _

PACK = 250
UNPACKED = 96
FAILURES = frozenset(
    {
        StepFailure,
        ToolError,
        RunFailure,
        CallInDoubt,
        CallBlocked,
    }
)
LONGEST_SUMMARY = 200


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


def summary(event: RunEvent) -> str:
    """What *event* says, on one line."""
    return described(event)[:LONGEST_SUMMARY]


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str, separators=(", ", ": "))


def is_failure(event: RunEvent) -> bool:
    """Whether *event* tells that something went wrong."""
    return type(event.payload) in FAILURES


def clock_text(event: RunEvent) -> str:
    """The local time of *event*, to the millisecond."""
    moment = datetime.fromtimestamp(event.at_ns / 1e9, UTC).astimezone()
    return moment.strftime("%H:%M:%S.") + f"{moment.microsecond // 1000:03d}"


def moment_text(event: RunEvent) -> str:
    """Date, time and zone of *event*."""
    moment = datetime.fromtimestamp(event.at_ns / 1e9, UTC).astimezone()
    return _("{moment} ({zone})").format(moment=moment.strftime("%Y-%m-%d %H:%M:%S"), zone=moment.tzname())


def matches(event: RunEvent, words: tuple[str, ...]) -> bool:
    """Whether every word (lower case) occurs in the type, step or body of *event*."""
    if not words:
        return True
    text = f"{event.name} {event.step} {event.actor} {_compact(dict(encoded(event.payload)))}".lower()
    return all(word in text for word in words)


def as_mapping(event: RunEvent) -> Mapping[str, Any]:
    """All fields of *event*, JSON values only."""
    return {
        "run": event.run,
        "seq": event.seq,
        "type": event.name,
        "at_ns": event.at_ns,
        "mono_ns": event.mono_ns,
        "span": event.span,
        "parent": event.parent,
        "step": event.step,
        "line": event.line,
        "attempt": event.attempt,
        "actor": event.actor,
        "body": dict(encoded(event.payload)),
    }


def as_json_lines(events: Iterable[RunEvent]) -> str:
    """*events* as JSON lines, the form of the audit log."""
    return "".join(json.dumps(as_mapping(event), ensure_ascii=False, default=str) + "\n" for event in events)
