"""Begins cycles and goes on with them: the door of this package for whoever has a goal.

A cycle is a run like any other: journaled, judged, resumed, and shown by the same means; its decider says what is next.

::

    cycle = begin(PlanRequest("Refund an order", offers=usual_offers(folder)), journal, backend)
    cycle.wait()
    print(text_of(journal, cycle.id))
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from workbench.engine.background import Background
from workbench.engine.decider import (
    AskJudgement,
    BeginStep,
    Decider,
    Decision,
    Draft,
    Drafts,
    Settled,
    Tools,
    Where,
)
from workbench.engine.journal import cycle_events as cycle
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.lease import handing_over
from workbench.engine.journal.run_events import (
    InputGiven,
    PlaybookEntered,
    RunCreated,
    RunStarted,
    StepEntered,
    ToolResult,
)
from workbench.engine.judging.context import prompt
from workbench.engine.judging.starting import as_judged, hearing, judged, judges_changed, with_judges
from workbench.engine.options import RunOptions
from workbench.engine.ports import CalledBack, InDoubtChoice, JudgementBackend, Request, SetByTool
from workbench.engine.running.recorder import Recorder
from workbench.engine.running.run import Run
from workbench.engine.starting import new_run_id
from workbench.engine.state.fold import RunFold, fold
from workbench.engine.state.run_state import RunState
from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.model.kinds import FileKind
from workbench.model.snapshot import Snapshot, derive
from workbench.planning.executing import Moves
from workbench.planning.moves import SPAN
from workbench.planning.plan import Plan, plan_to_json
from workbench.planning.request import PlanRequest, request_to_json
from workbench.planning.stages import NAME, CycleFold, Hands, Stage, text_of_cycle, words_of
from workbench.syntax.text import SourceText


class NoHands:
    """Nothing is carried out, and nothing kept: the text is what is wanted."""

    def new_run(self) -> str:
        """None."""
        return ""

    def carry_out(self, run: str, made: CycleFold) -> cycle.PlaybookEnded | cycle.DeviationNoted | cycle.LookDue:
        """Raises RunFailed."""
        raise RunFailed(_("Nothing is carried out here."))

    def against(self, made: CycleFold, text: str, *, is_segment: bool) -> tuple[str, ...]:
        """Nothing."""
        return ()

    def store(self, made: CycleFold) -> cycle.PlaybookStored | None:
        """Nowhere."""
        return None

    def cancel(self) -> None:
        """There is nothing to give up."""


_NO_HANDS = NoHands()


@dataclass(frozen=True, slots=True)
class Seed:
    """What a cycle need not find out. *plan*, *text*: as they are taken over. *by*: who made or changed them.

    *source*: the cycle that they come from; *before*: what *text* was there.
    """

    plan: Plan | None = None
    text: str = ""
    by: str = "form"
    source: str = ""
    before: str = ""


@dataclass(frozen=True, slots=True)
class Means:
    """How a cycle is carried out. *hands*: who carries the playbook out and keeps it. *options*: who judges."""

    hands: Hands = _NO_HANDS
    options: RunOptions = field(default_factory=RunOptions)
    seed: Seed = field(default_factory=Seed)


def begin(request: PlanRequest, journal: Journal, backend: JudgementBackend, means: Means | None = None) -> Run:
    """A new cycle for *request*, already going; a run like any other, whose result is the text of the playbook.

    Raises StoreFailed where the journal cannot be used.
    """
    chosen = means or Means()
    run, text = new_run_id(), text_of_cycle(request.goal)
    arguments: dict[str, Any] = {"goal": request.goal, "request": request_to_json(request), **_seeded(chosen.seed)}
    origin = RunCreated(
        playbook=NAME,
        path=chosen.options.path,
        pb_hash=journal.keep(text.encode()),
        script=chosen.options.script,
        arguments=arguments,
        is_cycle=True,
    )
    inner = CycleDecider(_read(text), chosen.hands, backend)
    decider = judged(inner, journal, chosen.options)
    with handing_over(journal.lease(run)) as lease:
        recorder = Recorder(run, journal, RunState(run=run), hearing(decider), chosen.options.clock)
        recorder.record_synced((Draft(with_judges(origin, chosen.options)),))
        started = Run(decider, recorder, backend, chosen.options)
        started.begin(lease)
        return started


def resume(run_id: RunId, journal: Journal, backend: JudgementBackend, means: Means | None = None) -> Run:
    """The cycle *run_id*, going on exactly where it was.

    *means* None: as it was begun, and nothing is carried out. Raises StoreFailed where the journal is damaged or the
    cycle is carried out elsewhere, RunFailed where it has ended or is none.
    """
    with handing_over(journal.lease(run_id)) as lease:
        events = journal.check(run_id)
        state = fold(events)
        if not state.origin.is_cycle:
            raise RunFailed(_("Run {run} does not make a playbook from a goal.").format(run=run_id))
        if state.status in {RunStatus.COMPLETED, RunStatus.FAILED}:
            message = _("Run {run} has ended ({status}) and cannot be resumed.")
            raise RunFailed(message.format(run=run_id, status=state.status.value))
        chosen = means or Means(options=as_judged(RunOptions(script=state.origin.script), state.origin))
        text = journal.kept(state.origin.pb_hash).decode("utf-8")
        inner = CycleDecider(_read(text), chosen.hands, backend)
        decider = judged(inner, journal, chosen.options, events)
        recorder = Recorder(run_id, journal, state, hearing(decider, events), chosen.options.clock)
        recorder.record(judges_changed(state, chosen.options))
        resumed = Run(decider, recorder, backend, chosen.options)
        resumed.begin(lease)
        return resumed


def cycle_of(journal: Journal, run: RunId) -> CycleFold:
    """Where the cycle *run* stands. Raises StoreFailed where it is damaged or unknown, RunFailed where it is none."""
    return folded(journal.check(run))


def folded(events: tuple[RunEvent, ...]) -> CycleFold:
    """Where *events* lead to. Raises RunFailed where they are of no cycle."""
    origin = events[0].payload
    if not isinstance(origin, RunCreated) or not origin.is_cycle:
        raise RunFailed(_("Run {run} does not make a playbook from a goal.").format(run=events[0].run))
    found = CycleFold()
    for event in events:
        found.take(event)
    return found


def text_of(journal: Journal, run: RunId) -> str:
    """The playbook of the cycle *run* so far; empty where there is none yet. Raises StoreFailed, RunFailed."""
    return cycle_of(journal, run).text


def seed_from(journal: Journal, run: RunId, stage: Stage, by: str = "person") -> tuple[PlanRequest, Seed]:
    """What a cycle begins with that does *stage* of the cycle *run* once more, and all that follows.

    Whoever changes plan or text puts the other one into the seed. Raises StoreFailed, RunFailed.
    """
    at = cycle_of(journal, run)
    has_plan = stage is not Stage.PLAN
    has_text = has_plan and stage is not Stage.GENERATE
    return at.request, Seed(at.plan if has_plan else None, at.text if has_text else "", by, run, at.text)


def _seeded(seed: Seed) -> Mapping[str, Any]:
    if seed.plan is None and not seed.text:
        return {}
    plan = {"plan": plan_to_json(seed.plan)} if seed.plan is not None else {}
    return {**plan, "text": seed.text, "by": seed.by, "source": seed.source, "before": seed.before}


def _read(text: str) -> Snapshot:
    return derive(SourceText(text), wanted=FileKind.PROGRAM)


class CycleDecider(Decider):
    """Leads one cycle through its stages. All that it knows is the fold of the events (``take``)."""

    def __init__(self, snapshot: Snapshot, hands: Hands, asked: JudgementBackend) -> None:
        """*snapshot*: the stages as a playbook. *asked*: who answers where no model does."""
        self.snapshot = snapshot
        self.tools = Tools()
        self._moves = Moves(snapshot, hands, asked)
        self._hands = hands

    @property
    def at(self) -> CycleFold:
        """Where the cycle stands."""
        return self._moves.at

    def take(self, event: RunEvent) -> None:
        """Hear of *event*, which has happened."""
        self._moves.at.take(event)

    def decide(self, fold: RunFold) -> Decision:
        """The next thing of the stage at hand; its beginning, or the end of all of them."""
        at = self.at
        if not at.has_started:
            return (Draft(RunStarted()),)
        if not at.has_entered:
            goal = {"goal": at.request.goal}
            return (Draft(PlaybookEntered(NAME, NAME, goal, ()), span=SPAN),)
        if fold.pending is not None:
            return AskJudgement(fold.pending)
        if at.stage is None:
            return self._moves.end()
        if not at.open:
            place = self._moves.of_stage(at.stage)
            entered = StepEntered(words_of(at.stage))
            return BeginStep((Draft(entered, place.step, place.line, f"s{fold.spans + 1}", SPAN),))
        return self._moves.next(at.stage, fold)

    def given(self, fold: RunFold, request: Request, answer: dict[str, Any]) -> Drafts:
        """The event that *answer* was given."""
        place = self._moves.here
        given = InputGiven(request.id, request.kind, answer)
        return (Draft(given, place.step, place.line, f"s{fold.spans}", self.at.open, "user"),)

    def not_given(self, _fold: RunFold, problem: RunFailed) -> Drafts:
        """The events that the cycle ends for want of an answer that can be used."""
        return self._moves.give_up((str(problem),))

    def background(self, _fold: RunFold) -> Background:
        """What whoever judges should know: the goal, the plan, what can be called, and in which form to answer."""
        at, request = self.at, self.at.request
        about = {Stage.PLAN: "plan", Stage.GENERATE: "generate", Stage.CHECK: "generate", Stage.REVIEW: "observe"}
        parts = [prompt(about[at.stage])] if at.stage in about else []
        if at.review is not None and not at.review.is_accepted:
            parts = [prompt("generate")]
        parts.append(_listed("What can be called:", [each.line for each in request.offers]))
        parts.append(_listed("What the person wants and likes:", [each.text for each in request.notes]))
        if at.plan is not None:
            parts.append("The plan:\n" + json.dumps(plan_to_json(at.plan), ensure_ascii=False))
        if at.stage is Stage.GENERATE:
            parts.append(f"The format: {request.format.value}")
        description = f"The goal: {request.goal}\n{request.context}".strip()
        knowledge = "\n\n".join(filter(None, parts))
        return Background(NAME, NAME, description, knowledge=knowledge, task=request.goal, worked=request.patterns)

    def place(self, _fold: RunFold) -> Where:
        """The stage at hand."""
        return self._moves.here

    def returned(self, _fold: RunFold, _result: ToolResult) -> Drafts:
        """Raises RunFailed: a cycle calls nothing."""
        raise RunFailed(_no_calls())

    def broke(self, _fold: RunFold, message: str) -> Drafts:
        """Raises RunFailed: a cycle calls nothing."""
        raise RunFailed(message)

    def called_back(self, _fold: RunFold, asked: CalledBack | SetByTool) -> Draft:
        """Raises RunFailed: a cycle calls nothing."""
        raise RunFailed(_no_calls())

    def doubt(self, _fold: RunFold, _said: InDoubtChoice | None) -> Request | Settled:
        """Raises RunFailed: a cycle calls nothing."""
        raise RunFailed(_no_calls())

    def resolved(self, _fold: RunFold, _settled: Settled) -> Drafts:
        """Raises RunFailed: a cycle calls nothing."""
        raise RunFailed(_no_calls())

    def cancel(self) -> None:
        """Give up what is carried out."""
        self._hands.cancel()


def _no_calls() -> str:
    return _("A run that makes a playbook from a goal calls no tools.")


def _listed(head: str, lines: list[str]) -> str:
    return "\n".join([head, *(f"- {line}" for line in lines)]) if lines else ""
