"""Copies of a fold at even distances, so that what it said at any moment of a run is known again within milliseconds.

A run of a million events is folded once, while it is told. Nothing is folded backwards: to know an earlier moment, the
nearest copy before it takes the events up to it once more. Where these are many, that happens beside the window.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar

from PySide6.QtCore import QObject, Signal, Slot

from workbench.gui.control.background import BackgroundWork

if TYPE_CHECKING:
    from workbench.engine.journal.events import RunEvent

APART = 512
MOST = 256
"""How many copies are kept; where there would be more, they stand twice as far apart."""
NEAR = 64
SOON = 2 * NEAR
"""So many events are folded at once, however long a run is; more of them beside the window."""


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


@dataclass(frozen=True, slots=True)
class Way(Generic[F]):
    """Leads to a moment from *frame*, a copy that has taken all events before the number *first*; on any thread."""

    first: int
    frame: F

    def is_short(self, seq: int) -> bool:
        """Whether it takes no time worth mentioning to come to the event number *seq*."""
        return seq - self.first < SOON

    def walked(self, moment: Moment) -> tuple[F, Way[F] | None]:
        """The fold as it was at *moment*, and a shorter way there, where this one was long."""
        fold, events, near = self.frame.copied(), moment.since(self.first), None
        if len(events) > SOON:  # whoever goes on step by step from there has a short way
            fold.take(events[:-NEAR])
            near = Way(moment.seq + 1 - NEAR, fold.copied())
            events = events[-NEAR:]
        fold.take(events)
        return fold, near


class Keyframes(Generic[F]):
    """*fold* as it is now, and copies of what it was."""

    def __init__(self, fold: F) -> None:
        self.fold = fold
        self._apart = APART
        self._frames = [fold.copied()]
        self._near: Way[F] | None = None
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

    def way_to(self, seq: int) -> Way[F]:
        """The shortest way to the moment after the event number *seq*."""
        start = self.bounds(seq + 1)[0]
        if self._near is not None and start < self._near.first <= seq + 1:
            return self._near
        return Way(start, self._frames[start // self._apart])

    def keep(self, near: Way[F] | None) -> None:
        """Go from there to the moments around; None: nothing new."""
        self._near = near or self._near

    def at(self, moment: Moment) -> F:
        """The fold as it was at *moment*, as a copy of its own."""
        fold, near = self.way_to(moment.seq).walked(moment)
        self.keep(near)
        return fold

    def _keep(self) -> None:
        self._frames.append(self.fold.copied())
        if len(self._frames) > MOST:
            del self._frames[1::2]
            self._apart *= 2


class MomentWalk(QObject):
    """Comes to moments with what a pane folds: at once where the way is short, else beside the window.

    Of several moments that were asked for, only the last is told.
    """

    arrived = Signal(object)  # the fold as it was then

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._work = BackgroundWork(self)
        self._work.done.connect(self._on_done)

    def go(self, frames: Keyframes[Any], moment: Moment) -> None:
        """Find out what the fold of *frames* was at *moment*."""
        self.forget()
        way = frames.way_to(moment.seq)
        if way.is_short(moment.seq):
            self.arrived.emit(way.walked(moment)[0])
        else:
            self._work.ask(partial(_walked, frames, way, moment))

    def forget(self) -> None:
        """What was asked for is not wanted any more."""
        self._work.forget()

    @Slot(object)
    def _on_done(self, outcome: tuple[Keyframes[Any], Any, Way[Any] | None]) -> None:
        frames, fold, near = outcome
        frames.keep(near)
        self.arrived.emit(fold)


def _walked(frames: Keyframes[Any], way: Way[Any], moment: Moment) -> tuple[Keyframes[Any], Any, Way[Any] | None]:
    return frames, *way.walked(moment)
