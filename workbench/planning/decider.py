"""What a cycle does next. A cycle is a run like any other: journaled, judged, resumed, and shown by the same means.

Plan, check, correction and review are questions, which a person answers in a form, a script beforehand, or a model. The
other stages follow from the answers (``moves``).
"""

from __future__ import annotations

import json
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
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.run_events import (
    InputGiven,
    PlaybookEntered,
    RunStarted,
    StepEntered,
    ToolResult,
)
from workbench.engine.judging.context import prompt
from workbench.engine.ports import CalledBack, InDoubtChoice, Request, SetByTool
from workbench.engine.state.fold import RunFold
from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.model.snapshot import Snapshot
from workbench.planning.executing import Moves
from workbench.planning.moves import SPAN
from workbench.planning.plan import plan_to_json
from workbench.planning.stages import NAME, CycleFold, Hands, Stage, words_of


class CycleDecider(Decider):
    """Leads one cycle through its stages. All that it knows is the fold of the events (``take``)."""

    def __init__(self, snapshot: Snapshot, hands: Hands, asked: str) -> None:
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
