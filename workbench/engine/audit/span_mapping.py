"""What the events of a run are as spans, by the semantic conventions of OpenTelemetry for generative AI.

Mapping 1, made for semantic-conventions-genai v0.1.0 (status: development), which builds on semantic-conventions
v1.45.0. What has no name there is called ``playbook.…``. What a person or a model has written, and what was given and
came back, is content: it is left out unless it is asked for.

| Ours | Span, kind | Names of theirs |
|---|---|---|
| run | ``invoke_workflow {playbook}``, internal | ``gen_ai.agent.name``, ``gen_ai.conversation.id`` |
| playbook | ``invoke_agent {agent}``, internal | ``gen_ai.agent.name`` |
| call | ``execute_tool {tool}``, internal | ``gen_ai.tool.name``, ``gen_ai.tool.type``, ``gen_ai.tool.call.id`` |
| model | ``chat {model}``, client | ``gen_ai.request.model``, ``gen_ai.usage.…``, ``gen_ai.response.…`` |
| step, question, approval, turn, wait | ``playbook.step`` …, internal | |
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from workbench.engine.journal import approval_events as approval
from workbench.engine.journal import language_events as language
from workbench.engine.journal import model_events as model
from workbench.engine.journal import run_events as run
from workbench.engine.journal import steplist_events as steplist
from workbench.engine.journal import waiting_events as waiting
from workbench.engine.journal.choices import StepStatus
from workbench.engine.journal.instead import Instead
from workbench.engine.journal.payload import EventPayload
from workbench.engine.ports import InDoubtChoice

MAPPING = 1
CONVENTIONS = "semantic-conventions-genai v0.1.0"
INTERNAL, CLIENT = 1, 3
OPERATION = "gen_ai.operation.name"
ERROR = "error.type"

Attributes = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Opening:
    """*name*, *kind* and *attributes* of a span that begins."""

    name: str
    attributes: Attributes
    kind: int = INTERNAL


@dataclass(frozen=True, slots=True)
class Closing:
    """What its end says of a span. *error*: of which kind, empty for none; *message* is content."""

    attributes: Attributes = field(default_factory=dict)
    error: str = ""
    message: str = ""


CONTENTS = frozenset(
    {
        "gen_ai.tool.call.arguments",
        "gen_ai.tool.call.result",
        "gen_ai.output.messages",
        "playbook.text",
        "playbook.arguments",
        "playbook.result",
        "playbook.answer",
        "playbook.value",
    }
)
"""Attributes that are only told with contents."""
WAIT = "playbook.wait"


def as_json(value: Any) -> str:
    """*value* as one text."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)


def _playbook(entered: run.PlaybookEntered) -> Opening:
    return Opening(
        f"invoke_agent {entered.agent}",
        {
            OPERATION: "invoke_agent",
            "gen_ai.agent.name": entered.agent,
            "playbook.name": entered.playbook,
            "playbook.cause": entered.cause.value or "call",
            "playbook.arguments": as_json(entered.arguments),
        },
    )


def _called(call: run.ToolCalled) -> Opening:
    return _tool(call.tool, call.key, [*call.positional], call.named)


def _tool(tool: str, key: str, positional: list[Any], named: Mapping[str, Any]) -> Opening:
    arguments = {**{str(number): value for number, value in enumerate(positional, 1)}, **named}
    attributes: Attributes = {OPERATION: "execute_tool", "gen_ai.tool.name": tool, "gen_ai.tool.type": "function"}
    if key:
        attributes["gen_ai.tool.call.id"] = key
    return Opening(f"execute_tool {tool}", {**attributes, "gen_ai.tool.call.arguments": as_json(arguments)})


def _asked(asked: run.InputAsked) -> Opening:
    kinds = {"playbook.question.kind": asked.kind.value, "playbook.question.purpose": asked.purpose.value or "step"}
    return Opening("playbook.question", {**kinds, "playbook.text": asked.text})


def _model_asked(asked: model.ModelAsked) -> Opening:
    return Opening(
        f"chat {asked.model}".strip(),
        {
            OPERATION: "chat",
            "gen_ai.provider.name": asked.endpoint,
            "gen_ai.request.model": asked.model,
            "playbook.turn": asked.turn,
        },
        CLIENT,
    )


def _model_answered(answered: model.ModelAnswered) -> Closing:
    attributes: Attributes = {
        "gen_ai.response.model": answered.model,
        "gen_ai.response.finish_reasons": [answered.finish.value],
        "gen_ai.usage.input_tokens": answered.input,
        "gen_ai.usage.output_tokens": answered.output,
        "gen_ai.output.messages": as_json([{"role": "assistant", "content": answered.text}]),
    }
    if answered.cached:
        attributes["gen_ai.usage.cache_read.input_tokens"] = answered.cached
    if answered.cost_usd is not None:
        attributes["playbook.cost.usd"] = answered.cost_usd
    return Closing(attributes)


def _step_left(exited: run.StepExited) -> Closing:
    attributes = {"playbook.step.status": exited.status.value}
    has_failed = exited.status is StepStatus.FAILED
    return Closing(attributes, "step_failed" if has_failed else "", exited.error or "")


def _resolved(resolved: run.CallResolved) -> Closing | None:
    """The end of a call of which nobody knew what became of it; none where it is made again."""
    return None if resolved.how is InDoubtChoice.AGAIN else Closing({"playbook.resolved": resolved.how.value})


def _exited(exited: run.PlaybookExited) -> Closing:
    result = {"playbook.result": as_json(exited.returned)}
    return Closing(result, "playbook_failed" if exited.is_failed else "")


def _instead(instead: Instead | None) -> dict[str, str]:
    """What is not that of the tool, or of who was asked."""
    return {} if instead is None else {"playbook.instead": instead.how.value, "playbook.by": instead.by}


OPENS: dict[type[EventPayload], Callable[[Any], Opening]] = {
    run.PlaybookEntered: _playbook,
    run.StepEntered: lambda entered: Opening("playbook.step", {"playbook.text": entered.text}),
    run.InputAsked: _asked,
    run.ToolCalled: _called,
    steplist.CallBlocked: lambda call: _tool(call.tool, "", [*call.positional], call.named),
    steplist.CallCancelled: lambda call: _tool(call.tool, "", [], call.named),
    steplist.TurnAsked: lambda asked: Opening("playbook.turn", {"playbook.turn": asked.turn}),
    model.ModelAsked: _model_asked,
    approval.ApprovalAsked: lambda asked: Opening("playbook.approval", {"gen_ai.tool.name": asked.tool}),
    waiting.WaitBegun: lambda begun: Opening(WAIT, {"playbook.wait.is_open": begun.is_open}),
}
CLOSES: dict[type[EventPayload], Callable[[Any], Closing | None]] = {
    run.PlaybookExited: _exited,
    run.StepExited: _step_left,
    run.StepFailure: lambda failure: Closing({}, "step_failed", failure.message),
    run.InputGiven: lambda given: Closing({"playbook.answer": as_json(given.answer), **_instead(given.instead)}),
    run.ToolResult: lambda result: Closing(
        {"gen_ai.tool.call.result": as_json(result.value), **_instead(result.instead)}
    ),
    run.ToolError: lambda error: Closing(_instead(error.instead), "tool_error", error.message),
    run.CallResolved: _resolved,
    steplist.TurnTaken: lambda _taken: Closing(),
    model.ModelAnswered: _model_answered,
    model.JudgementHandedOver: lambda handed: Closing({}, "handed_over", handed.reason),
    approval.ApprovalGranted: lambda granted: Closing({"playbook.approval": "granted", "playbook.by": granted.by}),
    approval.ApprovalDenied: lambda denied: Closing({"playbook.approval": "denied", "playbook.by": denied.by}),
    approval.ApprovalExpired: lambda _expired: Closing({"playbook.approval": "expired"}),
    waiting.MessageHeard: lambda heard: Closing({"playbook.text": heard.text}),
    waiting.WaitOver: lambda _over: Closing(),
    waiting.ConversationEnded: lambda _ended: Closing(),
}
AT_ONCE: dict[type[EventPayload], Callable[[Any], Closing]] = {
    steplist.CallBlocked: lambda call: Closing({}, "blocked", call.message),
    steplist.CallCancelled: lambda call: Closing({}, "cancelled", call.message),
}
MARKS: dict[type[EventPayload], Callable[[Any], Opening]] = {
    run.RunPaused: lambda _paused: Opening("playbook.paused", {}),
    run.RunResumed: lambda _resumed: Opening("playbook.resumed", {}),
    run.Told: lambda told: Opening("playbook.told", {"playbook.text": told.text}),
    run.CallInDoubt: lambda _doubt: Opening("playbook.in_doubt", {}),
    run.BranchTaken: lambda branch: Opening("playbook.branch", {"playbook.taken": branch.taken}),
    run.RoundBegun: lambda begun: Opening("playbook.round", {"playbook.round": begun.round}),
    run.VariableSet: lambda one: Opening(
        "playbook.variable", {"playbook.variable": one.name, "playbook.value": as_json(one.new)}
    ),
    language.TriggerFired: lambda fired: Opening("playbook.trigger", {"playbook.name": fired.playbook}),
    steplist.PlanViolated: lambda one: Opening("playbook.violation", {"playbook.violation": one.type}),
}
