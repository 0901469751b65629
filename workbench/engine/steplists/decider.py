"""What a run of a step list does next: turn after turn, with the enforcer between who walks it and the tools."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from workbench.engine.decider import (
    AskJudgement,
    BeginStep,
    CallTool,
    Decision,
    Draft,
    Drafts,
    Settled,
    Tools,
    Where,
    draft_at,
)
from workbench.engine.enforcement.conclusion import context_text, next_turn
from workbench.engine.enforcement.decisions import CONTROL_TOOLS
from workbench.engine.enforcement.enforcer import PlaybookEnforcer
from workbench.engine.enforcement.plan_json import plan_to_json
from workbench.engine.enforcement.recording import FinishedCall
from workbench.engine.enforcement.records import EnforcementResult, digest_of
from workbench.engine.expressions.data import NotData, as_data
from workbench.engine.expressions.data import digest_of as digest_of_value
from workbench.engine.journal.choices import CallSafety, Scope
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.run_events import (
    CallResolved,
    PlaybookEntered,
    PlaybookExited,
    RunCompleted,
    RunFailure,
    RunStarted,
    ToolCalled,
    ToolError,
    ToolResult,
    VariableSet,
)
from workbench.engine.journal.steplist_events import CallBlocked, CallCancelled, CallWish, PlanAdopted, PlanSteered
from workbench.engine.ports import CalledBack, InDoubtChoice, Request, RequestKind
from workbench.engine.state.fold import RunFold
from workbench.engine.state.frames import Intent
from workbench.engine.steplists.places import LIST_SPAN, WHOLE_LIST
from workbench.engine.steplists.plan_fold import SKIP_STEP, PlanFold, say
from workbench.engine.steplists.telling import StepTeller
from workbench.engine.steplists.turns import Turns
from workbench.engine.steplists.walking import CallOutcomeText, Tool
from workbench.errors import InputNeeded, RunFailed
from workbench.i18n import _
from workbench.model.snapshot import Snapshot

_SAYINGS = CONTROL_TOOLS | {SKIP_STEP}
_LEAST_TURNS = 1_000
_TURNS_PER_STEP = 20
"""A model that takes more turns than that goes in circles."""


class StepListTools(Tools):
    """The tools of who walks a step list; nobody knows afterwards what they have done."""

    def __init__(self, tools: Mapping[str, Tool]) -> None:
        self._tools = tools

    def call(self, intent: Intent, on_output: Callable[[str], None]) -> ToolResult:
        """What the tool gives, as data. Whatever it raises is its failure, and becomes RunFailed."""
        if intent.tool not in self._tools:
            raise RunFailed(_("There is no tool called {name}.").format(name=intent.tool))
        try:
            return ToolResult(as_data(self._tools[intent.tool](dict(intent.named))))
        except (NotData, RunFailed) as error:
            raise RunFailed(str(error)) from error
        except Exception as error:  # whatever a tool raises is its failure, never ours
            raise RunFailed(f"{type(error).__name__}: {error}") from error


class Gate:
    """Between what is wanted and the tools. *call_place*: of the call that was let through last."""

    def __init__(self, enforcer: PlaybookEnforcer, turns: Turns, teller: StepTeller) -> None:
        self._enforcer = enforcer
        self._plan = enforcer.plan
        self._turns = turns
        self._places = turns.places
        self._teller = teller
        self.call_place = WHOLE_LIST

    def ask(self, wanted: CallWish) -> Drafts:
        """Ask about one call; the events by which it begins, is blocked, or is said to be done."""
        arguments = dict(wanted.named)
        if self._turns.is_broken:
            return self._cancelled(wanted.tool, arguments)
        if wanted.tool == SKIP_STEP and SKIP_STEP not in self._turns.offered:
            return self._said(wanted.tool, arguments)
        answer = self._enforcer.validate_tool_call(wanted.tool, arguments)
        if not answer.allowed:
            return self._blocked(wanted.tool, arguments, answer)
        told = self._teller.tell()
        if wanted.tool in _SAYINGS and wanted.tool not in self._turns.offered:
            return (*told, *self._said(wanted.tool, arguments))
        return (*told, self._calling(wanted.tool, arguments, answer.step.id if answer.step else ""))

    def _cancelled(self, tool: str, arguments: dict[str, Any]) -> Drafts:
        text = _("An earlier call was not done, so this call was not made.")
        self._turns.note(CallOutcomeText(tool, text, is_error=True))
        return (draft_at(WHOLE_LIST, CallCancelled(tool, arguments, text)),)

    def _blocked(self, tool: str, arguments: dict[str, Any], answer: EnforcementResult) -> Drafts:
        violation = answer.violation
        assert violation is not None
        self._turns.note(CallOutcomeText(tool, answer.refusal_text, is_error=True, reason=violation.message))
        kind, message = violation.violation_type, violation.message
        blocked = CallBlocked(tool, (), arguments, digest_of(arguments), kind, message, answer.hints)
        return (draft_at(self._places.of(violation.step_id), blocked, self._turns.speaker),)

    def _said(self, tool: str, arguments: dict[str, Any]) -> Drafts:
        """Something is said about the plan itself: that its step is done or left out, or that all is done."""
        step = self._plan.current_step
        where = self._places.of(step.id if step is not None else None)
        is_taken = say(self._enforcer, tool, arguments)
        text = _("Noted.") if is_taken else _("Not yet: {context}").format(context=context_text(self._enforcer))
        self._turns.note(CallOutcomeText(tool, text, is_error=not is_taken))
        return (draft_at(where, PlanSteered(tool, arguments), self._turns.speaker),)

    def _calling(self, tool: str, arguments: dict[str, Any], step: str) -> Draft:
        key = f"call{self._plan.total_tool_calls + 1}"
        called = ToolCalled(tool, "", CallSafety.UNSAFE, key, (), arguments, digest_of(arguments), step)
        self.call_place = self._places.of(step).inside(f"turn{self._plan.turns}.{key}")
        return draft_at(self.call_place, called, self._turns.caller)


class StepListDecider:
    """Lets a step list be walked, and no call be made that the enforcer has not allowed.

    Each turn: who walks the list is shown the step at hand and says which calls are wanted, or answers in words
    (``turns``). Every wanted call is asked about before it is made; one that is blocked is not made, and stands in
    the journal as blocked. After one that was not done, the others of the turn are not made. What a tool gives is
    data: it is shown in the next turn and counted as evidence, and nothing in it can approve, complete or
    change a step.

    Of all this only the turn at hand is kept here; the plan is a fold of the events (``plan_fold``). So a turn that
    was cut off is had again, and everything before it stays.
    """

    def __init__(self, plan: PlanFold, snapshot: Snapshot, turns: Turns) -> None:
        self.snapshot = snapshot
        self.playbook = plan.plan.playbook
        self.tools: Tools = StepListTools(turns.offered)
        self._plan = plan.plan
        self._enforcer = plan.enforcer
        self._turns = turns
        self._places = turns.places
        self._teller = StepTeller(self._plan, self._places)
        self._gate = Gate(self._enforcer, turns, self._teller)
        self._has_begun = False

    def catch_up(self, events: tuple[RunEvent, ...], open_call: RunEvent | None) -> None:
        """Know what *events* say, which the plan has taken in; *open_call*: begun in them, and without an end."""
        self._has_begun = any(isinstance(event.payload, PlaybookEntered) for event in events)
        self._teller.know(events)
        if open_call is not None:
            self._gate.call_place = Where(open_call.step, open_call.line, open_call.span, open_call.parent)

    def decide(self, fold: RunFold) -> Decision:
        """What has changed is told first; then calls under way, calls that are wanted, and the next turn."""
        told = self._teller.tell() if self._has_begun else self._begin()
        if told:
            return told
        if fold.pending is not None and fold.pending.kind is RequestKind.IN_DOUBT:
            return AskJudgement(fold.pending)
        if fold.intent is not None:
            return CallTool(fold.intent)
        wanted = self._turns.next_wanted()
        if wanted is not None:
            return self._gate.ask(wanted)
        return self._turns.waiting or self._end_or_turn(fold)

    def _begin(self) -> Drafts:
        self._has_begun = True
        return (
            Draft(RunStarted()),
            Draft(PlanAdopted(self._plan.digest, self._enforcer.blocks, tuple(sorted(self._turns.offered)))),
            draft_at(WHOLE_LIST, PlaybookEntered(self._places.name, "", {}, ())),
        )

    def _end_or_turn(self, fold: RunFold) -> Decision:
        """The end where no further turn is had, else its beginning."""
        reason = self._turns.conclusion or self._reason_to_stop()
        if reason:
            return (*self._teller.tell(), *self._end(fold, reason))
        step = self._plan.current_step
        entered = self._teller.enter(step.id) if step is not None and not self._plan.completed else ()
        return BeginStep((*entered, *self._turns.begin()))

    def _reason_to_stop(self) -> str:
        """Why no further turn is had, empty where one is: it has then begun."""
        if self._plan.failed:
            return "step_failed"
        if self._plan.turns and self._plan.completed:
            return "complete"
        if self._plan.turns >= max(_LEAST_TURNS, _TURNS_PER_STEP * len(self.playbook.steps)):
            return "max_turns"
        return "" if next_turn(self._enforcer) else "playbook_max_iterations"

    def _end(self, fold: RunFold, reason: str) -> Drafts:
        plan = plan_to_json(self._plan)
        if reason != "complete":
            open_steps = ", ".join(self._plan.unresolved_required_steps)
            message = _("The playbook was not completed ({reason}). Open steps: {steps}.")
            told = message.format(reason=reason, steps=open_steps)
            return (Draft(RunFailure(told, plan)),)
        text = self._turns.last_words
        exited = draft_at(WHOLE_LIST, PlaybookExited(self._places.name, text))
        completed = Draft(RunCompleted(text, plan))
        return (exited, completed) if fold.frames else (completed,)

    def given(self, _fold: RunFold, request: Request, answer: dict[str, Any]) -> Drafts:
        """The events of the turn that the person has taken."""
        return self._turns.answered(request, answer)

    def not_given(self, _fold: RunFold, problem: RunFailed) -> Drafts:
        """Raises InputNeeded: without an answer nobody can say how to go on."""
        raise InputNeeded(str(problem)) from problem

    def place(self, _fold: RunFold) -> Where:
        """The call at hand, in its step."""
        return self._gate.call_place

    def returned(self, fold: RunFold, result: ToolResult) -> Drafts:
        """The events that the call gave something; that is also a variable, so that everybody sees what is known."""
        tool, named = _call(fold)
        value = result.value
        self._enforcer.record_tool_call(FinishedCall(tool, named, value))
        shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        self._turns.note(CallOutcomeText(tool, shown))
        known = fold.agents.get(fold.agent, {})
        old = digest_of_value(known[tool]) if tool in known else None
        place = self._gate.call_place
        step = replace(place, span=place.parent, parent=LIST_SPAN)
        return (
            draft_at(place, replace(result, tool=tool, named=named), self._turns.caller),
            draft_at(step, VariableSet(tool, Scope.STATE, old, value)),
        )

    def broke(self, fold: RunFold, message: str) -> Drafts:
        """The event that the call failed."""
        tool, named = _call(fold)
        self._enforcer.record_tool_call(FinishedCall(tool, named, error=message))
        self._turns.note(CallOutcomeText(tool, message, is_error=True))
        error = ToolError(message, is_over=True, tool=tool, named=named)
        return (draft_at(self._gate.call_place, error, self._turns.caller),)

    def called_back(self, _fold: RunFold, asked: CalledBack) -> Draft:
        """Raises RunFailed: every call of a step list is made in a turn."""
        raise RunFailed(_("A step list has no call of {name} here.").format(name=asked.name))

    def doubt(self, fold: RunFold, said: InDoubtChoice | None) -> Request | Settled:
        """Whether the call was made; only a person can be asked."""
        if said is not None:
            return Settled(said)
        tool = _call(fold)[0]
        if not self._turns.is_person:
            message = _(
                "The call to {tool} was started before the run was interrupted. Whether it was done is unknown."
            )
            raise InputNeeded(message.format(tool=tool))
        text = _("The call to {tool} was started before the run was interrupted. Was it done?").format(tool=tool)
        choices = tuple(choice.value for choice in InDoubtChoice)
        return Request(f"doubt{fold.next_seq}", RequestKind.IN_DOUBT, self._gate.call_place.step, text, (), choices)

    def resolved(self, fold: RunFold, settled: Settled) -> Drafts:
        """The event that the call is made again, counts as done, or as failed."""
        tool, named = _call(fold)
        how = settled.how
        error = _("It was interrupted and skipped.") if how is InDoubtChoice.SKIP else None
        if how is not InDoubtChoice.AGAIN:
            self._enforcer.record_tool_call(FinishedCall(tool, named, error=error))
        resolved = CallResolved(how, None, message=error, tool=tool, named=named)
        return (draft_at(self._gate.call_place, resolved, "user"),)


def _call(fold: RunFold) -> tuple[str, dict[str, Any]]:
    """The tool and the arguments of the call at hand."""
    assert fold.intent is not None
    return fold.intent.tool, dict(fold.intent.named)
