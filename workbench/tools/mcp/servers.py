"""The servers of one project, for whoever is on a thread of its own: a run, the terminal, a pane."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable, Coroutine, Iterable, Mapping
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from workbench.async_loop import AsyncLoop, shared_loop
from workbench.errors import Cancelled, NotTrusted, RunFailed
from workbench.i18n import _
from workbench.tools.mcp.approved_tools import ApprovedTools, Standing
from workbench.tools.mcp.server import Server, ServerState, ServerStatus
from workbench.tools.mcp.server_log import keep_log
from workbench.tools.mcp.server_tool import ServerTool
from workbench.tools.mcp.specs import LookUp, ServerSpec

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ServerRules:
    """What servers may do. *is_allowed*: whether a person has allowed one to start. *look_up*: values by name.

    *folder*: for what was approved, and for what they wrote last.
    """

    is_allowed: Callable[[ServerSpec], bool]
    look_up: LookUp
    folder: Path


@dataclass(frozen=True, slots=True)
class ServerOffer:
    """The tools of one server, and how they stand; *problem*: why none can be called, in a sentence."""

    spec: ServerSpec
    tools: tuple[ServerTool, ...] = ()
    standing: Standing = Standing.SEEN
    problem: str = ""


class Servers:
    """Every server that is named, started when something is first wanted of it.

    What waits here, waits for the loop, raises Cancelled at once after ``cancel``, and then ever after.
    """

    def __init__(self, specs: Iterable[ServerSpec], rules: ServerRules, loop: AsyncLoop | None = None) -> None:
        self._rules = rules
        self._approved = ApprovedTools(rules.folder)
        self._loop = loop or shared_loop()
        self._servers = {spec.name: Server(spec, rules.look_up) for spec in specs}
        self._waiting: set[Future[Any]] = set()
        self._lock = threading.Lock()
        self._is_given_up = False

    @property
    def specs(self) -> tuple[ServerSpec, ...]:
        """What is named."""
        return tuple(server.spec for server in self._servers.values())

    def status(self, name: str) -> ServerStatus:
        """How the server *name* is."""
        return self._servers[name].status

    def log(self, name: str) -> str:
        """The last that the server *name* has written, and what became of it."""
        return self._servers[name].log.text

    def offers(self) -> tuple[ServerOffer, ...]:
        """What each server offers now, asked anew; starts them. Raises Cancelled."""
        allowed = [server for server in self._servers.values() if self._rules.is_allowed(server.spec)]
        listed = dict(zip((each.spec.name for each in allowed), self._wait(_all_tools(allowed)), strict=True))
        return tuple(self._offer(server.spec, listed.get(server.spec.name)) for server in self._servers.values())

    def offer(self, name: str) -> ServerOffer:
        """What the server *name* offers. Raises NotTrusted, RunFailed where it does not work, and Cancelled."""
        server = self._admitted(name)
        return self._offer(server.spec, self._wait(server.known_tools()))

    def call(self, name: str, tool: ServerTool, arguments: Mapping[str, Any], on_output: Callable[[str], None]) -> Any:
        """What *tool* of the server *name* gives. Raises RunFailed, and Cancelled: then it may go on in the server."""
        server = self._admitted(name)
        heard: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        return self._wait(server.call(tool, arguments, heard.put), heard, on_output)

    def approve(self, name: str) -> ServerOffer:
        """The tools that the server *name* offers, approved as they are. Raises RunFailed, CannotSave, Cancelled."""
        server = self._admitted(name)
        tools = self._wait(server.tools())
        self._approved.approve(server.spec, tools)
        return self._offer(server.spec, tools)

    def difference(self, offer: ServerOffer) -> str:
        """What has changed in *offer* since its tools were seen or approved last, as a diff."""
        return self._approved.difference(offer.spec, offer.tools)

    def restart(self, name: str) -> ServerOffer:
        """End the server *name*, and start it anew. Raises as ``offer``."""
        server = self._admitted(name)
        self._wait(server.stop())
        return self.offer(name)

    def cancel(self) -> None:
        """Make whoever waits here raise Cancelled at once; callable from any thread."""
        with self._lock:
            self._is_given_up = True
            waiting = tuple(self._waiting)
        for future in waiting:
            future.cancel()

    def close(self) -> None:
        """End all servers; when this returns they have ended."""
        running = [server for server in self._servers.values() if server.status.state is not ServerState.NOT_STARTED]
        if running:
            self._loop.submit(_end_all(running)).result()
        for server in running:
            keep_log(self._rules.folder, server.spec, server.log.text)

    def _admitted(self, name: str) -> Server:
        server = self._servers[name]
        if not self._rules.is_allowed(server.spec):
            message = _(
                "The server “{name}” ({target}) is not allowed to start yet. Read what it is, then allow it: --trust "
                "on the command line, or Run in the window."
            )
            raise NotTrusted(message.format(name=name, target=server.spec.target))
        return server

    def _offer(self, spec: ServerSpec, tools: tuple[ServerTool, ...] | str | None) -> ServerOffer:
        if tools is None:
            return ServerOffer(
                spec, problem=_("The server “{name}” is not allowed to start yet.").format(name=spec.name)
            )
        if isinstance(tools, str):
            return ServerOffer(spec, problem=tools)
        standing = self._approved.standing(spec, tools)
        if standing is not Standing.CHANGED:
            return ServerOffer(spec, tools, standing)
        message = _(
            "The tools of the server “{name}” are not what they were, so none of them is called. Read what has "
            "changed, then approve them again: workbench tools approve {name}, or Tools in the window."
        )
        return ServerOffer(spec, tools, standing, message.format(name=spec.name))

    def _wait(
        self,
        work: Coroutine[Any, Any, T],
        heard: queue.SimpleQueue[str | None] | None = None,
        on_output: Callable[[str], None] | None = None,
    ) -> T:
        """What *work* gives, on the loop; what is *heard* meanwhile is told on this thread."""
        heard = heard or queue.SimpleQueue()
        with self._lock:
            if self._is_given_up:
                work.close()
                raise Cancelled
            future = self._loop.submit(work)
            self._waiting.add(future)
        future.add_done_callback(lambda _future: heard.put(None))
        try:
            while (text := heard.get()) is not None:
                if on_output is not None:
                    on_output(text)
            return future.result()
        except CancelledError:
            raise Cancelled from None
        finally:
            future.cancel()
            with self._lock:
                self._waiting.discard(future)


async def _all_tools(servers: Iterable[Server]) -> list[tuple[ServerTool, ...] | str]:
    """The tools of each, or in words why there are none."""
    return await asyncio.gather(*map(_tools, servers))


async def _tools(server: Server) -> tuple[ServerTool, ...] | str:
    try:
        return await server.tools()
    except RunFailed as error:
        return str(error)


async def _end_all(servers: Iterable[Server]) -> None:
    with suppress(asyncio.CancelledError):
        await asyncio.gather(*(server.stop() for server in servers))
