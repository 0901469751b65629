"""The runs that this window carries out: what each has come to and waits for, and which of them is in front.

Each run lives on its own thread and executes a frozen snapshot; only frozen values come over, through its queue.
"""

from __future__ import annotations

import enum
import logging
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from workbench.engine.debugging.goals import Goal, Going
from workbench.engine.journal.choices import RunStatus
from workbench.engine.ports import RequestKind
from workbench.gui.control.running.retelling import EarlierText, RunView
from workbench.gui.control.running.run_feed import RunFeed

if TYPE_CHECKING:
    from workbench.engine.journal.events import RunEvent, RunId
    from workbench.engine.ports import Answer, Request
    from workbench.engine.running.controls import Order
    from workbench.engine.running.run import Run
    from workbench.engine.state.run_state import RunState

log = logging.getLogger(__name__)
LEAVE_WAIT_S = 2.0
_MOST_ENDED = 20


class Phase(enum.IntEnum):
    """What a run is about, for who has several: in the order of how much it needs the person."""

    ASKS = enum.auto()
    WANTS_LEAVE = enum.auto()
    AT_BREAKPOINT = enum.auto()
    LISTENS = enum.auto()
    GOES_ON = enum.auto()
    PAUSED = enum.auto()
    OVER = enum.auto()

    @property
    def is_for_person(self) -> bool:
        """Whether it stands still until the person does something about it."""
        return self <= Phase.LISTENS

    @property
    def is_asking(self) -> bool:
        """Whether the person is to be told of it who looks elsewhere."""
        return self <= Phase.AT_BREAKPOINT


class WindowRun(QObject):
    """Follows one run, whether it is shown or not. Every signal carries a frozen value.

    *state*: of the events that were told, None before the first. *request*: the question that it waits with.
    *wait*: tells this question or stop from the next one; empty where it waits for nobody.
    *resumed_after*: the last event that happened before this window took the run up; -1 where it began here.
    *is_of_document*: it began here with the document that was shown.
    """

    events_arrived = Signal(object)  # tuple[RunEvent, ...]
    state_changed = Signal(object)  # RunState, once per batch
    request_changed = Signal(object)  # Request | None
    phase_changed = Signal(object)  # WindowRun: it is about something else, or waits with another question
    finished = Signal(object)  # WindowRun: it goes on here no more, and all of it was told

    def __init__(
        self, run: Run, earlier: tuple[RunEvent, ...], texts: tuple[EarlierText, ...], parent: QObject
    ) -> None:
        from workbench.engine.journal.run_clock import RunClock  # noqa: PLC0415 - loaded with the first run

        super().__init__(parent)
        self.run = run
        self.view = RunView(run.id, run.state.origin, run.snapshot, texts)
        self.state: RunState | None = None
        self.request: Request | None = None
        self.resumed_after = earlier[-1].seq if earlier else -1
        self.is_of_document = not earlier and not run.state.origin.is_cycle
        self.phase = Phase.GOES_ON
        self._coming: Request | None = None
        self.wait = ""
        self._stop = ""
        self._is_ticking = False
        self._last: RunEvent | None = None
        self._clock = RunClock()
        self._feed = RunFeed(self)
        self._feed.batch_arrived.connect(self.take)
        self._feed.ticked.connect(self._on_ticked)
        self._feed.emptied.connect(self._on_emptied)

    @property
    def id(self) -> RunId:
        """Which run it is."""
        return self.run.id

    @property
    def is_going(self) -> bool:
        """Whether it goes on here (paused and waiting runs do)."""
        return self._feed.is_watching

    @property
    def elapsed_ns(self) -> int:
        """How long it has been carried out."""
        is_ticking = self._is_ticking and self.is_going
        return self._clock.position_at(time.monotonic_ns()) if is_ticking else self._clock.position_ns

    def follow(self) -> None:
        """Tell from now on what happens in it."""
        self._feed.watch(self.run)

    def leave(self) -> None:
        """Tell nothing more, and let go of it where it stands: its question can be answered no more."""
        self._feed.leave()
        self.request = None
        if not self.run.is_finished:
            self.run.leave()

    @Slot(object)
    def take(self, batch: tuple[RunEvent, ...]) -> None:
        """Fold first, so that every view that hears of the events finds the state they lead to."""
        from workbench.engine.state.fold import advance  # noqa: PLC0415 - loaded with the first run

        self.state = advance(self.state, batch)
        for event in batch:
            self._clock.move_to(event)
        self._is_ticking = batch[-1].seq > self.resumed_after
        if self.state.status is RunStatus.PAUSED:
            self._stop = _stop_in(batch, self._last, self._stop)
        self._last = batch[-1]
        self.events_arrived.emit(batch)
        self.state_changed.emit(self.state)
        self._tell_phase()

    @Slot()
    def _on_ticked(self) -> None:
        """A question that was there before the last events were fetched is shown: all that led to it has been told."""
        pending = self.run.pending
        is_told = pending is None or (pending == self._coming and self._feed.is_caught_up)
        self._coming = pending
        if is_told:
            self._ask(pending)

    @Slot()
    def _on_emptied(self) -> None:
        self._ask(None)
        self._tell_phase()
        self.finished.emit(self)

    def _ask(self, request: Request | None) -> None:
        if request != self.request:
            self.request = request
            self.request_changed.emit(request)
            self._tell_phase()

    def _tell_phase(self) -> None:
        phase, before = self._phase(), (self.phase, self.wait)
        wait = self.request.id if self.request is not None else self._stop if phase is Phase.AT_BREAKPOINT else ""
        if (phase, wait) != before:
            self.phase, self.wait = phase, wait
            self.phase_changed.emit(self)

    def _phase(self) -> Phase:
        if self.state is None:
            return Phase.GOES_ON
        if not self.is_going:
            return Phase.OVER if self.state.is_over else Phase.PAUSED
        if self.request is not None:
            return Phase.WANTS_LEAVE if self.request.kind is RequestKind.APPROVE else Phase.ASKS
        if self.state.status is RunStatus.PAUSED:
            return Phase.AT_BREAKPOINT if self._stop else Phase.PAUSED
        return Phase.LISTENS if self.state.status is RunStatus.LISTENING else Phase.GOES_ON


def _stop_in(batch: tuple[RunEvent, ...], before: RunEvent | None, known: str) -> str:
    """Which stop at a breakpoint the last pause of a run is; empty where it is none.

    *before*: the event before *batch*, *known*: what the last pause before it was.
    """
    from workbench.engine.journal.debug_events import BreakpointHit  # noqa: PLC0415 - loaded with the first run
    from workbench.engine.journal.run_events import RunPaused  # noqa: PLC0415 - likewise

    for index in reversed(range(len(batch))):
        if isinstance(batch[index].payload, RunPaused):
            last = batch[index - 1] if index else before
            return f"stop {last.seq}" if last is not None and isinstance(last.payload, BreakpointHit) else ""
    return known


class RunSteering(QObject):
    """Hands wishes to the run in front; without one they do nothing."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.front: WindowRun | None = None

    @property
    def run(self) -> Run | None:
        """The handle of the run in front."""
        return self.front.run if self.front is not None else None

    def pause(self) -> None:
        """Let the run stop before its next step."""
        if self.run is not None:
            self.run.pause()

    def go_on(self) -> None:
        """Let a paused run go on."""
        if self.run is not None:
            self.run.go_on()

    def step(self, going: Going = Going.INTO, address: str = "") -> None:
        """Let a paused run go on a little: by default one step."""
        if self.run is not None:
            self.run.step(Goal(going, address))

    def order(self, order: Order) -> None:
        """Do something to a paused run."""
        if self.run is not None:
            self.run.controls.order(order)

    def stop(self) -> None:
        """End the run; what it has done stays in the journal."""
        if self.run is not None:
            self.run.stop()

    def say(self, text: str) -> None:
        """Say *text* to the run, which waits for a message."""
        if self.run is not None:
            self.run.controls.mailbox.send(text)

    def end_conversation(self) -> None:
        """Say nothing more: the run ends where it would wait for a message, or for nothing but its timers."""
        if self.run is not None:
            self.run.controls.mailbox.end()

    def answer(self, request_id: str, answer: Answer) -> bool:
        """Hand *answer* to the run; False when it no longer waits for this request."""
        return self.run is not None and self.run.answer(request_id, answer)


class WindowRuns(RunSteering):
    """The runs of this window, and the one in front: of those that go on, the one that was shown last.

    *all*: those that go on here, and the last ones that did, in the order in which they came. The signals below
    ``run_began`` tell of the run in front; every other one tells itself what happens in it.
    """

    run_began = Signal(object)  # WindowRun: it was taken up here, and nothing was told of it yet
    phase_changed = Signal(object)  # WindowRun: it waits for something else
    run_ended = Signal(object)  # WindowRun: it goes on here no more
    run_started = Signal(object)  # Run
    events_arrived = Signal(object)  # tuple[RunEvent, ...]
    state_changed = Signal(object)  # RunState, once per batch, and when another run comes to the front
    request_changed = Signal(object)  # Request | None, likewise
    run_finished = Signal(object)  # RunState

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.all: tuple[WindowRun, ...] = ()

    @property
    def is_running(self) -> bool:
        """Whether the run in front goes on (paused and waiting runs do)."""
        return self.front is not None and self.front.is_going

    @property
    def state(self) -> RunState | None:
        """Where the run in front stands, as far as it was told."""
        return self.front.state if self.front is not None else None

    @property
    def request(self) -> Request | None:
        """The question with which the run in front waits."""
        return self.front.request if self.front is not None else None

    @property
    def resumed_after(self) -> int:
        """See ``WindowRun``, of the run in front."""
        return self.front.resumed_after if self.front is not None else -1

    @property
    def going(self) -> tuple[WindowRun, ...]:
        """Those that go on."""
        return tuple(each for each in self.all if each.is_going)

    @property
    def waiting(self) -> tuple[WindowRun, ...]:
        """Those that wait for the person, the most urgent first."""
        return tuple(sorted((each for each in self.going if each.phase.is_for_person), key=_phase_of))

    def find(self, run: RunId) -> WindowRun | None:
        """The run of this window with that id."""
        return next((each for each in self.all if each.id == run), None)

    def bring_forward(self, run: RunId) -> None:
        """Have the run with that id in front, where it goes on here; any other changes nothing."""
        chosen = self.find(run)
        if chosen is not None and chosen.is_going and chosen is not self.front:
            self._put_in_front(chosen)
            if chosen.state is not None:
                self.state_changed.emit(chosen.state)
            self.request_changed.emit(chosen.request)

    @Slot()
    def stop_all(self) -> None:
        """End every run; what they have done stays in the journal."""
        for each in self.going:
            each.run.stop()

    def leave(self) -> None:
        """Let go of all because the window closes: they can be gone on with at the next start."""
        left, until_s = self.going, time.monotonic() + LEAVE_WAIT_S
        for each in left:
            each.leave()
        for each in left:
            each.run.wait(max(0.0, until_s - time.monotonic()))

    def take_up(
        self, run: Run, earlier: tuple[RunEvent, ...], texts: tuple[EarlierText, ...], *, is_of_text: bool = False
    ) -> None:
        """Watch a run, in front, and hand on what happened in it before it was cut off, with the *texts* of then.

        *is_of_text*: it carries out a text of its own, whatever document is shown.
        """
        log.info("Started run %s", run.id)
        began = WindowRun(run, earlier, texts, self)
        began.is_of_document &= not is_of_text
        began.phase_changed.connect(self.phase_changed)
        began.finished.connect(self._on_finished)
        self._put_in_front(began)
        before, self.all = self.all, (*_kept(each for each in self.all if each.id != run.id), began)
        for each in {*before}.difference(self.all):
            each.deleteLater()
        began.follow()
        self.run_began.emit(began)
        self.run_started.emit(run)
        if earlier:
            began.take(earlier)

    def _put_in_front(self, chosen: WindowRun) -> None:
        if self.front is not None:
            self.front.events_arrived.disconnect(self.events_arrived)
            self.front.state_changed.disconnect(self.state_changed)
            self.front.request_changed.disconnect(self.request_changed)
        self.front = chosen
        chosen.events_arrived.connect(self.events_arrived)
        chosen.state_changed.connect(self.state_changed)
        chosen.request_changed.connect(self.request_changed)

    @Slot(object)
    def _on_finished(self, run: WindowRun) -> None:
        if run is self.front:
            self.run_finished.emit(run.state)
        self.run_ended.emit(run)


def _phase_of(run: WindowRun) -> Phase:
    return run.phase


def _kept(runs: Iterable[WindowRun]) -> tuple[WindowRun, ...]:
    """*runs* without those that ended long ago."""
    kept = tuple(runs)
    ended = [each for each in kept if not each.is_going]
    return tuple(each for each in kept if each not in ended[:-_MOST_ENDED])
