"""What runs of step lists tell besides: the plan, the turns of whoever walks it, and calls that were not made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workbench.engine.journal.payload import EventPayload

# Runs of step lists


@dataclass(frozen=True, slots=True)
class PlanAdopted(EventPayload):
    """*digest*: of the playbook. *blocks* false: what is not kept is only noted."""

    digest: str
    blocks: bool
    tools: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlanViolated(EventPayload):
    """*step*: an id. *count*: how often by now."""

    type: str
    message: str
    tool: str | None
    step: str
    blocked: bool
    count: int


@dataclass(frozen=True, slots=True)
class PlanSteered(EventPayload):
    """Something was said of the plan by a call: ``complete_step``, ``skip_step``, ``task_complete``.

    *refused*: why it does not hold, empty where it does.
    """

    tool: str
    named: Mapping[str, Any]
    refused: str = ""


@dataclass(frozen=True, slots=True)
class TurnAsked(EventPayload):
    """Whoever walks the list is asked what is done next. *model*: who that is."""

    turn: int
    context: str
    model: str


@dataclass(frozen=True, slots=True)
class CallWish:
    """A call that is wanted."""

    tool: str
    named: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What a wanted call gives, where who wants it has said that too: it is an entry, and nothing is done by it."""

    value: Any
    error: str | None


@dataclass(frozen=True, slots=True)
class TurnTaken(EventPayload):
    """What is to be done: calls, or words. *foreseen*: what the calls give, in order; empty where nobody knows."""

    calls: tuple[CallWish, ...]
    text: str
    model: str
    foreseen: tuple[Foreseen, ...] = ()


@dataclass(frozen=True, slots=True)
class CallBlocked(EventPayload):
    """A call that was not made, since the plan does not allow it. *violation*: its type."""

    tool: str
    positional: tuple[Any, ...]
    named: Mapping[str, Any]
    digest: str
    violation: str
    message: str
    hints: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CallCancelled(EventPayload):
    """A call that was not made, since one before it was not done."""

    tool: str
    named: Mapping[str, Any]
    message: str
