"""What a run of a step list does next: how it begins, turn after turn, and how it ends.

The enforcer stands between who walks the list and the tools.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from workbench.engine.background import Background
from workbench.engine.decider import (
    AskJudgement,
    BeginStep,
    CallTool,
    Decider,
    Decision,
    Draft,
    Drafts,
    Settled,
    Tools,
    Where,
    draft_at,
)
from workbench.engine.enforcement.conclusion import MAX_TURNS, ConclusionKind, last_turn_text, may_take_turn
from workbench.engine.enforcement.plan_json import plan_to_json
from workbench.engine.expressions.data import digest_of
from workbench.engine.journal.choices import Scope
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.run_events import (
    CallResolved,
    InputGiven,
    PlaybookEntered,
    PlaybookExited,
    RunCompleted,
    RunFailure,
    RunStarted,
    ToolError,
    ToolResult,
    VariableSet,
)
from workbench.engine.journal.steplist_events import PlanAdopted, PlanViolated
from workbench.engine.ports import CalledBack, InDoubtChoice, Request, RequestKind, SetByTool
from workbench.engine.state.fold import RunFold
from workbench.engine.state.judging import Judging
from workbench.engine.steplists.gate import Gate, StepListTools
from workbench.engine.steplists.places import LIST_SPAN, WHOLE_LIST
from workbench.engine.steplists.plan_fold import PlanFold
from workbench.engine.steplists.telling import StepTeller
from workbench.engine.steplists.turns import Turns
from workbench.errors import InputNeeded, RunFailed
from workbench.i18n import _
from workbench.model.meaning import Variable
from workbench.model.snapshot import Snapshot


class StepListDecider(Decider):
    """Lets a step list be walked, and no call be made that the enforcer has not allowed.

    Each turn: who walks the list is shown the step at hand and says which calls are wanted, or answers in words
    (``turns``). Every wanted call is asked about before it is made (``gate``); one that is blocked is not made, and
    stands in the journal as blocked. After one that was not done, the others of the turn are not made. What a tool
    gives is data: it is shown in the next turn, and nothing in it can approve, complete or change a step.

    Nothing of this is kept here. The plan and the turn, down to which of its calls were asked for, begun and done,
    are a fold of the events (``plan_fold``) that hears of each event as it happens (``take``). So a run may be cut off
    between any two events: what was asked for in one and not done in others is still to be done.
    """

    def __init__(self, plan: PlanFold, snapshot: Snapshot, turns: Turns, others: Tools) -> None:
        self.snapshot = snapshot
        self.playbook = plan.plan.playbook
        self.tools: Tools = StepListTools(plan, turns.tools, others)
        self._fold = plan
        self._plan = plan.plan
        self._turns = turns
        self._places = turns.places
        self._teller = StepTeller(self._plan, self._places)
        self._gate = Gate(plan, turns, self._teller, self.tools)
        self._ends = Ends(plan, turns, self._teller)

    def take(self, event: RunEvent) -> None:
        """Hear of *event*, which has happened."""
        self._fold.take((event,))
        self._teller.know(event)
        self._turns.know(event)

    def decide(self, fold: RunFold) -> Decision:
        """What is begun is finished first: the end, calls under way, an entry, calls that are wanted; then a turn."""
        if PlaybookExited in self._fold.seen:
            return (self._ends.completed(),)
        told = self._ends.beginning() or self._variable(fold) or self._teller.tell()
        if told:
            return told
        if fold.pending is not None and fold.pending.kind in _OF_CALLS:
            return AskJudgement(fold.pending)
        if fold.intent is not None:
            return CallTool(fold.intent)
        if self._fold.turn.entry is not None:
            return self._turns.entered()
        if self._fold.turn.wishes:
            return self._gate.ask(self._fold.turn.wishes[0])
        return self._turns.waiting or self._end_or_turn()

    def _variable(self, fold: RunFold) -> Drafts:
        """What a call gave is also a variable, so that everybody sees what is known."""
        if self._fold.turn.unset is None:
            return ()
        name, value = self._fold.turn.unset
        known = fold.agents.get(fold.agent, {})
        old = digest_of(known[name]) if name in known else None
        place = self._fold.call_place
        step = replace(place, span=place.parent, parent=LIST_SPAN)
        return (draft_at(step, VariableSet(name, Scope.STATE, old, value)),)

    def _end_or_turn(self) -> Decision:
        """The end where no further turn is had, else its beginning."""
        end = self._ends.end()
        if end:
            return end
        step = self._plan.current_step
        entered = self._teller.enter(step.id) if step is not None and not self._plan.completed else ()
        return BeginStep((*entered, *self._turns.begin()))

    def given(self, _fold: RunFold, request: Request, answer: dict[str, Any]) -> Drafts:
        """The event that the person has made an entry, by which the turn will be taken."""
        return (draft_at(self._turns.place, InputGiven(request.id, request.kind, answer), "user"),)

    def taken(self, loop: Judging) -> Drafts:
        """The event that the turn is taken as the last answer of a model says."""
        return self._turns.wanted(loop)

    def not_given(self, _fold: RunFold, problem: RunFailed) -> Drafts:
        """Raises InputNeeded: without an answer nobody can say how to go on."""
        raise InputNeeded(str(problem)) from problem

    def background(self, _fold: RunFold) -> Background:
        """The list, and what this turn is to know."""
        return self._turns.background

    def place(self, _fold: RunFold) -> Where:
        """The call at hand, in its step."""
        return self._fold.call_place

    def returned(self, fold: RunFold, result: ToolResult) -> Drafts:
        """The event that the call gave something."""
        tool, named = _call(fold)
        return (draft_at(self._fold.call_place, replace(result, tool=tool, named=named), self._turns.caller),)

    def broke(self, fold: RunFold, message: str) -> Drafts:
        """The event that the call failed."""
        tool, named = _call(fold)
        error = ToolError(message, is_over=True, tool=tool, named=named)
        return (draft_at(self._fold.call_place, error, self._turns.caller),)

    def called_back(self, _fold: RunFold, asked: CalledBack | SetByTool) -> Draft:
        """Raises RunFailed: every call of a step list is made in a turn."""
        raise RunFailed(_("A step list has no call of {name} here.").format(name=asked.name))

    def doubt(self, fold: RunFold, said: InDoubtChoice | None) -> Request | Settled:
        """Whether the call was made, and what it gave; only a person can be asked.

        What was *said* settles it, unless its result is wanted and nobody has told it, or nobody here could make it.
        """
        tool, step = _call(fold)[0], self.playbook.get_step(self._fold.call_step)
        is_wanted = step is not None and bool(step.result_keywords)
        can_make = not self._turns.is_person or self.tools.safety("", tool) is not None
        can_settle = {InDoubtChoice.SKIP: True, InDoubtChoice.DONE: not is_wanted, InDoubtChoice.AGAIN: can_make}
        if said is not None and can_settle[said]:
            return Settled(said)
        if not self._turns.is_asked:
            message = _(
                "The call to {tool} was started before the run was interrupted. Whether it was done is unknown."
            )
            lacks = _("What it gave must be told: its step looks for words in it.")
            told = message.format(tool=tool)
            raise InputNeeded(f"{told} {lacks}" if said is InDoubtChoice.DONE else told)
        text = _("The call to {tool} was started before the run was interrupted. Was it done?").format(tool=tool)
        result = Variable("result", is_state=False)
        choices = tuple(one.value for one in InDoubtChoice if one is not InDoubtChoice.AGAIN or can_make)
        where = self._fold.call_place.step
        return Request(f"doubt{fold.next_seq}", RequestKind.IN_DOUBT, where, text, (result,), choices)

    def resolved(self, fold: RunFold, settled: Settled) -> Drafts:
        """The event that the call is made again, counts as done, or as failed."""
        tool, named = _call(fold)
        error = _("It was interrupted and skipped.") if settled.how is InDoubtChoice.SKIP else None
        resolved = CallResolved(settled.how, settled.value, message=error, tool=tool, named=named)
        return (draft_at(self._fold.call_place, resolved, "user"),)


_OF_CALLS = frozenset({RequestKind.IN_DOUBT, RequestKind.APPROVE})
"""Questions about the call at hand, which are answered before anything else happens."""


def _call(fold: RunFold) -> tuple[str, dict[str, Any]]:
    """The tool and the arguments of the call at hand."""
    assert fold.intent is not None
    return fold.intent.tool, dict(fold.intent.named)


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
