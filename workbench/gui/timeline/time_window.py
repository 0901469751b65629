"""The stretch of time that the timeline shows, and how zooming, panning and following change it."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace

SHORTEST_NS = 1_000
SHORTEST_FIT_NS = 1_000_000


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


class Mode(enum.Enum):
    """FIT: the whole run, as it grows. FOLLOW: the same span, with the newest at the right. FREE: stays put."""

    FIT = "fit"
    FOLLOW = "follow"
    FREE = "free"


class TimeNavigator:
    """Holds the window of one run, whose end moves while it runs.

    *is_held*: somebody looks at an earlier moment, so that nothing moves by itself.
    """

    def __init__(self) -> None:
        self.mode = Mode.FIT
        self.is_held = False
        self.end_ns = 0
        self.window = TimeWindow(0.0, float(SHORTEST_FIT_NS), 1)

    def begin(self) -> None:
        """Another run: show all of it."""
        self.mode, self.end_ns, self.is_held = Mode.FIT, 0, False
        self._settle()

    def resize(self, width_px: int) -> None:
        """The widget is *width_px* wide now."""
        self.window = replace(self.window, width_px=max(1, width_px))
        self._settle()

    def grow(self, end_ns: int) -> None:
        """The run has come to *end_ns*."""
        self.end_ns = end_ns
        if not self.is_held:
            self._settle()

    def set_mode(self, mode: Mode) -> None:
        """Fit, follow or stay from now on."""
        self.mode = mode
        self._settle()

    def zoom(self, factor: float, x: float) -> None:
        """Show less (*factor* > 1) or more time around pixel column *x*; a followed end stays followed."""
        self.window = self.window.zoomed(factor, x, self.end_ns)
        self.mode = Mode.FOLLOW if self.mode is Mode.FOLLOW else Mode.FREE
        self._settle()

    def pan(self, dx_px: float) -> None:
        """Move the picture by *dx_px*."""
        self.mode = Mode.FREE
        self.window = self.window.panned(dx_px, self.end_ns)

    def show(self, from_ns: float, to_ns: float) -> None:
        """Bring a stretch into sight, moving only where it must."""
        shown = self.window.showing(from_ns, to_ns)
        if shown != self.window:
            self.mode = Mode.FREE
            self.window = shown

    def _settle(self) -> None:
        if self.mode is Mode.FIT:
            self.window = fitted(max(self.end_ns, SHORTEST_FIT_NS), self.window.width_px)
        elif self.mode is Mode.FOLLOW:
            self.window = self.window.following(self.end_ns)
