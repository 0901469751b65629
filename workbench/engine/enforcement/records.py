"""What enforcement says and remembers, in the words of its field.

What is made at every check is a named tuple: it is made in a quarter of the time of a frozen
dataclass, and checks are to cost nothing.
"""

from __future__ import annotations

import datetime as dt
import enum
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from workbench.model.loader.steplist import PlaybookStep

Clock = Callable[[], dt.datetime]


def utc_now() -> dt.datetime:
    """The time now, UTC."""
    return dt.datetime.now(dt.UTC)


class StepStatus(enum.StrEnum):
    """Where a step stands."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    SKIPPED = "skipped"
    FAILED = "failed"


FINISHED = frozenset({StepStatus.COMPLETED, StepStatus.SKIPPED, StepStatus.FAILED})


class CallOutcome(enum.StrEnum):
    """What became of a call."""

    DONE = "done"
    FAILED = "failed"
    BLOCKED = "blocked"


class CallRecord(NamedTuple):
    """One call, allowed or not. *step_id*: the step it counts for, empty for an extra one.

    *arguments_digest*: SHA-256 of the canonical JSON of the arguments; the arguments
    themselves may be secret and are not kept here. *is_mock*: it was not made, and counts all the same.
    """

    tool: str
    step_id: str
    outcome: CallOutcome
    started_at: dt.datetime
    ended_at: dt.datetime
    arguments_digest: str
    error: str = ""
    is_extra: bool = False
    is_mock: bool = False


@dataclass(slots=True)
class StepExecution:
    """What happened in one step. *successes*: the tools that were really done; *results*: what they gave, as text."""

    step_id: str
    status: StepStatus = StepStatus.PENDING
    started_at: dt.datetime | None = None
    completed_at: dt.datetime | None = None
    tool_calls: list[str] = field(default_factory=list)
    tool_call_count: int = 0
    success_count: int = 0
    failure_count: int = 0
    error: str | None = None
    result: Any = None
    matched_probes: list[str] = field(default_factory=list)
    successes: set[str] = field(default_factory=set)
    results: list[str] = field(default_factory=list)
    is_waiting: bool = False


class EnforcementViolation(NamedTuple):
    """A promise that was not kept, or would not have been. Equal ones are counted, not repeated.

    *blocked*: the call was not made. *timestamp*: of the first, *last_at*: of the last.
    """

    violation_type: str
    message: str
    timestamp: dt.datetime
    last_at: dt.datetime
    step_id: str | None = None
    tool_name: str | None = None
    blocked: bool = False
    times: int = 1


class EnforcementResult(NamedTuple):
    """Whether a call may be made, and what to tell whoever wanted to make it.

    *step*: the step that the call would count for; None for extra calls.
    """

    allowed: bool
    violation: EnforcementViolation | None = None
    hints: tuple[str, ...] = ()
    current_step: PlaybookStep | None = None
    step: PlaybookStep | None = None

    @property
    def refusal_text(self) -> str:
        """What the model reads instead of a result; empty for an allowed call."""
        if self.allowed or self.violation is None:
            return ""
        hints = f" | Hints: {' '.join(self.hints)}" if self.hints else ""
        return f"Blocked by the playbook: {self.violation.message}{hints}"


def digest_of(arguments: Mapping[str, Any] | None) -> str:
    """SHA-256 of the canonical JSON of *arguments*."""
    if not arguments:
        return _DIGEST_OF_NOTHING
    text = json.dumps(arguments, sort_keys=True, ensure_ascii=False, default=str, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


_DIGEST_OF_NOTHING = hashlib.sha256(b"{}").hexdigest()
