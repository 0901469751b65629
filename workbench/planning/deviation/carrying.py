"""Carries out what a cycle has made, as a run of its own that is watched; and goes on with it where it deviated.

A run that goes on with another text keeps what is done, and nothing is done twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from workbench.engine.forking.forking import fork_run, plan_fork
from workbench.engine.forking.plan import CannotFork, ForkPlan, ForkWish
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.cycle_events import DeviationNoted, LookDue, PlaybookEnded, PlaybookStored
from workbench.engine.journal.envelope import pack
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.fork_events import RunForked
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.run_events import RunPaused, StepExited, ToolCalled, ToolError
from workbench.engine.options import RunOptions
from workbench.engine.ports import JudgementBackend
from workbench.engine.running.run import Run
from workbench.engine.starting import Recall, new_run_id, resume_run, start_run
from workbench.engine.state.fold import fold
from workbench.errors import Cancelled, RunFailed
from workbench.i18n import _
from workbench.model.snapshot import Snapshot, derive
from workbench.model.versions.comparing import compare_versions
from workbench.planning.deviation.watching import Baseline, Deviation, Watch, baseline_of
from workbench.planning.request import DeviationKind, Policy
from workbench.planning.stages import CycleFold, Hands
from workbench.syntax.text import SourceText

Came = PlaybookEnded | DeviationNoted | LookDue
_LOOKS_S = 0.02
_MOST_RUNS = 10
_FIRST_LOOK = 5
"""After so many ended steps a run is looked at for the first time; then each time after twice as many."""
Attend = Callable[[Run, Callable[[RunEvent], None]], None]
"""Waits for the end of a run, hands each of its events on, and answers what it asks a person."""


def attend(run: Run, take: Callable[[RunEvent], None]) -> None:
    """Wait for the end of *run*; whoever is asked answers by other means."""
    is_over = False
    while not is_over:
        is_over = run.wait(_LOOKS_S)
        for event in run.drain():
            take(event)


@dataclass(slots=True)
class RunHands:
    """Carries playbooks out in *journal*, and has *keeper* keep them.

    *backend*: who answers a run, given the events that there are already. *options*: how it is carried out. *read*: the
    text of a cycle as it is carried out, with what it imports. *equip*: the options of a run of that, with what may be
    started for it, such as servers, which end with the run; None: as they are.
    """

    journal: Journal
    backend: Callable[[tuple[RunEvent, ...]], JudgementBackend]
    keeper: Hands
    options: RunOptions = field(default_factory=RunOptions)
    attend: Attend = attend
    read: Callable[[str], Snapshot] = lambda text: derive(SourceText(text))
    recall: Recall | None = None
    equip: Callable[[RunOptions, Snapshot], RunOptions] | None = None
    _run: Run | None = None
    _is_given_up: bool = False

    def new_run(self) -> str:
        """A name that no other run has."""
        return new_run_id()

    def carry_out(self, run: str, made: CycleFold) -> Came:
        """How the playbook of *made* ended as *run*, or where it is not as planned.

        Raises InputNeeded where the run waits for somebody, Cancelled after ``cancel``, StoreFailed.
        """
        snapshot = self.read(made.text)
        watched = _Watched(made, Watch(snapshot, made.plan, baseline_for(self.journal, made.text)))
        events = self.journal.read(RunId(run))
        if not events and made.begun_from:
            try:
                step = made.begun_step
                text = snapshot if made.candidate is not None and made.is_taken else None
                going_on(self.journal, plan_going_on(self.journal, RunId(made.begun_from), step, text), RunId(run))
            except CannotFork as error:
                return PlaybookEnded(run, RunStatus.FAILED.value, None, str(error))
            events = self.journal.read(RunId(run))
        for event in events:
            watched.watch.take(event)
        try:
            self._run = self._begun(run, snapshot, events, watched)
        except RunFailed as error:
            if not events:
                return PlaybookEnded(run, RunStatus.FAILED.value, None, str(error))
            return self._over(run, watched, error)
        if self._is_given_up:
            self._run.leave()
        self.attend(self._run, partial(_left_where_it_stops, self._run, watched))
        return self._came_to(run, watched)

    def _begun(self, run: str, snapshot: Snapshot, events: tuple[RunEvent, ...], watched: _Watched) -> Run:
        options = self.options if self.equip is None else self.equip(self.options, snapshot)
        options = replace(options, run_id=run, watches=watched.take)
        backend = self.backend(tuple(self._with_failures(events)))
        if events:
            return resume_run(RunId(run), self.journal, backend, options, self.recall)
        return start_run(snapshot, self.journal, backend, options, self.recall)

    def _with_failures(self, events: tuple[RunEvent, ...]) -> Iterator[RunEvent]:
        """*events*, and those by which calls failed for which this run goes on in the place of another one."""
        at = next((at for at in reversed(range(len(events))) if isinstance(events[at].payload, RunForked)), -1)
        if at >= 0:
            forked = events[at].payload
            assert isinstance(forked, RunForked)
            for event in self._with_failures(self.journal.read(RunId(forked.source))):
                if event.seq <= forked.seq or isinstance(event.payload, ToolCalled | ToolError):
                    yield event
        yield from events[max(at, 0) :]

    def _over(self, run: str, watched: _Watched, error: RunFailed) -> Came:
        """What a run that was over already came to. Raises *error* where it is not."""
        state = fold(self.journal.read(RunId(run)))
        if not state.is_over:
            raise error
        again = Watch(watched.watch.snapshot, watched.watch.plan, watched.watch.baseline)
        for event in self.journal.read(RunId(run)):
            watched.found = again.take(event) or watched.found
        return _ended(run, state.status, state.result, state.error, watched)

    def _came_to(self, run: str, watched: _Watched) -> Came:
        assert self._run is not None
        ran, self._run = self._run, None
        state = ran.state
        if not state.is_over and not watched.stops:
            if self._is_given_up or ran.halt is None:
                raise Cancelled
            raise ran.halt
        return _ended(run, state.status, ran.result, state.error, watched)

    def against(self, made: CycleFold, text: str, *, is_segment: bool) -> tuple[str, ...]:
        """Why the run of *made* cannot go on with *text*."""
        assert made.deviation is not None
        new, kind = self.read(text), DeviationKind(made.deviation.kind)
        step = made.deviation.step
        reasons = against(self.journal, RunId(made.begun), step if kind.is_end else "", new)
        return (*reasons, *(beyond(self.read(made.text), new, step) if is_segment else ()))

    def store(self, made: CycleFold) -> PlaybookStored | None:
        """Where the playbook is kept now."""
        return self.keeper.store(made)

    def cancel(self) -> None:
        """Let go of what is carried out; callable from any thread."""
        self._is_given_up = True
        if self._run is not None:
            self._run.leave()


@dataclass(slots=True)
class _Watched:
    """One run under watch. *found*: how it deviates; *is_look_due*: whoever judges is asked about it."""

    made: CycleFold
    watch: Watch
    found: Deviation | None = None
    is_look_due: bool = False

    @property
    def stops(self) -> bool:
        """Whether the run is not to begin another step."""
        return self.is_look_due or self.found is not None

    def take(self, event: RunEvent) -> bool:
        """Look at *event*; whether the run stops before its next step: it is not as planned, or to be looked at."""
        found = self.watch.take(event)
        if found is not None and (self.found is None or found.kind.is_end) and self._matters(found.kind, found.step):
            self.found = found
            return not found.kind.is_end
        if isinstance(event.payload, StepExited) and not self.stops and self._is_due(event.step):
            self.is_look_due = True
        return self.is_look_due

    def _matters(self, kind: DeviationKind, step: str) -> bool:
        is_passed = (kind.value, step) in self.made.passed
        policy = self.made.request.policy_for(kind, self.watch.snapshot.program, step)
        return not is_passed and policy is not Policy.GO_ON

    def _is_due(self, step: str) -> bool:
        made, done = self.made, len(self.watch.steps)
        due = max(_FIRST_LOOK, 2 * made.looked_at)
        return made.looks < made.request.looks and done >= due and self._matters(DeviationKind.DRIFT, step)


def _left_where_it_stops(run: Run, watched: _Watched, event: RunEvent) -> None:
    """Let go of *run* once it has stopped for what *watched* has found."""
    if isinstance(event.payload, RunPaused) and watched.stops:
        run.leave()


def _ended(run: str, status: RunStatus, result: object, error: str, watched: _Watched) -> Came:
    found = watched.found
    if status in {RunStatus.COMPLETED, RunStatus.CANCELLED}:
        # nothing is left that could go on otherwise; what does not hold at the end is no success
        if found is not None and found.kind is DeviationKind.VALIDATION:
            words = f"{found.step} {found.expected}: {found.actual}"
            return PlaybookEnded(run, RunStatus.FAILED.value, result, words)
        return PlaybookEnded(run, status.value, result, error)
    if found is None and watched.is_look_due:
        step, text = watched.watch.steps[-1]
        return LookDue(run, step, text, len(watched.watch.steps), watched.watch.evidence())
    if found is None:
        return PlaybookEnded(run, status.value, None, error)
    return DeviationNoted(found.kind.value, run, found.step, found.text, found.expected, found.actual)


def baseline_for(journal: Journal, text: str) -> Baseline:
    """What is usual for the steps of *text*, from its newest runs that went well. Raises StoreFailed."""
    name = pack(SourceText(text).encode())[0]
    return baseline_of(_runs_of(journal, name))


def _runs_of(journal: Journal, text: str) -> Iterable[tuple[RunEvent, ...]]:
    count = 0
    for summary in journal.runs():
        if summary.status is not RunStatus.COMPLETED or count >= _MOST_RUNS:
            continue
        first = journal.read(summary.id, 0, 1)
        if first and getattr(first[0].payload, "pb_hash", "") == text:
            count += 1
            yield journal.read(summary.id)


def plan_going_on(journal: Journal, run: RunId, step: str, text: Snapshot | None) -> ForkPlan:
    """What comes of *run* going on before *step* (empty: where it stands) with *text* (None: with its own).

    Raises CannotFork, StoreFailed.
    """
    return plan_fork(journal, ForkWish(run, step=step, text=text))


def going_on(journal: Journal, plan: ForkPlan, run: RunId) -> RunId:
    """The fork of *plan* as the run *run*, which has not begun to go on; made once. Raises CannotFork, StoreFailed."""
    return run if journal.read(run, 0, 1) else fork_run(journal, plan, run)


def against(journal: Journal, run: RunId, step: str, text: Snapshot) -> tuple[str, ...]:
    """Why *run* cannot go on before *step* with *text*: what is finished must stay what it is. Raises StoreFailed."""
    try:
        plan = plan_going_on(journal, run, step, text)
    except CannotFork as error:
        return (str(error),)
    message = _("Step {step} (“{text}”) is done or under way, so it must stay as it is.")
    # a step that deviated in a later round of its loop was done in earlier ones: that stays done
    lost = [message.format(step=each.step, text=each.text) for each in plan.lost if each.step != step]
    return (*plan.refusals, *lost)


def beyond(before: Snapshot, after: Snapshot, step: str) -> tuple[str, ...]:
    """What *after* has changed besides the segment that begins with *step*: steps behind it that still stand there.

    Of a segment, new steps may stand in the place of *step* and beside it; every other step stays what it is.
    """
    return tuple(_beyond(before, after, step))


def _beyond(before: Snapshot, after: Snapshot, step: str) -> Iterator[str]:
    message = _("Step {step} (“{text}”) is not part of what deviated, so it must stay as it is.")
    for change in compare_versions(before, after).steps:
        old = change.old
        is_elsewhere = old is not None and old.address != step and not old.address.startswith(f"{step}.")
        if old is not None and is_elsewhere and (change.new is None or change.new.text != old.text):
            yield message.format(step=old.address, text=old.text)
