"""The history of a pattern's promotion, inside a transaction of the caller."""

from __future__ import annotations

import sqlite3

from workbench.library.entries import PromotionEvent, now_text


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
