"""What a run of a step list does next: turn after turn, with the enforcer between who walks it and the tools."""

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
from workbench.engine.expressions.data import digest_of
from workbench.engine.journal.choices import Scope
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.run_events import (
    CallResolved,
    InputGiven,
    PlaybookExited,
    ToolError,
    ToolResult,
    VariableSet,
)
from workbench.engine.ports import CalledBack, InDoubtChoice, Request, RequestKind, SetByTool
from workbench.engine.state.fold import RunFold
from workbench.engine.state.judging import Judging
from workbench.engine.steplists.ends import Ends
from workbench.engine.steplists.gate import Gate, StepListTools
from workbench.engine.steplists.places import LIST_SPAN
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
