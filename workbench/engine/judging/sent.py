"""Requests to models as the journal keeps them, so that each can be opened later, word for word as it was sent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from workbench.engine.journal.journal import Keeps
from workbench.providers.values import Message, ModelRequest, Role, ToolOffer, ToolWish


def keep_request(journal: Keeps, request: ModelRequest) -> str:
    """The name under which *journal* keeps *request*, with marks in the place of secrets."""
    messages = [
        {
            "role": one.role.value,
            "text": one.text,
            "wishes": [[wish.id, wish.name, wish.arguments, wish.written] for wish in one.wishes],
            "answers": one.answers,
            "is_error": one.is_error,
        }
        for one in request.messages
    ]
    tools = [[one.name, one.description, one.schema] for one in request.tools]
    return journal.keep(
        {
            "endpoint": request.endpoint,
            "model": request.model,
            "system": request.system,
            "messages": messages,
            "tools": tools,
            "schema": request.schema,
        }
    )


def kept_request(journal: Keeps, name: str) -> ModelRequest:
    """The request that *journal* keeps as *name*. Raises StoreFailed where it is lost."""
    kept = json.loads(journal.kept(name))
    return ModelRequest(
        kept["endpoint"],
        kept["model"],
        kept["system"],
        tuple(_message(one) for one in kept["messages"]),
        tuple(ToolOffer(*one) for one in kept["tools"]),
        kept["schema"],
    )


def _message(kept: Mapping[str, Any]) -> Message:
    wishes = tuple(ToolWish(*one) for one in kept["wishes"])
    return Message(Role(kept["role"]), kept["text"], wishes, kept["answers"], kept["is_error"])
