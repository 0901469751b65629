"""A run as it is replayed: its events, how far the replay has come with them, and the texts that belong to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from workbench.engine.expressions.data import canonical
from workbench.engine.journal import approval_events as approval
from workbench.engine.journal import debug_events as debug
from workbench.engine.journal import fork_events as fork
from workbench.engine.journal import model_events as model
from workbench.engine.journal import run_events as run
from workbench.engine.journal.choices import StepStatus
from workbench.engine.journal.codec import decoded, encoded
from workbench.engine.journal.envelope import pack
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.journal import Journal, Keeps
from workbench.engine.journal.payload import EventPayload, UnknownEvent
from workbench.engine.journal.run_events import RunCreated
from workbench.engine.journal.steplist_events import TurnAsked
from workbench.errors import StoreFailed
from workbench.i18n import _
from workbench.secrets import holds_mark, without_marks
from workbench.syntax.text import SourceText

TOLD: frozenset[type[EventPayload]] = frozenset(
    {
        run.RunCreated,
        run.JudgesChosen,
        run.RunPaused,
        run.RunResumed,
        run.RunCancelling,
        run.RunCancelled,
        run.ToolPrinted,
        run.CallInDoubt,
        model.ModelSaid,
        approval.ApprovalAsked,
        approval.ApprovalGranted,
        approval.ApprovalDenied,
        approval.ApprovalExpired,
        approval.ApprovedCallBegun,
        debug.BreakpointHit,
        debug.PointLogged,
        debug.ResultHeld,
        debug.AnswerHeld,
        debug.AnswerRecalled,
        debug.StateEdited,
        fork.RunForked,
        UnknownEvent,
    }
)
"""Events that no decider decides: a person did it, a tool, or the way in which a run is carried out."""
_NEAR = 8


@dataclass(frozen=True, slots=True)
class Today:
    """A text that a run is replayed on instead of its own. *path*: of its file, for what it links to; empty for none.

    *skills*: the tools of the skills that its steps can use, by name.
    """

    source: SourceText
    path: str = ""
    skills: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recording:
    """A run that can be replayed. *texts*: what keeps the text that it was begun with, and those that it links to."""

    events: tuple[RunEvent, ...]
    texts: Keeps

    @property
    def run(self) -> RunId:
        """Which run it is."""
        return self.events[0].run

    @property
    def origin(self) -> RunCreated:
        """How it was started."""
        created = self.events[0].payload
        assert isinstance(created, RunCreated), "checked when it was read"
        return created


def recorded(journal: Journal, run_id: RunId) -> Recording:
    """The run *run_id* of *journal*. Raises StoreFailed where it is unknown, or not as it was written."""
    return Recording(journal.check(run_id), journal)


def with_secrets_known(recording: Recording, secrets: Mapping[str, str]) -> Recording:
    """*recording*, with what *secrets* says in the place of the marks that it names."""
    if not secrets:
        return recording
    return replace(recording, events=tuple(_known(event, secrets) for event in recording.events))


def _known(event: RunEvent, secrets: Mapping[str, str]) -> RunEvent:
    body = encoded(event.payload)
    if not holds_mark(body):
        return event
    return replace(event, payload=decoded(event.name, without_marks(body, secrets)))


class NotKept:
    """Texts that a replay has met, and none besides."""

    def __init__(self) -> None:
        self._texts: dict[str, bytes] = {}

    def keep(self, content: bytes | Mapping[str, Any]) -> str:
        """The name of *content*."""
        content = content if isinstance(content, bytes) else canonical(content).encode("utf-8", "surrogatepass")
        name = pack(content)[0]
        self._texts[name] = content
        return name

    def kept(self, name: str) -> bytes:
        """The text called *name*. Raises StoreFailed for one that was not met."""
        if name not in self._texts:
            raise StoreFailed(_("A text that belongs to this run is not kept with it."))
        return self._texts[name]


def begins_inside(event: RunEvent) -> bool:
    """Whether with *event* a run begins in the middle of a text: what stands before it was not carried out."""
    return isinstance(event.payload, fork.RunForked) and not event.payload.source


class Reading:
    """The events of a run, and how far the replay has come with them.

    What stands in the place of the world (a person, tools, models) reads from here what that said.
    """

    def __init__(self, events: tuple[RunEvent, ...]) -> None:
        self.events = events
        self.at = 0
        self._begun = max((at for at, each in enumerate(events) if begins_inside(each)), default=-1)
        calls = (each.payload for each in events)
        self.calls = {call.tool: call for call in calls if isinstance(call, run.ToolCalled)}

    @property
    def event(self) -> RunEvent | None:
        """The next event; None at the end."""
        return self.events[self.at] if self.at < len(self.events) else None

    @property
    def payload(self) -> EventPayload | None:
        """What it says."""
        return None if self.event is None else self.event.payload

    @property
    def is_decided(self) -> bool:
        """Whether the run decided the next event itself."""
        is_told = self.event is None or type(self.event.payload) in TOLD or self._is_left_to_answer_again
        return self.at > self._begun and not is_told

    @property
    def _is_left_to_answer_again(self) -> bool:
        """Whether a step ends next because a person has it answered otherwise."""
        after = self._after(1)
        is_end = isinstance(self.payload, run.StepExited)
        return is_end and after is not None and isinstance(after.payload, debug.AnswerRecalled)

    @property
    def is_left_out(self) -> bool:
        """Whether a person has the step left out that begins next."""
        entered, left = self.event, self._after(1)
        if entered is None or left is None or not isinstance(left.payload, run.StepExited):
            return False
        is_skipped = left.payload.status is StepStatus.SKIPPED and left.span == entered.span
        return isinstance(entered.payload, run.StepEntered) and is_skipped

    def _after(self, count: int) -> RunEvent | None:
        return self.events[self.at + count] if self.at + count < len(self.events) else None

    def call_of(self, tool: str) -> run.ToolCalled | None:
        """The call of *tool* that comes next or soon, else one that was made at all; None where there is none."""
        near = (each.payload for each in self.events[self.at : self.at + _NEAR])
        soon = (each for each in near if isinstance(each, run.ToolCalled) and each.tool == tool)
        return next(soon, None) or self.calls.get(tool)

    @property
    def who_walks(self) -> str:
        """Who takes the next turn of a step list, or took the last one; empty where no turn is taken."""
        after = (each.payload for each in self.events[self.at :])
        before = (each.payload for each in reversed(self.events[: self.at]))
        return next((each.model for each in chain(after, before) if isinstance(each, TurnAsked)), "")
