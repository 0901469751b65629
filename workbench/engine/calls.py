"""The tool calls of a run, as a fold over its events: what a pattern is learned from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from workbench.engine.journal import events as types
from workbench.engine.journal.events import RunEvent


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
    begun: dict[str, RunEvent] = {}
    ended: dict[str, RunEvent] = {}
    for event in events:
        if event.type == types.TOOL_CALL:
            begun[event.span] = event
        elif event.type in _ENDS and event.body.get("how") != "again":
            ended[event.span] = event
    return tuple(_record(call, ended.get(span)) for span, call in begun.items())


_ENDS = frozenset({types.TOOL_RESULT, types.TOOL_ERROR, types.RESOLVED})


def _record(call: RunEvent, end: RunEvent | None) -> ToolCallRecord:
    name = call.body["tool"]
    if end is None:
        return ToolCallRecord(name, False, call.step, call.at_ns)
    is_ok = end.type == types.TOOL_RESULT or end.body.get("how") == "done"
    return ToolCallRecord(name, is_ok, call.step, call.at_ns, end.at_ns, str(end.body.get("message", "")))
