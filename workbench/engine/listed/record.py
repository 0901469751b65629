"""The events of a run of a step list: written before they are acted on, and folded back into its plan."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from workbench.engine import events as types
from workbench.engine.enforcement.conclusion import conclude, next_turn
from workbench.engine.enforcement.enforcer import PlaybookEnforcer
from workbench.engine.enforcement.recording import FinishedCall
from workbench.engine.events import RunEvent, RunId
from workbench.engine.journal import Journal

PLAN_ADOPTED = "plan.adopted"
PLAN_VIOLATION = "plan.violation"
TURN_ASKED = "llm.request"
TURN_TAKEN = "llm.response"
CALL_BLOCKED = "tool.blocked"
PLAN_CONTROL = "plan.control"


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

    def write(self, kind: str, body: Mapping[str, Any], step: str = "", actor: str = "engine") -> RunEvent:
        """Write one event down to the disk; when this returns it may be acted on."""
        event = RunEvent(
            self.run, self._seq, kind, time.time_ns(), time.monotonic_ns(), step=step, actor=actor, body=dict(body)
        )
        self._journal.append_synced((event,))
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
        body = event.body
        if event.type == TURN_ASKED:
            next_turn(enforcer)
        elif event.type == TURN_TAKEN and not body["calls"]:
            conclude(enforcer, body["text"])
        elif event.type == PLAN_CONTROL:
            enforcer.validate_tool_call(body["tool"], body["named"])
            say(enforcer, body["tool"], body["named"])
        elif event.type in (types.TOOL_CALL, CALL_BLOCKED):
            enforcer.validate_tool_call(body["tool"], body["named"])
            open_call = event if event.type == types.TOOL_CALL else open_call
        elif event.type in (types.TOOL_RESULT, types.TOOL_ERROR):
            enforcer.record_tool_call(FinishedCall(body["tool"], body["named"], body.get("value"), body.get("message")))
            open_call = None
    clock.stand_at(None)
    return open_call


def say(enforcer: PlaybookEnforcer, tool: str, arguments: Mapping[str, Any]) -> bool:
    """Take what a model says about the plan; false where it does not hold."""
    enforcer.record_tool_call(FinishedCall(tool, arguments))
    if tool != "complete_step":
        return tool != "task_complete" or not enforcer.plan.unresolved_required_steps
    before = enforcer.plan.current_step
    enforcer.complete_current_step(arguments.get("result"))
    return before is not None and enforcer.plan.is_step_complete(before.id)
