"""The plan of a run of a step list, and the turn at hand, as the fold of its events."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import time
from collections.abc import Iterable
from typing import Any

from workbench.engine.decider import Where
from workbench.engine.enforcement.conclusion import MAX_TURNS, Conclusion, ConclusionKind, conclude, note_last_turn
from workbench.engine.enforcement.decisions import TASK_COMPLETE, Decision
from workbench.engine.enforcement.enforcer import PlaybookEnforcer
from workbench.engine.enforcement.playbook_plan import PlaybookPlan
from workbench.engine.enforcement.recording import FinishedCall
from workbench.engine.enforcement.records import FINISHED, EnforcementResult
from workbench.engine.enforcement.satisfaction import Lack
from workbench.engine.enforcement.statements import say
from workbench.engine.enforcement.transitions import TIMEOUT
from workbench.engine.journal.choices import StepStatus
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.instead import How
from workbench.engine.journal.payload import EventPayload
from workbench.engine.journal.run_events import (
    CallResolved,
    InputGiven,
    PlaybookEntered,
    PlaybookExited,
    RunStarted,
    StepExited,
    ToolCalled,
    ToolError,
    ToolResult,
    VariableSet,
)
from workbench.engine.journal.steplist_events import (
    CallBlocked,
    CallCancelled,
    PlanAdopted,
    PlanSteered,
    PlanViolated,
    TurnTaken,
)
from workbench.engine.ports import InDoubtChoice
from workbench.engine.steplists.places import WHOLE_LIST
from workbench.engine.steplists.turn_fold import TurnFold
from workbench.engine.steplists.walking import CallOutcomeText
from workbench.i18n import _
from workbench.model.loader.steplist import Playbook, PlaybookStep, playbook_to_json

_ONCE = (RunStarted, PlanAdopted, PlaybookEntered, PlaybookExited)


class PlanFold:
    """The plan of one run with the enforcer who keeps it, and the turn at hand.

    Whoever carries the run out and whoever comes later (a run that is resumed, the plan pane, the audit) take the same
    events here, so that plan, violations, counts and what is left of a turn come out the same. What a call or a step
    came to is taken from its event and not decided again: another version may decide otherwise.

    *blocks* false: what is not kept is noted and nothing is blocked. *seen*: which of the events that happen once have
    happened. *order*: the steps in the order of their spans. *call_place*, *call_step*: of the call that was let
    through last. *answer*: what was said to the call that was decided about last; *against*: why what was said of the
    plan last does not hold.
    """

    def __init__(self, playbook: Playbook, run: str, *, blocks: bool, order: tuple[str, ...] = ()) -> None:
        self._at_ns: int | None = None
        self._has_begun = False
        self.order = order or tuple(step.id for step in playbook.steps)
        self.seen: set[type[EventPayload]] = set()
        self.turn = TurnFold()
        self.call_place, self.call_step = WHOLE_LIST, ""
        self.answer: EnforcementResult | None = None
        self.against: tuple[Lack, ...] = ()
        self.plan = PlaybookPlan(playbook, run, digest_of_playbook(playbook), self._now)
        self.enforcer = PlaybookEnforcer(self.plan, block_violations=blocks)

    def _now(self) -> dt.datetime:
        """The time of the event at hand while events are taken, else the time now."""
        at_ns = time.time_ns() if self._at_ns is None else self._at_ns
        return dt.datetime.fromtimestamp(at_ns / 1e9, dt.UTC)

    def take(self, events: Iterable[RunEvent]) -> None:
        """Bring the plan to where *events*, which follow those before, left it."""
        for event in events:
            self._at_ns = event.at_ns
            if not self._has_begun:
                self._has_begun = True
                self.plan.started_at = self.plan.entered_at = self._now()
            self._take(event)
        self._at_ns = None

    def _take(self, event: RunEvent) -> None:
        payload = event.payload
        if isinstance(payload, _ONCE):
            self.seen.add(type(payload))
        match payload:
            case ToolCalled() as call:
                self.call_place = Where(event.step, event.line, event.span, event.parent)
                self.call_step = call.step or ""
                self.turn.at_hand, self.turn.is_under_way = self.turn.settle(call.tool), True
                self.answer = self.enforcer.admit(call.tool, self._admission(call))
            case ToolResult() as result:
                self._end(result, result.value)
            case ToolError() as error:
                self._end(error, None, error.message)
            case CallResolved() as resolved if resolved.how is not InDoubtChoice.AGAIN:
                self._end(resolved, resolved.value, resolved.message)
            case VariableSet():
                self.turn.unset = None
            case StepExited(status, id=str(step)):
                self._leave(step, status, payload.error)
            case InputGiven(answer=answer):
                self.turn.entry = answer.get("values")
            case _:
                self._take_of_turn(payload)

    def _take_of_turn(self, payload: EventPayload) -> None:
        """What is wanted, said and not made in a turn, and what was not kept without a call."""
        match payload:
            case TurnTaken(calls, text) as taken:
                self.plan.turns += 1  # counts once it was taken: one that was cut off is had again
                self.turn.take(taken)
                if not calls:
                    self.turn.concluded = conclude(self.enforcer, text)
            case CallBlocked(tool, _positional, named, _digest, violation, message, hints):
                self.turn.settle(tool)
                self.answer = self.enforcer.block(tool, named, Decision(violation, message, hints=hints))
                self._note(tool, self.answer.refusal_text, is_error=True, reason=message)
            case PlanSteered(tool, named):
                self.turn.settle(tool)
                self.against = say(self.enforcer, tool, named)
                if tool == TASK_COMPLETE and not self.against:
                    self.turn.concluded = Conclusion(ConclusionKind.ACCEPTED)
                reason = " ".join(lack.message for lack in self.against)
                told = _("Not yet: {reason}").format(reason=reason) if reason else _("Noted.")
                self._note(tool, told, is_error=bool(reason))
            case CallCancelled(tool, _named, message):
                self.turn.settle(tool)
                self._note(tool, message, is_error=True)
            case PlanViolated(type=kind, message=message, step=step):
                self._violated(kind, message, self.plan.playbook.get_step(step))

    def _admission(self, call: ToolCalled) -> Decision:
        """By what *call* was let through: it counts for the step that its event names."""
        playbook = self.plan.playbook
        place = playbook.get_step_index(call.step) if call.step else None
        if place is not None:
            return Decision(place=place, passes=playbook.strict_sequence, hints=playbook.steps[place].hints)
        decision = self.enforcer.decision(call.tool)
        is_recorded = decision.problem and not self.enforcer.blocks
        return decision if is_recorded else Decision(is_extra=True, hints=decision.hints)

    def _end(self, end: ToolResult | ToolError | CallResolved, value: Any, error: str | None = None) -> None:
        tool = end.tool or ""
        self.turn.is_under_way = False
        instead = None if isinstance(end, CallResolved) else end.instead
        is_mock = instead is not None and instead.how is How.MOCK
        self.enforcer.record_tool_call(FinishedCall(tool, end.named, value, error, is_mock=is_mock))
        shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        self._note(tool, shown if error is None else error, is_error=error is not None)
        if isinstance(end, ToolResult) or value is not None:
            self.turn.unset = tool, value

    def _note(self, tool: str, text: str, *, is_error: bool, reason: str = "") -> None:
        self.turn.outcomes.append(CallOutcomeText(tool, text, is_error, reason))

    def _leave(self, step_id: str, status: StepStatus, error: str | None) -> None:
        """A step was left; where the plan does not say so yet, it was passed over."""
        step = self.plan.playbook.get_step(step_id)
        if step is None or self.plan.status(step_id) in FINISHED:
            return
        if status is StepStatus.DONE:
            self.enforcer.moves.close(step)
        elif status is StepStatus.FAILED:
            self.enforcer.moves.fail(step, error or "")
        else:
            wanted = [_("Skipped in favour of {tool}").format(tool=wish.tool) for wish in self.turn.wishes]
            self.enforcer.moves.skip(step, [*wanted, _("Left out when the run ended")][0])

    def _violated(self, kind: str, message: str, step: PlaybookStep | None) -> None:
        if kind == TIMEOUT and step is not None:
            self.enforcer.moves.time_out(step, message)
        elif kind == MAX_TURNS:
            note_last_turn(self.enforcer)


def digest_of_playbook(playbook: Playbook) -> str:
    """SHA-256 of the canonical JSON of *playbook*: the version that a plan is bound to."""
    return hashlib.sha256(canonical_playbook(playbook)).hexdigest()


def canonical_playbook(playbook: Playbook) -> bytes:
    """*playbook* as JSON, always the same for equal ones."""
    text = json.dumps(playbook_to_json(playbook), sort_keys=True, ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass")
