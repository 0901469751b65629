"""How a run is steered from other threads: pause, go on, stop; where it stops, and what is done to it then."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from workbench.engine.debugging.breakpoints import Breakpoints
from workbench.engine.debugging.goals import Goal, Going
from workbench.engine.debugging.mocks import Mocking
from workbench.engine.journal.choices import Scope
from workbench.engine.ports import Answer
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


@dataclass(frozen=True, slots=True)
class EditVariable:
    """Give a variable another value, which is JSON data. *agent*, *frame*: as at ``StateEdited``."""

    name: str
    scope: Scope
    agent: str
    frame: str
    value: Any


@dataclass(frozen=True, slots=True)
class SkipStep:
    """Leave out the step that comes next, and stop before the one that follows."""


@dataclass(frozen=True, slots=True)
class EditResult:
    """Give the call at whose result the run is held another one: *value*, which is JSON data, or *failure*."""

    value: Any = None
    failure: str = ""


@dataclass(frozen=True, slots=True)
class EditAnswer:
    """Have the answer at hand be *answer*; where it was used already, its step is carried out again with that."""

    answer: Answer


Order = EditVariable | EditResult | EditAnswer | SkipStep
"""What a person does to a run that has stopped."""


class Controls:
    """Wishes of the person, looked at by the worker between two decisions.

    *breakpoints*: where it stops; may be replaced at any time. *mocking*: which calls are not made, the same. A run
    that is held has a row of *goals*: how far it goes on, one after the other. *orders* are carried out while it is
    held, on its own thread.
    """

    def __init__(self, mocking: Mocking | None = None) -> None:
        self._changed = threading.Condition()
        self._is_pausing = False
        self._goals: deque[Goal] = deque()
        self._orders: deque[Order] = deque()
        self._is_stopping = False
        self._is_leaving = False
        self.breakpoints: Breakpoints = ()
        self.mocking = mocking or Mocking()
        self.mailbox = Mailbox(self._changed)

    def pause(self) -> None:
        """Stop before the next step."""
        with self._changed:
            self._is_pausing = True
            self._goals.clear()
            self._changed.notify_all()

    def go_on(self, goal: Goal = Goal()) -> None:  # noqa: B008 - a frozen value
        """Carry out steps up to *goal*, and stop before the step that follows; freely: until told otherwise."""
        with self._changed:
            self._is_pausing = goal.going is not Going.FREELY
            if self._is_pausing:
                self._goals.append(goal)
            else:
                self._goals.clear()
            self._changed.notify_all()

    def order(self, order: Order) -> None:
        """Do something to the run as soon as it is held."""
        with self._changed:
            self._orders.append(order)
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
        return self._is_pausing and not self._goals

    @property
    def goal(self) -> Goal | None:
        """How far the run goes on at the moment; None: freely, or not at all."""
        return self._goals[0] if self._goals else None

    def reach(self) -> None:
        """The goal at hand is reached: the next one counts, or the run is held."""
        with self._changed:
            if self._goals:
                self._goals.popleft()

    def raise_wish(self) -> None:
        """Raise Cancelled when the run is to end, Left when it is to be let go of."""
        if self._is_stopping:
            raise Cancelled
        if self._is_leaving:
            raise Left

    def wait_for(self, has_come: Callable[[], bool], timeout_s: float | None) -> None:
        """Wait until *has_come* or a wish, at most *timeout_s*. Raises Cancelled and Left."""

        def is_over() -> bool:
            return self.is_holding or self._is_stopping or self._is_leaving or has_come()

        with self._changed:
            self._changed.wait_for(is_over, timeout_s)
        self.raise_wish()

    def wait(self) -> Order | None:
        """The next order to a run that is held; None once it may go on. Raises Cancelled and Left."""
        with self._changed:
            while self.is_holding and not self._orders:
                self.raise_wish()
                self._changed.wait()
            order = self._orders.popleft() if self._orders else None
        self.raise_wish()
        return order
