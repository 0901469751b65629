"""A model that wants what was written down beforehand: ``calls:`` of a script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from workbench.engine.enforcement.scripted_calls import ScriptedCall
from workbench.engine.listed.ports import Tool, Turn, TurnAnswer, WantedCall
from workbench.errors import InputNeeded, RunFailed
from workbench.i18n import _


class ScriptedModel:
    """Wants the calls of a script in their order; those of one batch together."""

    name = "script"

    def __init__(self, calls: Sequence[ScriptedCall], taken: int = 0) -> None:
        self._calls = list(calls)
        self._at = taken

    def take(self, turn: Turn) -> TurnAnswer:
        """The next call, batch or answer. Raises InputNeeded at the end of the script."""
        if self._at >= len(self._calls):
            message = _("The script is over after {count} entries, and the playbook is not done: {reminder}")
            raise InputNeeded(message.format(count=len(self._calls), reminder=turn.reminder or turn.context))
        first = self._calls[self._at]
        self._at += 1
        if not first.tool:
            return TurnAnswer(text=first.text)
        wanted = [first]
        while first.batch is not None and self._at < len(self._calls) and self._calls[self._at].batch == first.batch:
            wanted.append(self._calls[self._at])
            self._at += 1
        return TurnAnswer(tuple(WantedCall(one.tool, dict(one.arguments or {})) for one in wanted))


def scripted_tools(calls: Sequence[ScriptedCall]) -> dict[str, Tool]:
    """Tools that give, call by call, the results and failures that a script holds for them."""
    results: dict[str, list[ScriptedCall]] = {}
    for call in calls:
        if call.tool:
            results.setdefault(call.tool, []).append(call)
    return {name: _scripted(name, entries) for name, entries in results.items()}


def _scripted(name: str, entries: list[ScriptedCall]) -> Tool:
    waiting = list(entries)

    def call(arguments: Mapping[str, Any]) -> Any:
        entry = next((one for one in waiting if dict(one.arguments or {}) == dict(arguments)), None)
        if entry is None:
            raise RunFailed(_("The script holds no further result for {tool}.").format(tool=name))
        waiting.remove(entry)
        if entry.error is not None:
            raise RunFailed(entry.error)
        return entry.result

    return call
