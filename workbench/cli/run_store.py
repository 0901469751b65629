"""The store that the commands about runs use, and what a finished run adds to the library."""

from __future__ import annotations

import argparse
import datetime as dt
from pathlib import Path

from workbench.engine.calls import calls_of
from workbench.engine.events import RunEvent
from workbench.engine.journal import Journal
from workbench.engine.runner import Run
from workbench.engine.state import RunStatus
from workbench.i18n import _
from workbench.library.recording import CallRecord, RunRecord, record_run
from workbench.library.store import PatternStore
from workbench.settings import places

_JOURNAL = "runs.sqlite"
_PATTERNS = "patterns.sqlite"


def add_store(parser: argparse.ArgumentParser) -> None:
    """Let *parser* take the folder of the store."""
    parser.add_argument("--store", type=Path, metavar="DIR", help=_("where runs are kept; without it, your own"))


def journal_in(store: Path | None) -> Journal:
    """The journal in the folder *store*, or the person's own. Raises StoreFailed."""
    return Journal(places().runs_file if store is None else store / _JOURNAL)


def patterns_file_in(store: Path | None) -> Path:
    """The file of the library in the folder *store*, or the person's own."""
    return places().patterns_file if store is None else store / _PATTERNS


def learn_from(run: Run, journal: Journal, store: Path | None) -> None:
    """Record the pattern of a run that has ended well or badly; one without tool calls says nothing."""
    events = journal.read(run.id)
    calls = calls_of(events)
    if not calls or run.state.status not in {RunStatus.COMPLETED, RunStatus.FAILED}:
        return
    patterns_file_in(store).parent.mkdir(parents=True, exist_ok=True)
    patterns = PatternStore(patterns_file_in(store))
    try:
        record_run(patterns, _record(run, events))
    finally:
        patterns.close()


def _record(run: Run, events: tuple[RunEvent, ...]) -> RunRecord:
    state = run.state
    playbook = str(state.origin["playbook"])
    ended = dt.datetime.fromtimestamp(events[-1].at_ns / 1e9, dt.UTC)
    found = run.snapshot.program.playbook(playbook)
    return RunRecord(
        run=run.id,
        calls=tuple(CallRecord(call.name, call.is_ok) for call in calls_of(events)),
        status=state.status.value,
        description=(found.description.strip() or found.title) if found is not None else playbook,
        playbook=playbook,
        reason=state.error,
        finished_at=ended.isoformat(timespec="seconds"),
        duration_ms=(events[-1].at_ns - events[0].at_ns) // 1_000_000,
    )
