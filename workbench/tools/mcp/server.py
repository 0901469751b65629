"""One server: started when it is first needed, kept by one task from its start to its end, and started anew."""

from __future__ import annotations

import asyncio
import enum
import logging
import time
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

from workbench.errors import RunFailed
from workbench.i18n import _, numeral
from workbench.tools.mcp.server_log import ServerLog
from workbench.tools.mcp.server_tool import ServerTool
from workbench.tools.mcp.specs import LookUp, ServerSpec, secrets_of

if TYPE_CHECKING:
    from workbench.tools.mcp.session import Session

log = logging.getLogger(__name__)


_MOST_STARTS = 3
_FRESH_S = 1.0
# which of them, besides those from 500 on, keep everything from being done
_REFUSALS = frozenset({401, 402, 403, 407, 429})
_SERVER_FAILED = 500


class ServerState(enum.Enum):
    """How a server is. FAILED: it could not be started, or has ended by itself. STOPPED: it was ended."""

    NOT_STARTED = "not started"
    STARTING = "starting"
    READY = "ready"
    FAILED = "failed"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """How a server is at one moment. *reason*: why it failed or has ended, in words."""

    state: ServerState = ServerState.NOT_STARTED
    reason: str = ""


class Server:
    """The life of one server. What is a coroutine here runs on the loop; the rest may be asked from any thread.

    Life cycle: it is started when something is wanted of it. One task enters the connection, waits until it is over
    and leaves it. After that it is started anew, unless that has failed too often; then ``stop`` comes first.
    """

    def __init__(self, spec: ServerSpec, look_up: LookUp) -> None:
        self.spec = spec
        self.status = ServerStatus()
        self.log = ServerLog(secrets_of(spec, look_up))
        self._look_up = look_up
        self._task: asyncio.Task[None] | None = None
        self._ready: asyncio.Future[Session] | None = None
        self._over = asyncio.Event()
        self._ended = ""
        self._refused = ""
        self._starts = 0
        self._tools: tuple[ServerTool, ...] | None = None
        self._listed_s = 0.0

    async def tools(self) -> tuple[ServerTool, ...]:
        """All that it offers now, asked anew. Raises RunFailed."""
        session = await self._session()
        try:
            async with asyncio.timeout(self.spec.timeout_s):
                self._tools, self._listed_s = await session.tools(), time.monotonic()
        except Exception as error:
            message = _("The tools of the server “{name}” could not be listed: {reason}.")
            raise self._failure(message, error) from error
        return self._tools

    async def known_tools(self) -> tuple[ServerTool, ...]:
        """The same, where it was asked just now as it was then."""
        await self._session()
        is_fresh = time.monotonic() - self._listed_s < _FRESH_S
        return self._tools if self._tools is not None and is_fresh else await self.tools()

    async def call(self, tool: ServerTool, arguments: Mapping[str, Any], on_progress: Callable[[str], None]) -> Any:
        """What *tool* gives. Raises RunFailed."""
        session = await self._session()
        try:
            async with asyncio.timeout(self.spec.timeout_s):
                return await session.call(tool, arguments, on_progress)
        except Exception as error:
            raise self._failure(self._told_of_call(error), error, tool.name) from error

    async def stop(self) -> None:
        """End it; when this returns it has ended."""
        self._starts = 0
        await self._let_end()

    async def _let_end(self) -> None:
        self._over.set()
        if self._task is not None:
            await asyncio.wait((self._task,))

    async def _session(self) -> Session:
        """The connection, once it is there. Raises RunFailed."""
        if self._task is None or self._task.done() or self._over.is_set():
            await self._let_end()
            if self._starts >= _MOST_STARTS:
                message = _("The server “{name}” does not work, so its tools cannot be called: {reason}.")
                raise RunFailed(message.format(name=self.spec.name, reason=self.status.reason))
            self._starts += 1
            self._over, self._ended, self._tools = asyncio.Event(), "", None
            self._ready = asyncio.get_running_loop().create_future()
            self._ready.add_done_callback(_heard)
            self.status = ServerStatus(ServerState.STARTING)
            self._task = asyncio.create_task(self._live(self._ready))
        assert self._ready is not None
        # who gives up waiting does not keep it from starting
        return await asyncio.shield(self._ready)

    async def _live(self, ready: asyncio.Future[Session]) -> None:
        """Be connected from start to end; *ready* gets the connection, or why there is none."""
        reason = ""
        try:
            await self._connected(ready)
        except Exception as error:  # noqa: BLE001 - as above
            reason = self._reason(error)
            if isinstance(error, TimeoutError):
                self._starts = _MOST_STARTS  # nobody waits for that again
        finally:
            reason = self.log.redacted(reason or self._ended)
            self.status = ServerStatus(ServerState.FAILED if reason else ServerState.STOPPED, reason)
            self.log.note(_("(ended: {reason})").format(reason=self.status.reason or _("it was stopped")))
            if not ready.done():
                message = _("The server “{name}” could not be started, so its tools cannot be called: {reason}.")
                ready.set_exception(RunFailed(message.format(name=self.spec.name, reason=self.status.reason)))

    async def _connected(self, ready: asyncio.Future[Session]) -> None:
        session = await asyncio.to_thread(_load)
        around = session.Surroundings(self._look_up, self.log, self._on_end, self._on_change, self._on_status)
        async with AsyncExitStack() as stack:
            async with asyncio.timeout(self.spec.start_timeout_s):
                connection = await stack.enter_async_context(session.opened(self.spec, around))
            self.status = ServerStatus(ServerState.READY)
            log.info("Started the server %s", self.spec.name)
            ready.set_result(connection)
            await self._over.wait()

    def _on_end(self, reason: str) -> None:
        if not self._over.is_set():  # else we have ended it
            self._ended = reason
            self._over.set()
            if self.status.state is ServerState.READY:
                self.status = ServerStatus(ServerState.FAILED, self.log.redacted(reason))

    def _on_change(self) -> None:
        self._tools = None

    def _on_status(self, status: int, phrase: str) -> None:
        is_refusal = status in _REFUSALS or status >= _SERVER_FAILED
        self._refused = f"{status} {phrase}".strip() if is_refusal else ""

    def _failure(self, message: str, error: Exception, tool: str = "") -> RunFailed:
        text = message.format(name=self.spec.name, tool=tool, reason=self._reason(error))
        return RunFailed(self.log.redacted(text))

    def _told_of_call(self, error: Exception) -> str:
        session = _load()
        if isinstance(error, session.ToolFailed):
            return "{reason}."
        if isinstance(error, TimeoutError) or session.is_closed(error):
            return _("The server “{name}” did not finish “{tool}”, which may have been done or not: {reason}.")
        return _("The server “{name}” could not carry out “{tool}”: {reason}.")

    def _reason(self, error: Exception) -> str:
        if isinstance(error, TimeoutError):
            limit = self.spec.start_timeout_s if self.status.state is ServerState.STARTING else self.spec.timeout_s
            return _("it took longer than {limit} s").format(limit=numeral(limit, "g"))
        if self._refused:
            return _("it answered with {status}").format(status=self._refused)
        words = str(_load().reason_of(error))
        return self._ended if self._ended and _load().is_closed(error) else words


def _load() -> ModuleType:
    """What talks to servers; loading it takes more than a second the first time."""
    from workbench.tools.mcp import session  # noqa: PLC0415 - as above

    return session


def _heard(ready: asyncio.Future[Any]) -> None:
    """Nobody need wait for *ready*: what it holds is told by the status too."""
    if not ready.cancelled():
        ready.exception()
