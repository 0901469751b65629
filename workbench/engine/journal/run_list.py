"""The list of runs: an entry for each, which says what its events say, for lists that do not read those."""

from __future__ import annotations

import sqlite3
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.cycle_events import PlaybookBegun
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.fork_events import RunForked
from workbench.engine.journal.lease import Owner, is_alive
from workbench.engine.journal.payload import EventPayload
from workbench.engine.journal.run_events import (
    FINAL,
    RunCancelled,
    RunCompleted,
    RunCreated,
    RunFailure,
    RunPaused,
    RunResumed,
    RunStarted,
)
from workbench.engine.journal.waiting_events import ConversationEnded, MessageHeard, TimerDue, WaitBegun, WaitOver
from workbench.i18n import _

_LONGEST_GOAL, _LONGEST_TITLE = 400, 80


@dataclass(frozen=True, slots=True)
class ForkedFrom:
    """The event *seq* of the run *source*, behind which a fork goes on. No *source*: it began at a step."""

    source: RunId
    seq: int


@dataclass(frozen=True, slots=True)
class ForGoal:
    """What a run is for: a *goal*, of which the run *cycle* makes a playbook, and which this run may be itself."""

    goal: str
    cycle: RunId


@dataclass(frozen=True, slots=True)
class RunSummary:
    """What a list of runs shows.

    *is_live*: some process carries it out now. *is_pinned*: it is kept, however old it is.
    *ended_ns*: 0 while it is not over.
    *fork*: where it comes from, None for a run that was begun by itself. *purpose*: the goal that it makes a playbook
    of, or whose playbook it carries out; None for any other run.
    """

    id: RunId
    playbook: str
    path: str
    status: RunStatus
    started_ns: int
    ended_ns: int
    events: int
    error: str
    is_live: bool
    is_pinned: bool = False
    fork: ForkedFrom | None = None
    purpose: ForGoal | None = None

    @property
    def title(self) -> str:
        """What it is called among others, on one line: the playbook, and the goal that it belongs to."""
        if self.purpose is None:
            return self.playbook
        goal = textwrap.shorten(self.purpose.goal, _LONGEST_TITLE, placeholder="…")
        words = _("Goal: {goal}") if self.is_cycle else _("{playbook}, for the goal “{goal}”")
        return words.format(playbook=self.playbook, goal=goal)

    @property
    def is_cycle(self) -> bool:
        """Whether it makes a playbook from a goal."""
        return self.purpose is not None and self.purpose.cycle == self.id

    @property
    def is_resumable(self) -> bool:
        """Whether it can be gone on with."""
        return not self.is_live and self.status not in {RunStatus.COMPLETED, RunStatus.FAILED}


_STATUS: dict[type[EventPayload], RunStatus] = {
    RunStarted: RunStatus.RUNNING,
    RunPaused: RunStatus.PAUSED,
    RunResumed: RunStatus.RUNNING,
    RunCancelled: RunStatus.CANCELLED,
    RunCompleted: RunStatus.COMPLETED,
    RunFailure: RunStatus.FAILED,
    TimerDue: RunStatus.RUNNING,
    WaitBegun: RunStatus.TIMED,
    WaitOver: RunStatus.RUNNING,
    MessageHeard: RunStatus.RUNNING,
    ConversationEnded: RunStatus.RUNNING,
}
_STATUSES = frozenset(status.value for status in RunStatus)


def name_of(origin: RunCreated) -> str:
    """What is run: the playbook, or the goal that one is made of."""
    return str((origin.is_cycle and origin.arguments.get("goal")) or origin.playbook)


def summary_of(
    row: tuple[Any, ...], forks: Mapping[str, ForkedFrom], purposes: Mapping[str, ForGoal] = MappingProxyType({})
) -> RunSummary:
    run, playbook, path, status, started, ended, events, error, pinned, *lease = row
    known = RunStatus(status) if status in _STATUSES else RunStatus.FAILED
    told = _text(error) if known.value == status else _("The entry of this run is damaged.")
    return RunSummary(
        *(run, _text(playbook), _text(path), known),
        *(number_in(started), number_in(ended), number_in(events)),
        *(told, _is_held(tuple(lease)), pinned is not None),
        fork=forks.get(run),
        purpose=purposes.get(run),
    )


def _text(value: object) -> str:
    """*value* of a row that somebody may have changed."""
    return value if isinstance(value, str) else ""


def number_in(value: object) -> int:
    """The same for a number."""
    return value if isinstance(value, int) else 0


def _is_held(lease: tuple[Any, ...]) -> bool:
    """Whether the process in the columns of *lease* (all None: there is none) still carries out its run."""
    return lease[0] is not None and is_alive(Owner(*lease[:4]), lease[4])


def update_entry(connection: sqlite3.Connection, events: Sequence[RunEvent], head: bytes) -> None:
    run = events[0].run
    if isinstance(events[0].payload, RunCreated):
        connection.execute("INSERT INTO run (id) VALUES (?)", (run,))
    changed = {**entry_of(events), "events": events[-1].seq + 1, "head": head}
    columns = ",".join(f"{name}=?" for name in changed)  # constants of this file
    connection.execute(f"UPDATE run SET {columns} WHERE id=?", (*changed.values(), run))  # noqa: S608 - see above
    fork = fork_of(events)
    if fork is not None:
        # a table of its own: stores of earlier versions have none, and those versions pass over it
        connection.execute("CREATE TABLE IF NOT EXISTS fork (run TEXT PRIMARY KEY, source TEXT, seq INTEGER)")
        connection.execute("INSERT OR REPLACE INTO fork VALUES (?,?,?)", (run, fork.source, fork.seq))
    _note_purposes(connection, events)


def _note_purposes(connection: sqlite3.Connection, events: Sequence[RunEvent]) -> None:
    """Keep which goal the run of *events*, and those that it begins, are for; in a table of its own as well."""
    for event in events:
        match event.payload:
            case RunCreated(is_cycle=True) as origin:
                connection.execute("CREATE TABLE IF NOT EXISTS purpose (run TEXT PRIMARY KEY, goal TEXT, cycle TEXT)")
                short = " ".join(_storable(name_of(origin)).split())[:_LONGEST_GOAL]
                connection.execute("INSERT OR REPLACE INTO purpose VALUES (?,?,?)", (event.run, short, event.run))
            case PlaybookBegun(run=begun):
                query = "INSERT OR REPLACE INTO purpose SELECT ?, goal, cycle FROM purpose WHERE run=?"
                if _has_purposes(connection):
                    connection.execute(query, (begun, event.run))


def _has_purposes(connection: sqlite3.Connection) -> bool:
    query = "SELECT 1 FROM sqlite_master WHERE name='purpose'"
    return connection.execute(query).fetchone() is not None


def purposes_in(connection: sqlite3.Connection) -> dict[str, ForGoal]:
    """What the runs that have to do with a goal are for."""
    if not _has_purposes(connection):
        return {}
    rows = connection.execute("SELECT run, goal, cycle FROM purpose").fetchall()
    return {run: ForGoal(_text(goal), RunId(_text(cycle))) for run, goal, cycle in rows}


def fork_of(events: Iterable[RunEvent]) -> ForkedFrom | None:
    """Where the run of *events* comes from, None where it was begun by itself."""
    told = (event.payload for event in events)
    forks = [ForkedFrom(RunId(each.source), each.seq) for each in told if isinstance(each, RunForked)]
    return forks[-1] if forks else None  # those before it are of the runs that this one comes from


def forks_in(connection: sqlite3.Connection) -> dict[str, ForkedFrom]:
    """Where each fork among the runs comes from."""
    try:
        rows = connection.execute("SELECT run, source, seq FROM fork").fetchall()
    except sqlite3.OperationalError:  # nothing was ever forked here
        return {}
    return {run: ForkedFrom(RunId(_text(source)), number_in(seq)) for run, source, seq in rows}


def entry_of(events: Sequence[RunEvent]) -> dict[str, str | int]:
    """What *events* say for the entry of their run in the list, by column."""
    entry: dict[str, str | int] = {}
    for event in events:
        payload = event.payload
        if isinstance(payload, RunCreated):
            entry |= {"playbook": _storable(payload.playbook), "path": _storable(payload.path)}
            entry |= {"status": "created", "started": event.at_ns, "ended": 0, "error": ""}
        elif isinstance(payload, RunForked):
            entry |= {"status": RunStatus.PAUSED.value, "started": event.at_ns, "ended": 0, "error": ""}
            if payload.text is not None and payload.text.path:
                entry["path"] = _storable(payload.text.path)
        elif type(payload) in _STATUS:
            error = payload.message if isinstance(payload, RunFailure) else ""
            ended = event.at_ns if type(payload) in FINAL else 0
            status = _STATUS[type(payload)]
            if isinstance(payload, WaitBegun) and payload.is_open:
                status = RunStatus.LISTENING
            entry |= {"status": status.value, "ended": ended, "error": _storable(error)}
    return entry


def _storable(text: str) -> str:
    """*text* with bytes that are not UTF-8 (of a file's name) written out."""
    return text.encode("utf-8", "backslashreplace").decode()


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """The entry of a run in the list. *count*, *head*: as it was closed with. *rows*: how many events there are."""

    count: int
    head: bytes
    rows: int
    entry: Mapping[str, object]


def stored_entry(connection: sqlite3.Connection, run: RunId) -> StoredEntry | None:
    """What stands in the list of runs for *run*, None where it is not there."""
    columns = ("playbook", "path", "status", "started", "ended", "error")
    query = f"SELECT events, head, {','.join(columns)} FROM run WHERE id=?"  # noqa: S608 - constants
    row = connection.execute(query, (run,)).fetchone()
    counted = """SELECT (SELECT count(*) FROM event WHERE run=:run)
        + (SELECT coalesce(sum(count), 0) FROM pack WHERE run=:run)"""
    rows = connection.execute(counted, {"run": run}).fetchone()[0]
    if row is None:
        return None
    head = row[1] if isinstance(row[1], bytes) else b""
    entry = dict(zip(columns, row[2:], strict=True))
    return StoredEntry(number_in(row[0]), head, rows, {**entry, "fork": forks_in(connection).get(run)})
