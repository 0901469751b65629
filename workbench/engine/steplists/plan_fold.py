"""The plan of a run of a step list, as the fold of its events."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import time
from collections.abc import Iterable, Mapping
from typing import Any

from workbench.engine.enforcement.conclusion import conclude, next_turn
from workbench.engine.enforcement.enforcer import PlaybookEnforcer
from workbench.engine.enforcement.playbook_plan import PlaybookPlan
from workbench.engine.enforcement.recording import FinishedCall
from workbench.engine.enforcement.records import StepExecution
from workbench.engine.enforcement.satisfaction import has_seen_all
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.run_events import CallResolved, ToolCalled, ToolError, ToolResult
from workbench.engine.journal.steplist_events import CallBlocked, PlanSteered, TurnTaken
from workbench.engine.ports import InDoubtChoice
from workbench.i18n import _
from workbench.model.loader.steplist import Playbook, PlaybookStep, playbook_to_json

SKIP_STEP = "skip_step"
"""Said of a step that is optional: it is left out."""


class PlanFold:
    """The plan of one run, and the enforcer who keeps it.

    ``take`` makes every decision again from the same calls at the same times, so that plan, violations and counts come
    out as they were. A run that goes on asks ``enforcer`` first and journals what it said; ``take`` is for all
    who come later: a run that is resumed, the plan pane, the audit.

    *blocks* false: what is not kept is noted and nothing is blocked. *open_call*: begun, and without an end.
    """

    def __init__(self, playbook: Playbook, run: str, *, blocks: bool) -> None:
        self._at_ns: int | None = None
        self._has_begun = False
        self.open_call: RunEvent | None = None
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
        match event.payload:
            case TurnTaken(calls, text):  # counts once it was taken: one that was cut off is had again
                next_turn(self.enforcer)
                if not calls:
                    conclude(self.enforcer, text)
            case PlanSteered(tool, named):
                if tool != SKIP_STEP:
                    self.enforcer.validate_tool_call(tool, named)
                say(self.enforcer, tool, named)
            case CallBlocked(tool, _positional, named):
                self.enforcer.validate_tool_call(tool, named)
            case ToolCalled() as call:
                self.open_call = event
                self.enforcer.validate_tool_call(call.tool, call.named)
            case ToolResult() as result:
                self._end(result, result.value)
            case ToolError() as error:
                self._end(error, None, error.message)
            case CallResolved() as resolved if resolved.how is not InDoubtChoice.AGAIN:
                self._end(resolved, resolved.value, resolved.message)

    def _end(self, end: ToolResult | ToolError | CallResolved, value: Any, error: str | None = None) -> None:
        self.open_call = None
        self.enforcer.record_tool_call(FinishedCall(end.tool or "", end.named, value, error))


def digest_of_playbook(playbook: Playbook) -> str:
    """SHA-256 of the canonical JSON of *playbook*: the version that a plan is bound to."""
    return hashlib.sha256(canonical_playbook(playbook)).hexdigest()


def canonical_playbook(playbook: Playbook) -> bytes:
    """*playbook* as JSON, always the same for equal ones."""
    text = json.dumps(playbook_to_json(playbook), sort_keys=True, ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass")


def say(enforcer: PlaybookEnforcer, tool: str, arguments: Mapping[str, Any]) -> bool:
    """Take what a model says about the plan; false where it does not hold."""
    if tool == SKIP_STEP:
        return enforcer.skip_current_step(str(arguments.get("reason", "")))
    enforcer.record_tool_call(FinishedCall(tool, arguments))
    if tool != "complete_step":
        return tool != "task_complete" or not enforcer.plan.unresolved_required_steps
    before = enforcer.plan.current_step
    if before is None or not _is_shown(enforcer, before):
        return False
    enforcer.complete_current_step(arguments.get("result"))
    return enforcer.plan.is_step_complete(before.id)


def _is_shown(enforcer: PlaybookEnforcer, step: PlaybookStep) -> bool:
    """Whether *step* can be done by words: not while it expects calls that were not made."""
    execution = enforcer.plan.get_step_execution(step.id) or StepExecution(step.id)
    if not (step.expected_tools or step.least_calls) or has_seen_all(step, execution):
        return True
    message = _("Step {step} cannot be completed by a statement: it expects {tools}.")
    told = message.format(step=step.id, tools=", ".join(step.expected_tools) or _("calls"))
    enforcer.moves.violation("evidence_incomplete", told, step, "complete_step", blocked=enforcer.blocks)
    return not enforcer.blocks
