"""One server: started when it is first needed, kept by one task from its start to its end, and started anew."""

from __future__ import annotations

import asyncio
import enum
import logging
import time
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

from workbench.errors import RunFailed
from workbench.i18n import _, numeral
from workbench.tools.mcp.server_log import ServerLog
from workbench.tools.mcp.server_tool import ServerTool
from workbench.tools.mcp.specs import LookUp, ServerSpec, hidden_in, secrets_of

if TYPE_CHECKING:
    from workbench.tools.mcp.session import Session

log = logging.getLogger(__name__)


_MOST_STARTS = 3
_FRESH_S = 1.0
_PATIENCE_S = 5.0
# which of them, besides those from 500 on, keep everything from being done
_REFUSALS = frozenset({401, 402, 403, 407, 429})
_SERVER_FAILED = 500
_NOT_FOUND = 404


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


class _Life:
    """One connection, from its start to its end. *ended*: why it did by itself."""

    def __init__(self) -> None:
        self.ready: asyncio.Future[Session] = asyncio.get_running_loop().create_future()
        self.ready.add_done_callback(_heard)
        self.over = asyncio.Event()
        self.ended = ""
        self.task: asyncio.Task[None] | None = None

    async def end(self) -> None:
        """Have it end, and wait for that; one that does not end is given up."""
        self.over.set()
        if self.task is None or (await asyncio.wait((self.task,), timeout=_PATIENCE_S))[0]:
            return
        self.task.cancel()
        await asyncio.wait((self.task,), timeout=_PATIENCE_S)


class Server:
    """The life of one server. What is a coroutine here runs on the loop; the rest may be asked from any thread.

    Life cycle: it is started when something is wanted of it. One task enters the connection, waits until it is over
    and leaves it. After that it is started anew, unless that has failed too often; then ``stop`` comes first.
    """

    def __init__(self, spec: ServerSpec, look_up: LookUp) -> None:
        self.spec = spec
        self.status = ServerStatus()
        self._secrets = secrets_of(spec, look_up)
        self.log = ServerLog(self._secrets)
        self._look_up = look_up
        self._life: _Life | None = None
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

        def heard(text: str) -> None:
            on_progress(str(hidden_in(text, self._secrets)))

        try:
            async with asyncio.timeout(self.spec.timeout_s):
                given = await session.call(tool, arguments, heard)
        except Exception as error:
            raise self._failure(self._told_of_call(error), error, tool.name) from error
        self._starts = 0  # it works
        return hidden_in(given, self._secrets)

    async def stop(self) -> None:
        """End it; when this returns it has ended."""
        self._starts = 0
        if self._life is not None:
            await self._life.end()

    async def _session(self) -> Session:
        """The connection, once it is there. Raises RunFailed."""
        life = self._life
        if life is None or life.over.is_set():
            life = self._started(life)
        # who gives up waiting does not keep it from starting
        return await asyncio.shield(life.ready)

    def _started(self, before: _Life | None) -> _Life:
        """A new life, which begins when *before* has ended. Nothing is waited for, so that nobody else starts one."""
        if self._starts >= _MOST_STARTS:
            message = _("The server “{name}” does not work, so its tools cannot be called: {reason}.")
            raise RunFailed(message.format(name=self.spec.name, reason=self.status.reason))
        self._starts += 1
        self._tools = None
        self.status = ServerStatus(ServerState.STARTING)
        self._life = life = _Life()
        life.task = asyncio.create_task(self._live(life, before))
        return life

    async def _live(self, life: _Life, before: _Life | None) -> None:
        """Be connected from start to end; ``life.ready`` gets the connection, or why there is none."""
        reason = ""
        try:
            if before is not None:
                await before.end()
            await self._connected(life)
        except Exception as error:  # noqa: BLE001 - whatever a server or the package that talks to it may do
            reason = self._reason(error)
            if isinstance(error, TimeoutError):
                self._starts = _MOST_STARTS  # nobody waits for that again
        finally:
            self._note_end(life, self.log.redacted(reason or life.ended))

    async def _connected(self, life: _Life) -> None:
        session = await asyncio.to_thread(_load)
        on_end = partial(self._on_end, life)
        around = session.Surroundings(self._look_up, self.log, on_end, self._on_change, self._on_status)
        async with AsyncExitStack() as stack:
            async with asyncio.timeout(self.spec.start_timeout_s):
                connection = await stack.enter_async_context(session.opened(self.spec, around))
            self.status = ServerStatus(ServerState.READY)
            log.info("Started the server %s", self.spec.name)
            life.ready.set_result(connection)
            await life.over.wait()

    def _note_end(self, life: _Life, reason: str) -> None:
        life.over.set()
        self.log.note(_("(ended: {reason})").format(reason=reason or _("it was stopped")))
        if self._life is life:
            self.status = ServerStatus(ServerState.FAILED if reason else ServerState.STOPPED, reason)
        if not life.ready.done():
            message = _("The server “{name}” could not be started, so its tools cannot be called: {reason}.")
            life.ready.set_exception(RunFailed(message.format(name=self.spec.name, reason=reason)))

    def _on_end(self, life: _Life, reason: str) -> None:
        if not life.over.is_set():  # else we have ended it
            life.ended = reason
            life.over.set()
            if self.status.state is ServerState.READY and self._life is life:
                self.status = ServerStatus(ServerState.FAILED, self.log.redacted(reason))

    def _on_change(self) -> None:
        self._tools = None

    def _on_status(self, status: int, phrase: str) -> None:
        is_lost = status == _NOT_FOUND and self.status.state is ServerState.READY
        is_refusal = status in _REFUSALS or status >= _SERVER_FAILED
        self._refused = f"{status} {phrase}".strip() if is_refusal or is_lost else ""

    def _failure(self, message: str, error: Exception, tool: str = "") -> RunFailed:
        reason = self._reason(error)
        if self._life is not None and (self._refused or _load().is_lost(error)):
            self._on_end(self._life, reason)  # nothing more can come of this connection
        return RunFailed(self.log.redacted(message.format(name=self.spec.name, tool=tool, reason=reason)))

    def _told_of_call(self, error: Exception) -> str:
        session = _load()
        if isinstance(error, session.ToolFailed):
            return "{reason}."
        if isinstance(error, TimeoutError) or session.is_lost(error):
            return _("The server “{name}” did not finish “{tool}”, which may have been done or not: {reason}.")
        return _("The server “{name}” could not carry out “{tool}”: {reason}.")

    def _reason(self, error: Exception) -> str:
        if isinstance(error, TimeoutError):
            limit = self.spec.start_timeout_s if self.status.state is ServerState.STARTING else self.spec.timeout_s
            return _("it took longer than {limit} s").format(limit=numeral(limit, "g"))
        if self._refused:
            return _("it answered with {status}").format(status=self._refused)
        ended = self._life.ended if self._life is not None else ""
        return ended if ended and _load().is_lost(error) else str(_load().reason_of(error))


def _load() -> ModuleType:
    """What talks to servers; loading it takes more than a second the first time."""
    from workbench.tools.mcp import session  # noqa: PLC0415 - as above

    return session


def _heard(ready: asyncio.Future[Any]) -> None:
    """Nobody need wait for *ready*: what it holds is told by the status too."""
    if not ready.cancelled():
        ready.exception()
