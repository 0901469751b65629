"""The call stack of a run: playbooks that have not returned, the steps open in each, and a tool call under way."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workbench.engine.expressions.unrolling import NOT_UNROLLED, Reads, Unrolled
from workbench.engine.journal.choices import EntryCause, Scope
from workbench.engine.journal.debug_events import AnswerHeld, ResultHeld
from workbench.engine.journal.instead import NOWHERE, Instead, MockedCall, Noted
from workbench.engine.journal.payload import NOTHING
from workbench.engine.ports import Request
from workbench.engine.state.judging import Judging
from workbench.tools.values import CallSafety


@dataclass(frozen=True, slots=True)
class OpenStep:
    """A step that has begun and not ended. *rounds*, *items*: of a loop, as far as it has come."""

    step: str
    span: str
    line: int = 0
    rounds: int = 0
    items: Any = None


class ApprovalState(enum.Enum):
    """How far leave for a call has come. FREE: it needs none. USED: it was given, and the call may have begun."""

    FREE = "free"
    NEEDED = "needed"
    ASKED = "asked"
    GRANTED = "granted"
    USED = "used"
    DENIED = "denied"


@dataclass(frozen=True, slots=True)
class Approval:
    """Leave for one call. *digest*: what it is about. *asked_ns*: when it was asked for. *reason*: why it is denied."""

    state: ApprovalState = ApprovalState.FREE
    digest: str = ""
    asked_ns: int = 0
    reason: str = ""


FREE, NEEDED = Approval(), Approval(ApprovalState.NEEDED)


@dataclass(frozen=True, slots=True)
class Intent:
    """A tool call that was journaled and whose result was not.

    *key*: stays the same when the call is made again. *is_in_doubt*: nobody knows
    whether the call happened. *noted*: where it stands that this attempt has begun. *approval*: whether it may be made.
    *acting*: as which agent it is made, empty for the one at work. *mock*: what it gives, and it is not made.
    *held*: what it has come to, while the run stops before that is used.
    """

    key: str
    tool: str
    agent: str
    safety: CallSafety
    span: str
    positional: tuple[Any, ...] = ()
    named: tuple[tuple[str, Any], ...] = ()
    attempt: int = 1
    is_in_doubt: bool = False
    noted: Noted = NOWHERE
    approval: Approval = FREE
    acting: str = ""
    mock: MockedCall | None = None
    held: ResultHeld | None = None


@dataclass(frozen=True, slots=True)
class Before:
    """What a variable was before an answer set it; NOTHING: it was not there. *parameter*: of the frame's own."""

    scope: Scope
    agent: str
    name: str
    value: Any
    parameter: Any = NOTHING


@dataclass(frozen=True, slots=True)
class Answering:
    """A step that began and did nothing yet but ask, and use what it was answered.

    *span*: of the step; *pc*: the instruction with which it begins. *request*: its question, once it is asked.
    *answer*, *judge*, *instead*: as at ``InputGiven``, once it is given, in the event *seq*. *before*: what it has set.
    """

    span: str
    pc: int
    request: Request | None = None
    answer: Mapping[str, Any] | None = None
    seq: int = -1
    judge: str = ""
    instead: Instead | None = None
    before: tuple[Before, ...] = ()


@dataclass(frozen=True, slots=True)
class Planning:
    """How far a step has come that needs a plan. *round*: how often that was sent back, for *problems*.

    *plan*: one that can be used; *is_allowed*: its playbooks may be carried out; *names*: of those that are written.
    """

    round: int = 0
    problems: tuple[str, ...] = ()
    plan: Mapping[str, Any] | None = None
    is_allowed: bool = False
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Frame:
    """One playbook that has been called and has not returned.

    *locals*: names written without ``$``. *parameters*: ``$`` parameters, which stay the
    frame's own while a called playbook changes the agent's. *pc*: the next instruction.
    *answer*, *done*: what is known, and how much is done, within that instruction. *cause*: why
    it began; *trigger*: the key of the trigger that began it. *meeting*: the
    number of the meeting that it is part of, 0 for none. *description*: its placeholders filled in.
    *intents*: tool calls under way, the innermost last: Python may call back. *judging*: the question that a model has.
    *unrolled*: what the expressions of that instruction have come to so far. *last*: what the last call gave.
    *said*: what the question at hand is answered, while the run stops before that is used. *answering*: the last step.
    *planning*: of a step that needs a plan.
    """

    playbook: str
    agent: str
    span: str
    pc: int
    open: tuple[OpenStep, ...]
    locals: Mapping[str, Any]
    parameters: Mapping[str, Any]
    answer: Mapping[str, Any] | None = None
    done: int = 0
    cause: EntryCause = EntryCause.CALL
    trigger: str = ""
    meeting: int = 0
    description: str = ""
    intents: tuple[Intent, ...] = ()
    judging: Judging | None = None
    unrolled: Unrolled = NOT_UNROLLED
    last: Any = NOTHING
    said: AnswerHeld | None = None
    answering: Answering | None = None
    planning: Planning | None = None

    @property
    def step(self) -> str:
        """The address of the innermost step that is being carried out, empty between steps."""
        return self.open[-1].step if self.open else ""


class LiveFrame:
    """A frame that changes in place; what its attributes mean is said at ``Frame``."""

    __slots__ = (
        "agent",
        "answer",
        "answering",
        "cause",
        "description",
        "done",
        "intents",
        "judging",
        "last",
        "locals",
        "meeting",
        "open",
        "parameters",
        "pc",
        "planning",
        "playbook",
        "said",
        "span",
        "trigger",
        "unrolled",
    )

    def __init__(self, frame: Frame) -> None:
        self.playbook, self.agent, self.span = frame.playbook, frame.agent, frame.span
        self.pc = frame.pc
        self.open = list(frame.open)
        self.locals = dict(frame.locals)
        self.parameters = dict(frame.parameters)
        self.answer = frame.answer
        self.done = frame.done
        self.cause, self.trigger, self.meeting = frame.cause, frame.trigger, frame.meeting
        self.description = frame.description
        self.intents = list(frame.intents)
        self.judging = frame.judging
        self.unrolled, self.last = frame.unrolled, frame.last
        self.said, self.answering, self.planning = frame.said, frame.answering, frame.planning

    def lead_to(self, pc: int) -> None:
        """Another instruction is at hand."""
        self.pc, self.answer, self.done, self.unrolled, self.planning = pc, None, 0, NOT_UNROLLED, None

    def begin_inner(self, reads: Reads | None) -> None:
        """A call has begun; with *reads*, one that an expression holds."""
        if reads is not None:
            self.unrolled = self.unrolled.begun(reads)

    def correct(self, name: str, value: Any) -> None:
        """A step of this frame has set *name* before it was done: its expressions have read that value."""
        if self.unrolled.reads:
            self.unrolled = self.unrolled.corrected(name, value)

    def take(self, value: Any) -> None:
        """A call of this frame has given *value*: to the expression that holds it, or to the instruction."""
        self.answer = {"return": value}
        if self.intents or self.judging is not None:  # it is for Python that has called back, or for a model
            return
        self.last = value
        if self.unrolled.is_open:
            self.unrolled, self.answer, self.done = self.unrolled.given(value), None, 0

    def hear(self, answer: Mapping[str, Any]) -> None:
        """A question of this frame was answered; somebody may have made a call that nothing else could make."""
        if self.unrolled.is_open and not self.intents:
            self.take(answer["values"]["result"])
        else:
            self.answer = answer

    def leave(self, span: str) -> None:
        """The step of *span* has ended; it need not be the innermost one where steps keep no order."""
        if self.open[-1].span != span and any(step.span == span for step in self.open):
            self.open = [step for step in self.open if step.span != span]
        else:
            self.open.pop()

    def frozen(self) -> Frame:
        """This frame as a value."""
        return Frame(
            playbook=self.playbook,
            agent=self.agent,
            span=self.span,
            pc=self.pc,
            open=tuple(self.open),
            locals=dict(self.locals),
            parameters=dict(self.parameters),
            answer=self.answer,
            done=self.done,
            cause=self.cause,
            trigger=self.trigger,
            meeting=self.meeting,
            description=self.description,
            intents=tuple(self.intents),
            judging=self.judging,
            unrolled=self.unrolled,
            last=self.last,
            said=self.said,
            answering=self.answering,
            planning=self.planning,
        )
