"""The audit of a run as JSON lines: one object per event, with the hash that chains it to the one before."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from workbench.engine.audit.chain import chained
from workbench.engine.journal.codec import encoded
from workbench.engine.journal.events import RunEvent


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
