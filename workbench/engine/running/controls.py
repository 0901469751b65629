"""How a run is steered from other threads: pause, step, go on, stop."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from workbench.errors import Cancelled


class Left(Exception):
    """The run is let go of where it stands; it can be resumed."""


class Mailbox:
    """What the person says to the run, until it is heard. *changed*: told of everything that is said."""

    def __init__(self, changed: threading.Condition) -> None:
        self._changed = changed
        self._said: deque[str] = deque()
        self.is_ended = False

    def send(self, text: str) -> None:
        """Say something; it is heard when the run next waits for a message."""
        with self._changed:
            self._said.append(text)
            self._changed.notify_all()

    def end(self) -> None:
        """Nothing more will be said: the run ends when it next waits for a message, or for nothing but its timers."""
        with self._changed:
            self.is_ended = True
            self._changed.notify_all()

    @property
    def is_empty(self) -> bool:
        """Whether all that was said is heard."""
        return not self._said

    def take(self) -> str | None:
        """What was said and not heard yet, the oldest first."""
        return self._said.popleft() if self._said else None


class Controls:
    """Wishes of the person, looked at by the worker between two decisions."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._is_pausing = False
        self._steps = 0
        self._is_stopping = False
        self._is_leaving = False
        self.mailbox = Mailbox(self._changed)

    def pause(self) -> None:
        """Stop before the next step."""
        with self._changed:
            self._is_pausing, self._steps = True, 0
            self._changed.notify_all()

    def go_on(self) -> None:
        """Carry out steps until told otherwise."""
        with self._changed:
            self._is_pausing = False
            self._changed.notify_all()

    def step(self) -> None:
        """Carry out one step, then stop before the next."""
        with self._changed:
            self._is_pausing = True
            self._steps += 1
            self._changed.notify_all()

    def stop(self) -> None:
        """End the run."""
        with self._changed:
            self._is_stopping = True
            self._changed.notify_all()

    def leave(self) -> None:
        """Let go of the run where it stands."""
        with self._changed:
            self._is_leaving = True
            self._changed.notify_all()

    @property
    def is_leaving(self) -> bool:
        """Whether the run is let go of, rather than ended."""
        return self._is_leaving and not self._is_stopping

    @property
    def is_holding(self) -> bool:
        """Whether the next step has to wait."""
        return self._is_pausing and not self._steps

    def raise_wish(self) -> None:
        """Raise Cancelled when the run is to end, Left when it is to be let go of."""
        if self._is_stopping:
            raise Cancelled
        if self._is_leaving:
            raise Left

    def use_step(self) -> None:
        """Note that a step begins."""
        if self._steps:
            with self._changed:
                self._steps = max(0, self._steps - 1)

    def wait_for(self, has_come: Callable[[], bool], timeout_s: float | None) -> None:
        """Wait until *has_come* or a wish, at most *timeout_s*. Raises Cancelled and Left."""

        def is_over() -> bool:
            return self.is_holding or self._is_stopping or self._is_leaving or has_come()

        with self._changed:
            self._changed.wait_for(is_over, timeout_s)
        self.raise_wish()

    def wait(self) -> None:
        """Wait until the next step may begin. Raises Cancelled and Left."""
        with self._changed:
            while self.is_holding:
                self.raise_wish()
                self._changed.wait()
        self.raise_wish()
