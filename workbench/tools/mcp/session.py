"""An open connection to a server; all of it happens on the asyncio loop.

Imports ``mcp``, which takes more than a second: import this where a server is started and no earlier. What a tool gave
becomes JSON data; what went wrong with a server is said in plain words that stand in a sentence.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any

import httpx2
import mcp_types
from mcp import Client, MCPError
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CONNECTION_CLOSED
from pydantic import ValidationError

from workbench import __version__
from workbench.errors import RunFailed
from workbench.i18n import _, ngettext, numeral
from workbench.tools.mcp.child_transport import Command, child_transport
from workbench.tools.mcp.server_log import ServerLog
from workbench.tools.mcp.server_tool import ServerTool
from workbench.tools.mcp.specs import LookUp, Pairs, ServerSpec, Transport, filled
from workbench.tools.values import CallSafety

_MOST_PAGES = 50
_MOST_TOOLS = 1_000
_LARGEST_TOOL = 100_000
_CONNECT_S = 30.0
_IDLE_S = 300.0
_LOGGERS = ("mcp", "client")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a connection is given. *on_end*: hears why nothing more will come; *on_change*: that the tools changed;
    *on_status*: with what status a server on the web answers. All are called on the loop.
    """

    look_up: LookUp
    log: ServerLog
    on_end: Callable[[str], None]
    on_change: Callable[[], None]
    on_status: Callable[[int, str], None]


class ToolFailed(RunFailed):
    """The tool was called and says itself that it failed."""


class Session:
    """An open connection to one server."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def tools(self) -> tuple[ServerTool, ...]:
        """All tools that there are now, by name. Raises RunFailed, and what reason_of has words for."""
        found: dict[str, ServerTool] = {}
        cursor: str | None = None
        for _page in range(_MOST_PAGES):
            listed = await self._client.list_tools(cursor=cursor, cache_mode="bypass")
            for tool in listed.tools:
                found[tool.name] = _tool(tool)
            cursor = listed.next_cursor
            if not cursor or len(found) > _MOST_TOOLS:
                break
        if len(found) > _MOST_TOOLS or cursor:
            raise RunFailed(_("it offers too many tools, more than {most}").format(most=_MOST_TOOLS))
        return tuple(found[name] for name in sorted(found))

    async def call(self, tool: ServerTool, arguments: Mapping[str, Any], on_progress: Callable[[str], None]) -> Any:
        """What *tool* gives. Raises ToolFailed where it says that it failed, and what reason_of has words for."""
        heard = partial(_progressed, on_progress)
        result = await self._client.call_tool(tool.name, dict(arguments), progress_callback=heard)
        given = result.model_dump(mode="json", by_alias=True)
        if result.is_error:
            raise ToolFailed(text_of(given) or _("it failed, and does not say why"))
        return data_of(given, tool.output_schema)


async def _progressed(
    on_progress: Callable[[str], None], done: float, total: float | None, message: str | None
) -> None:
    if message:
        on_progress(f"{message}\n")


def _tool(tool: mcp_types.Tool) -> ServerTool:
    """*tool* as it is described. Raises RunFailed for a description that nobody could read."""
    if len(tool.description or "") + len(json.dumps([tool.input_schema, tool.output_schema])) > _LARGEST_TOOL:
        raise RunFailed(_("the description of its tool {name} is too long").format(name=tool.name[:100]))
    hints = tool.annotations
    if hints is not None and hints.read_only_hint:
        hinted = CallSafety.READ
    else:
        hinted = CallSafety.IDEMPOTENT if hints is not None and hints.idempotent_hint else CallSafety.UNSAFE
    return ServerTool(tool.name, tool.description or "", tool.input_schema, tool.output_schema, hinted)


@asynccontextmanager
async def opened(spec: ServerSpec, around: Surroundings) -> AsyncIterator[Session]:
    """A connection to *spec*, which is started for it where it is a command; at the end it is dead."""
    _quieten()

    async def on_message(message: object) -> None:
        if isinstance(message, mcp_types.ToolListChangedNotification):
            around.on_change()
        await asyncio.sleep(0)

    async def on_log(params: mcp_types.LoggingMessageNotificationParams) -> None:
        around.log.add(f"{params.level}: {params.data}")

    async with _http_client(spec, around) as http:
        client = Client(
            _transport(spec, around, http),
            client_info=mcp_types.Implementation(name="playbook-workbench", version=__version__),
            message_handler=on_message,
            logging_callback=on_log,
        )
        async with client:
            yield Session(client)


def _quieten() -> None:
    """Keep the package from printing what it cannot do: that is told in words, and what it prints may hold keys."""
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL)


def _transport(spec: ServerSpec, around: Surroundings, http: httpx2.AsyncClient | None) -> Any:
    if spec.transport is Transport.STDIO:
        words = tuple(filled(word, around.look_up) for word in spec.words)
        command = Command(words, _filled(spec.env, around), spec.cwd or spec.folder, around.on_end)
        return child_transport(command, around.log)
    url = filled(spec.url, around.look_up)
    if spec.transport is Transport.HTTP:
        return streamable_http_client(url, http_client=http)
    return sse_client(url, _filled(spec.headers, around), timeout=_CONNECT_S, auth=_login(spec, around))


def _http_client(
    spec: ServerSpec, around: Surroundings
) -> AbstractAsyncContextManager[httpx2.AsyncClient] | AbstractAsyncContextManager[None]:
    """What HTTP goes through; it follows nobody to another address, where our keys would be read."""
    if spec.transport is not Transport.HTTP:
        return nullcontext()

    async def heard(response: httpx2.Response) -> None:
        around.on_status(response.status_code, response.reason_phrase)

    return httpx2.AsyncClient(
        headers=_filled(spec.headers, around),
        auth=_login(spec, around),
        timeout=httpx2.Timeout(_CONNECT_S, read=_IDLE_S),
        follow_redirects=False,
        trust_env=False,
        event_hooks={"response": [heard]},
    )


def _login(spec: ServerSpec, around: Surroundings) -> httpx2.BasicAuth | None:
    if spec.login is None:
        return None
    name, password = (filled(each, around.look_up) for each in spec.login)
    return httpx2.BasicAuth(name, password)


def _filled(pairs: Pairs, around: Surroundings) -> dict[str, str]:
    return {name: filled(value, around.look_up) for name, value in pairs}


__all__ = ["Session", "Surroundings", "ToolFailed", "is_lost", "opened", "reason_of"]


_LONGEST = 1_000


def reason_of(error: BaseException) -> str:
    """Why something failed, without the full stop; of several failures at once the one that says most."""
    return _words_for(_telling(error)).rstrip(".")[:_LONGEST]


def _telling(error: BaseException) -> BaseException:
    """What stands behind *error*: a group tells nothing, and neither does that a connection was closed."""
    if not isinstance(error, BaseExceptionGroup):
        return error
    found = [_telling(each) for each in error.exceptions]
    return next((each for each in found if not is_closed(each)), found[0])


def is_closed(error: BaseException) -> bool:
    """True when *error* says only that there is no connection any more."""
    if isinstance(error, BaseExceptionGroup):
        return all(map(is_closed, error.exceptions))
    return isinstance(error, MCPError) and error.code == CONNECTION_CLOSED


def is_lost(error: BaseException) -> bool:
    """True when *error* says that there is no connection any more, however it says that."""
    if isinstance(error, BaseExceptionGroup):
        return all(map(is_lost, error.exceptions))
    return is_closed(error) or isinstance(error, httpx2.TransportError)


def _words_for(error: BaseException) -> str:
    match error:
        case RunFailed():
            return str(error)
        case _ if is_closed(error):
            return _("the connection was closed")
        case MCPError():
            return _("it answered: {message} ({code})").format(message=error.message, code=error.code)
        case httpx2.HTTPStatusError():
            code = error.response.status_code
            return _("it answered with {status}").format(status=f"{code} {error.response.reason_phrase}".strip())
        case httpx2.TimeoutException():
            return _("it did not answer in time")
        case httpx2.ConnectError():
            return _("nothing answers at its address")
        case httpx2.TransportError():
            return _("the connection broke off")
        case ValidationError():
            return _("what it sent is no message that it may send")
        case _:
            return str(error) or type(error).__name__


_LONGEST_TEXT = 1_000_000
_WRAPPED = "result"


def data_of(result: Mapping[str, Any], output_schema: Mapping[str, Any] | None) -> Any:
    """The value in *result*, which is as it came over the wire.

    One text is that text, several are a list. Pictures and sounds are told with their size and not kept.
    """
    structured = result.get("structuredContent")
    if structured is None:
        parts = [_part(block) for block in result.get("content") or ()]
        return parts[0] if len(parts) == 1 else parts or None
    only = _only_value(structured, output_schema)
    return only[1] if only is not None and (only[0] == _WRAPPED or only[1] == text_of(result)) else structured


def text_of(result: Mapping[str, Any]) -> str:
    """What there is to read in *result*."""
    texts = [str(block.get("text", "")) for block in result.get("content") or () if block.get("type") == "text"]
    return _cut("\n".join(texts))


def _only_value(structured: object, schema: Mapping[str, Any] | None) -> tuple[str, Any] | None:
    """The one field of *structured*, where it is the only one that there can be.

    Servers have to give an object, so some put any other value into one with a single field.
    """
    declared = (schema or {}).get("properties")
    if not isinstance(structured, Mapping) or not isinstance(declared, Mapping) or len(structured) != 1:
        return None
    return next(iter(structured.items())) if set(structured) == set(declared) else None


def _part(block: Mapping[str, Any]) -> Any:
    kind = block.get("type")
    if kind == "text":
        return _cut(str(block.get("text", "")))
    if kind == "resource":
        return _resource(block.get("resource") or {})
    if kind == "resource_link":
        named = {key: block[key] for key in ("name", "description", "mimeType") if block.get(key)}
        return {"resource": block.get("uri", ""), **named}
    return {str(kind): block.get("mimeType", ""), "bytes": _size(block.get("data"))}


def _resource(resource: Mapping[str, Any]) -> dict[str, Any]:
    found = {"resource": resource.get("uri", "")}
    if "text" in resource:
        return {**found, "text": _cut(str(resource["text"]))}
    return {**found, "mimeType": resource.get("mimeType", ""), "bytes": _size(resource.get("blob"))}


def _size(encoded: object) -> int:
    """How many bytes *encoded* stands for, in base 64."""
    return len(encoded.rstrip("=")) * 3 // 4 if isinstance(encoded, str) else 0


def _cut(text: str) -> str:
    if len(text) <= _LONGEST_TEXT:
        return text
    left = len(text) - _LONGEST_TEXT
    note = ngettext("(cut here: {count} more character)", "(cut here: {count} more characters)", left)
    note = note.format(count=numeral(left))
    return f"{text[:_LONGEST_TEXT]}\n{note}"
