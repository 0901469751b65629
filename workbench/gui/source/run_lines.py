"""Where the run is, in lines."""

from __future__ import annotations

from collections.abc import Callable

from workbench.gui.control.running.run_marks import MarkStatus, RunMarks
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot

_AT_WORK = frozenset({MarkStatus.RUNNING, MarkStatus.WAITING, MarkStatus.BLOCKED})


def running_step(marks: RunMarks, snapshot: Snapshot) -> StepId | None:
    """The innermost step at work: the one that was entered last."""
    at_work = {step: mark.started_ns for step, mark in marks.items() if mark.status in _AT_WORK and snapshot.has(step)}
    return max(at_work, key=lambda step: at_work[step]) if at_work else None


def statuses_by_line(marks: RunMarks, snapshot: Snapshot, line_at: Callable[[int], int]) -> dict[int, str]:
    """The status word of each 0-based line on which a step that the run has reached begins."""
    return {
        line_at(snapshot.head_span(step).start): mark.status.value for step, mark in marks.items() if snapshot.has(step)
    }
