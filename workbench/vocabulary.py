"""The words for how far a run or a step is: one table, for the window and the terminal.

The engine has a type of its own for each thing that can have a status; what a person reads is the same word for the
same thing, wherever it is shown.
"""

from __future__ import annotations

import datetime as dt
import enum

from workbench.engine.enforcement.records import StepStatus as PlanStatus
from workbench.engine.journal.choices import RunStatus
from workbench.i18n import N_, _, ngettext, numeral
from workbench.tools.values import Asking, CallSafety


class Status(enum.Enum):
    """How far something is, as a person is told."""

    NOT_STARTED = N_("not started")
    STARTING = N_("starting")
    RUNNING = N_("running")
    WAITING = N_("waiting")
    WAITING_FOR_YOU = N_("waiting for you")
    LISTENING = N_("waiting for a message")
    TIMED = N_("waiting for a set time")
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
    RunStatus.LISTENING: Status.LISTENING,
    RunStatus.TIMED: Status.TIMED,
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


def clock_text(at_ns: int) -> str:
    """A time of the wall clock, with its date where that is not today's."""
    at = dt.datetime.fromtimestamp(at_ns / 1e9)  # noqa: DTZ006 - as the person's own clock shows it
    is_today = at.date() == dt.datetime.now().date()  # noqa: DTZ005 - see above
    return at.strftime("%H:%M" if is_today else "%Y-%m-%d %H:%M")


def waiting_words(until_ns: int, *, is_open: bool) -> str:
    """What a run waits for: a message, a time (0: none is set), or whichever comes first."""
    if not until_ns:
        return str(Status.LISTENING)
    time = clock_text(until_ns)
    if is_open:
        return _("waiting for a message, or until {time}").format(time=time)
    return _("waiting until {time}").format(time=time)


def missed_words(due_ns: int, missed: int) -> str:
    """That a timer, due since *due_ns*, goes off once for several times."""
    words = ngettext(
        "Due since {time}, and {count} more time since then; it runs once",
        "Due since {time}, and {count} more times since then; it runs once",
        missed,
    )
    return words.format(time=clock_text(due_ns), count=numeral(missed))


def status_in_plan(status: PlanStatus) -> Status:
    """How far a step in a step list is."""
    return _PLAN[status]


_SAFETIES = {
    CallSafety.READ: N_("reads"),
    CallSafety.IDEMPOTENT: N_("may be repeated"),
    CallSafety.UNSAFE: N_("acts"),
}
_ASKINGS = {
    Asking.NEVER: N_("not asked"),
    Asking.ONCE: N_("asked once in a run"),
    Asking.ALWAYS: N_("asked each time"),
    Asking.FORBIDDEN: N_("forbidden"),
}


def safety_words(safety: CallSafety) -> str:
    """What calls of a tool do, in a word."""
    return str(_SAFETIES[safety])


def asking_words(asking: Asking) -> str:
    """When a person is asked about a call."""
    return str(_ASKINGS[asking])
