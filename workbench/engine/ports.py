"""What the engine asks of the world, and what it is told: nothing about who answers.

Backends live in ``backends``; the rest of the engine does not know which is behind a port.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any, Protocol

from workbench.model.meaning import Variable


class RequestKind(enum.Enum):
    """What kind of answer is wanted."""

    ASK = "ask"
    JUDGE = "judge"
    DECIDE = "decide"
    IN_DOUBT = "in_doubt"


class Purpose(enum.Enum):
    """What a question is part of, where it is not simply a step.

    TRIGGERS: one yes or no for each trigger that is a judgement. REACT: the next act of a playbook without
    steps; *choices* are what it may call, and ``done``. RAW: the result of a playbook that is one request.
    TURN: the next act in a step list; *choices* are the expected tools and what may be said of the step, and any
    other tool may be named; *context* says what was refused, the hints, and what is left.
    """

    STEP = ""
    TRIGGERS = "triggers"
    REACT = "react"
    RAW = "raw"
    TURN = "turn"


class InDoubtChoice(enum.Enum):
    """What is done about a call of which nobody knows whether it was made."""

    DONE = "done"
    AGAIN = "again"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class Request:
    """A question about one step, complete in itself: a form can be drawn from it alone.

    *text*: the step with its variables filled in. *fields*: what to fill in. *choices*: for
    IN_DOUBT what may be answered. *context*: variables in view, for whoever answers. *target*: the
    person who is asked, empty for the user. *proposal*: what a model answers, for a person to accept or change;
    *reason*: why a person is asked in the place of a model, and *said*: what that said.
    """

    id: str
    kind: RequestKind
    step: str
    text: str
    fields: tuple[Variable, ...] = ()
    choices: tuple[str, ...] = ()
    context: tuple[tuple[str, Any], ...] = ()
    target: str = ""
    purpose: Purpose = Purpose.STEP
    proposal: Answer | None = None
    reason: str = ""
    said: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer.

    *values* for the fields, *decision* for DECIDE, *text* for free text or a note, *choice* for IN_DOUBT.
    """

    values: tuple[tuple[str, Any], ...] = ()
    decision: bool | None = None
    text: str = ""
    choice: InDoubtChoice | None = None


@dataclass(frozen=True, slots=True)
class CalledBack:
    """A call that a tool (the playbook's Python) asks the run to make for it."""

    name: str
    positional: tuple[Any, ...]
    named: tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Broke:
    """A call was made and failed, as *message* says."""

    message: str


@dataclass(frozen=True, slots=True)
class NeverBegun:
    """A call did not reach its tool: it can be made."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A call began; nobody knows how far it came."""


class JudgementBackend(Protocol):
    """Who judges. Called on the run's worker thread; may block until answered or cancelled."""

    name: str

    def judge(self, request: Request) -> Answer:
        """The answer to *request*.

        Raises InputNeeded when nobody can answer, RunFailed when the backend cannot go on,
        and ``Cancelled`` after ``cancel``.
        """
        ...

    def cancel(self) -> None:
        """Make a waiting ``judge`` raise ``Cancelled`` at once; callable from any thread."""
        ...
