"""What happened in a run, as frozen values. A run is nothing but its events.

Every event is journaled before it is acted on; timeline, audit, resume and replay are
folds over the same events.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NewType

from workbench.engine.journal.payload import EventPayload

RunId = NewType("RunId", str)

VERSION = 1


@dataclass(frozen=True, slots=True)
class RunEvent:
    """One event. *seq* counts from 0 without gaps within a run.

    *payload*: what happened. *span*/*parent*: the open interval that this event begins, ends or
    lies in (``s12``; empty: the run itself). *step*: the address ``Main:02.01``, empty where none.
    *line*: 1-based line of the step in the text that the run executes, 0 where none. *at_ns*: UTC
    wall clock, ns since 1970; *mono_ns*: monotonic, for durations within one process.
    """

    run: RunId
    seq: int
    payload: EventPayload
    at_ns: int
    mono_ns: int
    span: str = ""
    parent: str = ""
    step: str = ""
    line: int = 0
    attempt: int = 1
    actor: str = "engine"

    @property
    def name(self) -> str:
        """What it is called in the journal, and wherever events are listed."""
        from workbench.engine.journal.codec import name_of  # noqa: PLC0415 - it knows all events, which a start does not need

        return name_of(self.payload)
