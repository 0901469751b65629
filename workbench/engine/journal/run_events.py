"""What every run tells: how far it is, its playbooks and steps, what is asked, and which tools are called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from workbench.engine.journal.choices import EntryCause, Scope, StepStatus
from workbench.engine.journal.instead import NOWHERE, Instead, MockedCall, Noted
from workbench.engine.journal.payload import LATER, SPREAD, EventPayload, Giving, Leading
from workbench.engine.judges import Judges, Limits
from workbench.engine.ports import InDoubtChoice, Purpose, Request, RequestKind
from workbench.model.meaning import Variable
from workbench.tools.values import CallSafety

# The run as a whole


@dataclass(frozen=True, slots=True)
class ProgramStart:
    """How a program was started. *starts*: (agent, playbook) of what begins by itself. *is_alone*: one was chosen.

    *plans*: what the project says of plans. *tells_apart*: playbooks have one name, and addresses say which is meant.
    """

    is_trusted: bool
    python_timeout_s: float
    max_depth: int
    max_steps: int
    agent: str = ""
    starts: tuple[tuple[str, str], ...] = ()
    artifact_threshold: int = 500
    is_alone: bool = field(default=False, metadata=LATER)
    plans: Mapping[str, Any] | None = field(default=None, metadata=LATER)
    tells_apart: bool = field(default=False, metadata=LATER)


@dataclass(frozen=True, slots=True)
class StepListStart:
    """How the run of a step list was started. *blocks* false: what is not kept is only noted."""

    plan_hash: str
    blocks: bool
    kind: str = "steplist"


@dataclass(frozen=True, slots=True)
class RunCreated(EventPayload):
    """*pb_hash*: of the text that is carried out. *script*: the text of the script that answers.

    *python_memory_mb*: of a program; what each process of its Python may have. *judges*, *limits*: None: as usual.
    *goes_on*: whether it waits for messages and for its timers when what starts by itself is done.
    *message*: the first that it hears, where it waits for one. *read_as*: the kind of file that the text was read as,
    where earlier versions would have taken it for another. *chapters*: which are carried out, where a person said so.
    *person*: who started a procedure. *ticks*: whether boxes in its file are ticked for what is done. *linked*: the
    procedures that it links to, by path: key and kind. *is_cycle*: of a goal; its text only names the stages.
    """

    playbook: str
    path: str
    pb_hash: str
    script: str
    arguments: Mapping[str, Any]
    program: ProgramStart | None = field(default=None, metadata=SPREAD)
    steplist: StepListStart | None = field(default=None, metadata=SPREAD)
    python_memory_mb: int = 2048
    judges: Judges | None = None
    limits: Limits | None = None
    goes_on: bool = False
    message: str = ""
    read_as: str = ""
    person: str = ""
    chapters: Mapping[str, Any] | None = None
    ticks: bool = False
    linked: Mapping[str, Any] | None = None
    is_cycle: bool = False


@dataclass(frozen=True, slots=True)
class JudgesChosen(EventPayload):
    """From now on others judge, or models may use more or less."""

    judges: Judges
    limits: Limits


@dataclass(frozen=True, slots=True)
class RunStarted(EventPayload):
    """The first decision follows."""


@dataclass(frozen=True, slots=True)
class RunPaused(EventPayload):
    """*reason*: where it was not a person's wish. The event's step is the one that comes next, if that is known."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class RunResumed(EventPayload):
    """It goes on, after a pause or in another process."""


@dataclass(frozen=True, slots=True)
class RunCancelling(EventPayload):
    """A person wants it stopped."""


@dataclass(frozen=True, slots=True)
class RunCancelled(EventPayload):
    """Every child process is dead."""


@dataclass(frozen=True, slots=True)
class RunCompleted(EventPayload):
    """*plan*: of a step list, at its end."""

    returned: Any
    plan: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class RunFailure(EventPayload):
    """*plan*: of a step list, at its end."""

    message: str
    plan: Mapping[str, Any] | None = None


FINAL = frozenset({RunCancelled, RunCompleted, RunFailure})


# Playbooks and steps. Spans begin with PlaybookEntered, StepEntered, InputAsked, ToolCalled and TurnAsked, and end
# with the event that answers them; the end of a run closes all that are open.


@dataclass(frozen=True, slots=True)
class PlaybookEntered(EventPayload):
    """*state*: which arguments are ``$`` variables. *trigger*, *meeting*: what it is part of.

    *description*: its own, where placeholders in it were filled in. The event's step is that of the call.
    *reads*: as at ``Giving``.
    """

    playbook: str
    agent: str
    arguments: Mapping[str, Any]
    state: tuple[str, ...]
    cause: EntryCause = EntryCause.CALL
    trigger: str = ""
    meeting: int = 0
    description: str = ""
    reads: tuple[Any, ...] | None = None


@dataclass(frozen=True, slots=True)
class Handler:
    """The playbook that begins in the place of one that failed. *key*: of its trigger."""

    agent: str
    playbook: str
    key: str


@dataclass(frozen=True, slots=True)
class PlaybookExited(Leading):
    """*is_ending*: the program is being ended. *artifact*: the name under which what it returned is kept.

    *is_failed*: it is left because a step failed, which *handler* answers, or the Python that called it, where it
    *is_raised* there.
    """

    playbook: str
    returned: Any
    is_ending: bool = False
    artifact: str = ""
    is_failed: bool = False
    handler: Handler | None = None
    is_raised: bool = False


@dataclass(frozen=True, slots=True)
class StepEntered(Leading):
    """*id*: of a step of a list."""

    text: str
    id: str | None = None


@dataclass(frozen=True, slots=True)
class StepExited(Leading):
    """*rounds*: of a loop. *id*, *is_failed*, *error*: of a step of a list."""

    status: StepStatus
    rounds: int = 0
    id: str | None = None
    is_failed: bool | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class StepFailure(EventPayload):
    """Ends the span of the step."""

    message: str


@dataclass(frozen=True, slots=True)
class BranchTaken(Leading):
    """A condition was decided."""

    taken: bool


@dataclass(frozen=True, slots=True)
class RoundBegun(Leading):
    """*round*: from 1. *of*: how many, where known. *items*: what is gone through, in the first round."""

    round: int
    of: int | None = None
    items: Any = None


@dataclass(frozen=True, slots=True)
class VariableSet(Leading):
    """*old*: the digest of the value before, None where there was none."""

    name: str
    scope: Scope
    old: str | None
    new: Any


# Questions, and what is said


@dataclass(frozen=True, slots=True)
class Question(EventPayload):
    """What somebody is asked, see ``Request``. *key*: of the call that is asked about.

    *reasons*: why fields are of their type, by name.
    """

    request: str
    kind: RequestKind
    text: str
    fields: tuple[Variable, ...]
    choices: tuple[str, ...]
    target: str = ""
    purpose: Purpose = Purpose.STEP
    key: str = ""
    reasons: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, request: Request, key: str = "") -> Self:
        """What is journaled of *request*: all but the variables in view."""
        return cls(
            request.id,
            request.kind,
            request.text,
            request.fields,
            request.choices,
            request.target,
            request.purpose,
            key,
            request.reasons,
        )

    def request_at(self, step: str) -> Request:
        """The question, asked by the step at the address *step*; without the variables in view."""
        return Request(
            self.request,
            self.kind,
            step,
            self.text,
            self.fields,
            self.choices,
            target=self.target,
            purpose=self.purpose,
            reasons=self.reasons,
        )


@dataclass(frozen=True, slots=True)
class InputAsked(Question):
    """Somebody is asked for an answer. *reads*: as at ``Giving``, where the answer is what a call gives."""

    reads: tuple[Any, ...] | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True)
class InputGiven(Leading):
    """*answer*: values or a decision, and text. *judge*: who gave it, where that was no person and no script.

    *instead*: as a person wanted it, in the place of who was asked.
    """

    request: str
    kind: RequestKind
    answer: Mapping[str, Any]
    judge: str = ""
    instead: Instead | None = None


@dataclass(frozen=True, slots=True)
class Told(Giving):
    """Something is said to *target*; empty: the user."""

    text: str
    target: str = ""


# Calls of tools


@dataclass(frozen=True, slots=True)
class ToolCalled(EventPayload):
    """The intent, written before the call is made. *key*: stays the same when the call is made again.

    *noted*: of Python. *digest* (of the arguments) and *step* (an id): of a step list. *asks*: it needs leave first.
    *acting*: as which agent it is made, empty for the one at work. *mock*: it is not made, and gives this.
    *reads*: as at ``Giving``.
    """

    tool: str
    agent: str
    safety: CallSafety
    key: str
    positional: tuple[Any, ...]
    named: Mapping[str, Any]
    digest: str | None = None
    step: str | None = None
    noted: Noted = NOWHERE
    asks: bool = False
    acting: str = ""
    reads: tuple[Any, ...] | None = None
    mock: MockedCall | None = None


@dataclass(frozen=True, slots=True)
class ToolPrinted(EventPayload):
    """What the call has written to its output so far."""

    text: str


@dataclass(frozen=True, slots=True)
class NamedValue:
    """A value that is kept under a name."""

    name: str
    value: Any


@dataclass(frozen=True, slots=True)
class ToolResult(Leading):
    """*recovered*: a dead process made the call. *hash*, *artifact*: of a file that was read. *instead*: as a person
    wanted it.
    """

    value: Any
    recovered: bool = False
    hash: str = ""
    artifact: NamedValue | None = None
    tool: str | None = None
    named: Mapping[str, Any] | None = None
    instead: Instead | None = None


@dataclass(frozen=True, slots=True)
class ToolError(EventPayload):
    """*is_over*: nothing in the run waits for what the call gives. *is_raised*: the Python that made the call has it as
    an exception. *tool*, *named*: of a step list.
    """

    message: str
    is_over: bool = False
    is_raised: bool = False
    tool: str | None = None
    named: Mapping[str, Any] | None = None
    instead: Instead | None = None


@dataclass(frozen=True, slots=True)
class CallInDoubt(Question):
    """A call was begun and nobody saw its end; somebody is asked."""


@dataclass(frozen=True, slots=True)
class CallResolved(Leading):
    """*noted*: of a call that is made again. *tool*, *named*, *message* (why it does not count): of a step list."""

    how: InDoubtChoice
    value: Any
    text: str | None = None
    message: str | None = None
    tool: str | None = None
    named: Mapping[str, Any] | None = None
    noted: Noted = NOWHERE
