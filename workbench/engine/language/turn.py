"""One decision's view of a run: the instruction at hand, the variables in view, drafts of events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from workbench.engine.decider import Draft
from workbench.engine.expressions.data import NotData, as_data, digest_of
from workbench.engine.expressions.evaluation import EvaluationFailed, UnknownName, evaluate
from workbench.engine.expressions.limits import Caller, Lookup, Mixed
from workbench.engine.expressions.unrolling import CallWanted, Unrolling
from workbench.engine.journal.choices import Scope
from workbench.engine.journal.payload import NOTHING, EventPayload, Giving
from workbench.engine.journal.run_events import VariableSet
from workbench.engine.language.given import given_to
from workbench.engine.language.program.book import Book
from workbench.engine.language.program.code import Instruction
from workbench.engine.readings import Operand, Unlike, operands_of, text_and_number, unlike
from workbench.engine.state.fold import RunFold
from workbench.engine.state.frames import LiveFrame
from workbench.engine.state.world import LiveWorld
from workbench.i18n import _, numeral
from workbench.model.meaning import Call, Variable
from workbench.syntax.expressions import Expression
from workbench.tools.values import CallSafety


@dataclass(frozen=True, slots=True)
class Rules:
    """What a run may do.

    *tool_safety*: (agent, tool) → whether it may be called again, or None for no such tool.
    *artifact_threshold*: a result with more characters is kept as an artifact too. *max_idle*: how many steps and
    rounds may follow each other without a call, an answer, a word or another value of a variable.
    """

    tool_safety: Callable[[str, str], CallSafety | None]
    max_depth: int = 64
    max_steps: int = 1_000_000
    artifact_threshold: int = 500
    max_idle: int = 10_000


class StepFailed(Exception):
    """A step cannot be carried out; the message is a sentence without the step's name."""


class NeedsReading(StepFailed):
    """A step cannot be carried out unless somebody says how *unlike* is to be read."""

    def __init__(self, found: Unlike) -> None:
        super().__init__(found.message)
        self.unlike = found


@dataclass(frozen=True, slots=True)
class Turn:
    """What a decision about one instruction may look at.

    *unrolling*: where expressions of it hold calls. *is_inner*: what is begun is one of those.
    """

    state: RunFold
    book: Book
    rules: Rules
    at: Instruction
    unrolling: Unrolling | None = None
    is_inner: bool = False

    @property
    def frame(self) -> LiveFrame:
        """The frame at work."""
        return self.state.frames[-1]

    @property
    def agent(self) -> str:
        """Who acts: the agent at work, or the one whose Python calls back."""
        return self.state.acting

    def check_idle(self) -> None:
        """Raise StepFailed where nothing has happened for so long that nothing ever will."""
        if self.state.idle >= self.rules.max_idle:
            message = _(
                "the last {limit} steps and rounds changed nothing: no call, no question, no message, no other value "
                "of a variable. Does a loop never end?"
            )
            raise StepFailed(message.format(limit=numeral(self.state.idle)))

    def draft(self, payload: EventPayload) -> Draft:
        """An event about the step at hand that lies in its span."""
        return Draft(payload, self.at.address, self.at.line, self.state.open_span)

    def opening(self, payload: EventPayload) -> Draft:
        """An event about the step at hand that begins a span of its own."""
        state = self.state
        return Draft(payload, self.at.address, self.at.line, f"s{state.spans + 1}", state.open_span)

    def giving(self, payload: Giving, value: Any = None) -> Draft:
        """An event by which the call at hand has come to *value*; leads on where nothing waits for that."""
        meaning = self.at.meaning
        if not self.is_inner and isinstance(meaning, Call) and meaning.result is None and not self.frame.intents:
            return self.draft(replace(payload, pc=self.at.next))
        return self.draft(replace(payload, gives=value))

    def lookup(self, name: str, is_state: bool) -> object:
        """The value of a variable. ``$x``: the frame's own parameter, then the agent's, then a local.

        Raises UnknownName where there is none.
        """
        frame = self.frame
        agent = self.state.agents[frame.agent]
        places = (frame.parameters, agent, frame.locals) if is_state else (frame.locals, frame.parameters, agent)
        for place in places:
            if name in place:
                return place[name]
        if frame.meeting and name in ("meeting", "current_meeting", "self"):
            record = meeting_record(self.state.world, frame.meeting)
            return {"meeting": record, "current_meeting": record} if name == "self" else record
        if name == "_" and frame.last is not NOTHING:
            return frame.last
        try:
            return given_to(self.state, self.book, frame, name)
        except UnknownName:
            raise UnknownName(name, tuple({known: None for place in places for known in place})) from None

    def has(self, name: str) -> bool:
        """Whether *name*, written without a dollar sign, has a value."""
        try:
            self.lookup(name, is_state=False)
        except UnknownName:
            return False
        return True

    @property
    def names(self) -> Lookup:
        """The values that expressions read."""
        return self.lookup if self.unrolling is None else self.unrolling.read

    @property
    def caller(self) -> Caller | None:
        """What gives the results of the calls that expressions hold."""
        return None if self.unrolling is None else self.unrolling.call

    def value(self, expression: Expression) -> Any:
        """What *expression* gives, as JSON data; raises StepFailed, and CallWanted."""
        try:
            return as_data(evaluate(expression, self.names, self.caller))
        except CallWanted:
            raise
        except EvaluationFailed as error:
            message = _explained(error, expression)
            raise self.failure(error, expression.source, (expression,), message) from error
        except NotData as error:
            raise StepFailed(f"{error}.") from error

    def failure(self, error: Exception, source: str, parts: Iterable[Expression], message: str) -> StepFailed:
        """The failure that *error* is, with *message*; or the need to know how values are to be read.

        *parts*: the expressions of *source*, where it happened.
        """
        cause = error if isinstance(error, Mixed) else error.__cause__
        # what is asked is asked instead of the step, so the step must not have begun with its own questions
        is_untouched = self.frame.answer is None and not self.frame.done and self.frame.judging is None
        found = unlike(cause, source, self._operands(parts)) if isinstance(cause, Mixed) else None
        if found is not None and is_untouched:
            return NeedsReading(found)
        is_mixed = isinstance(cause, Mixed) and None not in text_and_number(cause)
        return StepFailed(f"{message} {_how_to_mend()}" if is_mixed else message)

    def _operands(self, parts: Iterable[Expression]) -> Iterator[Operand]:
        """What *parts* compare or compute with, as far as it has values."""
        for operand in dict.fromkeys(each for part in parts for each in operands_of(part)):
            with suppress(LookupError, TypeError):
                value = self.lookup(operand.variable.name, operand.variable.is_state)
                found = replace(operand, value=value)
                found.part  # noqa: B018 - raises where there is none
                yield found

    def set_variable(self, variable: Variable, value: Any, pc: int | None = None) -> Draft:
        """The event that sets *variable*; *pc*: where that leads, None where the instruction goes on."""
        frame = self.frame
        place = self.state.agents.get(self.agent, {}) if variable.is_state else frame.locals
        old = digest_of(place[variable.name]) if variable.name in place else None
        scope = Scope.STATE if variable.is_state else Scope.LOCAL
        return self.draft(VariableSet(variable.name, scope, old, value, pc=pc))

    def set_last(self, variable: Variable, value: Any) -> Draft:
        """The event that sets *variable* and thereby finishes the instruction."""
        return self.set_variable(variable, value, self.at.next)


def meeting_record(world: LiveWorld, number: int) -> dict[str, Any]:
    """A meeting as steps see it: ``meeting.topic``, ``meeting.state.price``, ``meeting.messages``."""
    meeting = world.meetings[number]
    return {
        "id": number,
        "topic": meeting.topic,
        "host": meeting.host,
        "attendees": list(meeting.joined),
        "state": dict(meeting.state),
        "shared_state": dict(meeting.state),
        "messages": [{"from": each.sender, "text": each.text} for each in meeting.log],
    }


def _how_to_mend() -> str:
    message = _("A text that is meant as a number goes into {number}, a number that is meant as text into {text}.")
    return message.format(number="int(…)", text="str(…)")


def _explained(error: EvaluationFailed, expression: Expression) -> str:
    """What went wrong and where, as one sentence."""
    problem = str(error).rstrip(".")
    message = _("{problem} (at position {position} of “{source}”).")
    return message.format(problem=problem, position=error.position + 1, source=expression.source)
