"""Rows of the store as values, and the history of a pattern's promotion, inside a transaction of the caller."""

from __future__ import annotations

import json
import sqlite3
import unicodedata
from types import MappingProxyType

from workbench.library.entries import (
    Observation,
    Outcome,
    PatternEntry,
    PromotionEvent,
    PromotionState,
    Variant,
    now_text,
)

PATTERN_COLUMNS = (
    "pattern_id, task_type, description, tool_sequence, prompt_template, success_count, created_at, "
    "failure_count, last_seen, state, label, playbook, extra, recent"
)
VARIANT_COLUMNS = "variant_id, tools, success_count, failure_count, first_seen, last_seen, repeats"
OBSERVATION_COLUMNS = "o.run, o.at, o.outcome, v.tools, o.duration_ms, o.reason, o.playbook"
PROMOTION_COLUMNS = "at, state, path, digest, note"

RECENT_LIMIT = 16
LETTERS = {Outcome.SUCCESS: "s", Outcome.FAILURE: "f", Outcome.PARTIAL: "p"}
_OUTCOMES = {letter: outcome for outcome, letter in LETTERS.items()}

Row = tuple[object, ...] | sqlite3.Row


def entry_of(row: Row) -> PatternEntry:
    """The pattern in a row of ``PATTERN_COLUMNS``."""
    identity, task_type, description, tools, prompt, successes, created, *ours = row
    failures, seen, state, label, playbook, extra, recent = ours
    return PatternEntry(
        pattern_id=str(identity),
        task_type=str(task_type),
        description=str(description),
        tool_sequence=tuple(json.loads(str(tools))),
        prompt_template=str(prompt),
        success_count=int(str(successes)),
        created_at=str(created),
        promoted=state == PromotionState.ACCEPTED.value,
        failure_count=int(str(failures)),
        last_seen=str(seen),
        state=PromotionState(state),
        label=str(label),
        playbook=str(playbook),
        extra=MappingProxyType(json.loads(str(extra))),
        recent=tuple(_OUTCOMES[letter] for letter in str(recent)),
    )


def variant_of(row: Row) -> Variant:
    """The variant in a row of ``VARIANT_COLUMNS``."""
    identity, tools, successes, failures, first, last, repeats = row
    return Variant(
        variant_id=str(identity),
        tools=tuple(json.loads(str(tools))),
        success_count=int(str(successes)),
        failure_count=int(str(failures)),
        first_seen=str(first),
        last_seen=str(last),
        repeats=tuple(json.loads(str(repeats))),
    )


def observation_of(row: Row) -> Observation:
    """The record in a row of ``OBSERVATION_COLUMNS``."""
    run, at, outcome, tools, duration_ms, reason, playbook = row
    return Observation(
        run=str(run),
        at=str(at),
        outcome=Outcome(outcome),
        tools=tuple(json.loads(str(tools))),
        duration_ms=None if duration_ms is None else int(str(duration_ms)),
        reason=str(reason),
        playbook=str(playbook),
    )


def event_of(row: Row) -> PromotionEvent:
    """The step of a promotion in a row of ``PROMOTION_COLUMNS``."""
    at, state, path, digest, note = (str(value) for value in row)
    return PromotionEvent(at=at, state=PromotionState(state), path=path, digest=digest, note=note)


def json_list(values: tuple[str, ...] | tuple[int, ...]) -> str:
    """*values* as they stand in the store."""
    return json.dumps(list(values), ensure_ascii=False, separators=(",", ":"))


def search_text(pattern_id: str, names: tuple[str, str], task_type: str, tools: tuple[str, ...]) -> str:
    """What is searched, in one folded line; *names*: label and description."""
    return folded(" ".join((*names, task_type, *tools, pattern_id)))


def folded(text: str) -> str:
    """*text* as it is compared: in any letter case, and an accent is the same however it is put together."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


class UnknownPattern(KeyError):
    """There is no pattern with this id."""

    def __str__(self) -> str:
        return f"no pattern has the id {self.args[0]!r}"


def row_of(connection: sqlite3.Connection, pattern_id: str) -> int:
    """The row of the pattern; raises UnknownPattern."""
    found = connection.execute("SELECT row FROM pattern WHERE pattern_id = ?", (pattern_id,)).fetchone()
    if found is None:
        raise UnknownPattern(pattern_id)
    return int(found[0])


def add_event(connection: sqlite3.Connection, pattern_id: str, event: PromotionEvent) -> None:
    """Add *event* (now, where it has no time) and take over its state; raises UnknownPattern."""
    row = row_of(connection, pattern_id)
    connection.execute(
        "INSERT INTO promotion (pattern, at, state, path, digest, note) VALUES (?,?,?,?,?,?)",
        (row, event.at or now_text(), event.state.value, event.path, event.digest, event.note),
    )
    connection.execute("UPDATE pattern SET state = ? WHERE row = ?", (event.state.value, row))
