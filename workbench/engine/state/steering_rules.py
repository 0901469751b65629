"""What a person changes of where a run stands: a variable, a result, or the event of a run from which it goes on.

Calls under way are calls of the other run: nobody knows here whether they were made, so they are in doubt as after a
crash. Leave that was given there is not leave for a call here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from workbench.engine.journal.choices import RunStatus, Scope
from workbench.engine.journal.debug_events import AnswerHeld, AnswerRecalled, ResultHeld, StateEdited
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.fork_events import OtherText, RunForked
from workbench.engine.journal.instead import Noted
from workbench.engine.journal.payload import EventPayload
from workbench.engine.state.answering import take_back
from workbench.engine.state.frames import NEEDED, ApprovalState, Intent, LiveFrame
from workbench.engine.state.live_run import LiveRun


def _forked(fold: LiveRun, _event: RunEvent, forked: RunForked) -> None:
    if fold.status is not RunStatus.CREATED:
        fold.status = RunStatus.PAUSED
    fold.idle = 0
    fold.allowed = frozenset()
    for frame in _frames(fold):
        frame.intents = [_of_another_run(intent, forked.source) for intent in frame.intents]
    if forked.text is not None:
        _go_over(fold, forked.new, forked.text)


def _frames(fold: LiveRun) -> Iterator[LiveFrame]:
    """All frames, those of whoever waits in a meeting too."""
    yield from fold.frames
    for parked in fold.world.parked.values():
        yield from parked


def _of_another_run(intent: Intent, source: str) -> Intent:
    """*intent* as this run sees it: noted where this run does not look, and without the leave that was given."""
    is_granted = intent.approval.state is ApprovalState.GRANTED
    noted = Noted(ledger=f"run {source}")
    return replace(intent, noted=noted, approval=NEEDED if is_granted else intent.approval)


def _go_over(fold: LiveRun, pb_hash: str, text: OtherText) -> None:
    """Go on with another text."""
    program, steplist = fold.origin.program, fold.origin.steplist
    fold.origin = replace(
        fold.origin,
        pb_hash=pb_hash,
        path=text.path or fold.origin.path,
        read_as=text.read_as,
        chapters=text.chapters,
        linked=text.linked,
        goes_on=text.goes_on,
        # what was allowed is the Python of the text before
        program=None if program is None else replace(program, starts=text.starts, is_trusted=False),
        steplist=None if steplist is None else replace(steplist, plan_hash=text.plan_hash),
    )
    _move_steps(fold, text.steps or {})
    _move_triggers(fold, text.triggers or {})
    moved = {each.span: each.pc for each in text.moved}
    for frame in _frames(fold):
        frame.pc = moved.get(frame.span, frame.pc)


def _move_steps(fold: LiveRun, steps: Mapping[str, Any]) -> None:
    gone = {address for address, to in steps.items() if to is None}
    statuses = [(address, status) for address, status in fold.step_statuses.items() if address not in gone]
    fold.step_statuses = {_moved(steps, address): status for address, status in statuses}
    for frame in _frames(fold):
        frame.open = [
            replace(step, step=steps[step.step][0], line=steps[step.step][1]) if steps.get(step.step) else step
            for step in frame.open
        ]
        if frame.judging is not None:
            request = frame.judging.request
            frame.judging = replace(frame.judging, request=replace(request, step=_moved(steps, request.step)))
    if fold.pending is not None:
        fold.pending = replace(fold.pending, step=_moved(steps, fold.pending.step))


def _moved(steps: Mapping[str, Any], address: str) -> str:
    found = steps.get(address)
    return str(found[0]) if found else address


def _move_triggers(fold: LiveRun, keys: Mapping[str, Any]) -> None:
    """Trigger keys as the other text has them; what is gone fires no more."""

    def all_of(found: tuple[str, ...] | list[str]) -> list[str]:
        return [str(keys.get(key, key)) for key in found if keys.get(key, key) is not None]

    watching, waiting = fold.watching, fold.waiting
    watching.firing = all_of(watching.firing)
    watching.truths = {keys.get(key, key): watching.truths[key] for key in watching.truths if keys.get(key, key)}
    waiting.timers = {keys.get(key, key): waiting.timers[key] for key in waiting.timers if keys.get(key, key)}
    fold.closing = tuple(all_of(fold.closing))
    if waiting.heard is not None:
        waiting.heard = replace(waiting.heard, fire=tuple(all_of(waiting.heard.fire)))
    if watching.entering is not None:
        trigger = watching.entering.trigger
        watching.entering = replace(watching.entering, trigger=str(keys.get(trigger, trigger) or ""))
    for frame in _frames(fold):
        frame.trigger = str(keys.get(frame.trigger, frame.trigger) or "")


def _edited(fold: LiveRun, _event: RunEvent, edited: StateEdited) -> None:
    fold.idle = 0
    frame = next((each for each in fold.frames if each.span == edited.frame), None)
    if edited.scope is Scope.LOCAL:
        if frame is not None:
            frame.locals[edited.name] = edited.new
        return
    fold.agents.setdefault(edited.agent, {})[edited.name] = edited.new
    fold.watching.change(edited.agent, edited.name)
    if frame is not None and frame.agent == edited.agent and edited.name in frame.parameters:
        frame.parameters[edited.name] = edited.new


def _held(fold: LiveRun, _event: RunEvent, held: ResultHeld) -> None:
    if fold.frames and fold.frames[-1].intents:
        intents = fold.frames[-1].intents
        intents[-1] = replace(intents[-1], held=held)


def _answer_held(fold: LiveRun, _event: RunEvent, held: AnswerHeld) -> None:
    fold.top.said = held


def _recalled(fold: LiveRun, _event: RunEvent, recalled: AnswerRecalled) -> None:
    fold.idle = 0
    take_back(fold)
    fold.top.said = recalled.held


STEERING_RULES: dict[type[EventPayload], Callable[[Any, RunEvent, Any], None]] = {
    RunForked: _forked,
    StateEdited: _edited,
    ResultHeld: _held,
    AnswerHeld: _answer_held,
    AnswerRecalled: _recalled,
}
