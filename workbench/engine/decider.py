"""What is decided about a run: events to journal, a question to ask, or a call to make."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.engine.journal.payload import EventPayload
from workbench.engine.ports import Request
from workbench.engine.state.frames import Intent


@dataclass(frozen=True, slots=True)
class Draft:
    """An event that has no number and no time yet."""

    payload: EventPayload
    step: str = ""
    line: int = 0
    span: str = ""
    parent: str = ""
    actor: str = "engine"
    attempt: int = 1


@dataclass(frozen=True, slots=True)
class AskJudgement:
    """Wait for an answer to *request*."""

    request: Request


@dataclass(frozen=True, slots=True)
class CallTool:
    """Make the call that was journaled as *intent*."""

    intent: Intent


Decision = tuple[Draft, ...] | AskJudgement | CallTool
