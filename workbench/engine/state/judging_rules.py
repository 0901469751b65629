"""What events do to the loop of a judged step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from workbench.engine.journal.choices import StepStatus
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.model_events import (
    AnswerProposed,
    CommandOver,
    CommandWanted,
    JudgementHandedOver,
    ModelAnswered,
    ModelAsked,
    ModelWish,
    WishAnswered,
)
from workbench.engine.journal.payload import NOTHING, EventPayload, Giving, Leading
from workbench.engine.journal.steplist_events import TurnTaken
from workbench.engine.ports import Request
from workbench.engine.state.judging import Judging, LoopStage, ModelTurn
from workbench.engine.state.live_run import LiveRun
from workbench.providers.values import Finish


def question(run: LiveRun) -> Request | None:
    """The question that the frame at work has a model answer."""
    loop = run.top.judging
    return None if loop is None else loop.request


def is_loop_call(run: LiveRun) -> bool:
    """Whether the call at hand is one that a model wants, and not one that a tool makes in turn."""
    loop = run.top.judging
    return loop is not None and loop.wish is not None and len(run.top.intents) == 1


def end_call(run: LiveRun, value: Any, *, is_error: bool = False) -> None:
    """The call that a model wants is over and came to *value*, which is for the model alone."""
    frame = run.top
    assert frame.judging is not None
    frame.answer, frame.done = None, 0
    frame.judging = frame.judging.came_to(value, is_error=is_error)


def take_result(run: LiveRun, payload: Leading) -> None:
    """Something that *payload* says is done gave a value: to the tool that asked for it, else to the model."""
    frame = run.top
    if isinstance(payload, Giving):
        frame.answer = {"return": None if payload.gives is NOTHING else payload.gives}
    if frame.answer is not None and not frame.intents:
        end_call(run, frame.answer["return"])


def ask_again(run: LiveRun) -> None:
    """The run goes on, perhaps in another process: what a model was asked and did not answer is asked again."""
    loop = run.top.judging
    if loop is not None and loop.stage is LoopStage.ASKED:
        run.top.judging = replace(loop, stage=LoopStage.DUE)


def _asked(run: LiveRun, event: RunEvent, asked: ModelAsked) -> None:
    frame = run.top
    loop = frame.judging
    if loop is None:
        assert run.pending is not None
        loop = Judging(run.pending, event.parent, event.line, since_ns=event.at_ns, at_ns=event.at_ns)
        run.pending = None
        run.step_statuses[event.step] = StepStatus.RUNNING
    turns = loop.turns
    if asked.problem and turns:
        turns = (*turns[:-1], replace(turns[-1], problem=asked.problem))
    frame.judging = replace(loop, stage=LoopStage.ASKED, turns=turns, context=asked.context, model=asked.model)
    run.used = replace(run.used, requests=run.used.requests + 1)


def _answered(run: LiveRun, event: RunEvent, answered: ModelAnswered) -> None:
    loop = run.top.judging
    assert loop is not None
    is_cut_off, is_filtered = answered.finish is Finish.LENGTH, answered.finish is Finish.FILTERED
    turn = ModelTurn(answered.text, answered.data, answered.wishes, is_cut_off, is_filtered)
    cost = loop.cost_usd + (answered.cost_usd or 0.0)
    run.top.judging = replace(
        loop,
        stage=LoopStage.ANSWERED,
        turns=(*loop.turns, turn),
        at_ns=event.at_ns,
        cost_usd=cost,
        model=answered.model or loop.model,
    )
    run.used = run.used.plus(answered)


def _wish_answered(run: LiveRun, _event: RunEvent, answered: WishAnswered) -> None:
    frame = run.top
    assert frame.judging is not None
    frame.judging = frame.judging.came_to(answered.text, is_error=answered.is_error)
    frame.answer = None


def _proposed(run: LiveRun, event: RunEvent, proposed: AnswerProposed) -> None:
    _with_person(run, event.step, proposal=proposed.answer)


def _handed_over(run: LiveRun, event: RunEvent, handed: JudgementHandedOver) -> None:
    _with_person(run, event.step, reason=handed.reason, said=handed.said)


def _with_person(run: LiveRun, step: str, **changes: Any) -> None:
    loop = run.top.judging
    assert loop is not None
    run.pending = loop.request
    run.step_statuses[step] = StepStatus.WAITING
    run.top.judging = replace(loop, stage=LoopStage.WITH_PERSON, **changes)


def _command_wanted(run: LiveRun, event: RunEvent, wanted: CommandWanted) -> None:
    loop = run.top.judging
    if loop is None:
        assert run.pending is not None
        loop = Judging(run.pending, event.parent, event.line, since_ns=event.at_ns, at_ns=event.at_ns)
    turn = ModelTurn("", None, (ModelWish("", wanted.tool, wanted.arguments),), command=wanted.command)
    run.pending = None
    run.step_statuses[event.step] = StepStatus.RUNNING
    run.top.judging = replace(loop, stage=LoopStage.CALLING, turns=(*loop.turns, turn))


def _command_over(run: LiveRun, event: RunEvent, _over: CommandOver) -> None:
    _with_person(run, event.step)


def _turn_taken(run: LiveRun, _event: RunEvent, _taken: TurnTaken) -> None:
    if run.frames and run.top.judging is not None:
        run.pending = run.top.judging = None


RULES: dict[type[EventPayload], Callable[[LiveRun, RunEvent, Any], None]] = {
    ModelAsked: _asked,
    ModelAnswered: _answered,
    WishAnswered: _wish_answered,
    AnswerProposed: _proposed,
    JudgementHandedOver: _handed_over,
    CommandWanted: _command_wanted,
    CommandOver: _command_over,
    TurnTaken: _turn_taken,
}
