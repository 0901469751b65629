"""What a run teaches the library, and what that tells the next one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from workbench.disk.files import is_there
from workbench.engine.calls import calls_of
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.events import RunEvent
from workbench.engine.state.run_state import RunState
from workbench.library.entries import PatternEntry
from workbench.library.relevance.relevance import proven_context
from workbench.library.run_recording import CallRecord, RunRecord, record_run
from workbench.library.store import PatternStore
from workbench.model.loader.steplist import Playbook
from workbench.model.program import Program

_SAYING = frozenset({RunStatus.COMPLETED, RunStatus.FAILED})
_DESCRIPTION_LIMIT = 300


@dataclass(frozen=True, slots=True)
class KnownPatterns:
    """The proven patterns in the library *file*."""

    file: Path

    def __call__(self, playbook: Playbook) -> str:
        """What has worked before for *playbook*, as text for a model's context; empty where nothing is known.

        Raises StoreFailed where the library cannot be used.
        """
        if not is_there(self.file):
            return ""
        patterns = PatternStore(self.file)
        try:
            return proven_context(patterns, f"{playbook.name} {playbook.description}")
        finally:
            patterns.close()


def learn(store: PatternStore, events: tuple[RunEvent, ...], state: RunState, program: Program) -> PatternEntry | None:
    """The pattern that the run of *events* counts for, recorded in *store*; None when the run says nothing.

    *state*, *program* as in ``run_record``. Raises StoreFailed.
    """
    record = run_record(events, state, program)
    return record_run(store, record) if record is not None else None


def run_record(events: tuple[RunEvent, ...], state: RunState, program: Program) -> RunRecord | None:
    """What the run of *events* showed; None when it called no tools, or has not ended by itself.

    *state*: the fold of *events*. *program*: what the run executed.
    """
    calls = calls_of(events)
    if not calls or state.status not in _SAYING:
        return None
    ended = datetime.fromtimestamp(events[-1].at_ns / 1e9, UTC)
    return RunRecord(
        run=events[0].run,
        calls=tuple(CallRecord(call.name, call.is_ok) for call in calls),
        status=state.status.value,
        description=description_of(state, program),
        playbook=identity_of(state),
        reason=state.error,
        finished_at=ended.isoformat(timespec="microseconds"),
        duration_ms=(events[-1].at_ns - events[0].at_ns) // 1_000_000,
    )


def identity_of(state: RunState) -> str:
    """What was run: a playbook named *Main* of one file is not that of another."""
    path, playbook = state.origin.path, state.origin.playbook
    return f"{Path(path).name}:{playbook}" if path else playbook


def description_of(state: RunState, program: Program) -> str:
    """What the playbook that was run is for, in one line."""
    name = state.origin.playbook
    found = program.playbook(name)
    if found is None:
        return name
    described = next((line.strip() for line in found.description.splitlines() if line.strip()), "")
    return (described or found.title)[:_DESCRIPTION_LIMIT]
