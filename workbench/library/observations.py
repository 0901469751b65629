"""How one record enters the tables, inside a transaction of the caller."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from workbench.library.entries import (
    Evidence,
    Outcome,
    checked_text,
    checked_tools,
    now_text,
    pattern_id,
    utc_text,
    variant_id,
)
from workbench.library.rows import LETTERS, RECENT_LIMIT, json_list, search_text


@dataclass(frozen=True, slots=True)
class NewObservation:
    """One checked record, ready to be written."""

    task_type: str
    description: str
    tools: tuple[str, ...]
    prompt_hint: str
    evidence: Evidence

    @property
    def pattern_id(self) -> str:
        """The pattern that it belongs to."""
        return pattern_id(self.task_type, self.tools)

    @property
    def at(self) -> str:
        """When it happened."""
        return utc_text(self.evidence.at) if self.evidence.at else now_text()

    @property
    def counts(self) -> tuple[int, int]:
        """What it adds to the successes and to the failures."""
        is_success = self.evidence.outcome is Outcome.SUCCESS
        return (1, 0) if is_success else (0, 1)


def checked_observation(
    task_type: str, description: str, tools: tuple[str, ...], prompt_hint: str, evidence: Evidence
) -> NewObservation:
    """A record that can be written as it is; raises ValueError where a value cannot be."""
    checked_text(task_type, "the task type")
    checked_text(description, "the description")
    checked_text(prompt_hint, "the hint")
    checked_text(evidence.reason, "the reason")
    if evidence.at:
        utc_text(evidence.at)
    return NewObservation(task_type, description, checked_tools(tools), prompt_hint, evidence)


def write_observation(connection: sqlite3.Connection, record: NewObservation) -> None:
    """Count *record*; an earlier record of the same run is taken back first."""
    if record.evidence.run:
        _forget_run(connection, record.evidence.run)
    at = record.at
    pattern = _touch_pattern(connection, record, at)
    variant = _touch_variant(connection, pattern, record, at)
    evidence = record.evidence
    connection.execute(
        "INSERT INTO observation (variant, run, at, duration_ms, outcome, reason, playbook) VALUES (?,?,?,?,?,?,?)",
        (variant, evidence.run, at, evidence.duration_ms, evidence.outcome.value, evidence.reason, evidence.playbook),
    )


def _touch_pattern(connection: sqlite3.Connection, record: NewObservation, at: str) -> int:
    """The row of the pattern, with this record counted; description and hint are those of the newest success."""
    successes, failures = record.counts
    known = connection.execute("SELECT row, label FROM pattern WHERE pattern_id = ?", (record.pattern_id,)).fetchone()
    if known is None:
        return _insert_pattern(connection, record, at)
    row, label = known
    connection.execute(
        """UPDATE pattern SET success_count = success_count + ?, failure_count = failure_count + ?,
        bound = lower_bound(success_count + ?, success_count + failure_count + 1),
        last_seen = max(last_seen, ?), recent = substr(recent || ?, ?) WHERE row = ?""",
        (successes, failures, successes, at, LETTERS[record.evidence.outcome], -RECENT_LIMIT, row),
    )
    if successes:
        search = search_text(record.pattern_id, (str(label), record.description), record.task_type, record.tools)
        connection.execute(
            "UPDATE pattern SET description = ?, prompt_template = ?, playbook = ?, search = ? WHERE row = ?",
            (record.description, record.prompt_hint, record.evidence.playbook, search, row),
        )
    return int(row)


def _insert_pattern(connection: sqlite3.Connection, record: NewObservation, at: str) -> int:
    successes, failures = record.counts
    cursor = connection.execute(
        """INSERT INTO pattern (pattern_id, task_type, description, prompt_template, tool_sequence, success_count,
        failure_count, bound, created_at, last_seen, playbook, recent, search)
        VALUES (?,?,?,?,?,?,?,lower_bound(?, 1),?,?,?,?,?) RETURNING row""",
        (
            *(record.pattern_id, record.task_type, record.description, record.prompt_hint, json_list(record.tools)),
            *(successes, failures, successes, at, at, record.evidence.playbook),
            LETTERS[record.evidence.outcome],
            search_text(record.pattern_id, ("", record.description), record.task_type, record.tools),
        ),
    )
    return int(cursor.fetchone()[0])


def _touch_variant(connection: sqlite3.Connection, pattern: int, record: NewObservation, at: str) -> int:
    successes, failures = record.counts
    cursor = connection.execute(
        """INSERT INTO variant
        (pattern, variant_id, tools, repeats, success_count, failure_count, first_seen, last_seen)
        VALUES (?,?,?,?,?,?,?,?) ON CONFLICT (pattern, variant_id) DO UPDATE SET
        success_count = success_count + excluded.success_count, failure_count = failure_count + excluded.failure_count,
        last_seen = max(last_seen, excluded.last_seen),
        repeats = CASE WHEN excluded.success_count THEN excluded.repeats ELSE repeats END RETURNING row""",
        (
            *(pattern, variant_id(record.task_type, record.tools), json_list(record.tools)),
            *(json_list(record.evidence.repeats), successes, failures, at, at),
        ),
    )
    return int(cursor.fetchone()[0])


def _forget_run(connection: sqlite3.Connection, run: str) -> None:
    """Take back what *run* has counted: it was gone on with after a failure, or is recorded twice."""
    found = connection.execute(
        """SELECT o.row, o.outcome, v.row, v.pattern FROM observation o JOIN variant v ON v.row = o.variant
        WHERE o.run = ? AND o.run <> ''""",
        (run,),
    ).fetchone()
    if found is None:
        return
    observation, outcome, variant, pattern = found
    column = "success_count" if outcome == Outcome.SUCCESS.value else "failure_count"
    connection.execute("DELETE FROM observation WHERE row = ?", (observation,))
    connection.execute(f"UPDATE variant SET {column} = {column} - 1 WHERE row = ?", (variant,))
    connection.execute(f"UPDATE pattern SET {column} = {column} - 1 WHERE row = ?", (pattern,))
    connection.execute("DELETE FROM variant WHERE row = ? AND success_count + failure_count = 0", (variant,))
    connection.execute(
        """DELETE FROM pattern WHERE row = ? AND success_count + failure_count = 0 AND label = ''
        AND NOT EXISTS (SELECT 1 FROM promotion WHERE pattern = pattern.row)""",
        (pattern,),
    )
    connection.execute(
        "UPDATE pattern SET bound = lower_bound(success_count, success_count + failure_count) WHERE row = ?", (pattern,)
    )
    refresh_recent(connection, pattern)


def refresh_recent(connection: sqlite3.Connection, pattern: int) -> None:
    """Work out again how the last runs of the pattern in row *pattern* ended."""
    newest_first = connection.execute(
        """SELECT o.outcome FROM observation o JOIN variant v ON v.row = o.variant
        WHERE v.pattern = ? ORDER BY o.at DESC, o.row DESC LIMIT ?""",
        (pattern, RECENT_LIMIT),
    ).fetchall()
    recent = "".join(LETTERS[Outcome(outcome)] for (outcome,) in reversed(newest_first))
    connection.execute("UPDATE pattern SET recent = ? WHERE row = ?", (recent, pattern))
