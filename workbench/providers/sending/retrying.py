"""How long is waited: for an answer, before another try, and for the turn of a request."""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime

AGAIN_LATER = frozenset({429, 503, 529})
"""What servers answer that can do it a little later."""
_MINUTE_S = 60.0


@dataclass(frozen=True, slots=True)
class Patience:
    """How long anything is waited for, and how often a request is sent again.

    *first_byte_s*: until the answer begins, which takes a model a while; *idle_s*: between its bytes. *longest_s*: no
    wait before another try is longer; who asks for more is not waited for.
    """

    retries: int = 4
    connect_s: float = 10.0
    first_byte_s: float = 180.0
    idle_s: float = 60.0
    first_s: float = 1.0
    longest_s: float = 60.0


@dataclass(frozen=True, slots=True)
class Clock:
    """Time and chance, so that tests need neither. *now*: as on the wall; *ticks*: seconds that never jump."""

    now: Callable[[], float] = time.time
    ticks: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    chance: Callable[[], float] = random.random


def asked_wait(retry_after: str, now: float) -> float | None:
    """How many seconds a server asks to wait, in seconds or as a date; None where it says nothing of use."""
    try:
        return max(0.0, float(int(retry_after)))
    except ValueError:
        pass
    try:
        date = parsedate_to_datetime(retry_after)
    except (ValueError, OverflowError):
        return None
    return max(0.0, (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp() - now)


def usual_wait(failures: int, patience: Patience, chance: float) -> float:
    """How many seconds are waited after so many *failures* in a row.

    Each wait is twice as long as the last; between half and all of it, as *chance* (0 to 1) has it, so that not
    everybody comes back at once.
    """
    return min(patience.longest_s, patience.first_s * 2.0 ** (failures - 1)) * (0.5 + chance / 2)


class RateLimit:
    """Lets through so many requests a minute, in the order in which they came; for one loop."""

    def __init__(self) -> None:
        self._sent: deque[float] = deque()
        self._lock = asyncio.Lock()

    async def turn(self, per_minute: int, clock: Clock) -> None:
        """Return when another request may be sent; *per_minute* 0: at once."""
        if not per_minute:
            return
        async with self._lock:
            while (wait_s := self._wait_s(per_minute, clock.ticks())) > 0:
                await clock.sleep(wait_s)
            self._sent.append(clock.ticks())

    def _wait_s(self, per_minute: int, now: float) -> float:
        while self._sent and self._sent[0] <= now - _MINUTE_S:
            self._sent.popleft()
        return 0.0 if len(self._sent) < per_minute else self._sent[-per_minute] + _MINUTE_S - now
