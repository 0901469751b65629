"""The clock of a run: which time its events have, and how it waits for a time."""

from __future__ import annotations

import time
from typing import Protocol

_LONGEST_S = 30.0
"""The wall clock may be set, and stands still for nobody while the machine sleeps: so it is looked at now and then."""


class Clock(Protocol):
    """A wall clock, UTC, in ns since 1970."""

    def now_ns(self) -> int:
        """What it shows."""
        ...

    def timeout_s(self, until_ns: int) -> float | None:
        """How long to wait at most before it is looked at again; None: until somebody says so."""
        ...

    def skip_to(self, until_ns: int) -> bool:
        """Whether it shows *until_ns* now, so that nobody needs to wait."""
        ...


class WallClock:
    """The clock of the machine."""

    def now_ns(self) -> int:
        """The time of day."""
        return time.time_ns()

    def timeout_s(self, until_ns: int) -> float | None:
        """At most half a minute."""
        return min(_LONGEST_S, max(0.0, (until_ns - self.now_ns()) / 1e9))

    def skip_to(self, _until_ns: int) -> bool:
        """Time cannot be skipped."""
        return False


class FastClock(WallClock):
    """Goes ahead to whatever is waited for, where a script says so. *since_ns*: never earlier than that."""

    def __init__(self, since_ns: int = 0) -> None:
        self._ahead_ns = max(0, since_ns - time.time_ns())

    def now_ns(self) -> int:
        """The time of day, and what was skipped."""
        return time.time_ns() + self._ahead_ns

    def skip_to(self, until_ns: int) -> bool:
        """Always: it is that time now."""
        self._ahead_ns += max(0, until_ns - self.now_ns())
        return True


WALL_CLOCK = WallClock()
