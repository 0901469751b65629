"""The events of a run of a step list: written before they are acted on, and folded back into its plan."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from workbench.engine.enforcement.conclusion import conclude, next_turn
from workbench.engine.enforcement.enforcer import PlaybookEnforcer
from workbench.engine.enforcement.recording import FinishedCall
from workbench.engine.enforcement.satisfaction import has_seen_all
from workbench.engine.enforcement.values import StepExecution
from workbench.engine.journal import events as types
from workbench.engine.journal.codec import decoded
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.journal import Journal
from workbench.engine.steplists.places import NOWHERE, Where
from workbench.i18n import _
from workbench.model.loader.steplist import PlaybookStep

SKIP_STEP = "skip_step"
"""Said of a step that is optional: it is left out."""


_TOLD = frozenset({types.STEP_ENTERED, types.STEP_EXITED, types.PLAN_VIOLATION, types.VARIABLE_SET, types.TURN_ASKED})


class EventClock:
    """The time of the event at hand while a journal is folded, else the time now."""

    def __init__(self) -> None:
        self._at_ns: int | None = None

    def __call__(self) -> dt.datetime:
        at_ns = time.time_ns() if self._at_ns is None else self._at_ns
        return dt.datetime.fromtimestamp(at_ns / 1e9, dt.UTC)

    def stand_at(self, at_ns: int | None) -> None:
        """Show *at_ns*; None: go on by itself."""
        self._at_ns = at_ns


class ListedRecord:
    """The journal of one run of a step list."""

    def __init__(
        self,
        run: RunId,
        journal: Journal,
        first_seq: int = 0,
        on_event: Callable[[RunEvent], None] | None = None,
    ) -> None:
        self.run = run
        self._on_event = on_event
        self._journal = journal
        self._seq = first_seq
        self.events: list[RunEvent] = []

    def write(self, kind: str, body: Mapping[str, Any], where: Where = NOWHERE, actor: str = "engine") -> RunEvent:
        """Write one event; when this returns it may be acted on.

        What the world was asked and what it answered is written down to the disk; what the run
        tells of itself follows from that, and is told again where it is lost with the machine.
        """
        event = RunEvent(
            run=self.run,
            seq=self._seq,
            payload=decoded(kind, dict(body)),
            at_ns=time.time_ns(),
            mono_ns=time.monotonic_ns(),
            span=where.span,
            parent=where.parent,
            step=where.step,
            line=where.line,
            actor=actor,
        )
        write = self._journal.append if kind in _TOLD else self._journal.append_synced
        write((event,))
        self._seq += 1
        self.events.append(event)
        if self._on_event is not None:
            self._on_event(event)
        return event


def fold_into(enforcer: PlaybookEnforcer, events: Iterable[RunEvent], clock: EventClock) -> RunEvent | None:
    """Bring *enforcer* to where *events* left it; the call that was begun and has no end, or None.

    Every decision is made again from the same calls at the same times, so that plan,
    violations and counts come out as they were.
    """
    open_call: RunEvent | None = None
    for event in events:
        clock.stand_at(event.at_ns)
        rule = _RULES.get(event.type)
        if rule is not None:
            rule(enforcer, event.body)
        if event.type == types.TOOL_CALL:
            open_call = event
        elif event.type in _ENDS and event.body.get("how") != "again":
            open_call = None
    clock.stand_at(None)
    return open_call


def _taken(enforcer: PlaybookEnforcer, body: Mapping[str, Any]) -> None:
    """A turn counts once it was taken: one that was cut off is had again."""
    next_turn(enforcer)
    if not body["calls"]:
        conclude(enforcer, body["text"])


def _controlled(enforcer: PlaybookEnforcer, body: Mapping[str, Any]) -> None:
    if body["tool"] != SKIP_STEP:
        enforcer.validate_tool_call(body["tool"], body["named"])
    say(enforcer, body["tool"], body["named"])


def _asked(enforcer: PlaybookEnforcer, body: Mapping[str, Any]) -> None:
    enforcer.validate_tool_call(body["tool"], body["named"])


def _ended(enforcer: PlaybookEnforcer, body: Mapping[str, Any]) -> None:
    enforcer.record_tool_call(FinishedCall(body["tool"], body["named"], body.get("value"), body.get("message")))


def _resolved(enforcer: PlaybookEnforcer, body: Mapping[str, Any]) -> None:
    if body["how"] != "again":
        _ended(enforcer, body)


_ENDS = frozenset({types.TOOL_RESULT, types.TOOL_ERROR, types.RESOLVED})
_RULES: dict[str, Callable[[PlaybookEnforcer, Mapping[str, Any]], None]] = {
    types.TURN_TAKEN: _taken,
    types.PLAN_CONTROL: _controlled,
    types.TOOL_CALL: _asked,
    types.CALL_BLOCKED: _asked,
    types.TOOL_RESULT: _ended,
    types.TOOL_ERROR: _ended,
    types.RESOLVED: _resolved,
}


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
    message = _("Step {step} is not done by saying so: it expects {tools}.")
    told = message.format(step=step.id, tools=", ".join(step.expected_tools) or _("calls"))
    enforcer.moves.violation("evidence_incomplete", told, step, "complete_step", blocked=enforcer.blocks)
    return not enforcer.blocks
