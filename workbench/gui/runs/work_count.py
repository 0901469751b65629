"""How many steps of a procedure came to what: told when its run is over."""

from __future__ import annotations

from workbench.engine.audit.report_markdown import counted
from workbench.engine.journal.payload import EventPayload
from workbench.engine.journal.run_events import InputGiven, StepExited
from workbench.engine.work import Went, went


class WorkCount:
    """How many steps of a run were done, skipped, or did not work."""

    def __init__(self) -> None:
        self._came = dict.fromkeys(Went, 0)
        self._last: Went | None = None

    def take(self, payload: EventPayload) -> None:
        """Take one event in: what counts is how a step went when it was left."""
        if isinstance(payload, InputGiven):
            self._last = went(payload.answer) or self._last
        elif isinstance(payload, StepExited) and self._last is not None:
            self._came[self._last] += 1
            self._last = None

    @property
    def words(self) -> str:
        """The counts; empty where there was no such step."""
        return ", ".join(counted(*self._came.values())) if any(self._came.values()) else ""
