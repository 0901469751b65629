"""What a model is asked and what it answers, whatever protocol carries it."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol


class Role(enum.Enum):
    """Who says a message. TOOL: what a tool gave."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class Finish(enum.Enum):
    """Why an answer ended. LENGTH: it was cut off; FILTERED: the provider refused it."""

    STOP = "stop"
    TOOLS = "tools"
    LENGTH = "length"
    FILTERED = "filtered"


@dataclass(frozen=True, slots=True)
class ToolOffer:
    """A tool that the model may call. *schema*: a JSON schema of its arguments, an object."""

    name: str
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolWish:
    """A call that the model wants made. *arguments* None: what it wrote, *written*, is not a JSON object."""

    id: str
    name: str
    arguments: Mapping[str, Any] | None
    written: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation. *wishes*: of the model. *answers*: the id of the wish that a tool's text answers."""

    role: Role
    text: str
    wishes: tuple[ToolWish, ...] = ()
    answers: str = ""
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """What is sent. *system*: the stable part, first, so that providers' caches work.

    *schema*: a JSON schema that the answer must keep, None for free text; together with *tools* the model may call
    some first. *endpoint*, *model*: which configured endpoint, and which of its models.
    """

    endpoint: str
    model: str
    system: str
    messages: tuple[Message, ...]
    tools: tuple[ToolOffer, ...] = ()
    schema: Mapping[str, Any] | None = None
    max_tokens: int = 4096
    temperature: float | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one answer, and what it cost in dollars where the prices are known.

    *cached*: the part of *input* that came from the provider's cache.
    """

    input: int = 0
    output: int = 0
    cached: int = 0
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What came back. *data*: the answer as JSON where a schema was wanted, None where *text* is none.

    *model*: as the provider names it. *requests*: how many were sent for it, retries included.
    """

    text: str
    data: Any = None
    wishes: tuple[ToolWish, ...] = ()
    usage: Usage = Usage()
    finish: Finish = Finish.STOP
    model: str = ""
    id: str = ""
    requests: int = 1


class ModelClient(Protocol):
    """Asks models. Called on the thread of the run; one request at a time."""

    def complete(self, request: ModelRequest, on_delta: Callable[[str], None]) -> ModelReply:
        """The whole answer to *request*; *on_delta* hears text as it comes, on the calling thread.

        Retries what may be retried. Does not check the answer against the schema. Raises ModelFailed, and Cancelled
        after ``cancel``.
        """
        ...

    def cancel(self) -> None:
        """Make a waiting ``complete``, and every later one, raise Cancelled within 0.1 s; callable from any thread."""
        ...
