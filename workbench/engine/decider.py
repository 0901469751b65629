"""Who decides about a run, and what is decided: events to journal, a question to ask, a call to make."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

from workbench.engine.background import Background
from workbench.engine.debugging.mocks import Mocking
from workbench.engine.expressions.limits import Lookup
from workbench.engine.journal.instead import NOWHERE, Noted
from workbench.engine.journal.payload import EventPayload
from workbench.engine.journal.run_events import ToolCalled, ToolResult
from workbench.engine.ports import (
    Asked,
    Broke,
    CalledBack,
    CallToAllow,
    InDoubtChoice,
    LookedUp,
    NeverBegun,
    Request,
    SetByTool,
    Unknown,
)
from workbench.engine.state.fold import RunFold
from workbench.engine.state.frames import Intent
from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.model.snapshot import Snapshot
from workbench.tools.values import Asking, CallSafety, ToolSpec


@dataclass(frozen=True, slots=True)
class Where:
    """What an event says about its place; see ``RunEvent``."""

    step: str = ""
    line: int = 0
    span: str = ""
    parent: str = ""

    def inside(self, span: str) -> Where:
        """The place of something that is called *span* and lies in this one."""
        return replace(self, span=span, parent=self.span)


@dataclass(frozen=True, slots=True)
class Draft:
    """An event that has no number and no time yet."""

    payload: EventPayload
    step: str = ""
    line: int = 0
    span: str = ""
    parent: str = ""
    actor: str = "engine"
    attempt: int = 1


Drafts = tuple[Draft, ...]
Tell = Callable[[Drafts], None]


def draft_at(where: Where, payload: EventPayload, actor: str = "engine") -> Draft:
    """The draft of an event that lies *where*."""
    return Draft(payload, where.step, where.line, where.span, where.parent, actor)


@dataclass(frozen=True, slots=True)
class BeginStep:
    """Journal *drafts*, by which a step begins: before it a run can be paused, and stepping counts it."""

    drafts: Drafts


@dataclass(frozen=True, slots=True)
class AskJudgement:
    """Wait for an answer to *request*."""

    request: Request


@dataclass(frozen=True, slots=True)
class Consult:
    """Let *ask*, which may take its time, say what happens next. That it is asked is journaled already.

    It may tell events that happen meanwhile.
    """

    ask: Callable[[Tell], Drafts]


@dataclass(frozen=True, slots=True)
class CallTool:
    """Make the call that was journaled as *intent*."""

    intent: Intent


@dataclass(frozen=True, slots=True)
class Heard:
    """A wait has ended with a message from the person."""

    text: str


@dataclass(frozen=True, slots=True)
class Passed:
    """A wait has ended because its time has come. *now_ns*: of the wall clock."""

    now_ns: int


@dataclass(frozen=True, slots=True)
class Ended:
    """A wait has ended because nobody wants to say any more."""


Woken = Heard | Passed | Ended


@dataclass(frozen=True, slots=True)
class Await:
    """Wait until *until_ns* (0: no time is set). That it is waited for is journaled already.

    *then*: the events that follow. *is_open*: whether a message ends it; *may_end*: whether the person can.
    """

    until_ns: int
    then: Callable[[Woken], Drafts]
    is_open: bool = False
    may_end: bool = False


Decision = Drafts | BeginStep | AskJudgement | Consult | CallTool | Await


@dataclass(frozen=True, slots=True)
class Settled:
    """What was said about a call in doubt. *value*: what it gave, where it was done."""

    how: InDoubtChoice
    value: Any = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Permission:
    """When a person is asked about a call. *subject*: what stands for it among what was allowed for the whole run.

    *reason*: why it is forbidden.
    """

    asking: Asking = Asking.NEVER
    subject: str = ""
    reason: str = ""


Recollection = NeverBegun | ToolResult | Broke | Unknown
"""What became of a call that a dead process left open."""


class Tools:
    """What makes the calls of a run. These tools may all be called, and nobody remembers what they did."""

    @cached_property
    def mocking(self) -> Mocking:
        """Which calls are not made, and what they give; these are all made."""
        return Mocking()

    def safety(self, _agent: str, _name: str) -> CallSafety | None:
        """Whether the tool may be called again unasked; None where there is none. Raises RunFailed, and Cancelled."""
        return None

    def offered(self, _agent: str) -> tuple[ToolSpec, ...]:
        """The tools that a judged step of *agent* may call; may start what offers them. Raises RunFailed, Cancelled."""
        return ()

    def admit(self, agent: str, name: str) -> None:
        """Raise NotTrusted where calling *name* would do what nobody has allowed."""

    def permission(self, _call: ToolCalled | Intent, _playbook: str) -> Permission:
        """Whether the call, made in the playbook at hand, needs leave."""
        return Permission()

    def described(self, intent: Intent) -> CallToAllow:
        """What a person is shown of the call, which needs leave. Raises RunFailed where it could not be made at all."""
        raise RunFailed(_("There is no tool called {name}.").format(name=intent.tool))

    def call(self, intent: Intent, on_output: Callable[[str], None]) -> ToolResult | Asked:
        """What the tool gives, or what it asks for first. Raises RunFailed, and Cancelled after ``cancel``."""
        raise RunFailed(_("There is no tool called {name}.").format(name=intent.tool))

    def reply(self, agent: str, reply: Mapping[str, Any], on_output: Callable[[str], None]) -> ToolResult | Asked:
        """What the tool of *agent* gives, or asks for next, after it got *reply* to what it asked for."""
        raise RunFailed(_("Nothing is asked for by {name}.").format(name=agent))

    def recall(self, _intent: Intent) -> Recollection:
        """What became of a call that another process began. Raises Cancelled after ``cancel``."""
        return Unknown()

    def noted(self, _agent: str, _name: str) -> Noted:
        """Where it is noted down that a call that is to be made has begun. Raises StoreFailed, and Cancelled."""
        return NOWHERE

    def cancel(self) -> None:
        """Give up the call at hand; callable from any thread."""

    def close(self) -> None:
        """End all that goes on for these tools; when this returns it has ended."""

    def forget(self) -> None:
        """Delete what was noted down about calls: the journal knows it all."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What can be done where a run stands. *names*: the values that an expression at the step at hand reads.

    *skipped*: the events by which the step that is about to begin is left out; raises RunFailed where that cannot be.
    """

    names: Lookup
    skipped: Callable[[], Drafts]


def _not_skipped() -> Drafts:
    message = _("A step list says itself which steps can be skipped. Answer the step with “skip”.")
    raise RunFailed(message)


class Decider(Protocol):
    """Says what a run does next. There is one for playbooks in markdown and one for step lists.

    Life cycle: the worker asks ``decide`` again and again, each time with the fold of everything that has
    happened. It journals the events that are decided, carries out what the world is asked for, and brings what
    the world said back as a question: *which events are that?* (``given``, ``returned``, ``broke``, …). A
    decider itself writes nothing, waits for nothing and knows nothing of threads, pausing or the journal; so a
    run can be cut off between any two events and go on from its events alone.

    All methods are called on the thread of the run. The call that some of them speak of is ``fold.intent``.
    """

    snapshot: Snapshot
    tools: Tools

    def decide(self, fold: RunFold) -> Decision:
        """The next thing to do in a run that is not over; the end is an event too. Leaves *fold* alone.

        Raises InputNeeded where nobody can say how to go on.
        """
        ...

    def given(self, fold: RunFold, request: Request, answer: dict[str, Any]) -> Drafts:
        """The events that *answer*, which was checked, was given to *request*."""
        ...

    def not_given(self, fold: RunFold, problem: RunFailed) -> Drafts:
        """The events that a question failed because of *problem*."""
        ...

    def background(self, fold: RunFold) -> Background:
        """What whoever judges now should know besides the question."""
        ...

    def place(self, fold: RunFold) -> Where:
        """Where the call at hand lies."""
        ...

    def returned(self, fold: RunFold, result: ToolResult) -> Drafts:
        """The events that the call at hand came to *result*."""
        ...

    def broke(self, fold: RunFold, message: str) -> Drafts:
        """The events that the call at hand failed for *message*."""
        ...

    def called_back(self, fold: RunFold, asked: CalledBack | SetByTool) -> Draft:
        """The event by which what a tool asks for begins, or is done. Raises RunFailed where there is none."""
        ...

    def looked_up(self, fold: RunFold, asked: LookedUp) -> Any:
        """What a tool wants to know. Raises RunFailed where there is no such thing."""
        raise RunFailed(_("There are no variables in this run."))

    def standing(self, fold: RunFold) -> Standing:
        """Where the run stands, for a person who looks at it; nothing can be left out unless a decider says how."""
        return Standing(fold.known, _not_skipped)

    def doubt(self, fold: RunFold, said: InDoubtChoice | None) -> Request | Settled:
        """The question what became of the call at hand, which may have been made.

        What was *said* beforehand (None: nothing) may settle it, so that no question is journaled. Raises
        InputNeeded where nobody could answer.
        """
        ...

    def resolved(self, fold: RunFold, settled: Settled) -> Drafts:
        """The events that the call at hand is made again, or is over, as *settled* says."""
        ...

    def cancel(self) -> None:
        """Give up what is waited for; callable from any thread."""
        self.tools.cancel()
