"""Where a run stands, as threads and frames: what it has told so far, folded as it comes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.cli.debug_adapter.places import Generated, Places, generated, line_in
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.run_events import RunPaused
from workbench.engine.state.fold import RunFold
from workbench.engine.state.frames import LiveFrame
from workbench.engine.state.run_state import RunState
from workbench.engine.state.world import MAIN_STACK
from workbench.i18n import _


@dataclass(frozen=True, slots=True)
class FrameKey:
    """Which frame is meant: *index* from the outermost one, on the stack of whoever is at work there."""

    stack: str
    index: int


@dataclass(frozen=True, slots=True)
class FrameAt:
    """A frame as it is shown. *path* None: it stands in no file; *generated*: in a text that the run has made."""

    key: FrameKey
    name: str
    line: int
    path: Path | None
    generated: Generated | None = None


class Numbers:
    """Numbers for values, from 1 on: the same value has the same number, and none is given twice."""

    def __init__(self) -> None:
        self._numbers: dict[Any, int] = {}
        self._values: dict[int, Any] = {}
        self._last = 0

    def of(self, value: Any) -> int:
        """The number of *value*."""
        if value not in self._numbers:
            self._last += 1
            self._numbers[value], self._values[self._last] = self._last, value
        return self._numbers[value]

    def value(self, number: int) -> Any:
        """The value with *number*; None where there is none, or it is forgotten."""
        return self._values.get(number)

    def clear(self) -> None:
        """Forget all of them."""
        self._numbers.clear()
        self._values.clear()


class Told:
    """What the client may know of a run: the fold of the events that it has told, with marks for secrets."""

    def __init__(self, places: Places) -> None:
        self.fold = RunFold(RunState())
        self._places = places
        self._at: RunEvent | None = None
        self.events: list[RunEvent] = []

    def take(self, event: RunEvent) -> None:
        """Hear of *event*."""
        self.fold.apply(event)
        self.events.append(event)
        self._at = event if isinstance(event.payload, RunPaused) else None

    def before(self, number: int) -> Told:
        """The same as it was before the event *number*, with which a step begins."""
        then = Told(self._places)
        for event in self.events[:number]:
            then.take(event)
        then._at = self.events[number]
        return then

    @property
    def count(self) -> int:
        """How many events have been told."""
        return len(self.events)

    @property
    def stacks(self) -> Mapping[str, str]:
        """The names of those at work, by their stacks: who is in a meeting has one of their own."""
        world = self.fold.world
        names = dict.fromkeys((MAIN_STACK, world.stack, *world.parked))
        return {stack: self._name_of(stack) for stack in names}

    def _name_of(self, stack: str) -> str:
        frames = self._frames(stack)
        if stack != MAIN_STACK:
            number, _slash, agent = stack.partition("/")
            return _("{agent} in meeting {number}").format(agent=agent, number=number)
        return frames[-1].agent if frames else self.fold.origin.playbook or _("Run")

    def _frames(self, stack: str) -> list[LiveFrame]:
        world = self.fold.world
        return self.fold.frames if stack == world.stack else world.parked.get(stack, [])

    def frame(self, key: FrameKey) -> LiveFrame | None:
        """The frame that *key* means."""
        frames = self._frames(key.stack)
        return frames[key.index] if key.index < len(frames) else None

    def frames(self, stack: str) -> Iterator[FrameAt]:
        """The frames on *stack*, the innermost first."""
        frames = self._frames(stack)
        for index in reversed(range(len(frames))):
            is_top = index == len(frames) - 1 and stack == self.fold.world.stack
            yield self._shown(FrameKey(stack, index), frames[index], is_top=is_top)

    def _shown(self, key: FrameKey, frame: LiveFrame, *, is_top: bool) -> FrameAt:
        address, line = self._standing(frame, is_top=is_top)
        several = len({each.agent for each in self._frames(key.stack)}) > 1
        name = f"{frame.agent}: {frame.playbook}" if several else frame.playbook
        linked = self._places.linked(frame.agent)
        if linked is not None:
            spot = self._places.spot(address)
            return FrameAt(key, frame.playbook, spot.line if spot is not None else 1, linked[0])
        if line:
            path, line = self._places.place(line)
            return FrameAt(key, name, line, path)
        made = generated(frame.agent, frame.playbook, self.fold.world.written)
        return FrameAt(key, name, line_in(made, address) if made is not None else 0, None, made)

    def _standing(self, frame: LiveFrame, *, is_top: bool) -> tuple[str, int]:
        """The address and line of the step that *frame* has come to."""
        if is_top and self._at is not None and self._at.step:
            return self._at.step, self._at.line
        if is_top and self.fold.pending is not None and self.fold.pending.step:
            spot = self._places.spot(self.fold.pending.step)
            if spot is not None and frame.open and frame.open[-1].step == spot.address:
                return spot.address, frame.open[-1].line
        return (frame.open[-1].step, frame.open[-1].line) if frame.open else ("", 0)
