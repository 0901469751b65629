"""The answer to the step at hand, as long as it can be another one: before it is used, and directly behind its use.

Behind it, the run goes back to where the step begins: what the answer has set is set as it was before, and the step is
carried out once more, with the other answer. So this holds only where nothing but that has happened since.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from workbench.engine.journal.choices import Scope
from workbench.engine.journal.debug_events import (
    AnswerHeld,
    AnswerRecalled,
    BreakpointHit,
    PointLogged,
    StateEdited,
)
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.fork_events import RunForked
from workbench.engine.journal.payload import NOTHING
from workbench.engine.journal.run_events import (
    BranchTaken,
    InputAsked,
    InputGiven,
    JudgesChosen,
    RunPaused,
    RunResumed,
    StepExited,
    VariableSet,
)
from workbench.engine.ports import Purpose, Request
from workbench.engine.state.frames import Answering, Before, Frame
from workbench.engine.state.live_run import LiveRun
from workbench.engine.state.run_state import RunState

_UNRELATED = frozenset(
    {RunPaused, RunResumed, BreakpointHit, PointLogged, StateEdited, AnswerHeld, AnswerRecalled, JudgesChosen}
)
_OF_STEPS = frozenset({Purpose.STEP, Purpose.WORK})


@dataclass(frozen=True, slots=True)
class AnswerAtHand:
    """An answer that can be another one. *is_used*: it was used already, so that its step is carried out again."""

    request: Request
    answer: Mapping[str, Any]
    is_used: bool


def answer_at_hand(state: RunState) -> AnswerAtHand | None:
    """The answer that could be changed if the run stopped at *state*; None where there is none."""
    frame: Frame = state.frames[-1] if state.frames else state.lobby
    asked = state.pending or (frame.judging.request if frame.judging is not None else None)
    if frame.said is not None:
        return AnswerAtHand(asked, frame.said.answer, is_used=False) if asked is not None else None
    at = frame.answering
    if at is None or at.request is None or at.answer is None:
        return None
    return AnswerAtHand(at.request, at.answer, is_used=True)


def go_past(run: LiveRun, event: RunEvent, at: Answering) -> Answering | None:
    """*at*, of the frame at work, before *event* is taken in; None where its answer can be no other any more."""
    payload = event.payload
    if type(payload) in _UNRELATED or (isinstance(payload, RunForked) and payload.text is None):
        return at
    if at.request is None:
        if not isinstance(payload, InputAsked) or payload.purpose not in _OF_STEPS:
            return None
        return replace(at, request=payload.request_at(event.step))
    if at.answer is None:
        return _given(event, at)
    match payload:
        case VariableSet():
            return _noted(run, payload, at)
        case BranchTaken():
            return at
        case StepExited() if event.span == at.span:
            return at
    return None


def _given(event: RunEvent, at: Answering) -> Answering | None:
    payload = event.payload
    assert at.request is not None
    if not isinstance(payload, InputGiven) or payload.request != at.request.id:
        return None if isinstance(payload, StepExited) else at
    is_answer = "values" in payload.answer or "decision" in payload.answer
    if not is_answer:
        return None
    return replace(at, answer=payload.answer, seq=event.seq, judge=payload.judge, instead=payload.instead)


def _noted(run: LiveRun, variable: VariableSet, at: Answering) -> Answering:
    """*at*, with what *variable* was before this answer set it."""
    frame, agent, name = run.top, run.acting, variable.name
    if any((each.scope, each.agent, each.name) == (variable.scope, agent, name) for each in at.before):
        return at
    if variable.scope is Scope.LOCAL:
        was = Before(Scope.LOCAL, "", name, frame.locals.get(name, NOTHING))
    else:
        own = frame.parameters.get(name, NOTHING) if agent == frame.agent else NOTHING
        was = Before(variable.scope, agent, name, run.agents.get(agent, {}).get(name, NOTHING), own)
    return replace(at, before=(*at.before, was))


def take_back(run: LiveRun) -> None:
    """Go back to where the step at hand began, as if it had not been answered."""
    frame, at = run.top, run.top.answering
    if at is None:
        return
    for was in at.before:
        place = frame.locals if was.scope is Scope.LOCAL else run.agents.setdefault(was.agent, {})
        if was.value is NOTHING:
            place.pop(was.name, None)
        else:
            place[was.name] = was.value
        if was.parameter is not NOTHING:
            frame.parameters[was.name] = was.parameter
    frame.answering = None
    frame.lead_to(at.pc)


def that_count(events: Iterable[RunEvent]) -> list[RunEvent]:
    """*events* without the answers that were recalled."""
    known = list(events)
    recalled = {each.payload.of for each in known if isinstance(each.payload, AnswerRecalled)}
    return [each for each in known if each.seq not in recalled] if recalled else known
