"""Judges as an earlier run did: its answers, step by step and in their order."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from workbench.engine.enforcement.decisions import CONTROL_TOOLS
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.run_events import CallResolved, InputAsked, InputGiven, ToolError, ToolResult
from workbench.engine.journal.steplist_events import CallBlocked, CallCancelled, Foreseen, PlanSteered, TurnTaken
from workbench.engine.judges import subject_of
from workbench.engine.judging.telling import as_answer
from workbench.engine.ports import Answer, InDoubtChoice, Purpose, Request, RequestKind
from workbench.engine.state.answering import that_count
from workbench.engine.steplists.walking import Tool, Turn, TurnAnswer
from workbench.errors import InputNeeded, RunFailed
from workbench.i18n import _
from workbench.model.loader.steplist import Playbook

_Place = tuple[str, RequestKind, Purpose]


class ReplayJudge:
    """The judgements of one run, each given once."""

    def __init__(self, events: Iterable[RunEvent]) -> None:
        self._answers: dict[_Place, deque[Mapping[str, Any]]] = {}
        for place, answer in _judged(events):
            self._answers.setdefault(place, deque()).append(answer)

    def catch_up(self, events: Iterable[RunEvent]) -> None:
        """Leave out what a run that is gone on with has been given before."""
        for place, _answer in _judged(events):
            if self._answers.get(place):
                self._answers[place].popleft()

    def answer_to(self, request: Request) -> Answer | None:
        """The next answer to *request*; None where none is left."""
        left = self._answers.get((request.step, request.kind, request.purpose))
        return as_answer(request, left.popleft()) if left else None


def _judged(events: Iterable[RunEvent]) -> Iterable[tuple[_Place, Mapping[str, Any]]]:
    """The judgements in *events*, with the place of each."""
    asked: dict[str, Request] = {}
    for event in that_count(events):
        match event.payload:
            case InputAsked() as question:
                asked[event.span] = question.request_at(event.step)
            case InputGiven(answer=answer):
                request = asked.pop(event.span, None)
                if request is not None and subject_of(request) is not None:
                    yield (request.step, request.kind, request.purpose), answer


class ReplayWalker:
    """Walks a step list as an earlier run did: the same calls, turn by turn, with what they gave; nothing is done."""

    name = "replay"

    def __init__(self, events: Iterable[RunEvent]) -> None:
        self._turns = deque(turns_of(events))

    def judge(self, request: Request) -> Answer:
        """Always raises InputNeeded: the earlier run says nothing about questions."""
        raise InputNeeded(none_left(request.step, request.text))

    def cancel(self) -> None:
        """Nothing ever waits here."""

    def catch_up(self, events: Iterable[RunEvent]) -> None:
        """Leave out the turns that were taken before."""
        for event in events:
            if isinstance(event.payload, TurnTaken) and self._turns:
                self._turns.popleft()

    def take(self, turn: Turn) -> TurnAnswer:
        """The next turn of the earlier run. Raises InputNeeded where it had none."""
        if not self._turns:
            raise InputNeeded(none_left(turn.at.where.step if turn.at is not None else "", turn.context))
        return self._turns.popleft()

    def tools_for(self, playbook: Playbook) -> Mapping[str, Tool]:
        """The names that calls may have; what they give is written down."""
        names = [wish.tool for taken in self._turns for wish in taken.calls if wish.tool not in CONTROL_TOOLS]
        return dict.fromkeys((*names, *playbook.steps_by_tool), _not_made)


def _not_made(_arguments: Mapping[str, Any]) -> Any:
    raise RunFailed(_("The earlier run does not say what this call gave."))


def none_left(step: str, text: str) -> str:
    """Why a run that repeats another cannot go on."""
    message = _("{step} needs an answer, and the earlier run has none left: {text}")
    return message.format(step=step, text=text)


def turns_of(events: Iterable[RunEvent]) -> list[TurnAnswer]:
    """The turns in *events*, each with what its calls gave; one that was not made gives nothing."""
    turns: list[TurnAnswer] = []
    gave: list[Foreseen] = []
    for event in events:
        match event.payload:
            case TurnTaken(calls, text):
                gave = []
                turns.append(TurnAnswer(calls, text))
            case ToolResult(value):
                gave.append(Foreseen(value, None))
            case CallResolved(how, value, message=message) if how is not InDoubtChoice.AGAIN:
                gave.append(Foreseen(value, message))
            case ToolError(message):
                gave.append(Foreseen(None, message))
            case CallBlocked() | CallCancelled() | PlanSteered():
                gave.append(Foreseen(None, None))
            case _:
                continue
        if turns and gave:
            turns[-1] = replace(turns[-1], foreseen=tuple(gave))
    return turns
