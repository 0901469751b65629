"""The words for how far a run or a step is: one table, for the window and the terminal.

The engine has a type of its own for each thing that can have a status; what a person reads is the same word for the
same thing, wherever it is shown.
"""

from __future__ import annotations

import enum

from workbench.engine.enforcement.records import StepStatus as PlanStatus
from workbench.engine.journal.choices import RunStatus
from workbench.i18n import N_


class Status(enum.Enum):
    """How far something is, as a person is told."""

    NOT_STARTED = N_("not started")
    STARTING = N_("starting")
    RUNNING = N_("running")
    WAITING = N_("waiting")
    WAITING_FOR_YOU = N_("waiting for you")
    PAUSED = N_("paused")
    DONE = N_("done")
    SKIPPED = N_("skipped")
    NO = N_("evaluated to no")
    NEXT = N_("next")
    BLOCKED = N_("blocked")
    FAILED = N_("failed")
    COMPLETED = N_("completed")
    STOPPED = N_("stopped")
    INTERRUPTED = N_("interrupted")

    def __str__(self) -> str:
        return str(self.value)


_RUN = {
    RunStatus.CREATED: Status.STARTING,
    RunStatus.RUNNING: Status.RUNNING,
    RunStatus.PAUSED: Status.PAUSED,
    RunStatus.CANCELLED: Status.STOPPED,
    RunStatus.COMPLETED: Status.COMPLETED,
    RunStatus.FAILED: Status.FAILED,
}
_PLAN = {
    PlanStatus.PENDING: Status.NOT_STARTED,
    PlanStatus.IN_PROGRESS: Status.RUNNING,
    PlanStatus.COMPLETED: Status.DONE,
    PlanStatus.SKIPPED: Status.SKIPPED,
    PlanStatus.FAILED: Status.FAILED,
}
_ENDED = frozenset({RunStatus.CANCELLED, RunStatus.COMPLETED, RunStatus.FAILED})


def status_of_run(status: RunStatus, *, is_live: bool) -> Status:
    """How far a run is; one that has not ended and is not carried out by any process was interrupted."""
    return _RUN[status] if is_live or status in _ENDED else Status.INTERRUPTED


def status_in_plan(status: PlanStatus) -> Status:
    """How far a step in a step list is."""
    return _PLAN[status]
