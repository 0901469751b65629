"""Copies of a fold at even distances, so that what it said at any moment of a run is known again within milliseconds.

A run of a million events is folded once, while it is told. Nothing is folded backwards: to know an earlier moment, the
nearest copy before it takes the few events up to it once more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, Self, TypeVar

if TYPE_CHECKING:
    from workbench.engine.journal.events import RunEvent

APART = 512
MOST = 256
"""How many copies are kept; where there would be more, they stand twice as far apart."""
NEAR = 64


@dataclass(frozen=True, slots=True)
class Moment:
    """Directly after the event number *seq* of a run. *events*: those around it, from number *first* on."""

    seq: int
    first: int
    events: tuple[RunEvent, ...]

    @property
    def event(self) -> RunEvent:
        """What happened last."""
        return self.events[self.seq - self.first]

    def since(self, first: int) -> tuple[RunEvent, ...]:
        """What happened from number *first* on, up to this moment."""
        return self.events[first - self.first : self.seq - self.first + 1]

    def before(self) -> Moment:
        """One event earlier."""
        return Moment(self.seq - 1, self.first, self.events)


class RunFolding(Protocol):
    """Something that follows from the events of a run, and can be had a second time."""

    def take(self, events: Sequence[RunEvent], /) -> object:
        """Take *events*, which follow those before."""
        ...

    def copied(self) -> Self:
        """Another one, which stands where this one does."""
        ...


F = TypeVar("F", bound=RunFolding)


class Keyframes(Generic[F]):
    """*fold* as it is now, and copies of what it was."""

    def __init__(self, fold: F) -> None:
        self.fold = fold
        self._apart = APART
        self._frames = [fold.copied()]
        self._near: tuple[int, F] | None = None
        self._count = 0

    def take(self, batch: Sequence[RunEvent]) -> list[object]:
        """Let the fold take *batch*; what it gave, part by part."""
        given, at = [], 0
        while at < len(batch):
            part = batch[at : at + self._apart - self._count % self._apart]
            given.append(self.fold.take(part))
            at, self._count = at + len(part), self._count + len(part)
            if self._count % self._apart == 0:
                self._keep()
        return given

    def bounds(self, seq: int) -> tuple[int, int]:
        """From which event on, and up to before which, there must be events so that moments around *seq* are known."""
        first = seq // self._apart * self._apart
        return first, first + self._apart

    def at(self, moment: Moment) -> F:
        """The fold as it was at *moment*, as a copy of its own."""
        start = self.bounds(moment.seq + 1)[0]
        frame = self._frames[start // self._apart]
        if self._near is not None and start < self._near[0] <= moment.seq + 1:
            start, frame = self._near
        fold, events = frame.copied(), moment.since(start)
        if len(events) > 2 * NEAR:  # whoever goes on step by step from here has a short way
            fold.take(events[:-NEAR])
            self._near = moment.seq + 1 - NEAR, fold.copied()
            events = events[-NEAR:]
        fold.take(events)
        return fold

    def _keep(self) -> None:
        self._frames.append(self.fold.copied())
        if len(self._frames) > MOST:
            del self._frames[1::2]
            self._apart *= 2
