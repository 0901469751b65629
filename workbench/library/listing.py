"""What the library can be asked for: searched, filtered, sorted; answered by the store, not in memory."""

from __future__ import annotations

import enum
import json
import sqlite3
import unicodedata
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from workbench.library.database import Database
from workbench.library.entries import PatternEntry, PromotionState
from workbench.library.rows import PATTERN_COLUMNS, entry_of, folded


class Sort(enum.Enum):
    """In which order patterns are listed; the value is the order of the store.

    The index of times holds the words too. ``{by}`` keeps it from being used where more is
    asked for than words: reading the table in its own order is faster then.
    """

    RECENT = "{by}last_seen DESC, row DESC"
    SUCCESSES = "success_count DESC, row"
    RELIABLE = "bound DESC, success_count DESC, row"
    NAME = "CASE WHEN label <> '' THEN label ELSE description END COLLATE NOCASE, row"
    TASK_TYPE = "task_type, success_count DESC, row"
    CREATED = "created_at DESC, row DESC"


@dataclass(frozen=True, slots=True)
class PatternQuery:
    """What to list.

    *text*: words that must all occur, anywhere, in any letter case; a pattern id is found
    too. *task_type*, *tool*: exact; empty: any. *states*: empty: any. *minimum_rate*: 0 to 1.
    *seen_since*: ISO 8601, UTC. *minimum_successes*: at least so many.
    """

    text: str = ""
    task_type: str = ""
    tool: str = ""
    states: frozenset[PromotionState] = frozenset()
    minimum_rate: float = 0.0
    minimum_successes: int = 0
    seen_since: str = ""
    sort: Sort = Sort.RECENT


class Browsing:
    """What somebody who scrolls through a store asks: rows by their numbers, and the patterns of those in view.

    Every method may raise StoreFailed.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def version(self) -> object:
        """A value that changes whenever anybody writes to the store."""
        return self._database.data_version()

    def rows(self, query: PatternQuery, limit: int = -1) -> array[int]:
        """The rows of the patterns of *query*, at most *limit* (-1: all), in its order: enough to scroll through."""
        where, values = _where(query)
        select = f"SELECT row FROM pattern{where} ORDER BY {_order(query, where)} LIMIT ?"
        with self._database.reading() as connection:
            return array("q", [row for (row,) in connection.execute(select, (*values, limit))])

    def row_of(self, pattern_id: str) -> int | None:
        """The row of the pattern *pattern_id*; None: there is no such pattern."""
        with self._database.reading() as connection:
            found = connection.execute("SELECT row FROM pattern WHERE pattern_id = ?", (pattern_id,)).fetchone()
        return int(found[0]) if found is not None else None

    def entries_at(self, rows: Sequence[int]) -> dict[int, PatternEntry]:
        """The patterns in *rows* that still exist, by row."""
        marks = ",".join("?" * len(rows))
        select = f"SELECT row, {PATTERN_COLUMNS} FROM pattern WHERE row IN ({marks})"
        with self._database.reading() as connection:
            return {row[0]: entry_of(row[1:]) for row in connection.execute(select, tuple(rows))}

    def task_types(self) -> tuple[tuple[str, int], ...]:
        """Every task type with the number of its patterns, most common first."""
        return self._counted("SELECT task_type, count(*) FROM pattern GROUP BY task_type ORDER BY 2 DESC, 1")

    def groups(self, query: PatternQuery) -> tuple[tuple[str, int], ...]:
        """The task types among the patterns of *query*, as ``Sort.TASK_TYPE`` orders them, each with its number."""
        where, values = _where(query)
        return self._counted(f"SELECT task_type, count(*) FROM pattern{where} GROUP BY task_type ORDER BY 1", values)

    def _counted(self, select: str, values: tuple[object, ...] = ()) -> tuple[tuple[str, int], ...]:
        with self._database.reading() as connection:
            return tuple((str(name), int(count)) for name, count in connection.execute(select, values))


def entries(connection: sqlite3.Connection, query: PatternQuery, limit: int = -1) -> tuple[PatternEntry, ...]:
    """The patterns of *query*, at most *limit* (-1: all)."""
    where, values = _where(query)
    rows = connection.execute(
        f"SELECT {PATTERN_COLUMNS} FROM pattern{where} ORDER BY {_order(query, where)} LIMIT ?", (*values, limit)
    )
    return tuple(entry_of(row) for row in rows)


def of_type(connection: sqlite3.Connection, task_type: str, limit: int) -> tuple[PatternEntry, ...]:
    """Patterns of exactly *task_type*, most proven first, then of ``task_type+…``."""
    found = [*_proven(connection, task_type, limit)]
    for wider in _wider_types(connection, task_type):
        if len(found) >= limit:
            break
        found += _proven(connection, wider, limit - len(found))
    return tuple(found)


def _proven(connection: sqlite3.Connection, task_type: str, limit: int) -> tuple[PatternEntry, ...]:
    rows = connection.execute(
        f"""SELECT {PATTERN_COLUMNS} FROM pattern WHERE task_type = ? AND success_count > 0
        ORDER BY success_count DESC, bound DESC, row LIMIT ?""",
        (task_type, limit),
    )
    return tuple(entry_of(row) for row in rows)


def of_playbook(connection: sqlite3.Connection, playbook: str, limit: int) -> tuple[PatternEntry, ...]:
    """What has worked in runs of *playbook*, most reliable first."""
    rows = connection.execute(
        f"""SELECT {PATTERN_COLUMNS} FROM pattern WHERE playbook = ? AND playbook <> '' AND success_count > 0
        ORDER BY bound DESC, row LIMIT ?""",
        (playbook, limit),
    )
    return tuple(entry_of(row) for row in rows)


def sequences_of(connection: sqlite3.Connection, playbook: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Task type and tools of the proven variants of *playbook*, most proven first."""
    rows = connection.execute(
        """SELECT p.task_type, v.tools FROM pattern p JOIN variant v ON v.pattern = p.row
        WHERE p.playbook = ? AND p.playbook <> '' AND v.success_count > 0
        ORDER BY v.success_count DESC, v.row LIMIT 200""",
        (playbook,),
    )
    return tuple((str(task_type), tuple(json.loads(tools))) for task_type, tools in rows)


def _wider_types(connection: sqlite3.Connection, task_type: str) -> list[str]:
    """The task types that begin with *task_type* and a plus sign; found by jumping through the index."""
    rows = connection.execute(
        """WITH RECURSIVE wider(name) AS (
            SELECT min(task_type) FROM pattern WHERE task_type > :begin AND task_type < :end
            UNION ALL
            SELECT (SELECT min(task_type) FROM pattern WHERE task_type > wider.name AND task_type < :end)
            FROM wider WHERE wider.name IS NOT NULL)
        SELECT name FROM wider WHERE name IS NOT NULL LIMIT 50""",
        {"begin": task_type + "+", "end": task_type + ","},
    )
    return [str(name) for (name,) in rows]


def _order(query: PatternQuery, where: str) -> str:
    is_in_index = not where or query == PatternQuery(text=query.text)
    return query.sort.value.format(by="" if is_in_index else "+")


def _where(query: PatternQuery) -> tuple[str, tuple[object, ...]]:
    """The WHERE clause of *query*, and its values."""
    claims: list[str] = []
    values: list[object] = []
    for word in folded(query.text).split():
        # what an earlier version recorded stands there as it was put together
        spellings = dict.fromkeys((word, unicodedata.normalize("NFD", word)))
        claims.append(f"({' OR '.join(['instr(search, ?)'] * len(spellings))})")
        values += spellings
    if query.states:
        claims.append(f"state IN ({','.join('?' * len(query.states))})")
        values += sorted(state.value for state in query.states)
    for claim, value in (
        ("task_type = ?", query.task_type),
        ("instr(tool_sequence, ?)", json.dumps(query.tool, ensure_ascii=False) if query.tool else ""),
        ("success_count >= (success_count + failure_count) * ? AND success_count > 0", query.minimum_rate),
        ("success_count >= ?", query.minimum_successes),
        ("last_seen >= ?", query.seen_since),
    ):
        if value:
            claims.append(claim)
            values.append(value)
    return (f" WHERE {' AND '.join(claims)}" if claims else ""), tuple(values)
