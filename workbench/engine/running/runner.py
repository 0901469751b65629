"""Starts and resumes runs; a ``Run`` is the thread-safe handle of one that goes on elsewhere."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from workbench.engine.answers import fits, typed
from workbench.engine.decider import Draft
from workbench.engine.expressions.data import as_data
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.lease import Lease, handing_over
from workbench.engine.journal.run_events import ProgramStart, RunCreated
from workbench.engine.language.book import Book, PlaybookTarget
from workbench.engine.language.calling import bind, entry_of
from workbench.engine.language.turn import StepFailed
from workbench.engine.ports import Answer, JudgementBackend, Request
from workbench.engine.running.controls import Controls
from workbench.engine.running.recorder import Recorder
from workbench.engine.running.run_thread import RunThread
from workbench.engine.running.tools import RunTools, ToolRules, ToolSource
from workbench.engine.running.worker import Worker
from workbench.engine.state.fold import fold
from workbench.engine.state.run_state import RunState
from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.model.meaning import Variable
from workbench.model.program import Playbook
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.text import SourceText


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a run is carried out.

    *playbook*: empty for where the program begins. *arguments*: parameters by name; other
    names become ``$`` variables. *is_trusted*: whether Python of the file may run. *path*:
    of the file, empty for none. *script*: the text of the script that answers, kept with the run.
    *in_doubt*: ``done``, ``again`` or ``skip`` for calls that may have been made; empty: ask.
    *artifact_threshold*: how long a result may be before it is kept as an artifact too. *is_recording_only*: a
    step list is not enforced, what is not kept is only noted.
    """

    playbook: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    is_trusted: bool = False
    start_paused: bool = False
    python_timeout_s: float = 60.0
    max_depth: int = 64
    max_steps: int = 1_000_000
    path: str = ""
    script: str = ""
    in_doubt: str = ""
    artifact_threshold: int = 500
    is_recording_only: bool = False


@runtime_checkable
class _Answerable(Protocol):
    """A backend that gets its answers from outside."""

    def answer(self, request_id: str, answer: Answer) -> bool:
        """Hand over *answer*; False when this request is no longer waited for."""
        ...


class Run(RunThread):
    """A run that goes on, on a thread of its own, or has ended."""

    def __init__(self, book: Book, recorder: Recorder, tools: RunTools, backend: JudgementBackend) -> None:
        self._controls = Controls()
        self._work = Worker(book, recorder, backend, tools, self._controls)
        super().__init__(RunId(recorder.fold.run), self._work)
        self.snapshot = book.snapshot
        self._recorder = recorder
        self._tools = tools
        self._backend = backend

    def prepare(self, options: RunOptions) -> None:
        """Take over what *options* say, before it begins."""
        self._work.set_rules(options.max_depth, options.max_steps, options.in_doubt, options.artifact_threshold)
        if options.start_paused:
            self._controls.pause()

    def drain(self, limit: int = 10000) -> list[RunEvent]:
        """The events since the last drain, at most *limit*; never waits."""
        return self._recorder.drain(limit)

    def pause(self) -> None:
        """Stop before the next step."""
        self._controls.pause()

    def go_on(self) -> None:
        """Go on after a pause."""
        self._controls.go_on()

    def step(self) -> None:
        """Carry out one step of a paused run."""
        self._controls.step()

    def stop(self) -> None:
        """End the run; calls under way are killed. Returns at once, see ``wait``."""
        self._controls.stop()
        self._backend.cancel()
        self._tools.cancel()

    def leave(self) -> None:
        """Let go of the run where it stands; a call under way is killed and will be in doubt."""
        self._controls.leave()
        self._backend.cancel()
        self._tools.cancel()

    @property
    def state(self) -> RunState:
        """Where the run stands now."""
        return self._recorder.state()

    @property
    def result(self) -> object:
        """What the program returned, None before its end."""
        return self._recorder.fold.result if self._recorder.fold.status is RunStatus.COMPLETED else None

    @property
    def pending(self) -> Request | None:
        """The question that is waited for."""
        return self._work.asked

    @property
    def is_asking_person(self) -> bool:
        """Whether ``pending`` waits for ``answer``."""
        return self.pending is not None and isinstance(self._backend, _Answerable)

    def answer(self, request_id: str, answer: Answer) -> bool:
        """Hand over *answer*; False when the request is no longer waited for, or the answer does not fit it."""
        if not isinstance(self._backend, _Answerable) or not fits(self.pending, request_id, answer):
            return False
        return self._backend.answer(request_id, answer)


def start_run(snapshot: Snapshot, journal: Journal, backend: JudgementBackend, options: RunOptions) -> Run:
    """A new run of *snapshot*, already going.

    Raises RunFailed where there is nothing to run or an argument is missing, StoreFailed
    where the journal cannot be used.
    """
    run = new_run_id()
    origin = _origin(snapshot, journal, options)
    recorder = Recorder(run, journal, replace(RunState(), run=run))
    with handing_over(journal.lease(run)) as lease:
        recorder.record((Draft(origin),))
        recorder.write_synced()
        return _launch(snapshot, journal, (recorder, backend, lease), options)


def resume_run(run_id: RunId, journal: Journal, backend: JudgementBackend, options: RunOptions | None = None) -> Run:
    """The run *run_id*, going on where it was, on the text it was begun with.

    *options* None: as it was started. Raises StoreFailed where the journal is damaged or the
    run is carried out elsewhere, RunFailed where it has ended.
    """
    with handing_over(journal.lease(run_id)) as lease:
        state = fold(journal.check(run_id))
        check_open(run_id, state)
        snapshot = snapshot_of(state, journal)
        chosen = options or options_of(state)
        return _launch(snapshot, journal, (Recorder(run_id, journal, state), backend, lease), chosen)


def check_open(run_id: RunId, state: RunState) -> None:
    """Raises RunFailed where the run *run_id* in *state* has ended."""
    if state.status in {RunStatus.COMPLETED, RunStatus.FAILED}:
        message = _("Run {run} is over ({status}); there is nothing left to go on with.")
        raise RunFailed(message.format(run=run_id, status=state.status.value))


def snapshot_of(state: RunState, journal: Journal) -> Snapshot:
    """The text that a run was begun with."""
    return derive(SourceText.decode(journal.kept(state.origin.pb_hash)))


def options_of(state: RunState) -> RunOptions:
    """How a run was started."""
    origin, start = state.origin, state.origin.program
    assert start is not None, "asked of runs of programs"
    return RunOptions(
        playbook=origin.playbook,
        arguments=origin.arguments,
        is_trusted=start.is_trusted,
        python_timeout_s=start.python_timeout_s,
        max_depth=start.max_depth,
        max_steps=start.max_steps,
        path=origin.path,
        script=origin.script,
        artifact_threshold=start.artifact_threshold,
    )


def _origin(snapshot: Snapshot, journal: Journal, options: RunOptions) -> RunCreated:
    """What a run is and how it was started, as its first event says it."""
    book = Book(snapshot)
    target = entry_of(book, options.playbook)
    if target is None and options.playbook:
        message = _("There is no playbook {name} in this file. It has: {names}.")
        names = ", ".join(playbook.name for playbook in snapshot.program.playbooks) or _("none")
        raise RunFailed(message.format(name=options.playbook, names=names))
    if target is None:
        raise RunFailed(_("There is no playbook to run. Add a playbook (## Name) with at least one step."))
    arguments = _arguments(target.playbook, options.arguments)
    return RunCreated(
        playbook=target.playbook.name,
        path=options.path,
        pb_hash=journal.keep(snapshot.source.encode()),
        script=options.script,
        arguments=arguments,
        program=ProgramStart(
            agent=target.agent,
            starts=_starts(book, target, options.playbook),
            is_trusted=options.is_trusted,
            python_timeout_s=options.python_timeout_s,
            max_depth=options.max_depth,
            max_steps=options.max_steps,
            artifact_threshold=options.artifact_threshold,
        ),
    )


def _starts(book: Book, first: PlaybookTarget, chosen: str) -> tuple[tuple[str, str], ...]:
    """The playbooks that are begun one after the other: *first*, and unless it was *chosen*, all others that start."""
    others = book.starts if not chosen else ()
    return tuple(dict.fromkeys((target.agent, target.playbook.name) for target in (first, *others)))


def _arguments(playbook: Playbook, given: Mapping[str, Any]) -> dict[str, Any]:
    """*given* as data, of the types that the parameters of *playbook* want. Raises RunFailed."""
    types_of = {parameter.name: parameter.type for parameter in playbook.parameters}
    arguments: dict[str, Any] = {}
    for name, value in given.items():
        try:
            arguments[name] = typed(Variable(name, type=types_of.get(name, "")), as_data(value))
        except ValueError as error:
            message = _("The value of {name} does not fit: {problem}.")
            raise RunFailed(message.format(name=name, problem=error)) from error
    try:
        bind(playbook, (), {name: value for name, value in arguments.items() if name in types_of})
    except StepFailed as error:
        raise RunFailed(str(error)) from error
    return arguments


def _launch(
    snapshot: Snapshot, journal: Journal, parts: tuple[Recorder, JudgementBackend, Lease], options: RunOptions
) -> Run:
    recorder, backend, lease = parts
    folder = Path(options.path).resolve().parent if options.path else Path.cwd()
    rules = ToolRules(
        RunId(recorder.fold.run),
        journal.path.resolve().parent / "calls",
        folder if folder.is_dir() else Path.cwd(),
        options.is_trusted,
        options.python_timeout_s,
        folder if options.path and folder.is_dir() else None,
    )
    source = backend if isinstance(backend, ToolSource) else None
    book = Book(snapshot)
    run = Run(book, recorder, RunTools(book, rules, source), backend)
    run.prepare(options)
    run.begin(lease)
    return run


def new_run_id() -> RunId:
    """A name that no other run has; later ones sort after earlier ones (UUID version 7)."""
    milliseconds = time.time_ns() // 1_000_000
    random = int.from_bytes(os.urandom(10), "big")
    value = (milliseconds << 80) | (7 << 76) | ((random >> 68 & 0xFFF) << 64) | (2 << 62) | (random & (2**62 - 1))
    text = f"{value:032x}"
    return RunId("-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:])))
