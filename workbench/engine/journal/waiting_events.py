"""What runs tell that wait: for the next message, for a time, and what timers were set."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.engine.journal.payload import EventPayload, Leading


@dataclass(frozen=True, slots=True)
class TimerSet(EventPayload):
    """A trigger of the clock will go off. *key*: of the trigger. *due_ns*: when, UTC, ns since 1970."""

    key: str
    due_ns: int


@dataclass(frozen=True, slots=True)
class TimerDue(EventPayload):
    """It goes off, and ends a wait of the run. *due_ns*: when it should have.

    *missed*: how often it was due besides since then. *next_ns*: when it goes off again; 0: never.
    """

    key: str
    due_ns: int
    missed: int = 0
    next_ns: int = 0


@dataclass(frozen=True, slots=True)
class WaitBegun(EventPayload):
    """The run waits until *until_ns* (0: no time is set), and where *is_open*, for a message.

    Begins a span, or where it has been said before, takes it up again. The event's step is the one that waits.
    """

    until_ns: int = 0
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class WaitOver(Leading):
    """The time has come that a step has waited for."""


@dataclass(frozen=True, slots=True)
class MessageHeard(EventPayload):
    """A message, which ends a wait of the run. *sender*, *to*: agents; without them, from the user and to all."""

    text: str
    sender: str = ""
    to: str = ""


@dataclass(frozen=True, slots=True)
class ConversationEnded(EventPayload):
    """No more messages will come: the run ends."""
