"""Runs of step lists on a thread of their own: the same handle as that of a markdown run."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass, replace
from pathlib import Path

from workbench.engine.answers import AnswerRefused, fits
from workbench.engine.backends.person import PersonBackend
from workbench.engine.enforcement.binding import check_tools
from workbench.engine.journal import events as types
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.lease import handing_over
from workbench.engine.ports import Answer, Cancelled, Request
from workbench.engine.running.controls import Controls, Left
from workbench.engine.running.run_thread import RunThread
from workbench.engine.running.runner import check_open, new_run_id
from workbench.engine.state.fold import RunFold
from workbench.engine.state.run_state import RunState
from workbench.engine.steplists.loop import ListedLoop, ListedOptions, new_loop, resumed_loop, write_origin
from workbench.engine.steplists.origin import playbook_of, text_of
from workbench.engine.steplists.person import PersonModel, Questions
from workbench.engine.steplists.ports import AgentModel, Recall, Tools, Walker
from workbench.engine.steplists.record import ListedRecord
from workbench.errors import InputNeeded, RunFailed, WorkbenchError
from workbench.i18n import _
from workbench.model.loader.loading import PlaybookLoadError, load_playbook
from workbench.model.loader.steplist import Playbook
from workbench.model.snapshot import Snapshot

_LEAST_TURNS = 1_000
_TURNS_PER_STEP = 20
"""A model that takes more turns than that goes in circles."""


@dataclass(frozen=True, slots=True)
class WalkOptions:
    """How a step list is walked in the background.

    *walker* None: by the person who answers through the handle. *script*: its text, kept with
    the run. *in_doubt* empty: the person is asked, and a script cannot say. *is_recording_only*: nothing is
    blocked. *recall*: says what has worked before, for the model's context.
    """

    walker: Walker | None = None
    path: str = ""
    script: str = ""
    in_doubt: str = ""
    is_recording_only: bool = False
    start_paused: bool = False
    recall: Recall | None = None


class _Published:
    """The written events, as the state they lead to and as a queue."""

    def __init__(self, before: tuple[RunEvent, ...] = ()) -> None:
        self._lock = threading.Lock()
        self._fold = RunFold(RunState())
        self._events: deque[RunEvent] = deque()
        for event in before:
            self._fold.apply(event)

    def take(self, event: RunEvent) -> None:
        """One event more."""
        with self._lock:
            self._fold.apply(event)
            self._events.append(event)

    def drain(self, limit: int) -> list[RunEvent]:
        """At most *limit* events that were not handed on yet."""
        with self._lock:
            return [self._events.popleft() for _count in range(min(limit, len(self._events)))]

    def state(self) -> RunState:
        """Where the run stands."""
        with self._lock:
            return self._fold.state()


class _Walk:
    """The thread side of a run."""

    def __init__(self, record: ListedRecord, controls: Controls, backend: PersonBackend) -> None:
        self.record = record
        self.controls = controls
        self.backend = backend
        self.questions = Questions(record, backend)
        self.loop: ListedLoop | None = None
        self.halt: WorkbenchError | None = None

    def before_turn(self) -> None:
        """Hold the run up while it is paused. Raises Cancelled and Left."""
        self.controls.raise_wish()
        if self.controls.is_holding:
            self.record.write(types.RUN_PAUSED, {})
            self.controls.wait()
            self.record.write(types.RUN_RESUMED, {})
        self.controls.use_step()

    def carry_out(self) -> None:
        """Go on until the run is over, or cannot go on for now (``halt`` says why)."""
        assert self.loop is not None
        try:
            self.loop.carry_out()
        except (Cancelled, Left):
            self._end_by_wish()
        except (InputNeeded, AnswerRefused) as error:
            self.halt = error
            self.record.write(types.RUN_PAUSED, {"reason": str(error)})

    def _end_by_wish(self) -> None:
        if self.controls.is_leaving:
            self.record.write(types.RUN_PAUSED, {"reason": _("The run was let go of, and can be resumed.")})
            return
        self.record.write(types.RUN_CANCELLING, {})
        self.record.write(types.RUN_CANCELLED, {})


class ListedRun(RunThread):
    """A run of a step list that goes on, on a thread of its own, or has ended. *blocks*: see ``ListedOptions``."""

    def __init__(self, snapshot: Snapshot, playbook: Playbook, walk: _Walk, published: _Published) -> None:
        super().__init__(walk.record.run, walk)
        self.snapshot = snapshot
        self.playbook = playbook
        self._walk = walk
        self._published = published

    def drain(self, limit: int = 10000) -> list[RunEvent]:
        """The events since the last drain, at most *limit*; never waits."""
        return self._published.drain(limit)

    def pause(self) -> None:
        """Stop before the next turn."""
        self._walk.controls.pause()

    def go_on(self) -> None:
        """Go on after a pause."""
        self._walk.controls.go_on()

    def step(self) -> None:
        """One turn of a paused run."""
        self._walk.controls.step()

    def stop(self) -> None:
        """End the run. Returns at once, see ``wait``."""
        self._walk.controls.stop()
        self._walk.backend.cancel()

    def leave(self) -> None:
        """Let go of the run where it stands; it can be resumed."""
        self._walk.controls.leave()
        self._walk.backend.cancel()

    @property
    def state(self) -> RunState:
        """Where the run stands now."""
        return self._published.state()

    @property
    def result(self) -> object:
        """What was said at its end, None before."""
        state = self.state
        return state.result if state.status is RunStatus.COMPLETED else None

    @property
    def pending(self) -> Request | None:
        """The question that is waited for."""
        return self._walk.questions.asked

    @property
    def is_asking_person(self) -> bool:
        """Whether ``pending`` waits for ``answer``."""
        return self.pending is not None

    def answer(self, request_id: str, answer: Answer) -> bool:
        """Hand over *answer*; False when the request is no longer waited for, or the answer does not fit it."""
        return fits(self.pending, request_id, answer) and self._walk.backend.answer(request_id, answer)


def start_listed(snapshot: Snapshot, journal: Journal, options: WalkOptions) -> ListedRun:
    """A new run of the step list in *snapshot*, already going.

    Raises RunFailed where it cannot be run (a graph, a damaged list), ToolsMissing where a tool is
    not there, StoreFailed where the journal cannot be used.
    """
    playbook = runnable(snapshot)
    published = _Published()
    record = ListedRecord(new_run_id(), journal, on_event=published.take)
    walk = _Walk(record, Controls(), PersonBackend())
    who = _who(options, walk, playbook, ())
    check_tools(playbook, who[1])
    chosen = _listed_options(options, walk, (snapshot, playbook), blocks=not options.is_recording_only)
    with handing_over(journal.lease(record.run)) as lease:
        write_origin(playbook, record, journal, chosen)
        walk.loop = new_loop(playbook, who, record, chosen)
        run = ListedRun(snapshot, playbook, walk, published)
        if options.start_paused:
            run.pause()
        run.begin(lease)
        return run


def resume_listed(run_id: RunId, journal: Journal, options: WalkOptions | None = None) -> ListedRun:
    """The run *run_id*, going on where it was, on the list it was begun with.

    Raises StoreFailed where the journal is damaged or the run is carried out elsewhere, RunFailed
    where it has ended.
    """
    with handing_over(journal.lease(run_id)) as lease:
        events = journal.check(run_id)
        published = _Published(events)
        check_open(run_id, published.state())
        created = events[0]
        playbook, snapshot = playbook_of(created, journal), text_of(created, journal)
        record = ListedRecord(run_id, journal, len(events), published.take)
        walk = _Walk(record, Controls(), PersonBackend())
        chosen = replace(options or WalkOptions(), path=created.body["path"])
        who = _who(chosen, walk, playbook, events)
        listed = _listed_options(chosen, walk, (snapshot, playbook), blocks=created.body["blocks"])
        walk.loop = resumed_loop(playbook, who, record, listed, events)
        run = ListedRun(snapshot, playbook, walk, published)
        run.begin(lease)
        return run


def runnable(snapshot: Snapshot) -> Playbook:
    """The step list in *snapshot*. Raises RunFailed where it cannot be run."""
    try:
        # a text with a line in it is never taken for the name of a file
        return load_playbook(f"{snapshot.text}\n")
    except PlaybookLoadError as error:
        raise RunFailed(str(error)) from error


def _who(
    options: WalkOptions, walk: _Walk, playbook: Playbook, events: tuple[RunEvent, ...]
) -> tuple[AgentModel, Tools]:
    if options.walker is not None:
        return options.walker(playbook, events)
    person = PersonModel(walk.questions, playbook)
    return person, person


def _listed_options(
    options: WalkOptions, walk: _Walk, read: tuple[Snapshot, Playbook], *, blocks: bool
) -> ListedOptions:
    snapshot, playbook = read
    return ListedOptions(
        block_violations=blocks,
        path=str(Path(options.path).resolve()) if options.path else "",
        max_turns=max(_LEAST_TURNS, _TURNS_PER_STEP * len(playbook.steps)),
        in_doubt=options.in_doubt,
        on_event=None,
        snapshot=snapshot,
        script=options.script,
        knowledge=options.recall(playbook) if options.recall is not None else "",
        before_turn=walk.before_turn,
        settle=walk.questions.settle if options.walker is None else None,
    )
