"""A model that wants what was written down beforehand: ``calls:`` of a script."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import yaml

from workbench.engine.enforcement.decisions import CONTROL_TOOLS
from workbench.engine.enforcement.scripted_calls import ScriptedCall, parse_calls
from workbench.engine.journal import events as types
from workbench.engine.journal.events import RunEvent
from workbench.engine.steplists.ports import AgentModel, Tool, Tools, Turn, TurnAnswer, Walker, WantedCall
from workbench.errors import CannotRead, InputNeeded, RunFailed
from workbench.i18n import _
from workbench.model.loader.steplist import Playbook


class ScriptedModel:
    """Wants the calls of a script in their order, those of one batch together; and holds what they give."""

    name = "script"

    def __init__(self, calls: Sequence[ScriptedCall]) -> None:
        self._calls = list(calls)
        self._at = 0
        self._wanted: list[ScriptedCall] = []

    def catch_up(self, events: Iterable[RunEvent]) -> None:
        """Pass over what the turns in *events* have taken from the script."""
        for event in events:
            if event.type == types.TURN_TAKEN:
                self._at += max(1, len(event.body["calls"]))

    def take(self, turn: Turn) -> TurnAnswer:
        """The next call, batch or answer. Raises InputNeeded at the end of the script."""
        if self._at >= len(self._calls):
            message = _("The script is over after {count} entries, and the playbook is not done: {reminder}")
            raise InputNeeded(message.format(count=len(self._calls), reminder=turn.reminder or turn.context))
        first = self._calls[self._at]
        self._at += 1
        if not first.tool:
            return TurnAnswer(text=first.text)
        self._wanted = [first]
        while first.batch is not None and self._at < len(self._calls) and self._calls[self._at].batch == first.batch:
            self._wanted.append(self._calls[self._at])
            self._at += 1
        return TurnAnswer(tuple(WantedCall(one.tool, dict(one.arguments or {})) for one in self._wanted))

    def tools(self, *others: str) -> dict[str, Tool]:
        """A tool for every name in the script and for *others*: each gives what its call in this turn holds."""
        names = [call.tool for call in self._calls if call.tool and call.tool not in CONTROL_TOOLS]
        return {name: self._tool(name) for name in dict.fromkeys((*names, *others))}

    def _tool(self, name: str) -> Tool:
        def call(_arguments: Mapping[str, Any]) -> Any:
            entry = next(one for one in self._wanted if one.tool == name)
            self._wanted.remove(entry)
            if entry.error is not None:
                raise RunFailed(entry.error)
            return entry.result

        return call


def scripted_walker(script: str) -> Walker:
    """What walks a step list by the ``calls:`` in the text *script*. Raises CannotRead."""
    try:
        calls = parse_calls(yaml.safe_load(script))
    except yaml.YAMLError as error:
        raise CannotRead(_("Could not read the calls of the script: {reason}").format(reason=error)) from error

    def walk(playbook: Playbook, events: tuple[RunEvent, ...]) -> tuple[AgentModel, Tools]:
        model = ScriptedModel(calls)
        model.catch_up(events)
        return model, model.tools(*(tool for step in playbook.steps for tool in step.expected_tools))

    return walk
