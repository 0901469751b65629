"""Begins cycles and goes on with them: the door of this package for whoever has a goal.

::

    cycle = begin(PlanRequest("Refund an order", offers=usual_offers(folder)), journal, backend)
    cycle.wait()
    print(text_of(journal, cycle.id))
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from workbench.engine.decider import Draft
from workbench.engine.journal import cycle_events as cycle
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.lease import handing_over
from workbench.engine.journal.run_events import RunCreated
from workbench.engine.judging.starting import as_judged, hearing, judged, judges_changed, with_judges
from workbench.engine.options import RunOptions
from workbench.engine.ports import JudgementBackend
from workbench.engine.running.recorder import Recorder
from workbench.engine.running.run import Run
from workbench.engine.starting import new_run_id
from workbench.engine.state.fold import fold
from workbench.engine.state.run_state import RunState
from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.model.kinds import FileKind
from workbench.model.snapshot import Snapshot, derive
from workbench.planning.decider import CycleDecider
from workbench.planning.plan import Plan, plan_to_json
from workbench.planning.request import PlanRequest, request_to_json
from workbench.planning.stages import NAME, CycleFold, Hands, Stage, text_of_cycle
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
    inner = CycleDecider(_read(text), chosen.hands, backend.name)
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
        if state.is_over:
            message = _("Run {run} has ended ({status}) and cannot be resumed.")
            raise RunFailed(message.format(run=run_id, status=state.status.value))
        chosen = means or Means(options=as_judged(RunOptions(script=state.origin.script), state.origin))
        text = journal.kept(state.origin.pb_hash).decode("utf-8")
        inner = CycleDecider(_read(text), chosen.hands, backend.name)
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
