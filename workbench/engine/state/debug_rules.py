"""What a person who watches a run does to where it stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from workbench.engine.journal import debug_events as debug
from workbench.engine.journal.choices import Scope
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.payload import EventPayload
from workbench.engine.state.live_run import LiveRun


def _edited(fold: LiveRun, _event: RunEvent, edited: debug.StateEdited) -> None:
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


def _held(fold: LiveRun, _event: RunEvent, held: debug.ResultHeld) -> None:
    if fold.frames and fold.frames[-1].intents:
        intents = fold.frames[-1].intents
        intents[-1] = replace(intents[-1], held=held)


DEBUG_RULES: dict[type[EventPayload], Callable[[Any, RunEvent, Any], None]] = {
    debug.StateEdited: _edited,
    debug.ResultHeld: _held,
}
