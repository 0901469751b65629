"""The stretch of time that the timeline shows: zoom, pan, follow, and where the ruler's ticks lie."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from workbench.gui.words.durations import NS_PER_MS, NS_PER_S
from workbench.i18n import _

SHORTEST_NS = 10_000
TICK_WIDTH_PX = 90


@dataclass(frozen=True, slots=True)
class TimeWindow:
    """Shows [*start_ns*, *start_ns* + *span_ns*) on *width_px* pixels."""

    start_ns: float
    span_ns: float
    width_px: int

    @property
    def ns_per_px(self) -> float:
        """How much time one pixel stands for."""
        return self.span_ns / max(1, self.width_px)

    @property
    def end_ns(self) -> float:
        """The right edge."""
        return self.start_ns + self.span_ns

    def x_of(self, at_ns: float) -> float:
        """The pixel column of *at_ns*."""
        return (at_ns - self.start_ns) / self.ns_per_px

    def time_at(self, x: float) -> float:
        """The time under pixel column *x*."""
        return self.start_ns + x * self.ns_per_px

    def zoomed(self, factor: float, x: float, end_ns: int) -> TimeWindow:
        """*factor* > 1 shows less time; what is under *x* stays there."""
        span_ns = min(max(self.span_ns / factor, SHORTEST_NS), 4 * max(end_ns, SHORTEST_NS))
        at_ns = self.time_at(x)
        return replace(self, start_ns=at_ns - span_ns * x / max(1, self.width_px), span_ns=span_ns).kept_near(end_ns)

    def panned(self, dx_px: float, end_ns: int) -> TimeWindow:
        """Moved so that the picture follows the pointer by *dx_px*."""
        return replace(self, start_ns=self.start_ns - dx_px * self.ns_per_px).kept_near(end_ns)

    def following(self, end_ns: int) -> TimeWindow:
        """The same span with *end_ns* near the right edge."""
        return replace(self, start_ns=max(0.0, end_ns - self.span_ns * 0.92))

    def showing(self, from_ns: float, to_ns: float) -> TimeWindow:
        """Moved, and widened where it must be, so that [*from_ns*, *to_ns*) can be seen."""
        if self.start_ns <= from_ns and to_ns <= self.end_ns:
            return self
        span_ns = max(self.span_ns, (to_ns - from_ns) * 1.2)
        return replace(self, start_ns=max(0.0, (from_ns + to_ns - span_ns) / 2), span_ns=span_ns)

    def kept_near(self, end_ns: int) -> TimeWindow:
        """Moved back so that some of the run can still be seen."""
        latest_ns = max(0.0, end_ns - self.span_ns * 0.1)
        earliest_ns = -self.span_ns * 0.1
        return replace(self, start_ns=min(max(self.start_ns, earliest_ns), latest_ns))


def fitted(end_ns: int, width_px: int) -> TimeWindow:
    """The whole run, with a little air at the right."""
    return TimeWindow(0.0, max(float(SHORTEST_NS), end_ns * 1.04), width_px)


class Tick(NamedTuple):
    """A round time, and what the ruler calls it."""

    at_ns: int
    words: str


def ticks(window: TimeWindow, room_px_for: Callable[[str], float]) -> tuple[Tick, ...]:
    """The round times to label: at least ``TICK_WIDTH_PX`` apart, and never closer than the room that words need."""
    apart_ns = window.ns_per_px * TICK_WIDTH_PX
    while True:
        step_ns = tick_step_ns(apart_ns)
        found = _ticks_every(step_ns, window)
        # a larger step has other words, which may need more room again
        apart_ns = window.ns_per_px * max((room_px_for(tick.words) for tick in found), default=0.0)
        if len(found) < 2 or apart_ns <= step_ns:
            return found


def _ticks_every(step_ns: int, window: TimeWindow) -> tuple[Tick, ...]:
    first = max(0, -(-int(window.start_ns) // step_ns))
    times = range(first * step_ns, int(window.end_ns) + 1, step_ns)
    return tuple(Tick(at_ns, tick_text(at_ns, step_ns)) for at_ns in times)


def tick_step_ns(at_least_ns: float) -> int:
    """The smallest round step that is not below *at_least_ns*: 1, 2, 5 and tens of them, then clock steps."""
    for step_ns in _CLOCK_STEPS_NS:
        if step_ns >= at_least_ns:
            return step_ns
    days = 86_400 * NS_PER_S
    return days * -(-int(at_least_ns) // days)


_CLOCK_STEPS_NS: tuple[int, ...] = (
    *(base * int(10**power) for power in range(3, 9) for base in (1, 2, 5)),
    *(seconds * NS_PER_S for seconds in (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200)),
)


def tick_text(at_ns: int, step_ns: int) -> str:
    """The label of a tick, as precise as the *step_ns* between ticks: no two of them are called the same."""
    if at_ns < NS_PER_S and step_ns < NS_PER_S:
        return _("{n} ms").format(n=f"{at_ns / NS_PER_MS:g}")
    seconds, rest_ns = divmod(at_ns, NS_PER_S)
    fraction = f".{rest_ns:09d}".rstrip("0").rstrip(".")
    if seconds < 60:
        return _("{n} s").format(n=f"{seconds}{fraction}")
    minutes, seconds = divmod(seconds, 60)
    if minutes < 60:
        return f"{minutes}:{seconds:02d}{fraction}"
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}{fraction}"
