"""What runs of programs tell besides: triggers, agents, messages, meetings, and playbooks without steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workbench.engine.journal.choices import FiringCause
from workbench.engine.journal.payload import NOTHING, EventPayload, Giving, Leading

# Triggers


@dataclass(frozen=True, slots=True)
class TriggersChecked(EventPayload):
    """*holds*: changed truths by trigger. *fire*: those that fire next."""

    holds: Mapping[str, bool]
    fire: tuple[str, ...]
    is_judged: bool


@dataclass(frozen=True, slots=True)
class TriggerFired(EventPayload):
    """*trigger*: its address, *key*: its name in the run. *agent* begins *playbook*, in its *meeting*, 0 for none."""

    trigger: str
    key: str
    agent: str
    playbook: str
    cause: FiringCause
    meeting: int = 0


# What runs make besides variables. *meeting*: its number, 0 for none.


@dataclass(frozen=True, slots=True)
class AgentCreated(Giving):
    """*agent*: its key, ``Tax:1003``. *state*: its ``$`` variables. *begins*: the triggers that begin with it."""

    agent: str
    kind: str
    id: int
    state: Mapping[str, Any]
    begins: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ArtifactSaved(Giving):
    """A value is kept under a name, and as the variable *variable* of the agent at work."""

    name: str
    summary: str
    value: Any
    variable: str = ""


@dataclass(frozen=True, slots=True)
class ArtifactLoaded(Giving):
    """A value that was kept is had back."""

    name: str


@dataclass(frozen=True, slots=True)
class PlaybookWritten(Giving):
    """The run has written a playbook of its own."""

    agent: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class MessageSent(Giving):
    """*sender* and *to* are keys of agents."""

    sender: str
    to: tuple[str, ...]
    text: str
    meeting: int


@dataclass(frozen=True, slots=True)
class MessagesReceived(Giving):
    """*agent* has read what *source* sent."""

    agent: str
    source: str
    messages: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class MeetingOpened(EventPayload):
    """*home*: the stack of its host, *frame*: the span that opened it."""

    meeting: int
    host: str
    playbook: str
    topic: str
    invited: tuple[str, ...]
    home: str
    frame: str


@dataclass(frozen=True, slots=True)
class MeetingInvited(Giving):
    """*playbook*: with which *agent* comes; *reason*: why it does not."""

    meeting: int
    agent: str
    playbook: str
    is_accepted: bool
    reason: str


@dataclass(frozen=True, slots=True)
class MeetingTurn(EventPayload):
    """*to*: a stack. *enter*: the playbook, where it begins. *left*: who is done."""

    meeting: int
    agent: str
    to: str
    enter: str
    left: str


@dataclass(frozen=True, slots=True)
class MeetingStateSet(Giving):
    """What all in the meeting see."""

    meeting: int
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class MeetingEnded(EventPayload):
    """Nobody has a turn any more."""

    meeting: int


@dataclass(frozen=True, slots=True)
class DescriptionFilled(Leading):
    """The description of the playbook at work, with what the calls in it gave."""

    text: str


# Playbooks without steps


@dataclass(frozen=True, slots=True)
class CallChosen(EventPayload):
    """The next call of a playbook without steps."""

    action: str
    arguments: Mapping[str, Any]
    round: int


@dataclass(frozen=True, slots=True)
class CallObserved(Leading):
    """What that call came to: *value*, or *error*."""

    value: Any = NOTHING
    error: str | None = None
