"""Makes the calls that the enforcer allowed: what a tool gives, or why it failed, is written down and counted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from workbench.engine.enforcement.enforcer import PlaybookEnforcer
from workbench.engine.enforcement.recording import FinishedCall
from workbench.engine.expressions.data import NotData, as_data, digest_of
from workbench.engine.journal import events as types
from workbench.engine.steplists.places import LIST_SPAN, Where
from workbench.engine.steplists.ports import CallOutcomeText, Tools
from workbench.engine.steplists.record import ListedRecord
from workbench.errors import RunFailed
from workbench.i18n import _


class CallMaker:
    """*actor*: who carries the calls out, as the events name it."""

    def __init__(self, tools: Tools, enforcer: PlaybookEnforcer, record: ListedRecord, actor: str) -> None:
        self._tools = tools
        self._enforcer = enforcer
        self._record = record
        self._actor = actor
        self._known: dict[str, str] = {}

    def make(self, tool: str, arguments: dict[str, Any], where: Where) -> CallOutcomeText:
        """Make one call, whose beginning is written down already."""
        try:
            if tool not in self._tools:
                raise RunFailed(_("There is no tool called {name}.").format(name=tool))
            result = as_data(self._tools[tool](arguments))
        except (NotData, RunFailed) as error:
            return self._failed(tool, arguments, str(error), where)
        except Exception as error:  # noqa: BLE001 - whatever a tool raises is its failure, never ours
            return self._failed(tool, arguments, f"{type(error).__name__}: {error}", where)
        body = {"tool": tool, "named": arguments, "value": result}
        self._record.write(types.TOOL_RESULT, body, where, self._actor)
        self._enforcer.record_tool_call(FinishedCall(tool, arguments, result))
        self._keep(tool, result, where)
        return CallOutcomeText(tool, result if isinstance(result, str) else json.dumps(result, ensure_ascii=False))

    def _keep(self, tool: str, result: Any, where: Where) -> None:
        """What a tool gave last is a variable of the run, so that everybody sees what is known so far."""
        before = self._known.get(tool)
        self._known[tool] = digest_of(result)
        body = {"name": tool, "scope": "state", "old": before, "new": result}
        self._record.write(types.VARIABLE_SET, body, replace(where, span=where.parent, parent=LIST_SPAN))

    def _failed(self, tool: str, arguments: Mapping[str, Any], error: str, where: Where) -> CallOutcomeText:
        body = {"tool": tool, "named": arguments, "message": error, "is_over": True}
        self._record.write(types.TOOL_ERROR, body, where, self._actor)
        self._enforcer.record_tool_call(FinishedCall(tool, arguments, error=error))
        return CallOutcomeText(tool, error, is_error=True)
