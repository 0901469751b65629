"""The store of learned patterns: one SQLite file for all windows and processes of a person.

Records are on the disk before they are acknowledged (write-ahead log, fully synchronised);
the cost of a record does not depend on how many there are. Once a day the file is copied, to
go back to when it is damaged.
"""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from workbench.disk.atomic import rename
from workbench.disk.files import is_there, look_at
from workbench.disk.private import make_private_file
from workbench.disk.sqlite_file import WAIT_S, connect
from workbench.disk.unfinished import temporary_in
from workbench.errors import StoreFailed
from workbench.library import listing
from workbench.library.database import Database
from workbench.library.entries import DEFAULT_THRESHOLD, Evidence, Observation, PatternEntry, PromotionEvent, Variant
from workbench.library.observations import checked_observation, write_observation
from workbench.library.rows import (
    OBSERVATION_COLUMNS,
    PATTERN_COLUMNS,
    PROMOTION_COLUMNS,
    VARIANT_COLUMNS,
    UnknownPattern,
    add_event,
    entry_of,
    event_of,
    observation_of,
    variant_of,
)
from workbench.library.store_file import backup_path

log = logging.getLogger(__name__)

_NOT_YET = "state IN ('none', 'proposed')"

EVIDENCE_OF_ONE = Evidence()
_BACKUP_EVERY_S = 24 * 3600.0


class PatternStore:
    """The patterns in the file *path*; it comes to be with the first record.

    Every method may raise StoreFailed with what happened in words; nothing is ever written
    over a file that is damaged, foreign, newer or read-only. Safe to share between threads.
    *browsing*: what a list asks that shows only a part of it.
    """

    def __init__(self, path: Path | str, lock_wait_s: float = WAIT_S) -> None:
        self.database = Database(Path(path), lock_wait_s)
        self.browsing = listing.Browsing(self.database)

    @property
    def path(self) -> Path:
        """The file."""
        return self.database.path

    def record(
        self,
        task_type: str,
        description: str,
        tool_sequence: Sequence[str],
        prompt_hint: str = "",
        evidence: Evidence = EVIDENCE_OF_ONE,
    ) -> PatternEntry:
        """The pattern after one more use of it has been counted.

        Raises ValueError for values that cannot be written: see ``checked_tools``.
        """
        record = checked_observation(task_type, description, tuple_of(tool_sequence), prompt_hint, evidence)
        with self.database.writing() as connection:
            write_observation(connection, record)
            row = connection.execute(
                f"SELECT {PATTERN_COLUMNS} FROM pattern WHERE pattern_id = ?", (record.pattern_id,)
            ).fetchone()
        return entry_of(row)

    def entry(self, pattern_id: str) -> PatternEntry:
        """The pattern *pattern_id*; raises UnknownPattern, a KeyError, naming it."""
        with self.database.reading() as connection:
            row = connection.execute(
                f"SELECT {PATTERN_COLUMNS} FROM pattern WHERE pattern_id = ?", (pattern_id,)
            ).fetchone()
        if row is None:
            raise UnknownPattern(pattern_id)
        return entry_of(row)

    def get_relevant(self, task_type: str, top_k: int = 3) -> tuple[PatternEntry, ...]:
        """The most often proven patterns of *task_type*, then those of wider types that include it.

        *shell* also offers *shell+file*. Patterns that never worked are left out. Raises
        ValueError for a negative *top_k*.
        """
        if top_k < 0:
            raise ValueError("top_k must not be negative")
        if top_k == 0:
            return ()
        with self.database.reading() as connection:
            return listing.of_type(connection, task_type, top_k)

    def get_promotable(self, threshold: int = DEFAULT_THRESHOLD, limit: int = -1) -> tuple[PatternEntry, ...]:
        """Patterns with *threshold* successes that nobody has promoted or rejected, most proven first.

        *limit*: at most so many, -1 for all. Raises ValueError for a threshold below 1.
        """
        if threshold < 1:
            raise ValueError("the threshold must be at least 1")
        with self.database.reading() as connection:
            rows = connection.execute(
                f"""SELECT {PATTERN_COLUMNS} FROM pattern WHERE success_count >= ? AND {_NOT_YET}
                ORDER BY success_count DESC, row LIMIT ?""",
                (threshold, limit),
            )
            return tuple(entry_of(row) for row in rows)

    def set_state(self, pattern_id: str, event: PromotionEvent) -> None:
        """Add *event* to the history of the pattern, and take over its state; raises UnknownPattern."""
        with self.database.writing() as connection:
            add_event(connection, pattern_id, event)

    def patterns(self, query: listing.PatternQuery | None = None, limit: int = -1) -> tuple[PatternEntry, ...]:
        """The patterns that *query* asks for (all of them without one), in its order."""
        with self.database.reading() as connection:
            return listing.entries(connection, query or listing.PatternQuery(), limit)

    def count(self) -> int:
        """How many patterns there are."""
        with self.database.reading() as connection:
            return int(connection.execute("SELECT count(*) FROM pattern").fetchone()[0])

    def variants(self, pattern_id: str) -> tuple[Variant, ...]:
        """The orders in which its tools were called, best proven first."""
        with self.database.reading() as connection:
            rows = connection.execute(
                f"""SELECT {VARIANT_COLUMNS} FROM variant
                WHERE pattern = (SELECT row FROM pattern WHERE pattern_id = ?)
                ORDER BY lower_bound(success_count, success_count + failure_count) DESC, success_count DESC, row""",
                (pattern_id,),
            )
            return tuple(variant_of(row) for row in rows)

    def observations(self, pattern_id: str, limit: int = -1) -> tuple[Observation, ...]:
        """Its records, newest first."""
        with self.database.reading() as connection:
            rows = connection.execute(
                f"""SELECT {OBSERVATION_COLUMNS} FROM observation o JOIN variant v ON v.row = o.variant
                WHERE v.pattern = (SELECT row FROM pattern WHERE pattern_id = ?)
                ORDER BY o.at DESC, o.row DESC LIMIT ?""",
                (pattern_id, limit),
            )
            return tuple(observation_of(row) for row in rows)

    def history(self, pattern_id: str) -> tuple[PromotionEvent, ...]:
        """What was decided about its promotion, oldest first."""
        with self.database.reading() as connection:
            rows = connection.execute(
                f"""SELECT {PROMOTION_COLUMNS} FROM promotion
                WHERE pattern = (SELECT row FROM pattern WHERE pattern_id = ?) ORDER BY row""",
                (pattern_id,),
            )
            return tuple(event_of(row) for row in rows)

    def close(self) -> None:
        """Let go of the file."""
        self.database.close()


def tuple_of(tools: Sequence[str]) -> tuple[str, ...]:
    """*tools* as a tuple; a single text stays one and is refused later, with a reason."""
    return tools if isinstance(tools, str) else tuple(tools)  # type: ignore[return-value]


def back_up_when_due(store: PatternStore) -> None:
    """Copy the library where the last copy is more than a day old.

    Never raises StoreFailed: what was recorded before is kept, and is not to be told as failed.
    """
    path, backup = store.path, backup_path(store.path)
    if not is_there(path) or time.time() - look_at(backup).edited_s < _BACKUP_EVERY_S:
        return
    try:
        back_up(store)
    except StoreFailed as error:
        log.info("Made no backup of %s: %s", path.name, error)
    else:
        log.info("Backed up %s", path.name)


def back_up(store: PatternStore) -> Path:
    """The backup, made while others may write; it replaces the last one only when it is sound. Raises StoreFailed."""
    path = store.path
    with store.database.reading() as connection, temporary_in(path.parent) as draft:
        make_private_file(draft)
        _copy(connection, draft)
        rename(draft, backup_path(path))
    return backup_path(path)


def _copy(connection: sqlite3.Connection, draft: Path) -> None:
    with closing(connect(str(draft))) as copy:
        connection.backup(copy)
        (verdict,) = copy.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise sqlite3.DatabaseError(verdict)
