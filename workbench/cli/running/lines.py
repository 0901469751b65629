"""The events of a run on the terminal: one line each for people, or JSON lines for programs."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from typing import Any

from workbench.cli.terminal import show
from workbench.engine.audit.lines import as_json
from workbench.engine.journal import events as types
from workbench.engine.journal.events import RunEvent
from workbench.i18n import _

_WIDTH = 160
_ADDRESS = 18

ShowEvent = Callable[[RunEvent], None]


def show_as_json(event: RunEvent) -> None:
    """Print *event* as one line of JSON."""
    show(json.dumps(as_json(event), ensure_ascii=True, separators=(",", ":")))


def show_as_text(event: RunEvent) -> None:
    """Print *event* as one line to read."""
    clock = dt.datetime.fromtimestamp(event.at_ns / 1e9, dt.UTC).strftime("%H:%M:%S.%f")[:-3]
    line = f"{clock} {event.step:<{_ADDRESS}} {event.type:<17} {described(event)}".rstrip()[:_WIDTH]
    show(line.encode("utf-8", "backslashreplace").decode())


def described(event: RunEvent) -> str:
    """What *event* says, in one line."""
    rule = _RULES.get(event.type)
    return "" if rule is None else " ".join(rule(event.body).split())


def _value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _given(body: Any) -> str:
    answer = body["answer"]
    if "decision" in answer:
        return _("yes") if answer["decision"] else _("no")
    values = ", ".join(f"{name} = {_value(value)}" for name, value in answer["values"].items())
    return values or answer["text"]


def _called(body: Any) -> str:
    values = [*map(_value, body["positional"]), *(f"{name}={_value(each)}" for name, each in body["named"].items())]
    return f"{body['tool']}({', '.join(values)})"


def _round(body: Any) -> str:
    return f"{body['round']}/{body['of']}" if "of" in body else str(body["round"])


def _entered(body: Any) -> str:
    arguments = ", ".join(f"{name}={_value(value)}" for name, value in body["arguments"].items())
    return f"{body['playbook']}({arguments})"


def _checked(body: Any) -> str:
    """Which conditions became true, and which ceased to be."""
    return ", ".join(f"{key}: {_('yes') if holds else _('no')}" for key, holds in body["holds"].items())


_RULES: dict[str, Callable[[Any], str]] = {
    types.RUN_CREATED: lambda body: f"{body['playbook']} {body['path']}",
    types.RUN_PAUSED: lambda body: body.get("reason", ""),
    types.RUN_COMPLETED: lambda body: "" if body["return"] is None else _value(body["return"]),
    types.RUN_FAILED: lambda body: body["message"],
    types.PLAYBOOK_ENTERED: _entered,
    types.PLAYBOOK_EXITED: lambda body: f"{body['playbook']} → {_value(body['return'])}",
    types.STEP_ENTERED: lambda body: body["text"],
    types.STEP_EXITED: lambda body: body["status"],
    types.STEP_FAILED: lambda body: body["message"],
    types.BRANCH_TAKEN: lambda body: _("yes") if body["taken"] else _("no"),
    types.LOOP_ITERATION: _round,
    types.VARIABLE_SET: lambda body: f"{'$' if body['scope'] == 'state' else ''}{body['name']} = {_value(body['new'])}",
    types.INPUT_ASKED: lambda body: body["text"],
    types.INPUT_GIVEN: _given,
    types.TOLD: lambda body: f"{body['target']}: {body['text']}" if "target" in body else body["text"],
    types.TOOL_CALL: _called,
    types.TOOL_OUTPUT: lambda body: body["text"],
    types.TOOL_RESULT: lambda body: _value(body["value"]),
    types.TOOL_ERROR: lambda body: body["message"],
    types.IN_DOUBT: lambda body: body["text"],
    types.RESOLVED: lambda body: body["how"],
    types.AGENT_CREATED: lambda body: body["agent"],
    types.MESSAGE_SENT: lambda body: f"{body['from']} → {', '.join(body['to'])}: {body['text']}",
    types.MESSAGE_RECEIVED: lambda body: f"{body['agent']} ← {body['source']}: {len(body['messages'])}",
    types.ARTIFACT_SAVED: lambda body: f"{body['name']} {body['summary']}",
    types.ARTIFACT_LOADED: lambda body: body["name"],
    types.PLAYBOOK_WRITTEN: lambda body: f"{body['agent']}.{body['name']}",
    types.TRIGGER_CHECKED: _checked,
    types.TRIGGER_FIRED: lambda body: f"{body['trigger']} → {body['agent']}.{body['playbook']}",
    types.REACT_CHOSEN: lambda body: f"{body['action']}({_value(body['arguments'])})",
    types.REACT_OBSERVED: lambda body: body["error"] if "error" in body else _value(body["value"]),
    types.MEETING_OPENED: lambda body: f"{body['meeting']} {body['playbook']} {body['topic']}",
    types.MEETING_INVITED: lambda body: f"{body['agent']} {_('comes') if body['is_accepted'] else body['reason']}",
    types.MEETING_TURN: lambda body: f"{body['meeting']} {body['agent']}",
    types.MEETING_STATE: lambda body: f"{body['meeting']} {_value(body['values'])}",
    types.MEETING_ENDED: lambda body: str(body["meeting"]),
    "llm.request": lambda body: str(body.get("turn", "")),
    "llm.response": lambda body: ", ".join(call["tool"] for call in body["calls"]) or body["text"],
    "tool.blocked": lambda body: f"{body['tool']}: {body['message']}",
    "tool.cancelled": lambda body: f"{body['tool']}: {body['message']}",
    "plan.violation": lambda body: f"{body['type']}: {body['message']}",
    "plan.control": lambda body: body["tool"],
}
