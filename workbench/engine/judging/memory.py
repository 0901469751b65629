"""What was said and done in a run, as a model reads it: frame by frame, short, and gone with its frame.

A fold of the events beside that of the run. What a frame said and did leaves with it; what stays, with the frame that
called it, is its result and a line on how it came about.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from workbench.engine.expressions.data import canonical
from workbench.engine.journal.debug_events import AnswerRecalled
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.payload import EventPayload
from workbench.engine.journal.run_events import (
    CallResolved,
    InputAsked,
    InputGiven,
    PlaybookEntered,
    PlaybookExited,
    StepEntered,
    StepExited,
    Told,
    ToolCalled,
    ToolError,
    ToolResult,
)
from workbench.engine.journal.steplist_events import CallBlocked, CallCancelled, PlanSteered, TurnTaken
from workbench.engine.ports import ABOUT_TRIGGERS, Purpose, RequestKind

_MOST = 40
"""So many entries of a frame are kept; the oldest are dropped."""
_LONGEST = 400
_SHORT = 120


@dataclass(slots=True)
class FrameMemory:
    """What one frame said and did. *dropped*: how many older entries there were. *steps*, *calls*: how many."""

    span: str
    title: str
    entries: deque[str] = field(default_factory=lambda: deque(maxlen=_MOST))
    dropped: int = 0
    steps: int = 0
    calls: int = 0

    def add(self, text: str) -> None:
        """Note *text*."""
        self.dropped += len(self.entries) == _MOST
        self.entries.append(text)


@dataclass(frozen=True, slots=True)
class Question:
    """Where the question lies that was asked last."""

    span: str
    line: int


class Memory:
    """The frames of a run with what was said and done in each."""

    def __init__(self) -> None:
        self.frames: dict[str, FrameMemory] = {}
        self.question: Question | None = None
        self._owners: dict[str, str] = {}
        self._asked: dict[str, InputAsked] = {}
        self._called: dict[str, ToolCalled] = {}
        self._last = ""

    def take(self, event: RunEvent) -> None:
        """Hear of *event*."""
        rule = _RULES.get(type(event.payload))
        if rule is not None:
            rule(self, event, event.payload)

    def frame(self, span: str) -> FrameMemory:
        """The frame that begins with the playbook of *span*."""
        return self.frames.setdefault(span, FrameMemory(span, ""))

    def at(self, event: RunEvent) -> FrameMemory:
        """The frame in which *event* happened."""
        owner = self._owners.get(event.span) or self._owners.get(event.parent) or self._last
        return self.frame(owner)

    def _entered(self, event: RunEvent, entered: PlaybookEntered) -> None:
        self._last = event.span
        self._owners[event.span] = event.span
        given = ", ".join(f"{name}={preview(value, _SHORT)}" for name, value in entered.arguments.items())
        self.frames[event.span] = FrameMemory(event.span, f"{entered.playbook}({given})")
        self._owners[f"{event.span}^"] = self._owners.get(event.parent, "")

    def _exited(self, event: RunEvent, exited: PlaybookExited) -> None:
        left = self.frames.pop(event.span, None)
        caller = self._owners.pop(f"{event.span}^", "")
        self._owners.pop(event.span, None)
        self._last = caller
        if left is not None and caller in self.frames:
            how = "failed" if exited.is_failed else f"returned {preview(exited.returned, _LONGEST)}"
            self.frames[caller].add(f"{left.title} {how} ({left.steps} steps, {left.calls} calls)")

    def _step_entered(self, event: RunEvent, _entered: StepEntered) -> None:
        frame = self.at(event)
        frame.steps += 1
        self._owners[event.span] = frame.span

    def _step_exited(self, event: RunEvent, _exited: StepExited) -> None:
        self._owners.pop(event.span, None)

    def _input_asked(self, event: RunEvent, asked: InputAsked) -> None:
        self._owners[event.span] = self.at(event).span
        self._asked[event.span] = asked
        self.question = Question(event.span, event.line)

    def _input_given(self, event: RunEvent, given: InputGiven) -> None:
        asked = self._asked.pop(event.span, None)
        frame = self.at(event)
        self._owners.pop(event.span, None)
        if asked is not None and asked.purpose not in (*ABOUT_TRIGGERS, Purpose.REACT, Purpose.TURN):
            who = "The user answered" if given.kind is RequestKind.ASK else "Judged"
            frame.add(f"{event.step} {preview(asked.text, _SHORT)} — {who}: {_answer(given.answer)}")

    def _told(self, event: RunEvent, told: Told) -> None:
        self.at(event).add(f"{event.step} Told {told.target or 'the user'}: {preview(told.text, _LONGEST)}")

    def _tool_called(self, event: RunEvent, called: ToolCalled) -> None:
        frame = self.at(event)
        frame.calls += 1
        self._owners[event.span] = frame.span
        self._called[event.span] = called

    def _tool_ended(self, event: RunEvent, ended: ToolResult | ToolError | CallResolved) -> None:
        frame = self.at(event)
        called = self._called.pop(event.span, None)
        self._owners.pop(event.span, None)
        if called is not None:
            value = ended.message if isinstance(ended, ToolError) else ended.value
            how = "failed" if isinstance(ended, ToolError) else "gave"
            frame.add(f"{event.step} {call_text(called)} {how}: {preview(value, _LONGEST)}")

    def _not_made(self, event: RunEvent, call: CallBlocked | CallCancelled | PlanSteered) -> None:
        if isinstance(call, PlanSteered):
            self.at(event).add(f"{event.step} {call.tool}: {preview(call.refused, _LONGEST) or 'noted'}")
        else:
            self.at(event).add(f"{event.step} {call.tool} was not called: {preview(call.message, _LONGEST)}")

    def _turn_taken(self, event: RunEvent, taken: TurnTaken) -> None:
        if not taken.calls and taken.text:
            self.at(event).add(f"{event.step} Answered in words: {preview(taken.text, _LONGEST)}")


def _recalled(memory: Memory, event: RunEvent, _recalled: AnswerRecalled) -> None:
    """What was said last counts no longer, and is asked again."""
    memory.at(event).add("A person took this answer back: the step is asked again.")


def call_text(called: ToolCalled) -> str:
    """The call in one line."""
    values = [*map(preview, called.positional), *(f"{name}={preview(value)}" for name, value in called.named.items())]
    return preview(f"{called.tool}({', '.join(values)})", _LONGEST)


def preview(value: Any, limit: int = _SHORT) -> str:
    """*value* on one line, the beginning of it where it is longer than *limit*."""
    text = " ".join((value if isinstance(value, str) else canonical(value)).split())
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def _answer(answer: Any) -> str:
    if "decision" in answer:
        return "yes" if answer["decision"] else "no"
    values = ", ".join(f"{name} = {preview(value, _LONGEST)}" for name, value in answer.get("values", {}).items())
    return values or preview(str(answer.get("text", "")), _LONGEST) or "done"


_RULES: dict[type[EventPayload], Callable[[Memory, RunEvent, Any], None]] = {
    PlaybookEntered: Memory._entered,
    PlaybookExited: Memory._exited,
    StepEntered: Memory._step_entered,
    StepExited: Memory._step_exited,
    InputAsked: Memory._input_asked,
    InputGiven: Memory._input_given,
    Told: Memory._told,
    ToolCalled: Memory._tool_called,
    ToolResult: Memory._tool_ended,
    ToolError: Memory._tool_ended,
    CallResolved: Memory._tool_ended,
    CallBlocked: Memory._not_made,
    CallCancelled: Memory._not_made,
    PlanSteered: Memory._not_made,
    TurnTaken: Memory._turn_taken,
    AnswerRecalled: _recalled,
}
