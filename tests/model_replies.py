"""What a scripted model says, and how it stands on the wire in either protocol."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias, cast

PIECE = 7
"""How many characters of a text or of a call's arguments are sent at once."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call that the model wants. *arguments*: a mapping, or a text that may be no JSON at all."""

    name: str
    arguments: Mapping[str, Any] | str = field(default_factory=dict)
    id: str = ""

    @property
    def written(self) -> str:
        """The arguments as the model writes them."""
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model says: *text*, or the pieces it comes in.

    *data*: an answer that keeps a schema; sent as text, or as the call that a request forces. *usage*: tokens of
    input, output, and those of the input that were cached. *waits*: an event before which nothing is sent.
    *bytes_at_once*: how the stream is cut, characters and all; 0: event by event. *drops_after*: how many events
    are sent before the connection is dropped. *pauses_after*: how many are sent before *waits* is waited for.
    """

    text: str | Sequence[str] = ""
    calls: Sequence[Call] = ()
    data: Any = None
    usage: tuple[int, int, int] = (100, 10, 0)
    finish: str = ""
    waits: threading.Event | None = None
    bytes_at_once: int = 0
    drops_after: int | None = None
    pauses_after: int = 0


@dataclass(frozen=True, slots=True)
class Fails:
    """An answer with *status*. *body*: JSON, or text as it is."""

    status: int
    body: Mapping[str, Any] | str = field(default_factory=lambda: {"error": {"message": "no"}})
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Raw:
    """Bytes in the place of an answer: a *body*, or the whole of a broken response."""

    body: bytes
    kind: str = "text/event-stream"


@dataclass(frozen=True, slots=True)
class Drops:
    """The connection is dropped before the first byte."""


Answer: TypeAlias = "Reply | Fails | Raw | Drops"


@dataclass(frozen=True)
class Asked:
    """A request that came."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def is_anthropic(self) -> bool:
        """Which of the two protocols it came by."""
        return self.path.endswith("/messages")

    @cached_property
    def system(self) -> str:
        """The system prompt, without what marks it for a cache."""
        if self.is_anthropic:
            return _text_of(self.body.get("system", ""))
        return "".join(_text_of(each["content"]) for each in self.body["messages"] if each["role"] == "system")

    @cached_property
    def messages(self) -> tuple[tuple[str, str], ...]:
        """Who said what: role and text, the system prompt left out."""
        said = [each for each in self.body["messages"] if each["role"] != "system"]
        return tuple((each["role"], _text_of(each.get("content") or "")) for each in said)

    @cached_property
    def tools(self) -> tuple[str, ...]:
        """The names of the tools that are offered, without the one that is the answer."""
        forced = self.forced_tool
        return tuple(name for each in self.body.get("tools", ()) if (name := _tool(each)["name"]) != forced)

    @cached_property
    def schema(self) -> Mapping[str, Any] | None:
        """The schema that the answer shall keep, as it was sent; None for free text, or where it stands in words."""
        if wanted := self.body.get("response_format"):
            return cast("Mapping[str, Any]", wanted["json_schema"]["schema"])
        for each in map(_tool, self.body.get("tools", ())):
            if each["name"] == self.forced_tool:
                return cast("Mapping[str, Any]", each.get("input_schema") or each.get("parameters"))
        return None

    @cached_property
    def forced_tool(self) -> str:
        """The name of the tool that stands for the answer, empty where there is none."""
        return next(
            (name for each in self.body.get("tools", ()) if (name := _tool(each)["name"]).startswith("submit_answer")),
            "",
        )


def _tool(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", tool.get("function", tool))


def _text_of(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "".join(_text_of(part.get("text") or part.get("content") or "") for part in content)


def stream_of(asked: Asked, reply: Reply) -> Sequence[str]:
    """The events of *reply* to *asked*."""
    return list((_anthropic_events if asked.is_anthropic else _openai_events)(asked, reply))


def whole_of(asked: Asked, reply: Reply) -> Mapping[str, Any]:
    """*reply* to *asked* in one piece."""
    return (_anthropic_whole if asked.is_anthropic else _openai_whole)(asked, reply)


def _pieces(text: str | Sequence[str]) -> Sequence[str]:
    return [text[at : at + PIECE] for at in range(0, len(text), PIECE)] if isinstance(text, str) else text


def _said(asked: Asked, reply: Reply) -> tuple[Sequence[str], Sequence[Call]]:
    """Text and calls of *reply*: data is the forced call where there is one, else text."""
    calls = [Call(call.name, call.arguments, call.id or f"call_{at}") for at, call in enumerate(reply.calls)]
    if reply.data is None:
        return _pieces(reply.text), calls
    wraps = "answer" in (asked.schema or {}).get("properties", {}) and not isinstance(reply.data, dict)
    data = {"answer": reply.data} if wraps else reply.data
    if asked.forced_tool:
        return _pieces(reply.text), [*calls, Call(asked.forced_tool, data, "call_answer")]
    return _pieces(json.dumps(data, ensure_ascii=False)), calls


def _openai_finish(reply: Reply, calls: Sequence[Call]) -> str:
    return reply.finish or ("tool_calls" if calls else "stop")


def _openai_usage(reply: Reply) -> dict[str, Any]:
    given, written, cached = reply.usage
    return {
        "prompt_tokens": given,
        "completion_tokens": written,
        "total_tokens": given + written,
        "prompt_tokens_details": {"cached_tokens": cached},
    }


def _openai_events(asked: Asked, reply: Reply) -> Iterator[str]:
    text, calls = _said(asked, reply)

    def chunk(delta: Mapping[str, Any], finish: str | None = None) -> str:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return _data({"id": "chat-1", "object": "chat.completion.chunk", "model": "scripted", "choices": [choice]})

    yield chunk({"role": "assistant", "content": None if calls and not text else ""})
    yield from (chunk({"content": piece}) for piece in text)
    for at, call in enumerate(calls):
        named = {"index": at, "id": call.id, "type": "function", "function": {"name": call.name, "arguments": ""}}
        yield chunk({"tool_calls": [named]})
    # pieces of all calls take turns
    for row in itertools.zip_longest(*(_pieces(call.written) for call in calls)):
        for at, piece in enumerate(row):
            if piece is not None:
                yield chunk({"tool_calls": [{"index": at, "function": {"arguments": piece}}]})
    yield chunk({}, _openai_finish(reply, calls))
    if asked.body.get("stream_options", {}).get("include_usage"):
        yield _data({"id": "chat-1", "model": "scripted", "choices": [], "usage": _openai_usage(reply)})
    yield "data: [DONE]\n\n"


def _openai_whole(asked: Asked, reply: Reply) -> dict[str, Any]:
    text, calls = _said(asked, reply)
    message: dict[str, Any] = {"role": "assistant", "content": "".join(text) or None}
    if calls:
        message["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.written}}
            for call in calls
        ]
    choice = {"index": 0, "message": message, "finish_reason": _openai_finish(reply, calls)}
    return {"id": "chat-1", "model": "scripted", "choices": [choice], "usage": _openai_usage(reply)}


def _anthropic_finish(reply: Reply, calls: Sequence[Call]) -> str:
    return reply.finish or ("tool_use" if calls else "end_turn")


def _anthropic_usage(reply: Reply) -> dict[str, Any]:
    given, written, cached = reply.usage
    return {"input_tokens": given - cached, "cache_read_input_tokens": cached, "output_tokens": written}


def _anthropic_events(asked: Asked, reply: Reply) -> Iterator[str]:
    text, calls = _said(asked, reply)
    usage = {**_anthropic_usage(reply), "output_tokens": 1}
    message = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": [],
        "usage": usage,
    }
    yield _event("message_start", message=message)
    yield _event("ping")
    if text:
        yield _event("content_block_start", index=0, content_block={"type": "text", "text": ""})
        for piece in text:
            yield _event("content_block_delta", index=0, delta={"type": "text_delta", "text": piece})
        yield _event("content_block_stop", index=0)
    for at, call in enumerate(calls, bool(text)):
        block = {"type": "tool_use", "id": call.id, "name": call.name, "input": {}}
        yield _event("content_block_start", index=at, content_block=block)
        for piece in _pieces(call.written):
            yield _event("content_block_delta", index=at, delta={"type": "input_json_delta", "partial_json": piece})
        yield _event("content_block_stop", index=at)
    ending = {"stop_reason": _anthropic_finish(reply, calls), "stop_sequence": None}
    yield _event("message_delta", delta=ending, usage={"output_tokens": reply.usage[1]})
    yield _event("message_stop")


def _anthropic_whole(asked: Asked, reply: Reply) -> dict[str, Any]:
    text, calls = _said(asked, reply)
    content: list[dict[str, Any]] = [{"type": "text", "text": "".join(text)}] if text else []
    content += [{"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments} for call in calls]
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": content,
        "stop_reason": _anthropic_finish(reply, calls),
        "usage": _anthropic_usage(reply),
    }


def _event(kind: str, **values: Any) -> str:
    return f"event: {kind}\n" + _data({"type": kind, **values})


def _data(value: Any) -> str:
    return f"data: {json.dumps(value, ensure_ascii=False)}\n\n"
