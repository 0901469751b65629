"""Events in words: one line of summary each, and as JSON lines for other tools."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from workbench.engine.journal.codec import encoded
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.run_events import CallInDoubt, RunFailure, StepFailure, ToolError
from workbench.engine.journal.steplist_events import CallBlocked
from workbench.event_words import described
from workbench.i18n import _

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
