"""From which event of a run a fork goes on."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.engine.forking.plan import CannotFork, ForkWish
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.run_events import RunCompleted, RunCreated, RunFailure, StepEntered
from workbench.i18n import _, numeral

_ENDS = (RunCompleted, RunFailure)


def wanted_point(events: Sequence[RunEvent], wish: ForkWish) -> int:
    """The number of the last of *events* that a fork takes over. Raises CannotFork where there is none."""
    if not events or not isinstance(events[0].payload, RunCreated):
        message = _("The journal of run {run} is damaged: what the run began with is missing.")
        raise CannotFork(message.format(run=wish.source))
    if wish.step:
        return before_step(events, wish.step)
    return latest_point(events) if wish.seq is None else checked_point(events, wish.seq)


def before_step(events: Sequence[RunEvent], step: str) -> int:
    """The event directly before the step at the address *step* was entered last. Raises CannotFork."""
    found = [each.seq for each in events if each.step == step and isinstance(each.payload, StepEntered)]
    if not found:
        raise CannotFork(_("The run never came to step {step}.").format(step=step))
    return found[-1] - 1


def latest_point(events: Sequence[RunEvent]) -> int:
    """The last event; of a run that has ended, the one before its last step, which a fork does once more."""
    if not isinstance(events[-1].payload, _ENDS):
        return events[-1].seq
    entered = [each.seq for each in events if isinstance(each.payload, StepEntered)]
    return entered[-1] - 1 if entered else events[0].seq


def checked_point(events: Sequence[RunEvent], seq: int) -> int:
    """*seq*, where *events* have it and the run has not ended with it. Raises CannotFork."""
    if not 0 <= seq < len(events):
        message = _("There is no event {seq}; the run has events 0 to {last}.")
        raise CannotFork(message.format(seq=numeral(seq), last=numeral(len(events) - 1)))
    if isinstance(events[seq].payload, _ENDS):
        raise CannotFork(_("The run has ended with event {seq}. Fork it from an earlier one.").format(seq=numeral(seq)))
    return seq
