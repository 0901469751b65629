"""What the engine asks of the world, and what it is told: nothing about who answers.

Backends live in ``backends``; the rest of the engine does not know which is behind a port.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from workbench.model.meaning import Variable
from workbench.tools.values import Preview

if TYPE_CHECKING:
    from workbench.model.procedures.matter import StepMatter


class RequestKind(enum.Enum):
    """What kind of answer is wanted."""

    ASK = "ask"
    JUDGE = "judge"
    DECIDE = "decide"
    IN_DOUBT = "in_doubt"
    APPROVE = "approve"


class Purpose(enum.Enum):
    """What a question is part of, where it is not simply a step.

    TRIGGERS: one yes or no for each trigger that is a judgement. REACT: the next act of a playbook without
    steps; *choices* are what it may call, and ``done``. RAW: the result of a playbook that is one request.
    TURN: the next act in a step list; *choices* are the expected tools and what may be said of the step, and any
    other tool may be named; *context* says what was refused, the hints, and what is left. MESSAGE: one yes or no for
    each trigger that a message may be meant for. READING: how a text and a number are to be read that do not go
    together; *choices* are the readings. WAIT: the next message of a person.
    WORK: how a step of a procedure went. AFTERWARDS: what to do about one that did not work.
    """

    STEP = ""
    TRIGGERS = "triggers"
    REACT = "react"
    RAW = "raw"
    TURN = "turn"
    MESSAGE = "message"
    READING = "reading"
    WAIT = "wait"
    WORK = "work"
    AFTERWARDS = "afterwards"


ABOUT_TRIGGERS = frozenset({Purpose.TRIGGERS, Purpose.MESSAGE})
"""Questions that no step asks: what is not answered is a no."""


class InDoubtChoice(enum.Enum):
    """What is done about a call of which nobody knows whether it was made."""

    DONE = "done"
    AGAIN = "again"
    SKIP = "skip"


class LeaveScope(enum.Enum):
    """How far leave for a call goes. RUN: for all calls of the tool in this run that it was asked about."""

    CALL = "call"
    RUN = "run"


@dataclass(frozen=True, slots=True)
class CallToAllow:
    """A call that waits for leave. *digest*: of all that is shown of it: leave is given for that, and nothing else.

    *source*: who offers the tool, in words; *description*: what that says of it. *schema*: of the arguments, which may
    be changed before leave is given.
    """

    key: str
    tool: str
    source: str
    arguments: Mapping[str, Any]
    schema: Mapping[str, Any]
    digest: str
    preview: Preview
    description: str = ""


@dataclass(frozen=True, slots=True)
class Leave:
    """What is said to a call that waits for leave. *digest*: of the call that was shown.

    *arguments*: with which it is to be made, None for those that were shown. *seen*: the digest of the call with them,
    where the person was shown that too.
    """

    is_given: bool
    digest: str
    arguments: Mapping[str, Any] | None = None
    scope: LeaveScope = LeaveScope.CALL
    seen: str = ""


@dataclass(frozen=True, slots=True)
class StepCommand:
    """A command that stands under the step that asks. *tool*, *arguments*: the call that runs it.

    *tool* empty: it can only be copied, because of *problem*.
    """

    text: str
    tool: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    problem: str = ""


@dataclass(frozen=True, slots=True)
class CommandRun:
    """What came of a command that was run while the question was open."""

    text: str
    output: str
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """A question about one step, complete in itself: a form can be drawn from it alone.

    *text*: the step with its variables filled in. *fields*: what to fill in. *choices*: for
    IN_DOUBT what may be answered. *context*: variables in view, for whoever answers. *target*: the
    person who is asked, empty for the user. *call*: of an APPROVE, which only a person answers. *proposal*: what a
    model answers, for a person to accept or change; *reason*: why a person is asked in the place of a model, and
    *said*: what that said. *about*: the playbook and its notes, for whoever judges. *commands*: those under the step;
    *ran*: which of them were run. *reasons*: by the names of fields, why they are of their type. *matter*: what belongs
    to the step of a procedure.
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
    about: str = ""
    call: CallToAllow | None = None
    commands: tuple[StepCommand, ...] = ()
    ran: tuple[CommandRun, ...] = ()
    reasons: tuple[tuple[str, str], ...] = ()
    matter: StepMatter | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer.

    *values* for the fields, *decision* for DECIDE, *text* for free text or a note, *choice* for IN_DOUBT, *leave* for
    APPROVE. *run*: nothing is answered yet: first the run is to make the call that runs this command of the request.
    *call*: nothing is answered yet either: first the run is to go through the procedure at this path, which is linked.
    """

    values: tuple[tuple[str, Any], ...] = ()
    decision: bool | None = None
    text: str = ""
    choice: InDoubtChoice | None = None
    leave: Leave | None = None
    run: str = ""
    call: str = ""


@dataclass(frozen=True, slots=True)
class CalledBack:
    """A call that a tool (the playbook's Python) asks the run to make for it."""

    name: str
    positional: tuple[Any, ...]
    named: tuple[tuple[str, Any], ...]


class Seen(enum.Enum):
    """What a tool wants to see of the agent as which it is called."""

    VARIABLE = "variable"
    NAMES = "names"
    AGENTS = "agents"


@dataclass(frozen=True, slots=True)
class LookedUp:
    """A tool wants to know the ``$`` variable *name*, the names of all, or which agents there are; nothing happens."""

    what: Seen
    name: str = ""


@dataclass(frozen=True, slots=True)
class SetByTool:
    """A tool sets the ``$`` variable *name* of the agent as which it is called."""

    name: str
    value: Any


Asked = CalledBack | LookedUp | SetByTool
"""What a tool asks the run for before it goes on."""


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


@dataclass(frozen=True, slots=True)
class Arrival:
    """A message that will come at *at_ns* of the wall clock; without *text*, only the time passes until then."""

    text: str
    at_ns: int


@runtime_checkable
class MessageSource(Protocol):
    """A backend that knows beforehand which messages the run will hear. With any other, a person may send some.

    *ends_timers*: whether the run also ends with them while its timers go on. *skips_time*: whether nothing is to wait
    for a time.
    """

    ends_timers: bool
    skips_time: bool

    def next_arrival(self, now_ns: int) -> Arrival | None:
        """The next message; None: there is none left."""
        ...

    def take_arrival(self) -> None:
        """The next message has come."""
        ...


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


@runtime_checkable
class AsksPerson(Protocol):
    """A backend that asks a person, who answers from outside."""

    def asks(self, request: Request) -> bool:
        """Whether a person is to answer *request*."""
        ...

    def answer(self, request_id: str, answer: Answer) -> bool:
        """Hand over *answer*; False when this request is no longer waited for."""
        ...
