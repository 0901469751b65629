"""Which part of a run the timeline shows, and how that changes by zooming, panning and following."""

from __future__ import annotations

import enum
from dataclasses import replace

from workbench.gui.timeline.time_window import TimeWindow, fitted

SHORTEST_FIT_NS = 1_000_000


class Mode(enum.Enum):
    """FIT: the whole run, as it grows. FOLLOW: the same span, with the newest at the right. FREE: stays put."""

    FIT = "fit"
    FOLLOW = "follow"
    FREE = "free"


class TimeNavigator:
    """Holds the window of one run, whose end moves while it runs."""

    def __init__(self) -> None:
        self.mode = Mode.FIT
        self.end_ns = 0
        self.window = TimeWindow(0.0, float(SHORTEST_FIT_NS), 1)

    def begin(self) -> None:
        """Another run: show all of it."""
        self.mode, self.end_ns = Mode.FIT, 0
        self._settle()

    def resize(self, width_px: int) -> None:
        """The widget is *width_px* wide now."""
        self.window = replace(self.window, width_px=max(1, width_px))
        self._settle()

    def grow(self, end_ns: int) -> None:
        """The run has come to *end_ns*."""
        self.end_ns = end_ns
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
