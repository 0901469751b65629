"""How an answer is asked for: the ways to want JSON, from the strictest to the plainest, and what servers refuse."""

from __future__ import annotations

import enum
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from workbench.providers.values import Message, ModelRequest, Role

ANSWER = "answer"
_TOOL = "submit_answer"
TOOL_DESCRIPTION = "Submit the final answer."
_IN_WORDS = "Answer with JSON only, without any other words. The JSON must match this schema:\n{schema}"


class AnswerForm(enum.Enum):
    """How an answer that keeps a schema is asked for: by the schema, by a tool that must be called, in words."""

    SCHEMA = "schema"
    TOOL = "tool"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class Habits:
    """What one model behind one server takes. *length*: the field that limits the answer."""

    form: AnswerForm
    length: str = "max_tokens"
    takes_temperature: bool = True
    takes_usage: bool = True


def easier(habits: Habits, request: ModelRequest, refusal: str) -> Habits | None:
    """What may be taken where *habits* were refused with the words *refusal*; None where there is nothing easier."""
    if "max_completion_tokens" in refusal and habits.length == "max_tokens":
        return replace(habits, length="max_completion_tokens")
    if "temperature" in refusal and habits.takes_temperature and request.temperature is not None:
        return replace(habits, takes_temperature=False)
    if "stream_options" in refusal and habits.takes_usage:
        return replace(habits, takes_usage=False)
    forms = list(AnswerForm)
    following = forms[forms.index(habits.form) + 1 :]
    return replace(habits, form=following[0]) if request.schema is not None and following else None


def answer_tool(request: ModelRequest) -> str:
    """A name for the tool that takes the answer, which no tool on offer has."""
    name, taken = _TOOL, {tool.name for tool in request.tools}
    while name in taken:
        name += "_"
    return name


def is_wrapped(schema: Mapping[str, Any]) -> bool:
    """Whether what keeps *schema* may be no object; providers take only schemas of objects."""
    return schema.get("type") != "object"


def object_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """*schema*, or one of an object whose field ``answer`` keeps it."""
    if not is_wrapped(schema):
        return dict(schema)
    # references in a schema count from its root
    shared = {name: schema[name] for name in ("$defs", "definitions") if name in schema}
    inner = {name: value for name, value in schema.items() if name not in shared}
    return {
        "type": "object",
        "properties": {ANSWER: inner},
        "required": [ANSWER],
        "additionalProperties": False,
    } | shared


def unwrapped(schema: Mapping[str, Any], data: Any) -> Any:
    """The answer in *data*, which was asked for with ``object_schema``."""
    is_inside = is_wrapped(schema) and isinstance(data, dict) and data.keys() == {ANSWER}
    return data[ANSWER] if is_inside else data


def is_strict(schema: Any) -> bool:
    """Whether *schema* has what a strict mode wants: every field required, and no others."""
    if isinstance(schema, Mapping):
        if schema.get("type") == "object" or "properties" in schema:
            names = schema.get("properties", {})
            is_closed = schema.get("additionalProperties") is False
            if not is_closed or set(schema.get("required", ())) != set(names):
                return False
        return all(map(is_strict, schema.values()))
    return all(map(is_strict, schema)) if isinstance(schema, list | tuple) else True


def messages_of(request: ModelRequest, form: AnswerForm) -> tuple[Message, ...]:
    """The messages, with the schema in words at their end where that is the form."""
    if request.schema is None or form is not AnswerForm.WORDS:
        return request.messages
    words = _IN_WORDS.format(schema=json.dumps(plain(request.schema), ensure_ascii=False))
    return (*request.messages, Message(Role.USER, words))


def plain(value: Any) -> Any:
    """*value* in dictionaries and lists, as JSON wants it."""
    if isinstance(value, Mapping):
        return {str(name): plain(each) for name, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list | tuple) else value
