"""Models in files on this machine: each is served by a child process, which starts with the first request for it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from workbench.disk.files import is_file
from workbench.errors import ModelFailed
from workbench.i18n import _
from workbench.providers.endpoints import Endpoint
from workbench.providers.wire.collecting import part, text_part
from workbench.providers.wire.json_text import strict_json
from workbench.secrets import is_secret_name

_EXTRA = "xllamacpp"
_PROGRAM = Path(__file__).with_name("local_server.py")
_LOADING_S = 600.0
_ENDING_S = 2.0


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A server that runs. *key*: whoever does not have it gets nothing. *has_tools*: its model hears of tools."""

    url: str
    key: str
    has_tools: bool
    process: asyncio.subprocess.Process


class LocalServers:
    """The servers of this process, by file; to be used on the loop only."""

    def __init__(self) -> None:
        self._starting: dict[tuple[str, int], asyncio.Task[LocalServer]] = {}

    async def server_for(self, endpoint: Endpoint) -> LocalServer:
        """The server of the file of *endpoint*, started where none runs. Raises ModelFailed."""
        wanted = endpoint.file, endpoint.context_tokens
        known = self._starting.get(wanted)
        if known is None or (known.done() and not _is_running(known)):
            known = self._starting[wanted] = asyncio.create_task(_started(endpoint))
        # one request that is given up does not end what others wait for
        return await asyncio.shield(known)

    async def close(self) -> None:
        """End them all."""
        tasks = tuple(self._starting.values())
        self._starting.clear()
        for task in tasks:
            # cancelled twice, it could not wait for its child to end
            if not task.cancelling():
                task.cancel()
        for result in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(result, LocalServer):
                await _ended(result.process)


def _is_running(task: asyncio.Task[LocalServer]) -> bool:
    return not task.cancelled() and task.exception() is None and task.result().process.returncode is None


async def _started(endpoint: Endpoint) -> LocalServer:
    if find_spec(_EXTRA) is None:
        message = _("“{name}” needs the optional part “local” of the program: pip install 'playbook-workbench[local]'.")
        raise ModelFailed(message.format(name=endpoint.name))
    if not is_file(Path(endpoint.file)):
        message = _("The model file of “{name}” is not there: “{path}”.")
        raise ModelFailed(message.format(name=endpoint.name, path=endpoint.file))
    key = secrets.token_urlsafe(24)
    process = await _process()
    try:
        async with asyncio.timeout(_LOADING_S):
            said = await _asked(process, endpoint, key)
    except BaseException:  # given up, too: nobody else knows of the process
        await _ended(process)
        raise
    url = text_part(said, "url")
    if not url:
        await _ended(process)
        reason = text_part(said, "error")
        message = _("The model file “{path}” of “{name}” could not be loaded. Is it a whole file in GGUF format?")
        told = message.format(name=endpoint.name, path=endpoint.file)
        raise ModelFailed(f"{told} ({reason})" if reason else told)
    return LocalServer(url, key, part(said, "has_tools", bool) is not False, process)


async def _process() -> asyncio.subprocess.Process:
    pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    environment = {name: value for name, value in os.environ.items() if not is_secret_name(name)}
    # -P: what lies beside the program is no library of it
    command = (sys.executable, "-P", str(_PROGRAM))
    return await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=nothing, env=environment)


async def _asked(process: asyncio.subprocess.Process, endpoint: Endpoint, key: str) -> object:
    """What the child says to what it is told."""
    assert process.stdin is not None
    assert process.stdout is not None
    wanted = {
        "file": endpoint.file,
        "key": key,
        "name": endpoint.model or Path(endpoint.file).stem,
        "threads": threads_for(os.cpu_count() or 1),
        "context": endpoint.context_tokens,
    }
    with contextlib.suppress(ConnectionError):
        process.stdin.write(json.dumps(wanted).encode() + b"\n")
        await process.stdin.drain()
    try:
        return strict_json(await process.stdout.readline())
    except ValueError:
        return None


def threads_for(processors: int) -> int:
    """How many threads compute: they spin while they wait, so some processors are left to others.

    Two logical processors are often one real one.
    """
    return max(1, processors // 2 - 1)


async def _ended(process: asyncio.subprocess.Process) -> None:
    """Return when *process* has ended, which it does by itself when its input ends."""
    if process.stdin is not None:
        process.stdin.close()
    try:
        async with asyncio.timeout(_ENDING_S):
            await process.wait()
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
