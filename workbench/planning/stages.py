"""The stages of a cycle, and how far one has come: a fold of its events, and of nothing else."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from workbench.engine.journal import cycle_events as cycle
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.run_events import (
    InputGiven,
    PlaybookEntered,
    RunCreated,
    RunStarted,
    StepEntered,
    StepExited,
)
from workbench.i18n import N_, LazyText, _
from workbench.model.plans.writing import one_line
from workbench.planning.plan import Plan, plan_from_json
from workbench.planning.request import PlanRequest, request_from_json

NAME = "Cycle"
PERSON = "person"
SHELF = "shelf"


class Stage(enum.Enum):
    """What a cycle goes through, in this order."""

    PLAN = "plan"
    GENERATE = "generate"
    CHECK = "check"
    REVIEW = "review"
    COMPILE = "compile"
    EXECUTE = "execute"
    STORE = "store"

    @property
    def address(self) -> str:
        """Its step in the text of the cycle."""
        return f"{NAME}:{tuple(Stage).index(self) + 1:02d}"


_WORDS: Mapping[Stage, LazyText] = {
    Stage.PLAN: N_("Plan how to reach the goal"),
    Stage.GENERATE: N_("Write the plan as a playbook"),
    Stage.CHECK: N_("Check the playbook"),
    Stage.REVIEW: N_("Review the playbook"),
    Stage.COMPILE: N_("Compile the playbook"),
    Stage.EXECUTE: N_("Carry the playbook out"),
    Stage.STORE: N_("Store the playbook"),
}


def words_of(stage: Stage) -> str:
    """What is done in *stage*."""
    return str(_WORDS[stage])


def text_of_cycle(goal: str) -> str:
    """The stages as a playbook, so that whoever shows runs can show a cycle."""
    title = one_line(goal)[:120] or _("From a goal to a playbook")
    steps = "\n".join(f"- {words_of(stage)}" for stage in Stage)
    return f"# {title}\n\n## {NAME}()\n\n### Steps\n\n{steps}\n"


@dataclass(slots=True)
class CycleFold:
    """Where a cycle stands. *given_plan*, *given_text*: what it was begun with, taken over from elsewhere.

    *given_before*: what the text was before a person changed it. *edits*: texts before and after a person changed them;
    *reasons*: why a person did not accept one. *detours*: steps that deviated, with why, where another text
    was taken. *effects*: of notes.

    *look*: the look at the run that is due; *looks*: how many there were, the last after *looked_at* ended steps;
    *drift*: what was said against it.
    *begun*: the run that carries the playbook out, gone on from *begun_from* before *begun_step*. *deviation*: how that
    is not as planned, while nothing has been done about it; *tries*: how often it was just so; *passed*: those that do
    not matter any more. *candidate*: another text; *is_taken*: None until it is accepted or not.
    *open*: the span of the stage at hand, empty between stages. *back*: the stage that follows it, where that is not
    the next. *sent_back*: why the last plan was none. *round*: how often the text was sent back. *verdicts*: None
    until somebody has looked at the steps. *said*: what was answered last and nothing was made of yet: which question,
    the answer, and who gave it.
    """

    request: PlanRequest = field(default_factory=lambda: PlanRequest(""))
    run: str = ""
    given_plan: Mapping[str, Any] | None = None
    given_text: str = ""
    given_before: str = ""
    given_by: str = ""
    source: str = ""
    stage: Stage | None = Stage.PLAN
    open: str = ""
    back: Stage | None = None
    reuse: cycle.PlaybookReused | None = None
    plan: Plan | None = None
    plan_by: str = ""
    is_woven: bool = False
    effects: tuple[cycle.WovenNote, ...] = ()
    edits: tuple[tuple[str, str], ...] = ()
    reasons: tuple[str, ...] = ()
    detours: tuple[tuple[str, str], ...] = ()
    sent_back: tuple[str, ...] = ()
    plan_round: int = 0
    text: str = ""
    text_by: str = ""
    is_checked: bool = False
    problems: tuple[cycle.FoundProblem, ...] = ()
    round: int = 0
    verdicts: tuple[cycle.StepVerdict, ...] | None = None
    review: cycle.PlaybookReviewed | None = None
    compiled: cycle.PlaybookCompiled | None = None
    begun: str = ""
    begun_from: str = ""
    begun_step: str = ""
    look: cycle.LookDue | None = None
    looks: int = 0
    looked_at: int = 0
    drift: str = ""
    deviation: cycle.DeviationNoted | None = None
    answered: str = ""
    tries: int = 0
    passed: frozenset[tuple[str, str]] = frozenset()
    deviated: tuple[str, str] = ("", "")
    candidate: cycle.PlaybookRegenerated | None = None
    is_taken: bool | None = None
    ended: cycle.PlaybookEnded | None = None
    stored: cycle.PlaybookStored | None = None
    said: tuple[str, Mapping[str, Any], str] | None = None
    has_started: bool = False
    has_entered: bool = False

    @property
    def errors(self) -> tuple[cycle.FoundProblem, ...]:
        """What the text cannot go on with."""
        return tuple(each for each in self.problems if each.severity == "error")

    def take(self, event: RunEvent) -> None:
        """Hear of *event*, which has happened."""
        match event.payload:
            case RunCreated(arguments=arguments):
                self.run = event.run
                self._begin(arguments)
            case RunStarted():
                self.has_started = True
            case PlaybookEntered():
                self.has_entered = True
            case StepEntered():
                self.open = event.span
            case StepExited() if event.span == self.open:
                self._leave()
            case InputGiven(request=request, answer=answer, judge=judge):
                self.said = request.partition(":")[0], answer, judge
            case payload:
                self._take_text_stage(payload)
                self._take_later_stage(payload)

    def _begin(self, arguments: Mapping[str, Any]) -> None:
        self.request = request_from_json(arguments["request"])
        self.given_plan, self.given_text = arguments.get("plan"), str(arguments.get("text") or "")
        self.given_before = str(arguments.get("before") or "")
        self.given_by, self.source = str(arguments.get("by") or ""), str(arguments.get("source") or "")

    def _leave(self) -> None:
        stages = tuple(Stage)
        assert self.stage is not None
        following = stages[stages.index(self.stage) + 1 :]
        self.stage = self.back or (following[0] if following else None)
        self.open, self.back = "", None

    def _take_text_stage(self, payload: object) -> None:
        match payload:
            case cycle.PlanMade(plan=plan, by=by):
                self.plan, self.plan_by, self.said = plan_from_json(plan), by, None
            case cycle.PlaybookReused() as reuse:
                self.reuse, self.said = reuse, None
            case cycle.NotesWoven(plan=plan, effects=effects):
                self.plan, self.effects, self.is_woven = plan_from_json(plan), effects, True
            case cycle.PlanSentBack(problems=problems, round=count):
                self.sent_back, self.plan_round, self.said = problems, count, None
            case cycle.PlaybookGenerated(text=text, by=by):
                self._take_text(text, by)
            case cycle.PlaybookChecked(problems=problems, round=count):
                self.is_checked, self.problems, self.round = True, problems, max(self.round, count)
            case cycle.PlaybookObserved(verdicts=verdicts):
                self.verdicts, self.said = verdicts, None

    def _take_later_stage(self, payload: object) -> None:
        match payload:
            case cycle.PlaybookReviewed() as review:
                self.review, self.round, self.said = review, max(self.round, review.round), None
                if review.by == PERSON and review.reason:
                    self.reasons = (*self.reasons, review.reason)
            case cycle.PlaybookCompiled() as compiled:
                self.compiled = compiled
            case cycle.PlaybookBegun() as begun:
                self._begin_run(begun)
            case cycle.PlaybookEnded() as ended:
                self.ended, self.text = ended, ended.text or self.text
            case cycle.PlaybookStored() as stored:
                self.stored = stored
            case payload:
                self._take_deviation(payload)

    def _begin_run(self, begun: cycle.PlaybookBegun) -> None:
        """Another run is carried out, with the text that was taken."""
        if self.candidate is not None and self.is_taken:
            self.text = self.candidate.text
        else:
            self.candidate = None
        self.begun, self.begun_from, self.begun_step = begun.run, begun.source, begun.step
        self.deviation, self.answered = None, ""

    def _take_deviation(self, payload: object) -> None:
        match payload:
            case cycle.LookDue() as look:
                self.look, self.looks, self.looked_at, self.said = look, self.looks + 1, look.done, None
            case cycle.DriftJudged(is_drifting=is_drifting, reason=reason):
                self.drift, self.said = reason if is_drifting else "", None
                self.look = self.look if is_drifting else None
            case cycle.DeviationNoted() as noted:
                self.look, self.drift = None, ""
                is_same = self.deviated == (noted.kind, noted.text)
                self.tries = self.tries + 1 if is_same else 1
                self.deviated = noted.kind, noted.text
                self.deviation, self.answered, self.candidate, self.is_taken = noted, "", None, None
            case cycle.DeviationAnswered(policy=policy, is_over=is_over):
                self.answered, self.said = policy, None
                if is_over and self.deviation is not None:
                    self.passed |= {(self.deviation.kind, self.deviation.step)}
                    self.deviation = None
            case cycle.PlaybookRegenerated() as candidate:
                self.candidate, self.is_taken, self.said = candidate, None, None
            case cycle.RegenerationReviewed(is_accepted=is_accepted, reason=reason):
                self.is_taken, self.said = is_accepted, None
                if is_accepted and self.deviation is not None:
                    self.detours = (*self.detours, (self.deviation.text, self.deviation.actual))
                if reason and not is_accepted and self.candidate is not None:
                    self.candidate, self.is_taken = replace(self.candidate, problems=(reason,)), None

    def _take_text(self, text: str, by: str) -> None:
        """There is another text, which nobody has checked yet."""
        before = self.text or self.given_before
        if by == PERSON and before and before != text:
            self.edits = (*self.edits, (before, text))
        self.text, self.text_by, self.said = text, by, None
        self.is_checked, self.problems, self.verdicts, self.review = False, (), None, None
        if self.stage is Stage.REVIEW:
            self.back = Stage.CHECK


class Hands(Protocol):
    """What a cycle has others do, who may take their time. Whatever was done stays done when they are asked again."""

    def new_run(self) -> str:
        """The name of a run that there is not yet; empty where nothing is carried out here."""
        ...

    def carry_out(self, run: str, made: CycleFold) -> cycle.PlaybookEnded | cycle.DeviationNoted | cycle.LookDue:
        """How the playbook of *made* ended as the run *run*, which is begun, gone on with, or over already.

        Or how that is not as planned, or what there is to look at: then the run has stopped.

        Raises InputNeeded where it waits for somebody, Cancelled after ``cancel``.
        """
        ...

    def against(self, made: CycleFold, text: str, *, is_segment: bool) -> tuple[str, ...]:
        """Why the run of *made* cannot go on with *text* from where it deviated; *is_segment*: all else stays."""
        ...

    def store(self, made: CycleFold) -> cycle.PlaybookStored | None:
        """Where the playbook of *made* is kept now; None where nothing is kept here. Raises CannotRead, StoreFailed."""
        ...

    def cancel(self) -> None:
        """Give up what is carried out; callable from any thread."""
        ...
