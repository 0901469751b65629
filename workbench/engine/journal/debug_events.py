"""What a person does to a run while it is watched: stops it at a breakpoint, logs at a step, changes a variable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from workbench.engine.journal.choices import Scope
from workbench.engine.journal.instead import How, Instead
from workbench.engine.journal.payload import LATER, EventPayload
from workbench.engine.journal.run_events import InputGiven, NamedValue, ToolError, ToolResult
from workbench.engine.ports import RequestKind


@dataclass(frozen=True, slots=True)
class BreakpointHit(EventPayload):
    """The run stops before what comes next. *breakpoint*: as it is written. *problem*: what fails, or is broken."""

    breakpoint: str
    count: int = 0
    problem: str = field(default="", metadata=LATER)


@dataclass(frozen=True, slots=True)
class PointLogged(EventPayload):
    """A log point has told *text*. *problem*: why it, or the condition of a breakpoint, cannot be worked out."""

    breakpoint: str
    text: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class StateEdited(EventPayload):
    """A person has given a variable another value. *old*: the digest of the value before, None where there was none.

    *agent*: of a ``$`` variable, whose it is; *frame*: the span of the playbook in which the variable is seen.
    *by*: who has done it.
    """

    name: str
    scope: Scope
    agent: str
    frame: str
    old: str | None
    new: Any
    by: str = ""


@dataclass(frozen=True, slots=True)
class ResultHeld(EventPayload):
    """The call at hand has come to *value*, or has failed (*failure*), and the run stops before that is used.

    *recovered*, *hash*, *artifact*: as at ``ToolResult``. *instead*: it is not what the tool gave.
    """

    value: Any
    failure: str | None = None
    recovered: bool = False
    hash: str = ""
    artifact: NamedValue | None = None
    instead: Instead | None = None

    @classmethod
    def of(cls, outcome: ToolResult | ToolError) -> ResultHeld:
        """What is held of *outcome*."""
        if isinstance(outcome, ToolError):
            return cls(None, outcome.message, instead=outcome.instead)
        return cls(outcome.value, None, outcome.recovered, outcome.hash, outcome.artifact, outcome.instead)

    @property
    def outcome(self) -> ToolResult | ToolError:
        """What the call comes to when the run goes on."""
        if self.failure is not None:
            return ToolError(self.failure, instead=self.instead)
        return ToolResult(self.value, self.recovered, self.hash, self.artifact, instead=self.instead)

    def edited(self, value: Any, failure: str, by: str) -> ResultHeld:
        """The same, after the person *by* has given *value* or *failure* instead; what was there first is kept."""
        instead = self.instead or Instead(How.EDIT, by, self.value, self.failure or "")
        return ResultHeld(value, failure or None, instead=instead)


@dataclass(frozen=True, slots=True)
class AnswerHeld(EventPayload):
    """The question at hand is answered, and the run stops before that is used. *kind*: of the question.

    *answer*, *judge*, *instead*: as at ``InputGiven``.
    """

    kind: RequestKind
    answer: Mapping[str, Any]
    judge: str = ""
    instead: Instead | None = None

    @classmethod
    def of(cls, given: InputGiven) -> AnswerHeld:
        """What is held of *given*."""
        return cls(given.kind, given.answer, given.judge, given.instead)

    def edited(self, answer: Mapping[str, Any], by: str) -> AnswerHeld:
        """The same, after the person *by* has given *answer* instead; what was there first is kept."""
        return AnswerHeld(self.kind, answer, self.judge, _edited(self.instead, self.answer, by))


@dataclass(frozen=True, slots=True)
class AnswerRecalled(EventPayload):
    """What was answered in the event *of* counts no longer: its step is carried out again, and answered otherwise.

    What that answer has set is as it was before. *kind*, *answer*, *judge*, *instead*: of the answer that comes.
    """

    of: int
    kind: RequestKind
    answer: Mapping[str, Any]
    judge: str = ""
    instead: Instead | None = None

    @classmethod
    def with_other(cls, given: AnswerHeld, of: int, answer: Mapping[str, Any], by: str) -> AnswerRecalled:
        """That the person *by* gives *answer* in the place of *given*, which was used already."""
        return cls(of, given.kind, answer, given.judge, _edited(given.instead, given.answer, by))

    @property
    def held(self) -> AnswerHeld:
        """What the question will be answered."""
        return AnswerHeld(self.kind, self.answer, self.judge, self.instead)


def _edited(instead: Instead | None, first: Mapping[str, Any], by: str) -> Instead:
    """Why an answer is another one than *first*, which stood there because of *instead*."""
    if instead is not None and instead.how is How.EDIT:
        return replace(instead, by=by)
    return Instead(How.EDIT, by, first, run=instead.run if instead is not None else "")
