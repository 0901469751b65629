"""A script written down from a run: played back, it gives the same run again, without a person, a model or a tool.

What a tool gave stands in it, but for Python of the file, which is a part of the program, and for files that were
read: these are carried out again.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from workbench.engine.expressions.data import as_data
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.instead import NOWHERE
from workbench.engine.journal.model_events import CommandWanted
from workbench.engine.journal.payload import EventPayload
from workbench.engine.journal.run_events import (
    CallResolved,
    InputAsked,
    InputGiven,
    RunCreated,
    ToolCalled,
    ToolError,
    ToolResult,
)
from workbench.engine.journal.waiting_events import MessageHeard, TimerDue, TimerSet, WaitBegun
from workbench.engine.judging.replaying import turns_of
from workbench.engine.ports import InDoubtChoice, Request, RequestKind
from workbench.engine.state.answering import that_count
from workbench.engine.steplists.walking import TurnAnswer
from workbench.i18n import _

_Entry = Mapping[str, Any]


def script_of(events: Sequence[RunEvent]) -> str:
    """The script, in YAML, that answers as was answered in the run of *events*."""
    created = events[0].payload
    assert isinstance(created, RunCreated), "the first event of every run"
    if created.steplist is not None:
        return "".join(_part("calls", list(_calls(turns_of(events))), is_needed=True))
    found = _Found(events)
    for event in that_count(events):
        found.take(event)
    lines = [
        *_part("answers", found.answers),
        *_named("tools", found.results),
        *_named("failures", found.failures),
        *_part("messages", found.messages),
        *(["clock: fast-forward\n"] if found.is_timed else []),
    ]
    return "".join(lines) or "answers: []\n"


def _calls(turns: Sequence[TurnAnswer]) -> Iterator[_Entry]:
    for number, turn in enumerate(turns, 1):
        if not turn.calls:
            yield {"text": turn.text}
        for index, call in enumerate(turn.calls):
            entry: dict[str, Any] = {"tool": call.tool}
            gave = turn.foreseen[index] if index < len(turn.foreseen) else None
            entry |= {"args": call.named} if call.named else {}
            entry |= {"batch": f"turn {number}"} if len(turn.calls) > 1 else {}
            if gave is not None and gave.error is not None:
                entry["error"] = gave.error
            elif gave is not None and gave.value is not None:
                entry["result"] = gave.value
            yield entry


@dataclass
class _Found:
    """What the events of one run say, each taken once.

    *results*, *failures*: by tool; the second by the number of the call, for which there is null among the first.
    """

    events: Sequence[RunEvent]
    answers: list[_Entry] = field(default_factory=list)
    results: dict[str, list[Any]] = field(default_factory=dict)
    failures: dict[str, dict[str, str]] = field(default_factory=dict)
    messages: list[_Entry] = field(default_factory=list)
    is_timed: bool = False

    def __post_init__(self) -> None:
        self._asked: dict[str, Request] = {}
        self._called: dict[str, str] = {}
        self._carried_out = frozenset(_carried_out(self.events))
        self._since_ns = 0
        self.is_timed = any(isinstance(each.payload, TimerSet) or _is_timed(each.payload) for each in self.events)

    def take(self, event: RunEvent) -> None:
        """Hear of *event*."""
        match event.payload:
            case InputAsked() as question:
                self._asked[event.span] = question.request_at(event.step)
            case InputGiven(answer=answer):
                self._answered(self._asked[event.span], answer)
            case CommandWanted(command=command):
                self.answers.append({"step": event.step, "run": command})
            case ToolCalled(tool=tool):
                self._called[event.span] = tool
            case ToolResult() | ToolError() | CallResolved():
                self._ended(event)
            case _:
                self._waited(event)

    def _answered(self, request: Request, answer: Mapping[str, Any]) -> None:
        if request.kind in {RequestKind.IN_DOUBT, RequestKind.APPROVE}:
            return
        said = {name: value for name, value in answer.items() if value not in ("", {}, None)}
        self.answers.append({"step": request.step, **said} if request.step else said)

    def _ended(self, event: RunEvent) -> None:
        tool = self._called.get(event.span, "")
        if not tool or tool in self._carried_out:
            return
        given = self.results.setdefault(tool, [])
        match event.payload:
            case ToolResult(value=value) | CallResolved(how=InDoubtChoice.DONE | InDoubtChoice.SKIP, value=value):
                given.append(value)
            case ToolError(message=message):
                given.append(None)
                prefix = _("{tool} failed: {message}").format(tool=tool, message="")
                self.failures.setdefault(tool, {})[str(len(given))] = message.removeprefix(prefix)

    def _waited(self, event: RunEvent) -> None:
        match event.payload:
            case WaitBegun() if not event.step:
                self._since_ns = self._since_ns or event.at_ns
            case MessageHeard(text, sender=""):
                after = self._after(event)
                self.messages.append({"text": text, **after} if after else {"text": text})
                self._since_ns = 0
            case TimerDue() if self._since_ns and (after := self._after(event)):
                self.messages.append(after)  # the time until then passes, whatever is said later
                self._since_ns = event.at_ns

    def _after(self, event: RunEvent) -> dict[str, str]:
        seconds = math.ceil((event.at_ns - self._since_ns) / 1e9) if self.is_timed and self._since_ns else 0
        return {"after": f"{seconds} seconds"} if seconds > 0 else {}


def _is_timed(payload: EventPayload) -> bool:
    return isinstance(payload, WaitBegun) and payload.until_ns > 0


def _carried_out(events: Sequence[RunEvent]) -> Iterator[str]:
    """The tools that a script cannot stand for: they do more than give a result."""
    called: dict[str, str] = {}
    for event in events:
        if isinstance(event.payload, ToolCalled):
            called[event.span] = event.payload.tool
            if event.payload.noted != NOWHERE:
                yield event.payload.tool
        if isinstance(event.payload, ToolResult) and (event.payload.hash or event.payload.artifact is not None):
            yield called.get(event.span, "")


def _part(name: str, entries: Sequence[_Entry], *, is_needed: bool = False) -> list[str]:
    if not entries:
        return [f"{name}: []\n"] if is_needed else []
    return [f"{name}:\n", *(f"  - {flow(as_data(entry))}\n" for entry in entries)]


def _named(name: str, values: Mapping[str, Any]) -> list[str]:
    return [f"{name}:\n", *(f"  {_text(each)}: {flow(value)}\n" for each, value in values.items())] if values else []


def flow(value: Any) -> str:
    """*value* as YAML on one line: as JSON, with floats as YAML has them."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_text(name)}: {flow(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    written: Callable[[Any], str] = _text if isinstance(value, str) else _number
    return written(value)


def _text(value: str) -> str:
    written = json.dumps(value, ensure_ascii=False)
    return written if written.isprintable() else "".join(map(_character, written))


def _character(character: str) -> str:
    if character.isprintable():
        return character
    return f"\\u{ord(character):04x}" if ord(character) <= 0xFFFF else f"\\U{ord(character):08x}"


def _number(value: Any) -> str:
    written = json.dumps(value)
    is_short = isinstance(value, float) and "e" in written and "." not in written
    return written.replace("e", ".0e") if is_short else written
