"""A server as a child process: messages as lines over its pipes, and all else that it writes in its log.

Imports ``mcp``, so import this where a server is started and no earlier.
"""

from __future__ import annotations

import asyncio
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import anyio
import mcp_types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage

from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.tools.children.guarding import ask_to_end, bare_environment, guarded_command
from workbench.tools.mcp.server_log import ServerLog

Incoming = MemoryObjectReceiveStream[SessionMessage | Exception]
Outgoing = MemoryObjectSendStream[SessionMessage]
_LINE_LIMIT = 16 * 1024 * 1024
_MOST_RUBBISH = 1_000
_LEFT_S = 2.0
_GRACE_S = 1.0
_ENDING_S = 10.0  # what has closed its output has mostly ended, but on a busy machine the end takes its time
_CANNOT_START = 127
_LOG_CHUNK = 8_192


@dataclass(frozen=True, slots=True)
class Command:
    """What is started. *env*: besides the bare environment. *on_end*: hears why nothing more will come from it."""

    words: tuple[str, ...]
    env: dict[str, str]
    folder: Path
    on_end: Callable[[str], None]


@asynccontextmanager
async def child_transport(command: Command, log: ServerLog) -> AsyncIterator[tuple[Incoming, Outgoing]]:
    """The streams of *command*, which lives as long as this is entered, and is dead with all it started after."""
    process = await _started(command)
    to_session, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, from_session = anyio.create_memory_object_stream[SessionMessage](0)
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(_read_messages, process, to_session, log, command.on_end)
            group.start_soon(_write_messages, process, from_session)
            group.start_soon(_read_log, process, log)
            try:
                yield incoming, outgoing
            finally:
                group.cancel_scope.cancel()
    finally:
        for stream in (incoming, outgoing, to_session, from_session):
            stream.close()
        with anyio.CancelScope(shield=True):
            await _end(process)


async def _started(command: Command) -> Process:
    try:
        return await asyncio.create_subprocess_exec(
            *guarded_command(command.words, _LEFT_S),
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            cwd=command.folder,
            env=bare_environment(command.env),
            start_new_session=True,
            limit=_LINE_LIMIT,
        )
    except (OSError, ValueError) as error:
        name = getattr(error, "filename", None) or command.words[0]
        reason = getattr(error, "strerror", None) or str(error)
        raise RunFailed(_("{name}: {reason}.").format(name=name, reason=reason)) from error


async def _read_messages(
    process: Process,
    to_session: MemoryObjectSendStream[SessionMessage | Exception],
    log: ServerLog,
    on_end: Callable[[str], None],
) -> None:
    """Hand on what are messages, and log what is not; someone who writes nothing but that is no server."""
    with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
        async with to_session:
            # told before whoever waits for an answer hears that there will be none
            on_end(await _handed_on(process, to_session, log))


async def _handed_on(
    process: Process, to_session: MemoryObjectSendStream[SessionMessage | Exception], log: ServerLog
) -> str:
    """Why nothing more can be handed on."""
    assert process.stdout is not None
    rubbish = 0
    try:
        while line := await process.stdout.readline():
            message = _message(line)
            if message is not None:
                rubbish = 0
                await to_session.send(SessionMessage(message))
            elif line.strip():
                log.add(line.decode("utf-8", "replace"))
                rubbish += 1
                if rubbish == _MOST_RUBBISH:
                    return _("it is no server of this kind, for nothing that it wrote was a message")
    except ValueError:  # as the stream says it
        return _("it sent more than {limit} MB in one message").format(limit=_LINE_LIMIT // 1_000_000)
    return await _ending(process, log)


async def _ending(process: Process, log: ServerLog) -> str:
    """How *process*, which writes no more, ended."""
    with suppress(TimeoutError):
        code = await asyncio.wait_for(process.wait(), _ENDING_S)
        if code == _CANNOT_START and log.last:
            return _("its command could not be started: {line}").format(line=log.last)
        if code < 0:
            return _("it was killed (signal {number})").format(number=-code)
        if log.last:
            return _("it ended with exit code {code} and last wrote “{line}”").format(code=code, line=log.last)
        return _("it ended with exit code {code}").format(code=code)
    return _("it closed its output")


def _message(line: bytes) -> mcp_types.JSONRPCMessage | None:
    if not line.lstrip().startswith(b"{"):
        return None
    try:
        return mcp_types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError:
        return None


async def _write_messages(process: Process, from_session: MemoryObjectReceiveStream[SessionMessage]) -> None:
    assert process.stdin is not None
    with suppress(OSError):  # it has ended, and its output says so too
        async with from_session:
            async for each in from_session:
                text = each.message.model_dump_json(by_alias=True, exclude_unset=True)
                process.stdin.write(text.encode("utf-8", "replace") + b"\n")
                await process.stdin.drain()


async def _read_log(process: Process, log: ServerLog) -> None:
    assert process.stderr is not None
    rest = b""
    while chunk := await process.stderr.read(_LOG_CHUNK):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            log.add(line.decode("utf-8", "replace"))
        if len(rest) > _LOG_CHUNK:
            log.add(rest.decode("utf-8", "replace"))
            rest = b""
    if rest:
        log.add(rest.decode("utf-8", "replace"))


async def _end(process: Process) -> None:
    """Let it end by itself, which most do when their input ends; else it is ended."""
    assert process.stdin is not None
    process.stdin.close()
    if await _has_ended(process, _GRACE_S):
        return
    with suppress(ProcessLookupError):
        ask_to_end(process)
    if await _has_ended(process, _LEFT_S):
        return
    with suppress(ProcessLookupError):
        process.kill()
    await _has_ended(process, _LEFT_S)


async def _has_ended(process: Process, limit_s: float) -> bool:
    """Whether it ends within *limit_s*; what it still writes must not keep it from that."""
    assert process.stdout is not None and process.stderr is not None
    try:
        async with asyncio.timeout(limit_s):
            await asyncio.gather(_dropped(process.stdout), _dropped(process.stderr), process.wait())
    except TimeoutError:
        return False
    return True


async def _dropped(stream: asyncio.StreamReader) -> None:
    while await stream.read(_LINE_LIMIT):
        pass
