"""Chat completions, as OpenAI and most servers speak them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from workbench.providers.values import Finish, Message, ModelRequest, Role, ToolOffer, ToolWish
from workbench.providers.wire.asking import (
    TOOL_DESCRIPTION,
    AnswerForm,
    Habits,
    answer_tool,
    is_strict,
    messages_of,
    object_schema,
    plain,
)
from workbench.providers.wire.collecting import Collected, TokenCounts, arguments_part, part, text_part

PATH = "/chat/completions"
_FINISHES = {
    "stop": Finish.STOP,
    "tool_calls": Finish.TOOLS,
    "function_call": Finish.TOOLS,
    "length": Finish.LENGTH,
    "content_filter": Finish.FILTERED,
}


def headers(key: str) -> dict[str, str]:
    """What says who asks."""
    return {"Authorization": f"Bearer {key}"} if key else {}


def body(request: ModelRequest, habits: Habits) -> dict[str, Any]:
    """*request* as it is sent; a server's cache works because the system prompt comes first."""
    said = [_message(each) for each in messages_of(request, habits.form)]
    system = [{"role": "system", "content": request.system}] if request.system else []
    sent: dict[str, Any] = {"model": request.model, "messages": [*system, *said], "stream": True}
    sent[habits.length] = request.max_tokens
    if habits.takes_usage:
        sent["stream_options"] = {"include_usage": True}
    if request.temperature is not None and habits.takes_temperature:
        sent["temperature"] = request.temperature
    return sent | _tools(request, habits)


def _tools(request: ModelRequest, habits: Habits) -> dict[str, Any]:
    tools = [_offer(each) for each in request.tools]
    if request.schema is None or habits.form is AnswerForm.WORDS:
        return {"tools": tools} if tools else {}
    schema = object_schema(request.schema)
    if habits.form is AnswerForm.SCHEMA:
        named = {"name": "answer", "schema": schema, "strict": is_strict(schema)}
        wanted = {"response_format": {"type": "json_schema", "json_schema": named}}
        return wanted | ({"tools": tools} if tools else {})
    name = answer_tool(request)
    only = {"type": "function", "function": {"name": name}}
    answer = _offer(ToolOffer(name, TOOL_DESCRIPTION, schema))
    return {"tools": [*tools, answer], "tool_choice": "required" if tools else only}


def _offer(tool: ToolOffer) -> dict[str, Any]:
    named = {"name": tool.name, "description": tool.description, "parameters": tool.schema}
    return {"type": "function", "function": named}


def _message(message: Message) -> dict[str, Any]:
    if message.role is Role.TOOL:
        text = f"Error: {message.text}" if message.is_error else message.text
        return {"role": "tool", "tool_call_id": message.answers, "content": text}
    sent: dict[str, Any] = {"role": message.role.value, "content": message.text}
    if message.wishes:
        sent["content"] = message.text or None
        sent["tool_calls"] = [_call(wish) for wish in message.wishes]
    return sent


def _call(wish: ToolWish) -> dict[str, Any]:
    # arguments that are no JSON make some servers fail, so what was written is told as JSON
    arguments: Mapping[str, Any] = {"unreadable": wish.written} if wish.arguments is None else wish.arguments
    function = {"name": wish.name, "arguments": json.dumps(plain(arguments), ensure_ascii=False)}
    return {"id": wish.id, "type": "function", "function": function}


def hear(so_far: Collected, event: Any) -> str:
    """The text of the answer in *event*, which is added to what came *so_far*."""
    _take_common(so_far, event)
    choice = _choice(event)
    delta = part(choice, "delta", dict) or {}
    if finish := text_part(choice, "finish_reason"):
        so_far.finish, so_far.is_whole = _FINISHES.get(finish, Finish.STOP), True
    return _take_message(so_far, delta)


def take(so_far: Collected, whole: Any) -> str:
    """The text of an answer that came in one piece."""
    _take_common(so_far, whole)
    choice = _choice(whole)
    message = part(choice, "message", dict)
    if message is None:
        return ""
    so_far.finish, so_far.is_whole = _FINISHES.get(text_part(choice, "finish_reason"), Finish.STOP), True
    return _take_message(so_far, message)


def _choice(value: Any) -> Any:
    choices = part(value, "choices", list)
    return choices[0] if choices else {}


def _take_message(so_far: Collected, message: Any) -> str:
    texts = [so_far.add_text(text_part(message, "content"))]
    for call in part(message, "tool_calls", list) or ():
        function = part(call, "function", dict) or {}
        arguments = arguments_part(function, "arguments")
        index, call_id = part(call, "index", int), text_part(call, "id")
        texts.append(so_far.add_call(index, call_id, text_part(function, "name"), arguments))
    return "".join(texts)


def _take_common(so_far: Collected, value: Any) -> None:
    so_far.model = text_part(value, "model") or so_far.model
    so_far.id = text_part(value, "id") or so_far.id
    if usage := part(value, "usage", dict):
        cached = part(part(usage, "prompt_tokens_details", dict), "cached_tokens", int) or 0
        given, written = part(usage, "prompt_tokens", int) or 0, part(usage, "completion_tokens", int) or 0
        so_far.counts = replace(TokenCounts(given, written), cached=cached)
