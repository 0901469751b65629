"""A run as JSON lines, each with the hash of the one before: whoever changes one changes all that follow."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from workbench.engine.journal.codec import encoded
from workbench.engine.journal.envelope import FIRST_HASH, seal
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.journal import Journal, stored_head


@dataclass(frozen=True, slots=True)
class ChainReport:
    """What was found. *sound*: how many events from the first on are as they were written, of *written*.

    *head*: the hash of the last sound event. *is_head_kept*: it is the one that the run was closed with.
    """

    run: RunId
    sound: int
    written: int
    head: str
    is_head_kept: bool

    @property
    def is_sound(self) -> bool:
        """True when nothing was changed, removed or added."""
        return self.sound == self.written and self.is_head_kept

    @property
    def first_broken(self) -> int | None:
        """The number of the first event that is not as it was written, None where there is none."""
        return None if self.is_sound else min(self.sound, self.written)


def check_chain(journal: Journal, run: RunId) -> ChainReport:
    """The chain of *run*, from its first event to its last. Raises StoreFailed where there is no such run."""
    written, kept = stored_head(journal, run)
    events = journal.read(run)
    head = FIRST_HASH.hex()
    for _event, own in chained(events):
        head = own
    return ChainReport(run, len(events), written, head, head == kept.hex())


def chained(events: Iterable[RunEvent]) -> Iterator[tuple[RunEvent, str]]:
    """Each event from the first on, with its hash."""
    head = FIRST_HASH
    for event in events:
        head = seal(event, head).hash
        yield event, head.hex()


def json_lines(events: tuple[RunEvent, ...]) -> Iterator[str]:
    """One line per event, in order, without line ends."""
    for event, own in chained(events):
        # letters outside of ASCII are written out: every program reads that, broken ones among them too
        yield json.dumps({**as_json(event), "hash": own}, ensure_ascii=True, separators=(",", ":"))


def as_json(event: RunEvent) -> dict[str, Any]:
    """*event* as JSON data."""
    return {
        "run": event.run,
        "seq": event.seq,
        "type": event.name,
        "step": event.step,
        "line": event.line,
        "span": event.span,
        "parent": event.parent,
        "attempt": event.attempt,
        "actor": event.actor,
        "at_ns": event.at_ns,
        "mono_ns": event.mono_ns,
        "body": dict(encoded(event.payload)),
    }
