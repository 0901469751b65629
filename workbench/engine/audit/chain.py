"""A run as JSON lines, each with the hash of the one before: whoever changes one changes all that follow.

What a check proves: no event was changed, removed, added or moved since the run was written, and what the list of runs
says and the text that was carried out are those of the events. Somebody who can write to the store can make the whole
chain anew, and that is seen only with a key (``signing``) that this person does not have.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from workbench.engine.journal.codec import encoded
from workbench.engine.journal.envelope import FIRST_HASH, seal
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.fork_events import OtherText, RunForked
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.run_events import RunCreated
from workbench.engine.journal.run_list import StoredEntry, entry_of, fork_of
from workbench.engine.journal.signing import Signature
from workbench.errors import StoreFailed
from workbench.i18n import N_, _, numeral


@dataclass(frozen=True, slots=True)
class ChainReport:
    """What was found. *sound*: how many events from the first on are as they were written, of *written*.

    *head*: the hash of the last sound event. *faults*: what is not as it was written, in words, the first event first.
    *signature*: what the key says, where there is one.
    """

    run: RunId
    sound: int
    written: int
    head: str
    faults: tuple[str, ...]
    signature: Signature

    @property
    def is_sound(self) -> bool:
        """True when nothing was found that was changed, removed or added."""
        return not self.faults

    @property
    def first_broken(self) -> int | None:
        """The number of the first event that is not as it was written, None where all are."""
        return None if self.is_sound else min(self.sound, self.written)


def check_chain(journal: Journal, run: RunId, key: bytes = b"") -> ChainReport:
    """What is known of *run*, from its first event to its last. Raises StoreFailed where there is no such run."""
    events = journal.read(run)
    head = FIRST_HASH.hex()
    for _event, own in chained(events):
        head = own
    kept, signature = journal.proof(run, len(events), bytes.fromhex(head), key)
    faults = list(_chain_faults(len(events), head, kept)) or list(_faults_beside(journal, events, kept))
    if signature in _SIGNATURES:
        faults.append(str(_SIGNATURES[signature]))
    return ChainReport(run, len(events), kept.count, head, tuple(faults), signature)


_SIGNATURES = {
    Signature.WRONG: N_("its signature does not fit: the chain was made anew, or signed with another key"),
    Signature.MISSING: N_("it is not signed: it was recorded without this key, or its signature was removed"),
}


def _chain_faults(sound: int, head: str, kept: StoredEntry) -> Iterator[str]:
    """What is wrong with the events themselves."""
    if sound != kept.count or head != kept.head.hex():
        message = _("event {first} is the first that does not match, of {count}")
        yield message.format(first=numeral(min(sound, kept.count)), count=numeral(kept.count))
    elif not sound:
        yield _("all its events are missing")
    elif kept.rows > sound:
        yield _("there are events after its last one")


def _faults_beside(journal: Journal, events: tuple[RunEvent, ...], kept: StoredEntry) -> Iterator[str]:
    """What is wrong with what stands beside the events: the entry in the list of runs, the text that ran."""
    told: dict[str, object] = {**entry_of(events), "fork": fork_of(events)}
    changed = [name for name, value in told.items() if kept.entry[name] != value]
    if changed:
        yield _("its entry in the list of runs was changed: {names}").format(names=", ".join(changed))
    for name in _texts(events):
        try:
            journal.kept(name)
        except StoreFailed:
            yield _("the text that it carried out is missing or was changed")


def _texts(events: Iterable[RunEvent]) -> Iterator[str]:
    """The names of the texts that were carried out, and of their plans."""
    for event in events:
        match event.payload:
            case RunCreated(pb_hash=text, steplist=steplist):
                yield from filter(None, (text, steplist.plan_hash if steplist is not None else ""))
            case RunForked(new=text, text=OtherText(plan_hash=plan)):
                yield from filter(None, (text, plan))


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
