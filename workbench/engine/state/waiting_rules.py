"""How the events of waiting change where a run stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from workbench.engine.journal.choices import RunStatus, StepStatus
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.language_events import TriggersChecked
from workbench.engine.journal.payload import EventPayload
from workbench.engine.journal.waiting_events import (
    ConversationEnded,
    MessageHeard,
    TimerDue,
    TimerSet,
    WaitBegun,
    WaitOver,
)
from workbench.engine.state.live_run import LiveRun


def _timer_set(fold: LiveRun, _event: RunEvent, timer: TimerSet) -> None:
    fold.waiting.timers[timer.key] = timer.due_ns


def _timer_due(fold: LiveRun, _event: RunEvent, due: TimerDue) -> None:
    fold.waiting.go_off(due)
    fold.watching.firing.append(due.key)
    fold.status = RunStatus.RUNNING


def _wait_begun(fold: LiveRun, event: RunEvent, begun: WaitBegun) -> None:
    is_new = fold.waiting.wait is None or fold.waiting.wait.span != event.span
    is_of_step = bool(fold.frames)
    fold.spans += is_new and not (is_of_step and fold.top.answer)
    fold.waiting.begin(event.span, begun)
    fold.status = RunStatus.LISTENING if begun.is_open else RunStatus.TIMED
    if is_of_step:
        fold.top.answer = {"until": begun.until_ns, "span": event.span}
        fold.step_statuses[event.step] = StepStatus.WAITING
    else:
        fold.waiting.heard = None


def _wait_over(fold: LiveRun, event: RunEvent, _over: WaitOver) -> None:
    fold.waiting.wait = None
    fold.status = RunStatus.RUNNING
    fold.step_statuses[event.step] = StepStatus.RUNNING


def _heard(fold: LiveRun, _event: RunEvent, heard: MessageHeard) -> None:
    fold.waiting.hear(heard)
    fold.status = RunStatus.RUNNING
    fold.watching.has_news = True
    if heard.to:
        fold.world.take_direct(heard.to)


def _ended(fold: LiveRun, _event: RunEvent, _ended: ConversationEnded) -> None:
    fold.waiting.wait, fold.waiting.is_ended = None, True
    fold.status = RunStatus.RUNNING


def _checked(fold: LiveRun, _event: RunEvent, found: TriggersChecked) -> None:
    if fold.frames:
        fold.watching.checked(found)
    else:
        fold.watching.checked(replace(found, fire=()))
        fold.waiting.looked(found)


WAITING_RULES: dict[type[EventPayload], Callable[[LiveRun, RunEvent, Any], None]] = {
    TimerSet: _timer_set,
    TimerDue: _timer_due,
    WaitBegun: _wait_begun,
    WaitOver: _wait_over,
    MessageHeard: _heard,
    ConversationEnded: _ended,
    TriggersChecked: _checked,
}
