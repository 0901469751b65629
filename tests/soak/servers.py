"""Servers of tools are killed while several threads call them: every call ends, in a result or in plain words."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from tests.core.mcp_servers import box_of, plain_server, unheard
from workbench.disk.lock import is_running
from workbench.errors import RunFailed
from workbench.tools.mcp.toolbox import McpToolbox

_CALLS = 40
_THREADS = 4
_LONG_S = 60.0


def failures(number: int, folder: Path) -> Iterator[str]:
    """What is wrong after *number* kills, each somewhere in forty calls."""
    chance = random.Random(number)
    for count in range(number):
        place = folder / str(count)
        place.mkdir()
        box = box_of(place, plain_server(place, _LONG_S))
        yield from (f"kill {count}: {problem}" for problem in _killed_once(box, place, chance))


def _killed_once(box: McpToolbox, folder: Path, chance: random.Random) -> Iterator[str]:
    box.call("plain.echo", {}, unheard)
    victim = _started(folder)[-1]
    with ThreadPoolExecutor(_THREADS) as pool:
        calls = [pool.submit(_outcome, box, number) for number in range(_CALLS)]
        time.sleep(chance.random() * 0.1)
        with suppress(ProcessLookupError):
            os.kill(victim, signal.SIGKILL)
        outcomes = [call.result(_LONG_S) for call in calls]
    yield from filter(None, outcomes)
    if _outcome(box, _CALLS):
        yield "the call after that does not work"
    box.close()
    yield from (f"process {pid} is left over" for pid in _started(folder) if is_running(pid))


def _outcome(box: McpToolbox, number: int) -> str:
    """What is wrong with one call; empty where it ended as calls may."""
    try:
        given = box.call("plain.echo", {"n": number}, unheard)
    except RunFailed as error:
        return "" if "plain" in str(error) and "Error" not in str(error) else str(error)
    return "" if given == f'{{"n": {number}}}' else f"call {number} gave {given}"


def _started(folder: Path) -> list[int]:
    return [int(line) for line in (folder / "starts").read_text().split()]
