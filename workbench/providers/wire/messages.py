"""Messages, as Anthropic and some servers speak them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from typing import Any

from workbench.providers.values import Finish, Message, ModelRequest, Role, ToolOffer
from workbench.providers.wire.asking import (
    TOOL_DESCRIPTION,
    AnswerForm,
    Habits,
    answer_tool,
    messages_of,
    object_schema,
)
from workbench.providers.wire.collecting import Collected, TokenCounts, arguments_part, part, text_part

PATH = "/messages"
_VERSION = "2023-06-01"
_CACHED = {"type": "ephemeral"}
_NOTHING = "(nothing)"
_FINISHES = {
    "tool_use": Finish.TOOLS,
    "max_tokens": Finish.LENGTH,
    "model_context_window_exceeded": Finish.LENGTH,
    "refusal": Finish.FILTERED,
}


def headers(key: str) -> dict[str, str]:
    """What says who asks, and which version of the protocol is spoken."""
    return {"anthropic-version": _VERSION} | ({"x-api-key": key} if key else {})


def body(request: ModelRequest, habits: Habits) -> dict[str, Any]:
    """*request* as it is sent; marks for the cache stand where what stays the same ends."""
    said = list(_turns(messages_of(request, habits.form)))
    sent: dict[str, Any] = {"model": request.model, "max_tokens": request.max_tokens, "messages": said, "stream": True}
    if request.system:
        sent["system"] = [{"type": "text", "text": request.system, "cache_control": _CACHED}]
    if request.temperature is not None and habits.takes_temperature:
        sent["temperature"] = request.temperature
    return sent | _tools(request, habits)


def _tools(request: ModelRequest, habits: Habits) -> dict[str, Any]:
    tools = [_offer(each) for each in request.tools]
    if request.schema is None or habits.form is AnswerForm.WORDS:
        return {"tools": tools} if tools else {}
    if tools:
        # the tool for the answer differs from step to step, and what follows it is another text for the cache
        tools[-1]["cache_control"] = _CACHED
    name = answer_tool(request)
    answer = _offer(ToolOffer(name, TOOL_DESCRIPTION, object_schema(request.schema)))
    return {"tools": [*tools, answer], "tool_choice": {"type": "any"} if tools else {"type": "tool", "name": name}}


def _offer(tool: ToolOffer) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "input_schema": tool.schema}


def _turns(messages: tuple[Message, ...]) -> Iterator[dict[str, Any]]:
    """The turns, which alternate: what tools gave and what a person says next are one turn."""
    for is_model, turn in groupby(messages, lambda message: message.role is Role.ASSISTANT):
        content = [block for message in turn for block in _blocks(message)]
        role = "assistant" if is_model else "user"
        yield {"role": role, "content": content or [{"type": "text", "text": _NOTHING}]}


def _blocks(message: Message) -> Iterator[dict[str, Any]]:
    if message.role is Role.TOOL:
        given = {"type": "tool_result", "tool_use_id": message.answers, "content": message.text or _NOTHING}
        yield given | ({"is_error": True} if message.is_error else {})
        return
    if message.text.strip():
        yield {"type": "text", "text": message.text}
    for wish in message.wishes:
        arguments = {"unreadable": wish.written} if wish.arguments is None else wish.arguments
        yield {"type": "tool_use", "id": wish.id, "name": wish.name, "input": arguments}


def hear(so_far: Collected, event: Any) -> str:
    """The text of the answer in *event*, which is added to what came *so_far*."""
    match text_part(event, "type"):
        case "message_start":
            _take_common(so_far, part(event, "message", dict) or {})
        case "content_block_start":
            return _take_block(so_far, part(event, "index", int), part(event, "content_block", dict) or {})
        case "content_block_delta":
            delta = part(event, "delta", dict) or {}
            if text_part(delta, "type") == "input_json_delta":
                return so_far.add_call(part(event, "index", int), arguments=text_part(delta, "partial_json"))
            return so_far.add_text(text_part(delta, "text"))
        case "message_delta":
            _take_end(so_far, text_part(part(event, "delta", dict), "stop_reason"))
            _take_usage(so_far, part(event, "usage", dict))
        case "message_stop":
            so_far.is_whole = True
    return ""


def take(so_far: Collected, whole: Any) -> str:
    """The text of an answer that came in one piece."""
    content = part(whole, "content", list)
    if content is None:
        return ""
    _take_common(so_far, whole)
    _take_end(so_far, text_part(whole, "stop_reason"))
    so_far.is_whole = True
    return "".join(_take_block(so_far, index, block) for index, block in enumerate(content))


def _take_block(so_far: Collected, index: int | None, block: Any) -> str:
    if text_part(block, "type") != "tool_use":
        return so_far.add_text(text_part(block, "text"))
    # in a stream the input is empty here, and its pieces follow
    arguments = arguments_part(block, "input") if part(block, "input", dict) else ""
    return so_far.add_call(index, text_part(block, "id"), text_part(block, "name"), arguments)


def _take_common(so_far: Collected, message: Any) -> None:
    so_far.model, so_far.id = text_part(message, "model"), text_part(message, "id")
    _take_usage(so_far, part(message, "usage", dict))


def _take_end(so_far: Collected, reason: str) -> None:
    if reason:
        so_far.finish, so_far.is_whole = _FINISHES.get(reason, Finish.STOP), True


def _take_usage(so_far: Collected, usage: dict[str, Any] | None) -> None:
    """Count what *usage* says; cached input is counted apart from the rest, and some is said again later."""
    known = so_far.counts
    cached, stored = _count(usage, "cache_read_input_tokens"), _count(usage, "cache_creation_input_tokens")
    uncached, written = _count(usage, "input_tokens"), _count(usage, "output_tokens")
    if uncached is not None:
        known = TokenCounts(uncached + (cached or 0) + (stored or 0), known.output, cached or 0, stored or 0)
    so_far.counts = known if written is None else replace(known, output=written)


def _count(usage: dict[str, Any] | None, name: str) -> int | None:
    return part(usage, name, int)
