"""The words that events choose from; their values are what stands in the journal.

The first of each is what an event says with a word that this version does not know.
"""

from __future__ import annotations

import enum


class RunStatus(enum.Enum):
    """How far a run is. A run that waits for an answer is RUNNING with a pending request.

    LISTENING: it waits for a message, which no step has asked for. TIMED: it waits for nothing but a time.
    """

    CREATED = "created"
    RUNNING = "running"
    PAUSED = "paused"
    LISTENING = "listening"
    TIMED = "timed"
    CANCELLED = "cancelled"
    COMPLETED = "completed"
    FAILED = "failed"


class StepStatus(enum.Enum):
    """How far a step is, as of its last visit."""

    DONE = "done"
    RUNNING = "running"
    WAITING = "waiting"
    SKIPPED = "skipped"
    FAILED = "failed"


class Scope(enum.Enum):
    """Whose a variable is: the agent's (``$name``), or that of one call of a playbook."""

    LOCAL = "local"
    STATE = "state"


class EntryCause(enum.Enum):
    """Why a playbook begins: a call, a trigger that fired, a meeting that it hosts or takes part in."""

    CALL = ""
    INTERRUPT = "interrupt"
    HOST = "host"
    MEETING = "meeting"


class FiringCause(enum.Enum):
    """When a trigger fires: its condition became true, before a call, a call failed, a playbook failed, a message
    came, its time has come, its agent is invited to a meeting, its agent was made, the program ends.
    """

    INTERRUPT = "interrupt"
    BEFORE = "before"
    FAILS = "fails"
    FAILURE = "failure"
    MESSAGE = "message"
    TIME = "time"
    INVITED = "invited"
    MADE = "made"
    END = "end"
