"""What a person does to a run while it is watched: stops it at a breakpoint, logs at a step, changes a variable."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from workbench.engine.journal.choices import Scope
from workbench.engine.journal.payload import LATER, EventPayload


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
