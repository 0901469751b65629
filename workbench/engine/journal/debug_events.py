"""What a person does to a run while it is watched: stops it at a breakpoint, logs at a step, changes a variable."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from workbench.engine.journal.choices import Scope
from workbench.engine.journal.instead import How, Instead
from workbench.engine.journal.payload import LATER, EventPayload
from workbench.engine.journal.run_events import NamedValue, ToolError, ToolResult


@dataclass(frozen=True, slots=True)
class BreakpointHit(EventPayload):
    """The run stops before what comes next. *breakpoint*: as it is written. *problem*: what fails, or is broken."""

    breakpoint: str
    count: int = 0
    problem: str = field(default="", metadata=LATER)


@dataclass(frozen=True, slots=True)
class PointLogged(EventPayload):
    """A log point has told *text*. *problem*: why it, or the condition of a breakpoint, cannot be worked out."""

    breakpoint: str
    text: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class StateEdited(EventPayload):
    """A person has given a variable another value. *old*: the digest of the value before, None where there was none.

    *agent*: of a ``$`` variable, whose it is; *frame*: the span of the playbook in which the variable is seen.
    *by*: who has done it.
    """

    name: str
    scope: Scope
    agent: str
    frame: str
    old: str | None
    new: Any
    by: str = ""


@dataclass(frozen=True, slots=True)
class ResultHeld(EventPayload):
    """The call at hand has come to *value*, or has failed (*failure*), and the run stops before that is used.

    *recovered*, *hash*, *artifact*: as at ``ToolResult``. *instead*: it is not what the tool gave.
    """

    value: Any
    failure: str | None = None
    recovered: bool = False
    hash: str = ""
    artifact: NamedValue | None = None
    instead: Instead | None = None

    @classmethod
    def of(cls, outcome: ToolResult | ToolError) -> ResultHeld:
        """What is held of *outcome*."""
        if isinstance(outcome, ToolError):
            return cls(None, outcome.message, instead=outcome.instead)
        return cls(outcome.value, None, outcome.recovered, outcome.hash, outcome.artifact, outcome.instead)

    @property
    def outcome(self) -> ToolResult | ToolError:
        """What the call comes to when the run goes on."""
        if self.failure is not None:
            return ToolError(self.failure, instead=self.instead)
        return ToolResult(self.value, self.recovered, self.hash, self.artifact, instead=self.instead)

    def edited(self, value: Any, failure: str, by: str) -> ResultHeld:
        """The same, after the person *by* has given *value* or *failure* instead; what was there first is kept."""
        instead = self.instead or Instead(How.EDIT, by, self.value, self.failure or "")
        return ResultHeld(value, failure or None, instead=instead)
