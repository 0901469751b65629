"""The one asyncio loop of the program: on a thread of its own, for models and servers of tools.

Importing asyncio takes a while, so import this where it is needed and no earlier.
"""

from __future__ import annotations

import asyncio
import atexit
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")
_PATIENCE_S = 5.0


class AsyncLoop:
    """Runs coroutines on a background thread, which starts with the first of them.

    After ``close`` everything that ran has been cancelled and has tidied up; what is submitted later starts anew.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_over = asyncio.Event()

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """What *work* will give. Cancelling it cancels *work*, and whoever waits for it hears of that at once."""
        with self._lock:
            return asyncio.run_coroutine_threadsafe(work, self._loop or self._started())

    def close(self) -> None:
        """Cancel everything, and wait until it has ended. Not to be called from the loop's own thread."""
        with self._lock:
            if self._loop is None or self._thread is None:
                return
            self._loop.call_soon_threadsafe(self._is_over.set)
            self._thread.join(_PATIENCE_S)
            self._loop = self._thread = None

    def _started(self) -> asyncio.AbstractEventLoop:
        is_running = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(is_running,), name="async-loop", daemon=True)
        self._thread.start()
        is_running.wait()
        assert self._loop is not None
        return self._loop

    def _run(self, is_running: threading.Event) -> None:
        # at its end ``run`` cancels what is left, waits for it, and closes what it used
        asyncio.run(self._until_over(is_running))

    async def _until_over(self, is_running: threading.Event) -> None:
        self._loop, self._is_over = asyncio.get_running_loop(), asyncio.Event()
        is_running.set()
        await self._is_over.wait()


@cache
def shared_loop() -> AsyncLoop:
    """The loop of this process; closed when the program ends."""
    loop = AsyncLoop()
    atexit.register(loop.close)
    return loop
