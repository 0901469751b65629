"""What a person does with the patterns of a store: names, merges, deletes and decides on them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from workbench.library.entries import PatternEntry, PromotionEvent, PromotionState, checked_text
from workbench.library.observations import refresh_recent
from workbench.library.rows import add_event, row_of, search_text
from workbench.library.store import PatternStore


def rename(store: PatternStore, pattern_id: str, label: str) -> PatternEntry:
    """The pattern with the name *label*, which later records leave alone; an empty one takes it away."""
    checked_text(label, "the name")
    entry = store.entry(pattern_id)
    search = search_text(pattern_id, (label, entry.description), entry.task_type, entry.tool_sequence)
    with store.database.writing() as connection:
        row = row_of(connection, pattern_id)
        connection.execute("UPDATE pattern SET label = ?, search = ? WHERE row = ?", (label, search, row))
    return store.entry(pattern_id)


def delete(store: PatternStore, pattern_ids: Sequence[str]) -> int:
    """How many of the patterns were there and are gone now, with all their records."""
    with store.database.writing() as connection:
        found = [
            connection.execute("DELETE FROM pattern WHERE pattern_id = ?", (each,)).rowcount for each in pattern_ids
        ]
    return sum(found)


def reject(store: PatternStore, pattern_id: str, note: str = "") -> None:
    """Stop offering the pattern for promotion; raises UnknownPattern."""
    store.set_state(pattern_id, PromotionEvent("", PromotionState.REJECTED, note=note))


def supersede(store: PatternStore, pattern_id: str, by: str) -> None:
    """Let the pattern *by* take the place of *pattern_id*, which is not offered any more. Raises UnknownPattern."""
    store.entry(by)
    store.set_state(pattern_id, PromotionEvent("", PromotionState.SUPERSEDED, note=f"by {by}"))


def undo_promotion(store: PatternStore, pattern_id: str, note: str = "") -> None:
    """Let the pattern be offered again; its history and what was written stay. Raises UnknownPattern."""
    store.set_state(pattern_id, PromotionEvent("", PromotionState.NONE, note=note))


def merge(store: PatternStore, kept_id: str, merged_id: str) -> PatternEntry:
    """The pattern *kept_id* with all records of *merged_id*, which is gone.

    Its id stays that of its own tools; the orders of the other become variants of it. Raises
    ValueError for merging a pattern with itself, UnknownPattern.
    """
    if kept_id == merged_id:
        raise ValueError("a pattern cannot be merged with itself")
    with store.database.writing() as connection:
        kept, merged = row_of(connection, kept_id), row_of(connection, merged_id)
        _move_variants(connection, kept, merged)
        _add_counts(connection, kept, merged)
        refresh_recent(connection, kept)
        label = connection.execute("SELECT label, description FROM pattern WHERE row = ?", (merged,)).fetchone()
        connection.execute("DELETE FROM pattern WHERE row = ?", (merged,))
        (state,) = connection.execute("SELECT state FROM pattern WHERE row = ?", (kept,)).fetchone()
        note = f"merged with {merged_id} {label[0] or label[1]}".rstrip()
        add_event(connection, kept_id, PromotionEvent("", PromotionState(state), note=note))
    return store.entry(kept_id)


def _move_variants(connection: sqlite3.Connection, kept: int, merged: int) -> None:
    """Hand the variants of *merged* to *kept*; equal ones become one."""
    for variant, identity in connection.execute(
        "SELECT row, variant_id FROM variant WHERE pattern = ?", (merged,)
    ).fetchall():
        twin = connection.execute(
            "SELECT row FROM variant WHERE pattern = ? AND variant_id = ?", (kept, identity)
        ).fetchone()
        if twin is None:
            connection.execute("UPDATE variant SET pattern = ? WHERE row = ?", (kept, variant))
            continue
        connection.execute("UPDATE observation SET variant = ? WHERE variant = ?", (twin[0], variant))
        connection.execute(
            """UPDATE variant SET
            success_count = success_count + (SELECT success_count FROM variant WHERE row = :from),
            failure_count = failure_count + (SELECT failure_count FROM variant WHERE row = :from),
            last_seen = max(last_seen, (SELECT last_seen FROM variant WHERE row = :from)) WHERE row = :to""",
            {"from": variant, "to": twin[0]},
        )
        connection.execute("DELETE FROM variant WHERE row = ?", (variant,))


def _add_counts(connection: sqlite3.Connection, kept: int, merged: int) -> None:
    connection.execute(
        """UPDATE pattern SET success_count = pattern.success_count + other.success_count,
        failure_count = pattern.failure_count + other.failure_count,
        last_seen = max(pattern.last_seen, other.last_seen),
        bound = lower_bound(pattern.success_count + other.success_count,
            pattern.success_count + other.success_count + pattern.failure_count + other.failure_count)
        FROM (SELECT * FROM pattern WHERE row = ?) AS other WHERE pattern.row = ?""",
        (merged, kept),
    )
