"""What became of a decision, as the record says: the events that followed from an answer, a result, a message."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workbench.engine.decider import (
    AskJudgement,
    Await,
    BeginStep,
    CallTool,
    Consult,
    Decider,
    Decision,
    Draft,
    Drafts,
    Ended,
    Heard,
    Passed,
    Settled,
)
from workbench.engine.journal.choices import EntryCause
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.model_events import CommandWanted, WishAnswered
from workbench.engine.journal.run_events import (
    CallResolved,
    InputGiven,
    PlaybookEntered,
    PlaybookExited,
    RunFailure,
    StepFailure,
    ToolCalled,
    ToolError,
    ToolResult,
    VariableSet,
)
from workbench.engine.journal.waiting_events import ConversationEnded, MessageHeard, TimerDue, WaitOver
from workbench.engine.language.program.book import type_of
from workbench.engine.language.python_calls import END
from workbench.engine.ports import CalledBack, Request, RequestKind, SetByTool
from workbench.engine.replaying.comparing import Comparison, as_world_said, with_message
from workbench.engine.replaying.recording import Reading
from workbench.engine.replaying.worlds import RecordedTools
from workbench.engine.state.fold import RunFold
from workbench.engine.state.frames import Intent
from workbench.engine.state.judging_rules import question
from workbench.errors import InputNeeded, RunFailed
from workbench.i18n import _


class Unfit(Exception):
    """The run does something else than was recorded, which is no event; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class Answering:
    """Takes decisions to the events that follow from them, by what was recorded. *decider*: has decided."""

    decider: Decider
    reading: Reading
    comparison: Comparison

    def drafts(self, fold: RunFold, event: RunEvent) -> Drafts:
        """What comes out where *event* was recorded. Raises Unfit."""
        try:
            found = self._followed(fold, self.decider.decide(fold), event)
        except InputNeeded as error:
            raise Unfit(str(error)) from error
        except RunFailed as error:  # whoever judges said something that is no answer
            found = self._failed(fold, error, event)
        return tuple(as_world_said(draft, event) for draft in found)

    def _followed(self, fold: RunFold, decision: Decision, event: RunEvent) -> Drafts:
        given, asked = event.payload, question(fold)
        if fold.top.said is not None and isinstance(given, InputGiven) and asked is not None:
            return self.decider.given(fold, asked, dict(given.answer))  # in the place of what a model said
        match decision:
            case AskJudgement(request):
                return self._answered(fold, request, event)
            case CallTool(intent):
                return self._called(fold, intent, event)
            case Consult(ask):
                return self._consulted(ask(_unheard), event)
            case Await() as wait:
                return self._woken(wait, event)
            case BeginStep(drafts):
                return self.decider.standing(fold).skipped() if self.reading.is_left_out else drafts
            case drafts:
                return drafts

    def _consulted(self, drafts: Drafts, event: RunEvent) -> Drafts:
        """*drafts*; which tools there were when a wish could not be met, only the record tells."""
        match drafts, event.payload:
            case [Draft(payload=WishAnswered(is_error=True) as mine)], WishAnswered(text=text, is_error=True):
                return (Draft(WishAnswered(mine.wish, mine.tool, text, is_error=True), *_around(drafts[0])),)
        return drafts

    def _answered(self, fold: RunFold, request: Request, event: RunEvent) -> Drafts:
        """The events that follow from the recorded answer to *request*."""
        match event.payload:
            case InputGiven(answer=answer):
                return self.decider.given(fold, request, dict(answer))
            case CommandWanted(command=command) if any(each.text == command and each.tool for each in request.commands):
                return self.decider.given(fold, request, {"run": command})
            case CallResolved() as resolved if request.kind is RequestKind.IN_DOUBT:
                return self._resolved(fold, resolved)
            case StepFailure(message) | RunFailure(message):
                return self._failed(fold, RunFailed(message), event)
        raise Unfit(_("The run waits for an answer to this question: {text}").format(text=request.text))

    def _failed(self, fold: RunFold, problem: RunFailed, event: RunEvent) -> Drafts:
        """The events that a question failed: why is in the words of whoever was asked."""
        try:
            return tuple(with_message(draft, event.payload) for draft in self.decider.not_given(fold, problem))
        except InputNeeded as error:
            raise Unfit(str(error)) from error

    def _resolved(self, fold: RunFold, said: CallResolved) -> Drafts:
        return self.decider.resolved(fold, Settled(said.how, said.value, said.text or ""))

    def _called(self, fold: RunFold, intent: Intent, event: RunEvent) -> Drafts:
        """The events that follow from what the call of *intent* gave, or from what its Python asked for."""
        match event.payload:
            case ToolResult(value, recovered, digest, artifact, instead=instead):
                result = ToolResult(value, recovered, digest, artifact, instead=instead)
                return self.decider.returned(fold, result)
            case ToolError(message):
                return tuple(with_message(each, event.payload) for each in self.decider.broke(fold, message))
            case CallResolved() as resolved:
                return self._resolved(fold, resolved)
        tools = self.decider.tools
        if isinstance(tools, RecordedTools) and tools.is_python(intent.agent, intent.tool):
            return self._called_back(fold, event)
        raise Unfit(_("The run waits for what {tool} gives.").format(tool=intent.tool))

    def _called_back(self, fold: RunFold, event: RunEvent) -> Drafts:
        """The event by which what Python asked for begins, or is done."""
        asked = _asked_by_python(event, type_of(fold.acting))
        if asked is None:  # it was done at once, with what Python gave for it
            place = self.decider.place(fold)
            return (Draft(event.payload, place.step, place.line, event.span, event.parent, event.actor),)
        try:
            return (self.decider.called_back(fold, asked),)
        except RunFailed as error:
            raise Unfit(_("What Python asks for cannot be done: {problem}").format(problem=error)) from error

    def _woken(self, wait: Await, event: RunEvent) -> Drafts:
        """The events that follow from what ended *wait*."""
        match event.payload:
            case MessageHeard(text) if wait.is_open:
                return wait.then(Heard(text))
            case ConversationEnded() if wait.may_end:
                return wait.then(Ended())
            case TimerDue() | WaitOver() if wait.until_ns:
                return self._passed(wait, event)
        raise Unfit(_("The run waits for a message or a time."))

    def _passed(self, wait: Await, event: RunEvent) -> Drafts:
        """What follows when the time has come: it was looked at just before the event, or it is the time itself."""
        found = [wait.then(Passed(now_ns)) for now_ns in (event.at_ns, wait.until_ns)]
        fitting = (each for each in found if each and not self.comparison.differences(event, each[0]))
        drafts = next(fitting, found[0])
        if not drafts:
            raise Unfit(_("The run still waits for its time."))
        return drafts


def _around(draft: Draft) -> tuple[str, int, str, str, str, int]:
    return draft.step, draft.line, draft.span, draft.parent, draft.actor, draft.attempt


def _unheard(_drafts: Drafts) -> None:
    """What is told meanwhile stands in the record."""


def _asked_by_python(event: RunEvent, own: str) -> CalledBack | SetByTool | None:
    """What Python of the agent *own* asked for, where *event* came of it; None where that gave its value at once."""
    match event.payload:
        case VariableSet(name=name, new=value):
            return SetByTool(name, value)
        case PlaybookEntered(cause=EntryCause.CALL, meeting=0) as entered:
            return CalledBack(f"{entered.agent}.{entered.playbook}", (), _items(entered.arguments))
        case ToolCalled(tool, agent, positional=positional, named=named):
            return CalledBack(tool if agent == own else f"{agent}.{tool}", positional, _items(named))
        case PlaybookExited(is_ending=True):
            return CalledBack(END, (), ())
    return None


def _items(values: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(values.items())
