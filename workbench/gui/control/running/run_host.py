"""What the window asks of the engine: start a run, go on with one, read what happened in another.

The engine is loaded when it is first asked for something, since the window comes first: so it is imported inside.
"""

from __future__ import annotations

import logging
import threading
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.disk.atomic import replace_private_file
from workbench.disk.files import is_there
from workbench.disk.outputs import write_file
from workbench.disk.places import Places
from workbench.disk.sqlite_file import WAIT_S, WINDOW_WAIT_S
from workbench.errors import CannotRead, StoreFailed
from workbench.settings import load_settings

if TYPE_CHECKING:
    from workbench.engine.debugging.breakpoints import Breakpoints
    from workbench.engine.debugging.mocks import Mocks
    from workbench.engine.debugging.pins import Pin
    from workbench.engine.journal.events import RunEvent, RunId
    from workbench.engine.journal.journal import Journal
    from workbench.engine.journal.run_list import RunSummary
    from workbench.engine.judges import Limits
    from workbench.engine.options import RunOptions
    from workbench.engine.ports import JudgementBackend, Request
    from workbench.engine.running.run import Run
    from workbench.model.loader.steplist import Playbook
    from workbench.model.snapshot import Snapshot

log = logging.getLogger(__name__)


class RunHost:
    """Runs in this process, judged by the person at the desk, journaled in the person's own folder.

    All methods raise StoreFailed where the journal cannot be used. On the window's thread they never wait for another
    program that holds it; a run is started and resumed on another one, which does.

    *mocks*: by the path of a file, which tools its runs do not call.
    """

    def __init__(self, places: Places) -> None:
        self.places = places
        self.mocks: dict[str, Mocks] = {}
        self._opening = threading.Lock()
        self._is_opening = False

    def start(self, snapshot: Snapshot, options: RunOptions) -> Run:
        """A new run of *snapshot*, already going. Raises RunFailed where nothing can run."""
        from workbench.engine.starting import start_run  # noqa: PLC0415 - see above
        from workbench.planning.lessons import skills_of  # noqa: PLC0415 - see above

        known = replace(self.with_world(options, snapshot), skills=skills_of(snapshot, options.path))
        return start_run(snapshot, self.journal, self.backend(snapshot), known, self._recall)

    def with_world(self, options: RunOptions, snapshot: Snapshot) -> RunOptions:
        """*options* for a run of *snapshot* with what it may ask here: models, and tools as far as the person has said.

        Raises CannotRead.
        """
        from workbench.engine.starts import equipped, would_start  # noqa: PLC0415 - see above
        from workbench.providers.clients import client_for  # noqa: PLC0415 - see above

        path = Path(options.path) if options.path else None
        client = partial(client_for, self.places, None if path is None else path.parent)
        would = would_start(snapshot.program, path)
        known = equipped(options, would, load_settings(self.places), self.places)
        return replace(known, client=client, mocks=self.mocks.get(options.path, ()))

    def backend(self, _snapshot: Snapshot) -> JudgementBackend:
        """Who judges a run."""
        from workbench.engine.backends.person import PersonBackend  # noqa: PLC0415 - see above

        return PersonBackend()

    def resume(self, run: RunId, limits: Limits | None = None, stops: Breakpoints = ()) -> Run:
        """*run*, going on where it was, as it was started; with other *limits* for models. Raises RunFailed.

        *stops*: where it stops by itself.
        """
        from workbench.engine.backends.person import PersonBackend  # noqa: PLC0415 - see above
        from workbench.engine.starting import options_of, resume_run, snapshot_of  # noqa: PLC0415
        from workbench.engine.state.fold import fold  # noqa: PLC0415

        state = fold(self.events(run))
        began = replace(options_of(state), breakpoints=stops)
        options = self.with_world(began, snapshot_of(state, self.journal))
        chosen = options if limits is None else replace(options, limits=limits)
        return resume_run(run, self.journal, PersonBackend(), chosen, self._recall)

    def runs(self) -> tuple[RunSummary, ...]:
        """All runs in the journal, newest first; none before the first run, for which nothing is loaded."""
        return self.journal.runs() if is_there(self.places.runs_file) else ()

    def events(self, run: RunId, first: int = 0, limit: int | None = None) -> tuple[RunEvent, ...]:
        """Everything that happened in *run* so far, or at most *limit* events from number *first* on."""
        return self.journal.read(run, first, limit)

    def undamaged(self, run: RunId) -> tuple[RunEvent, ...]:
        """Everything that happened in *run*, where all of it is as it was written."""
        return self.journal.check(run)

    def text_of(self, events: tuple[RunEvent, ...]) -> Snapshot | None:
        """The text that the run of *events* executes; None where it is lost."""
        from workbench.engine.journal.fork_events import RunForked  # noqa: PLC0415
        from workbench.engine.starting import snapshot_of  # noqa: PLC0415 - see above
        from workbench.engine.state.fold import fold  # noqa: PLC0415

        texts = (*events[:1], *(event for event in events if isinstance(event.payload, RunForked)))
        try:
            return snapshot_of(fold(texts), self.journal) if texts else None
        except StoreFailed:
            return None

    def export(self, run: RunId, path: Path, *, is_report: bool = False) -> None:
        """Write the audit of *run* to *path*, in the form of its ending, or its report. Raises CannotSave."""
        from workbench.engine.audit.reporting import report_text  # noqa: PLC0415 - see above
        from workbench.pages.exporting import audit_bytes, form_of  # noqa: PLC0415

        if is_report:
            data = report_text(self.journal, run).encode("utf-8", "surrogateescape")
        else:
            data = audit_bytes(self.journal, run, form_of(path))
        write_file(path, data, replace_private_file)

    def _recall(self, task: Playbook | str) -> str:
        """What has worked before for *task*. A library that cannot be read holds up no run: its pane says why."""
        from workbench.planning.lessons import KnownPatterns  # noqa: PLC0415 - see above

        try:
            return KnownPatterns(self.places.patterns_file)(task)
        except StoreFailed as error:
            log.info("Recalled nothing: %s", error)
            return ""

    @property
    def journal(self) -> Journal:
        """The journal for the thread that asks: the window's has its own, which nobody else keeps it from using."""
        if threading.current_thread() is threading.main_thread():
            return self._of_window
        with self._opening:
            return self._of_others

    @cached_property
    def _of_window(self) -> Journal:
        return _opened(self.places.runs_file, WINDOW_WAIT_S)

    @cached_property
    def _of_others(self) -> Journal:
        from workbench.engine.journal.journal import Journal  # noqa: F401, PLC0415 - loading takes longer than opening

        self._is_opening = True
        try:
            return _opened(self.places.runs_file, WAIT_S)
        finally:
            self._is_opening = False

    @property
    def is_waiting(self) -> bool:
        """Whether another program holds the journal, which a run that starts needs; never waits itself."""
        journal: Journal | None = self.__dict__.get("_of_others")
        return self._is_opening or (journal is not None and journal.is_waiting)


def _opened(file: Path, wait_s: float) -> Journal:
    from workbench.engine.journal.journal import Journal  # noqa: PLC0415 - see above
    from workbench.engine.journal.signing import own_key  # noqa: PLC0415 - see above

    return Journal(file, own_key(), wait_s)


def pinned_answer(places: Places, request: Request, path: str, ran: Snapshot | None) -> Pin | None:
    """The answer that is kept for *request* of a run of *ran*, the text of the file at *path*; None where none is."""
    from workbench.engine.answers import AnswerRefused, checked  # noqa: PLC0415 - see above
    from workbench.engine.debugging.pins import load_pins, pins_at  # noqa: PLC0415
    from workbench.engine.judging.telling import as_answer  # noqa: PLC0415

    if not path or ran is None or not is_there(places.answers_file):
        return None
    try:
        kept = pins_at(load_pins(places.answers_file, Path(path)), ran)
        pin = next((each for each in kept if each.is_for(request)), None)
        if pin is not None:
            checked(request, as_answer(request, pin.answer))
    except (CannotRead, AnswerRefused) as error:
        log.info("Offered no pinned answer: %s", error)
        return None
    return pin
