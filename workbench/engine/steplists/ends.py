"""How a run of a step list begins and ends: what of that has not happened yet, and why no further turn is had."""

from __future__ import annotations

from workbench.engine.decider import Draft, Drafts, draft_at
from workbench.engine.enforcement.conclusion import MAX_TURNS, ConclusionKind, last_turn_text, may_take_turn
from workbench.engine.enforcement.plan_json import plan_to_json
from workbench.engine.journal.run_events import PlaybookEntered, PlaybookExited, RunCompleted, RunFailure, RunStarted
from workbench.engine.journal.steplist_events import PlanAdopted, PlanViolated
from workbench.engine.steplists.places import WHOLE_LIST
from workbench.engine.steplists.plan_fold import PlanFold
from workbench.engine.steplists.telling import StepTeller
from workbench.engine.steplists.turns import Turns
from workbench.i18n import _

_LEAST_TURNS = 1_000
_TURNS_PER_STEP = 20
"""A model that takes more turns than that goes in circles."""


class Ends:
    """The first and the last events of one run."""

    def __init__(self, plan: PlanFold, turns: Turns, teller: StepTeller) -> None:
        self._fold = plan
        self._plan = plan.plan
        self._turns = turns
        self._places = turns.places
        self._teller = teller

    def beginning(self) -> Drafts:
        """What of the beginning has not happened yet."""
        if PlaybookEntered in self._fold.seen:
            return ()
        adopted = PlanAdopted(self._plan.digest, self._fold.enforcer.blocks, self._turns.names)
        begins = (
            Draft(RunStarted()),
            Draft(adopted),
            draft_at(WHOLE_LIST, PlaybookEntered(self._places.name, "", {}, ())),
        )
        return tuple(draft for draft in begins if type(draft.payload) not in self._fold.seen)

    def end(self) -> Drafts:
        """What of the end is next; nothing where another turn is had."""
        reason = self._reason()
        if not reason:
            return ()
        if reason == "complete":
            left = self._teller.leave_behind(*self._plan.playbook.steps)
            exited = PlaybookExited(self._places.name, self._fold.turn.last_words)
            return left or (draft_at(WHOLE_LIST, exited), self.completed())
        if reason == MAX_TURNS and all(one.violation_type != MAX_TURNS for one in self._plan.violations):
            step = self._plan.current_step.id if self._plan.current_step is not None else ""
            violated = PlanViolated(MAX_TURNS, last_turn_text(self._plan), None, step, blocked=False, count=1)
            return (draft_at(self._places.of(step), violated),)
        open_steps = ", ".join(self._plan.unresolved_required_steps)
        message = _("The playbook was not completed ({reason}). Open steps: {steps}.")
        return (Draft(RunFailure(message.format(reason=reason, steps=open_steps), plan_to_json(self._plan))),)

    def completed(self) -> Draft:
        """The event that it is complete."""
        return Draft(RunCompleted(self._fold.turn.last_words, plan_to_json(self._plan)))

    def _reason(self) -> str:
        """Why no further turn is had, empty where one is."""
        concluded = self._fold.turn.concluded
        if concluded is not None and concluded.kind in (ConclusionKind.ACCEPTED, ConclusionKind.INCOMPLETE):
            return str(concluded.kind.value)
        if self._plan.failed:
            return "step_failed"
        if self._plan.turns and self._plan.completed:
            return "complete"
        if self._plan.turns >= max(_LEAST_TURNS, _TURNS_PER_STEP * len(self._plan.playbook.steps)):
            return "max_turns"
        return "" if may_take_turn(self._plan) else MAX_TURNS
