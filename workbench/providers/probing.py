"""Tries what a model behind an endpoint can do, with three small requests."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from workbench.errors import ModelFailed
from workbench.i18n import N_, LazyText, _
from workbench.providers.client import EndpointClient
from workbench.providers.endpoints import Endpoint, WireProtocol
from workbench.providers.values import Message, ModelReply, ModelRequest, Role, ToolOffer
from workbench.providers.wire.asking import AnswerForm

REACHABLE, STREAMING, TOOLS, SCHEMA = "reachable", "streaming", "tools", "schema"
ABILITIES: dict[str, LazyText] = {
    REACHABLE: N_("Reachable"),
    STREAMING: N_("Streaming"),
    TOOLS: N_("Tools"),
    SCHEMA: N_("Answers by a schema"),
}
"""What is tried, in words."""
_MOST_TOKENS = 1000
_COUNT = "Count from one to ten, in words."
_LOOK = "Use the tool to look up the weather in Paris."
_JUDGE = "Is water wet? Answer with the fields that are asked for."
_WEATHER = ToolOffer(
    "look_up_weather",
    "Looks up the weather of a city.",
    {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
        "additionalProperties": False,
    },
)
_VERDICT = {
    "type": "object",
    "properties": {"is_true": {"type": "boolean"}},
    "required": ["is_true"],
    "additionalProperties": False,
}
_FORMS = {
    AnswerForm.TOOL: N_("by a tool that it must call; it takes no schemas"),
    AnswerForm.WORDS: N_("asked for in words only; it takes neither schemas nor forced tools"),
}


@dataclass(frozen=True, slots=True)
class Tried:
    """Whether something works. *name*: a key of ``ABILITIES``. *why*: what there is to say, empty for nothing."""

    name: str
    is_fine: bool
    why: str = ""
    seconds: float = 0.0


def probe(client: EndpointClient, endpoint: Endpoint, ticks: Callable[[], float] = time.monotonic) -> Iterator[Tried]:
    """What *endpoint* can do, one after the other, as it is found out. Raises Cancelled."""
    started, pieces = ticks(), list[str]()
    try:
        client.complete(_request(endpoint, _COUNT), pieces.append)
    except ModelFailed as error:
        yield Tried(REACHABLE, False, str(error), ticks() - started)
        yield from (Tried(name, False, _("not tried")) for name in (STREAMING, TOOLS, SCHEMA))
        return
    yield Tried(REACHABLE, True, "", ticks() - started)
    is_streaming = len(pieces) > 1
    yield Tried(STREAMING, is_streaming, "" if is_streaming else _("the answer came in one piece"))
    for name, request, look in (
        (TOOLS, replace(_request(endpoint, _LOOK), tools=(_WEATHER,)), _tools),
        (SCHEMA, replace(_request(endpoint, _JUDGE), schema=_VERDICT), _schema),
    ):
        started = ticks()
        is_fine, why = _looked_at(client, endpoint, request, look)
        yield Tried(name, is_fine, why, ticks() - started)


def _looked_at(
    client: EndpointClient, endpoint: Endpoint, request: ModelRequest, look: Callable[[ModelReply], str]
) -> tuple[bool, str]:
    try:
        wrong = look(client.complete(request, _ignored))
    except ModelFailed as error:
        return False, str(error)
    if wrong or request.schema is None:
        return not wrong, wrong
    # the only way that the other protocol has is to force a tool
    form = client.answer_form(request)
    return True, str(_FORMS.get(form, "")) if endpoint.protocol is not WireProtocol.ANTHROPIC else ""


def _tools(reply: ModelReply) -> str:
    if not reply.wishes:
        return _("it called no tool")
    return _("it wrote arguments that are not JSON") if reply.wishes[0].arguments is None else ""


def _schema(reply: ModelReply) -> str:
    is_kept = isinstance(reply.data, dict) and type(reply.data.get("is_true")) is bool
    return "" if is_kept else _("its answer does not match the schema")


def _request(endpoint: Endpoint, text: str) -> ModelRequest:
    said = (Message(Role.USER, text),)
    return ModelRequest(endpoint.name, "", "You are being tested. Be brief.", said, max_tokens=_MOST_TOKENS)


def _ignored(_text: str) -> None:
    """Nobody listens."""
