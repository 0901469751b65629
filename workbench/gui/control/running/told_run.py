"""What has been told of the run that is shown, and what it was at the moment that is looked at.

That moment is now, or an earlier one, whose events are read beside the window.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal, Slot

from workbench.engine.journal.choices import RunStatus
from workbench.errors import StoreFailed, WorkbenchError
from workbench.gui.control.background import BackgroundWork
from workbench.gui.control.running.keyframes import Keyframes, Moment, Way
from workbench.gui.control.running.run_marks import OPEN, MarkStatus, RunMarks
from workbench.gui.control.running.run_steps import DocumentMarks, RunSteps
from workbench.i18n import _

if TYPE_CHECKING:
    from workbench.engine.journal.events import RunEvent, RunId
    from workbench.engine.journal.lease import Owner
    from workbench.engine.provenance.setters import Setters
    from workbench.engine.state.run_state import RunState
    from workbench.gui.control.running.executions import Executions
    from workbench.gui.control.running.retelling import RunView
    from workbench.gui.control.running.run_folds import MarkFold, StateFold
    from workbench.gui.control.running.run_host import RunHost
    from workbench.model.program import StepId

_MOST_READ = 6
_Events = tuple["RunEvent", ...]


class Past(NamedTuple):
    """What a run was at *moment*. *before*: one event earlier. *marks*: by address. *near*: short ways to there."""

    moment: Moment
    before: RunState
    state: RunState
    marks: MarkFold
    near: tuple[Way[StateFold] | None, Way[MarkFold] | None]


class Lead(NamedTuple):
    """How a moment is come to: events *first* up to before *end* are needed for the ways of *states* and *marks*."""

    first: int
    end: int
    states: Way[StateFold]
    marks: Way[MarkFold]

    def past(self, moment: Moment) -> Past:
        """What the run was at *moment*; on any thread."""
        states, near = self.states.walked(moment.before())
        before = states.state
        states.take((moment.event,))
        marks, near_marks = self.marks.walked(moment)
        return Past(moment, before, states.state, marks, (near, near_marks))


class Moments(QObject):
    """Goes to moments of one run. What was read around a moment is kept, so that the next ones are there at once.

    *moment*: the one that is shown, None: now. *count*: how many events there are. *is_over*: there will be no more, so
    that the last one is now. *lead*: how the moment after the event with a number is come to.
    """

    moved = Signal(object)  # Past | None
    failed = Signal(object)  # WorkbenchError: why the moment that was asked for cannot be shown

    def __init__(self, host: RunHost, lead: Callable[[int], Lead], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.moment: Moment | None = None
        self.count = 0
        self.is_over = False
        self._host = host
        self._lead = lead
        self._run: RunId | None = None
        self._wanted: int | None = None
        self._read: list[tuple[int, _Events]] = []
        self._work = BackgroundWork(self)
        self._work.done.connect(self._on_gone)

    def begin(self, run: RunId | None) -> None:
        """Another run, as it is now; nobody is told."""
        self.moment = self._wanted = None
        self.count, self.is_over = 0, False
        self._run, self._read = run, []
        self._work.forget()

    @property
    def seq(self) -> int | None:
        """The number of the event after which the run is looked at, or soon will be; None: now."""
        return self._wanted

    @Slot(object)
    def go_to(self, seq: int) -> None:
        """Show the run as it was directly after the event with the number *seq*."""
        if self._run is None or not self.count:
            return
        if seq >= self.count - int(self.is_over):
            self.back_to_now()
            return
        self._wanted = max(0, seq)
        lead = self._lead(self._wanted)
        known = self._known(self._wanted, lead.first)
        if known is not None and lead.states.is_short(self._wanted):
            self._move(lead.past(Moment(self._wanted, *known)))
        else:
            self._work.ask(partial(_gone, self._host, _Going(self._run, self._wanted, lead, known)))

    def go_by(self, events: int) -> None:
        """So many events on (less than 0: back) from the moment that is shown."""
        self.go_to((self.count - 1 if self._wanted is None else self._wanted) + events)

    @Slot()
    def back_to_now(self) -> None:
        """Show the run as it is now."""
        self._wanted = None
        self._work.forget()
        if self.moment is not None:
            self._move(None)

    def _known(self, seq: int, first: int) -> tuple[int, _Events] | None:
        """What was read around *seq*, if it begins with the number *first* or before."""
        return next((each for each in self._read if each[0] <= first and seq < each[0] + len(each[1])), None)

    def _move(self, past: Past | None) -> None:
        self._work.forget()
        self.moment = past.moment if past is not None else None
        self.moved.emit(past)

    @Slot(object)
    def _on_gone(self, outcome: tuple[RunId, Past | WorkbenchError]) -> None:
        run, past = outcome
        if run != self._run or self._wanted is None:
            return
        if not isinstance(past, WorkbenchError):
            first, events = past.moment.first, past.moment.events
            self._read = [(first, events), *(each for each in self._read if each[0] != first)][:_MOST_READ]
            self._move(past)
            return
        self._wanted = self.moment.seq if self.moment is not None else None
        self.failed.emit(past)


class _Going(NamedTuple):
    """On the way to the event number *seq* of *run*. *known*: the events on the way, where they were read before."""

    run: RunId
    seq: int
    lead: Lead
    known: tuple[int, _Events] | None


def _gone(host: RunHost, going: _Going) -> tuple[RunId, Past | WorkbenchError]:
    run, seq, lead, known = going
    try:
        first, events = known or (lead.first, host.events(run, lead.first, lead.end - lead.first))
    except WorkbenchError as error:
        return run, error
    if seq >= first + len(events):
        return run, StoreFailed(_("This run is not in the journal on this computer, so it cannot be shown."))
    return run, lead.past(Moment(seq, first, events))


_AT_WORK = OPEN | {MarkStatus.NEXT}
_FAILED = frozenset({MarkStatus.FAILED})


class PastLines(QObject):
    """What a log point would have told of the run that is shown. *told*: by the number of the event before which."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.told: Mapping[int, str] = {}

    def show(self, told: Mapping[int, str]) -> None:
        """Mark exactly *told*."""
        if told or self.told:
            self.told = told
            self.changed.emit()

    @Slot()
    def clear(self) -> None:
        """Mark nothing."""
        self.show({})


class ToldRun(QObject):
    """What has been told of the run that is shown.

    *view*: None while none is shown. *state*, *marks*: as of the moment that is shown, which is the last event that was
    told unless an earlier one was chosen. *before*: the state one event before that moment. *executions*: of all steps,
    *setters*: which events set which variable, both None before the first event. *is_settled*: whether all of it was
    told, and it does not go on. *is_resumable*: whether it can be gone on with. *owner*: who carries it out elsewhere:
    then it can only be watched here. *lines*: what a log point would have told of it.
    """

    run_shown = Signal(object)  # RunView | None: what follows is about this run, from its first event on
    events_arrived = Signal(object)  # tuple[RunEvent, ...]: whatever moment is shown
    moment_changed = Signal(object)  # Moment | None: state and marks of that moment follow
    state_changed = Signal(object)  # RunState, of the moment that is shown
    marks_changed = Signal(object)  # RunMarks of that moment, or in another document
    owner_changed = Signal(object)  # Owner | None
    settled = Signal()  # nothing more will be told of it for now
    failed = Signal(object)  # WorkbenchError: why a run or a moment that was asked for cannot be shown
    look_requested = Signal(object)  # RunId: somebody wants to see this run over time

    def __init__(self, host: RunHost, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.view: RunView | None = None
        self.state: RunState | None = None
        self.before: RunState | None = None
        self.marks = RunMarks()
        self.is_settled = self.is_resumable = False
        self.owner: Owner | None = None
        self._marks = DocumentMarks(RunSteps())
        self.executions: Executions | None = None
        self.setters: Setters | None = None
        self._states: Keyframes[StateFold] | None = None
        self._past: MarkFold | None = None
        self._is_ticking = False
        self.lines = PastLines(self)
        self.moments = Moments(host, self._lead, self)
        self.moments.moved.connect(self._on_moved)
        self.moments.failed.connect(self.failed)

    @property
    def steps(self) -> RunSteps:
        """Which steps of the document the run means now; ``at`` has those of an earlier text."""
        return self._marks.steps

    @property
    def latest(self) -> RunState | None:
        """The state as of the last event that was told, whatever moment is shown."""
        return self._states.fold.state if self._states is not None else None

    @property
    def moment(self) -> Moment | None:
        """The earlier moment that is shown, None: now."""
        return self.moments.moment

    @property
    def place(self) -> StepId | None:
        """The step at which the run is: the innermost at work or next, or the one at which it failed.

        At an earlier moment: the one of which something was told last.
        """
        moment = self.moment
        step = self.steps.at(moment.seq).id_of(moment.event.step) if moment is not None else None
        has_failed = self.state is not None and self.state.status is RunStatus.FAILED
        return step or self.marks.latest(_AT_WORK) or (self.marks.latest(_FAILED) if has_failed else None)

    @property
    def is_live(self) -> bool:
        """Whether it goes on in this window: what is only told does not."""
        return False

    @property
    def is_now(self) -> bool:
        """Whether it goes on in this window, and is shown as it is now."""
        return self.is_live and self.moment is None

    def now_ns(self) -> int:
        """The present on the clock of the run; its end, once it is over; 0 while none is shown."""
        if self.view is None:
            return 0
        clock = self._marks.frames.fold.clock
        is_ticking = self._is_ticking and (self.is_live or self.owner is not None)
        return clock.position_at(time.monotonic_ns()) if is_ticking else clock.position_ns

    def shown_ns(self) -> int:
        """The moment that is shown on the same clock."""
        return self.now_ns() if self._past is None else self._past.clock.position_ns

    def _begin(self, view: RunView | None, steps: RunSteps) -> None:
        was_past = self.moment is not None
        self.view, self.state, self.before, self.marks = view, None, None, RunMarks()
        self.is_settled = self.is_resumable = False
        self.owner = None
        self._marks, self._states, self._past = DocumentMarks(steps), None, None
        self.executions = self.setters = None
        self.moments.begin(view.id if view is not None else None)
        self.run_shown.emit(view)
        self.lines.clear()
        if was_past:
            self.moment_changed.emit(None)
        self.marks_changed.emit(self.marks)

    @Slot(object)
    def _take(self, batch: tuple[RunEvent, ...]) -> None:
        """Fold first, so that every view that hears of the events finds the state they lead to."""
        if self._states is None:
            from workbench.engine.provenance.setters import Setters  # noqa: PLC0415 - loaded with the first run
            from workbench.gui.control.running.executions import Executions  # noqa: PLC0415 - likewise
            from workbench.gui.control.running.run_folds import StateFold  # noqa: PLC0415 - likewise

            self.setters, self.executions = Setters(), Executions()
            self._states = Keyframes(StateFold(setters=self.setters))
        self._states.take(batch)
        if self.executions is not None:
            self.executions.take(batch)
        marks = self._marks.take(batch)
        self.moments.count = batch[-1].seq + 1
        if self.moment is not None:  # what goes on meanwhile moves nothing
            self.events_arrived.emit(batch)
            return
        self.state, self.marks = self.latest, marks
        self.events_arrived.emit(batch)
        self.state_changed.emit(self.state)
        self.marks_changed.emit(self.marks)

    def _follow(self, steps: RunSteps) -> None:
        """Mark the steps of another document."""
        self.marks = self._marks.follow(steps)
        if self._past is not None:
            self.marks = self._marks.of(self._past, _seq_of(self.moment))
        self.marks_changed.emit(self.marks)

    def _settle(self) -> None:
        self.is_settled = self.moments.is_over = True
        self.settled.emit()

    def _lead(self, seq: int) -> Lead:
        states = self._states
        if states is None:  # asked for only where there are events, which are told by then
            raise AssertionError(seq)
        return Lead(*states.bounds(seq), states.way_to(seq - 1), self._marks.frames.way_to(seq))

    @Slot(object)
    def _on_moved(self, past: Past | None) -> None:
        """Show the run as it was at that moment."""
        if self._states is None:
            return
        if past is None:
            self.state, self.before, self._past = self.latest, None, None
        else:
            self.state, self.before, self._past = past.state, past.before, past.marks
            self._states.keep(past.near[0])
            self._marks.frames.keep(past.near[1])
        marks = self._marks.of(self._past or self._marks.frames.fold, _seq_of(self.moment))
        self.marks = marks.since(self.marks)
        self.moment_changed.emit(self.moment)
        self.state_changed.emit(self.state)
        self.marks_changed.emit(self.marks)


def _seq_of(moment: Moment | None) -> int | None:
    return moment.seq if moment is not None else None


def has_paused(run: ToldRun) -> bool:
    """Whether *run* has paused, as far as it was told."""
    return run.latest is not None and run.latest.status is RunStatus.PAUSED
