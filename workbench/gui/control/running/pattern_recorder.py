"""Records what each finished run of the window has shown to work, or not, whichever panes there are.

That is the pattern of its calls, and where what ran is a playbook of the shelf, how that has done.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import closing
from functools import cache, cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from workbench.disk.files import is_there
from workbench.disk.places import Places
from workbench.disk.sqlite_file import WINDOW_WAIT_S
from workbench.engine.journal.events import RunEvent
from workbench.errors import StoreBusy, WorkbenchError
from workbench.gui.control.background import Job
from workbench.gui.control.notices import Cause, Notices
from workbench.gui.control.running.run_controller import RunController
from workbench.gui.control.running.window_runs import WindowRun

if TYPE_CHECKING:
    from workbench.engine.journal.payload import EventPayload
    from workbench.engine.state.run_state import RunState
    from workbench.library.entries import PatternEntry
    from workbench.library.store import PatternStore
    from workbench.model.program import Program
    from workbench.planning.shelf.entries import Entry

# ruff: noqa: PLC0415 - library and events are loaded when they are first needed: the window comes first

log = logging.getLogger(__name__)


class _Kept(QObject):
    """What the record of one run is made of: reading a long run from the journal again would hold up the window."""

    complete = Signal(object, object)  # WindowRun, tuple[RunEvent, ...]

    def __init__(self, run: WindowRun) -> None:
        super().__init__(run)
        self._events: list[RunEvent] = []
        self._last: RunEvent | None = None
        run.events_arrived.connect(self._on_events_arrived)
        run.finished.connect(self._on_finished)

    @Slot(object)
    def _on_events_arrived(self, batch: tuple[RunEvent, ...]) -> None:
        """Keep the first event, the last, and those of calls."""
        first = () if self._events else batch[:1]
        self._events += [*first, *(event for event in batch if type(event.payload) in _of_calls())]
        self._last = batch[-1]

    @Slot(object)
    def _on_finished(self, run: WindowRun) -> None:
        if self._last is not None:
            self.complete.emit(run, (*self._events, self._last))


class PatternRecorder(QObject):
    """Listens to the runs of a window."""

    recorded = Signal(object)  # PatternEntry
    rated = Signal(object)  # Entry: the playbook of the shelf for which a run was counted

    def __init__(self, runs: RunController, notices: Notices, places: Places, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._notices = notices
        self._file = places.patterns_file
        self._shelf = places.shelf_file
        runs.run_began.connect(self._on_run_began)

    @cached_property
    def store(self) -> PatternStore:
        """The library of this person, for the whole window."""
        from workbench.library.store import PatternStore

        return PatternStore(self._file, WINDOW_WAIT_S)

    @Slot(object)
    def _on_run_began(self, run: WindowRun) -> None:
        _Kept(run).complete.connect(self._on_complete)

    @Slot(object, object)
    def _on_complete(self, run: WindowRun, events: tuple[RunEvent, ...]) -> None:
        if run.state is None:
            return
        happened = (events, run.state, run.run.snapshot.program)
        try:
            self._on_learned(_learned(self.store, *happened))
        except StoreBusy:
            self._learn_later(partial(_learned_later, self._file, *happened))
        except WorkbenchError as error:
            self._notices.report(error, Cause.PATTERNS)
        if is_there(self._shelf):  # few people have one
            self._rate_later(partial(_rated, self._shelf, events, run.state, run.run.snapshot.text))

    def _rate_later(self, rate: Callable[[], Entry | None]) -> None:
        job = Job(rate)
        job.outcome.done.connect(self._on_rated)
        job.outcome.failed.connect(self._on_not_learned)
        job.start()

    @Slot(object)
    def _on_rated(self, entry: Entry | None) -> None:
        if entry is not None:
            log.info("Counted a run for %s of the shelf", entry.id)
            self.rated.emit(entry)

    def _learn_later(self, learn: Callable[[], PatternEntry | None]) -> None:
        """Another program holds the library: it is waited for where that keeps nobody from anything."""
        job = Job(learn)
        job.outcome.done.connect(self._on_learned)
        job.outcome.failed.connect(self._on_not_learned)
        job.start()

    @Slot(object)
    def _on_learned(self, entry: PatternEntry | None) -> None:
        if entry is not None:
            log.info("Recorded a run for pattern %s", entry.pattern_id)
            self.recorded.emit(entry)

    @Slot(object)
    def _on_not_learned(self, mistake: Exception) -> None:
        if not isinstance(mistake, WorkbenchError):
            raise mistake
        self._notices.report(mistake, Cause.PATTERNS)


@cache
def _of_calls() -> frozenset[type[EventPayload]]:
    """The events that say what was called, and what came of it."""
    from workbench.engine.journal.run_events import CallResolved, ToolCalled, ToolError, ToolResult

    return frozenset({ToolCalled, ToolResult, ToolError, CallResolved})


def _learned(
    store: PatternStore, events: tuple[RunEvent, ...], state: RunState, program: Program
) -> PatternEntry | None:
    from workbench.planning.lessons import learn

    return learn(store, events, state, program)


def _learned_later(file: Path, events: tuple[RunEvent, ...], state: RunState, program: Program) -> PatternEntry | None:
    from workbench.library.store import PatternStore

    with closing(PatternStore(file)) as store:
        return _learned(store, events, state, program)


def _rated(file: Path, events: tuple[RunEvent, ...], state: RunState, text: str) -> Entry | None:
    from workbench.engine.language.procedures.start import who
    from workbench.planning.shelf.keeping import rate

    return rate(file, who(), state, text, events)
