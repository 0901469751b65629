"""What a breakpoint or a log point would have said of a run that has been: each time that the run came by.

The events are folded up to each such place, and what the point reads is read there, as on the thread of the run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from workbench.engine.debugging.breakpoints import Breakpoint, StopKind, amount_of
from workbench.engine.decider import Draft
from workbench.engine.expressions.evaluation import EvaluationFailed, Lookup, evaluate, render
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.fork_events import RunForked
from workbench.engine.journal.journal import Journal
from workbench.engine.replaying.beginning import beginning_of
from workbench.engine.replaying.recording import Reading, Recording, recorded
from workbench.engine.replaying.worlds import RecordedDecider
from workbench.engine.running.matching import is_at, names_at
from workbench.engine.state.fold import RunFold
from workbench.engine.state.run_state import RunState
from workbench.syntax.expressions import parse_expression, parse_template


@dataclass(frozen=True, slots=True)
class CameBy:
    """The run came by the point before *event*, for the time *hit*. *text*: what a log point tells there.

    *problem*: why text or condition cannot be worked out there; such a time does not count, and *hit* is 0.
    """

    event: RunEvent
    hit: int
    text: str = ""
    problem: str = ""


def came_by(journal: Journal, run: RunId, point: Breakpoint) -> Iterator[CameBy]:
    """Each time that *run* came by *point*, whether that is on or not.

    Raises StoreFailed where the run is unknown, damaged, or its text is lost; RunFailed where that cannot be run.
    """
    recording = recorded(journal, run)
    walk = _Walk(recording)
    hits = 0
    for event in recording.events:
        found = walk.met(point, event, hits + 1)
        if found is not None:
            hits += not found.problem
            if found.problem or point.counts_at(hits):
                yield found
        walk.take(event)


class _Walk:
    """A run that is walked through once more. *recording*: what is left of it counts from the text at hand."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._reading = Reading(recording.events)
        self._fold = RunFold(RunState(run=recording.run))
        self._decider = self._new_decider()
        self._cost = 0.0

    def _new_decider(self) -> RecordedDecider:
        beginning = beginning_of(self._recording, None)
        return beginning.decider(self._reading, beginning.origin)

    def take(self, event: RunEvent) -> None:
        """Go past *event*."""
        self._cost = self._fold.used.cost_usd
        self._fold.apply(event)
        self._decider.take(event)
        self._reading.at += 1
        if isinstance(event.payload, RunForked) and event.payload.text is not None:
            created = replace(self._recording.events[0], payload=self._fold.origin)
            self._recording = replace(self._recording, events=(created, *self._recording.events[1:]))
            self._decider = self._new_decider()
            for earlier in self._recording.events[: self._reading.at]:
                self._decider.take(earlier)

    def met(self, point: Breakpoint, event: RunEvent, hit: int) -> CameBy | None:
        """That *event*, which comes next, is what *point* waits for; None where it is not, or its condition fails."""
        draft = Draft(event.payload, event.step, event.line, event.span, event.parent)
        if not self._is_dear(point) and not is_at(point, (draft,), self._fold):
            return None
        names = names_at(self._decider.standing(self._fold).names, draft)
        try:
            return _told(point, event, names, hit)
        except EvaluationFailed as error:
            return CameBy(event, 0, problem=str(error))

    def _is_dear(self, point: Breakpoint) -> bool:
        """Whether the cost that *point* waits for was just reached."""
        is_cost = point.kind is StopKind.COST
        return is_cost and self._cost <= amount_of(point) < self._fold.used.cost_usd


def _told(point: Breakpoint, event: RunEvent, names: Lookup, hit: int) -> CameBy | None:
    if point.condition and not evaluate(parse_expression(point.condition), names):
        return None
    return CameBy(event, hit, render(parse_template(point.log), names) if point.log else "")
