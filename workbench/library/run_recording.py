"""Takes secrets out of a hint before it is stored."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby

from workbench.library.entries import Evidence, Outcome, PatternEntry
from workbench.library.listing import sequences_of
from workbench.library.store import PatternStore
from workbench.library.task_types import extract_task_type, outcome_of
from workbench.regex import regex
from workbench.secrets import SHAPES

MASK = "[removed]"
_BEARER = regex(r"\b(?:bearer|basic)\s+[\w+/=.~-]{8,}", re.IGNORECASE)
_NAMED = regex(
    r"""(?P<name>\b[\w-]*(?:passw(?:or)?d|passphrase|secret|token|api[_-]?key|credential)s?\b["']?)"""
    r"""(?P<link>\s*(?:is|[:=])\s*)(?P<value>"[^"]*"|'[^']*'|\S+)""",
    re.IGNORECASE,
)
_LONG = regex(r"\b(?=\w*\d)(?=\w*[A-Za-z])[A-Za-z0-9+]{32,}={0,2}")
SEQUENCE_LIMIT = 50
HINT_LIMIT = 400


def redacted(text: str) -> str:
    """*text* with keys, tokens, passwords and other likely secrets replaced by a mark."""
    for shape in (*SHAPES, _BEARER):
        text = shape.sub(MASK, text)
    text = _NAMED.sub(rf"\g<name>\g<link>{MASK}", text)
    return _LONG.sub(MASK, text)


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One tool call of a run. *is_ok*: it was executed and gave a result."""

    name: str
    is_ok: bool = True


@dataclass(frozen=True, slots=True)
class RunRecord:
    """What the library wants to know of a run.

    *status*: completed, failed or cancelled. *is_valid*: what its checks said, None: there
    were none. *description*: what it was for. *playbook*: what was run. *hint*: how it was
    asked for; stored only when given, without secrets. *finished_at*: ISO 8601, UTC.
    """

    run: str
    calls: tuple[CallRecord, ...]
    status: str
    description: str
    playbook: str = ""
    is_valid: bool | None = None
    reason: str = ""
    hint: str = ""
    finished_at: str = ""
    duration_ms: int | None = None
    task_type: str = ""


def record_run(store: PatternStore, record: RunRecord) -> PatternEntry | None:
    """The pattern that the run counts for; None when it says nothing about any pattern.

    Only calls that succeeded make the sequence, repeats in a row as one. A failed run counts
    against the pattern that it was following: the best-proven one of the same playbook that
    begins with the same calls. Recording a run again replaces its record.
    """
    outcome = outcome_of(record.status, record.is_valid)
    if outcome is None:
        return None
    tools, repeats = collapsed(tuple(call.name for call in record.calls if call.is_ok))
    followed = _followed(store, record) if outcome is not Outcome.SUCCESS else None
    if followed is not None:
        task_type, tools, repeats = *followed, ()
    else:
        task_type = record.task_type or extract_task_type(tools)
    if not tools:
        return None
    evidence = Evidence(
        run=record.run,
        at=record.finished_at,
        duration_ms=record.duration_ms,
        outcome=outcome,
        reason=redacted(record.reason),
        repeats=repeats if any(count > 1 for count in repeats) else (),
        playbook=record.playbook,
    )
    return store.record(task_type, record.description, tools, redacted(record.hint)[:HINT_LIMIT], evidence)


def collapsed(names: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """*names* with repeats in a row as one, at most ``SEQUENCE_LIMIT``; and how often each was repeated."""
    groups = [(name, len(list(group))) for name, group in groupby(names)][:SEQUENCE_LIMIT]
    return tuple(name for name, _count in groups), tuple(count for _name, count in groups)


def _followed(store: PatternStore, record: RunRecord) -> tuple[str, tuple[str, ...]] | None:
    """Task type and tools of the pattern that a failed run was following; None: no known one."""
    attempted, _repeats = collapsed(tuple(call.name for call in record.calls))
    if not record.playbook or not attempted:
        return None
    with store.database.reading() as connection:
        proven = sequences_of(connection, record.playbook)
    for task_type, tools in proven:
        if tools[: len(attempted)] == attempted:
            return task_type, tools
    return None
