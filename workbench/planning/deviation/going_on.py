"""A run that goes on with another text from where it deviated: what is done stays, and nothing is done twice."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.engine.forking.forking import fork_run, plan_fork
from workbench.engine.forking.plan import CannotFork, ForkPlan, ForkWish
from workbench.engine.journal.events import RunId
from workbench.engine.journal.journal import Journal
from workbench.i18n import _
from workbench.model.snapshot import Snapshot
from workbench.model.versions.comparing import compare_versions


def plan_going_on(journal: Journal, run: RunId, step: str, text: Snapshot | None) -> ForkPlan:
    """What comes of *run* going on before *step* (empty: where it stands) with *text* (None: with its own).

    Raises CannotFork, StoreFailed.
    """
    return plan_fork(journal, ForkWish(run, step=step, text=text))


def going_on(journal: Journal, plan: ForkPlan, run: RunId) -> RunId:
    """The fork of *plan* as the run *run*, which has not begun to go on; made once. Raises CannotFork, StoreFailed."""
    return run if journal.read(run, 0, 1) else fork_run(journal, plan, run)


def against(journal: Journal, run: RunId, step: str, text: Snapshot) -> tuple[str, ...]:
    """Why *run* cannot go on before *step* with *text*: what is finished must stay what it is. Raises StoreFailed."""
    try:
        plan = plan_going_on(journal, run, step, text)
    except CannotFork as error:
        return (str(error),)
    message = _("Step {step} (“{text}”) is done or under way, so it must stay as it is.")
    # a step that deviated in a later round of its loop was done in earlier ones: that stays done
    lost = [message.format(step=each.step, text=each.text) for each in plan.lost if each.step != step]
    return (*plan.refusals, *lost)


def beyond(before: Snapshot, after: Snapshot, step: str) -> tuple[str, ...]:
    """What *after* has changed besides the segment that begins with *step*: steps behind it that still stand there.

    Of a segment, new steps may stand in the place of *step* and beside it; every other step stays what it is.
    """
    return tuple(_beyond(before, after, step))


def _beyond(before: Snapshot, after: Snapshot, step: str) -> Iterator[str]:
    message = _("Step {step} (“{text}”) is not part of what deviated, so it must stay as it is.")
    for change in compare_versions(before, after).steps:
        old = change.old
        is_elsewhere = old is not None and old.address != step and not old.address.startswith(f"{step}.")
        if old is not None and is_elsewhere and (change.new is None or change.new.text != old.text):
            yield message.format(step=old.address, text=old.text)
