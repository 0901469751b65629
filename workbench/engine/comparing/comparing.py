"""The door to comparing: two runs of a journal, and which run another is best compared with."""

from __future__ import annotations

from workbench.engine.comparing.comparison import Comparison, comparison_of
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.events import RunId
from workbench.engine.journal.journal import Journal


def compare(journal: Journal, run: RunId, other: RunId) -> Comparison:
    """*run* compared with *other*. Raises StoreFailed where either is unknown, or is not as it was written."""
    against = journal.check(other)
    return comparison_of(journal.check(run), against)


def last_good(journal: Journal, run: RunId) -> RunId | None:
    """The last run that began before *run* and was completed: of the same playbook of the same file, or else of the
    file. None where there is none.
    """
    summaries = journal.runs()
    own = next((one for one in summaries if one.id == run), None)
    if own is None:
        return None
    began = (own.started_ns, own.id)
    earlier = [
        one
        for one in summaries  # the newest first
        if one.status is RunStatus.COMPLETED and one.path == own.path and (one.started_ns, one.id) < began
    ]
    same = [one for one in earlier if one.playbook == own.playbook]
    found = same or (earlier if own.path else [])
    return found[0].id if found else None
