"""The tool calls of a run, as a fold over its events: what a pattern is learned from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.payload import EventPayload
from workbench.engine.journal.run_events import CallResolved, ToolCalled, ToolError, ToolResult
from workbench.engine.ports import InDoubtChoice


@dataclass(frozen=True, slots=True)
class ToolCallRecord:
    """One tool call. *is_ok*: it gave a result. *ended_ns*: 0 where it never ended. *error*: why it failed."""

    name: str
    is_ok: bool
    step: str
    started_ns: int
    ended_ns: int = 0
    error: str = ""


def calls_of(events: Iterable[RunEvent]) -> tuple[ToolCallRecord, ...]:
    """The tool calls in *events*, in the order in which they were begun."""
    begun: dict[str, tuple[RunEvent, ToolCalled]] = {}
    ended: dict[str, RunEvent] = {}
    for event in events:
        if isinstance(event.payload, ToolCalled):
            begun[event.span] = event, event.payload
        elif is_end_of_call(event.payload):
            ended[event.span] = event
    return tuple(_record(*call, ended.get(span)) for span, call in begun.items())


def is_end_of_call(payload: EventPayload) -> bool:
    """Whether *payload* ends a call: it will not be made again."""
    if isinstance(payload, CallResolved):
        return payload.how is not InDoubtChoice.AGAIN
    return isinstance(payload, ToolResult | ToolError)


def _record(begun: RunEvent, call: ToolCalled, end: RunEvent | None) -> ToolCallRecord:
    if end is None:
        return ToolCallRecord(call.tool, False, begun.step, begun.at_ns)
    is_ok, error = True, ""
    if isinstance(end.payload, CallResolved):
        is_ok, error = end.payload.how is InDoubtChoice.DONE, end.payload.message or ""
    elif isinstance(end.payload, ToolError):
        is_ok, error = False, end.payload.message
    return ToolCallRecord(call.tool, is_ok, begun.step, begun.at_ns, end.at_ns, error)
