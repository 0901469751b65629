"""The one clock by which everything about a run is timed: header, bars, marks and badges agree."""

from __future__ import annotations

from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.fork_events import RunForked
from workbench.engine.journal.run_events import RunPaused, RunResumed


class RunClock:
    """Where an event lies on the run's own time line, which never runs backwards.

    Durations come from the monotonic clock, so that a changed wall clock bends no bar. The
    time in which nobody carried the run out (from a crash, a stop or a closed window to the
    resume, and before a fork goes on) takes no room; a pause does, since somebody was there.
    """

    def __init__(self) -> None:
        self._last_mono_ns: int | None = None
        self._is_held = False
        self.position_ns = 0

    def move_to(self, event: RunEvent) -> int:
        """The position of *event*, ns since the first one."""
        payload, mono_ns, last_ns = event.payload, event.mono_ns, self._last_mono_ns
        # the monotonic clock may have restarted between a crash and the resume
        is_taken_up = type(payload) is RunForked or (type(payload) is RunResumed and not self._is_held)
        if last_ns is not None and mono_ns > last_ns and not is_taken_up:
            self.position_ns += mono_ns - last_ns
        self._last_mono_ns = mono_ns
        self._is_held = type(payload) is RunPaused and not payload.reason
        return self.position_ns

    def pass_by(self, mono_ns: int) -> int:
        """The position of an event at *mono_ns* after which it neither pauses nor goes on, ns since the first one."""
        last_ns = self._last_mono_ns
        if last_ns is not None and mono_ns > last_ns:
            self.position_ns += mono_ns - last_ns
        self._last_mono_ns, self._is_held = mono_ns, False
        return self.position_ns

    def position_at(self, mono_ns: int) -> int:
        """The position of the present, *mono_ns* on the monotonic clock."""
        return self.position_ns + max(0, mono_ns - (self._last_mono_ns or mono_ns))
