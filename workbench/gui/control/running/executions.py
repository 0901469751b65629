"""Each time that a step was carried out, and each round of a loop. It is loaded with the first run."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from itertools import compress
from operator import sub
from typing import NamedTuple

from workbench.engine.journal.choices import StepStatus
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.fork_events import OtherText, RunForked
from workbench.engine.journal.run_events import (
    BranchTaken,
    PlaybookEntered,
    PlaybookExited,
    RoundBegun,
    RunCancelled,
    RunCompleted,
    RunFailure,
    StepEntered,
    StepExited,
    StepFailure,
)
from workbench.gui.control.running.run_marks import MarkStatus
from workbench.model.layout.ways_taken import Tally

OPEN_SEQ = -1
"""The end of what still goes on."""
_STATUSES = tuple(MarkStatus)
_NUMBERS = {status: number for number, status in enumerate(_STATUSES)}
_ROUND = 1 << 4
_IS_OWN = bytes(not code & _ROUND for code in range(256))
_PASSED = (MarkStatus.DONE, MarkStatus.NO, MarkStatus.SKIPPED)
# More executions of one step than this are open only in a playbook that calls itself so deep.
_MOST_OPEN = 64
_ENDS = {StepStatus.SKIPPED: MarkStatus.SKIPPED, StepStatus.FAILED: MarkStatus.FAILED}
_FINAL = {RunCompleted: MarkStatus.DONE, RunFailure: MarkStatus.FAILED, RunCancelled: MarkStatus.STOPPED}


class Execution(NamedTuple):
    """One time that a step was carried out, or a round of a loop.

    *begun*, *ended*: numbers of its events. *rounds*: of the loops around it, ``2.1``; of a round with its own number.
    """

    begun: int
    ended: int
    status: MarkStatus
    rounds: str
    is_round: bool
    begun_ns: int
    ended_ns: int

    @property
    def seq(self) -> int:
        """The event after which there is most to see: its end, where it has one."""
        return self.begun if self.ended == OPEN_SEQ or self.is_round else self.ended


class Rows:
    """The executions of one step, in columns: a loop can have a hundred thousand of them."""

    def __init__(self) -> None:
        self.begun, self.ended = array("q"), array("q")
        self.begun_ns, self.ended_ns = array("q"), array("q")
        self.codes = bytearray()  # what became of each, and whether it is a round
        self.rounds: list[str] = []

    def begin(self, event: RunEvent, rounds: str, *, is_round: bool) -> int:
        """The row of what begins with *event*."""
        self.begun.append(event.seq)
        self.ended.append(OPEN_SEQ)
        self.begun_ns.append(event.at_ns)
        self.ended_ns.append(event.at_ns)
        self.codes.append(_code(MarkStatus.RUNNING, is_round=is_round))
        self.rounds.append(rounds)
        return len(self.begun) - 1

    def end(self, row: int, event: RunEvent, status: MarkStatus) -> None:
        """End what stands in *row*."""
        self.ended[row], self.ended_ns[row] = event.seq, event.at_ns
        self.codes[row] = _code(status, is_round=bool(self.codes[row] & _ROUND))

    def tally(self, seq: int | None) -> Tally:
        """How often what has happened; *seq*: by this event."""
        codes = self.codes
        if seq is not None:
            last = bisect_right(self.begun, seq)
            codes = codes[:last]
            for row in range(max(0, last - _MOST_OPEN), last):  # what has ended since then still went on
                if self.ended[row] > seq:
                    codes[row] = _code(MarkStatus.RUNNING, is_round=bool(codes[row] & _ROUND))
        rounds = sum(codes.count(_code(status, is_round=True)) for status in MarkStatus)
        passed = sum(codes.count(_code(status, is_round=False)) for status in _PASSED)
        refused = codes.count(_code(MarkStatus.NO, is_round=False))
        open_rounds = codes.count(_code(MarkStatus.RUNNING, is_round=True))
        return Tally(len(codes) - rounds, passed, refused, rounds, rounds - open_rounds)

    def spent_ns(self, seq: int | None) -> int:
        """How long all executions took that have ended, without the rounds in them; *seq*: by this event."""
        last = len(self.begun) if seq is None else bisect_right(self.begun, seq)
        own = self.codes[:last].translate(_IS_OWN)
        spent: int = sum(compress(map(sub, self.ended_ns, self.begun_ns), own))
        if seq is not None:
            still = (row for row in range(max(0, last - _MOST_OPEN), last) if own[row] and self.ended[row] > seq)
            spent -= sum(self.ended_ns[row] - self.begun_ns[row] for row in still)
        return spent

    def at(self, row: int) -> Execution:
        """What stands in *row*."""
        status, is_round = _STATUSES[self.codes[row] & ~_ROUND], bool(self.codes[row] & _ROUND)
        times = self.begun_ns[row], self.ended_ns[row]
        return Execution(self.begun[row], self.ended[row], status, self.rounds[row], is_round, *times)


def _code(status: MarkStatus, *, is_round: bool) -> int:
    return _NUMBERS[status] | (_ROUND if is_round else 0)


class _OpenSpan:
    """A step or playbook that goes on. *rounds*: of the loops around; *inner*: of those around what it holds."""

    __slots__ = ("address", "inner", "is_no", "round", "rounds", "row")

    def __init__(self, address: str, row: int, rounds: str) -> None:
        self.address, self.row, self.rounds, self.inner = address, row, rounds, rounds
        self.round, self.is_no = -1, False


class Executions:
    """Those of one run, by the address of the step, in *rows*.

    *steps*: the numbers of all events with which a step begins.
    """

    def __init__(self) -> None:
        self.steps = array("q")
        self.rows: dict[str, Rows] = {}
        self._open: dict[str, _OpenSpan] = {}

    def take(self, events: Iterable[RunEvent]) -> None:
        """Add what *events* tell."""
        for event in events:
            match event.payload:
                case StepEntered():
                    self._enter(event)
                case StepExited(status=status):
                    self._leave(event, _ENDS.get(status, MarkStatus.DONE))
                case StepFailure():
                    self._leave(event, MarkStatus.FAILED)
                case RoundBegun(round=number):
                    self._begin_round(event, number)
                case BranchTaken(taken=taken) if event.span in self._open:
                    self._open[event.span].is_no = not taken
                case PlaybookEntered() | PlaybookExited():
                    self._cross(event)
                case RunForked(text=text):
                    self.rows = _moved(self.rows, self._open.values(), text)
                case RunCompleted() | RunFailure() | RunCancelled() as end:
                    self._end_all(event, _FINAL[type(end)])

    def tally(self, address: str, seq: int | None = None) -> Tally:
        """How often what has become of the step at *address*; *seq*: by the event with this number, None: by now."""
        rows = self.rows.get(address)
        return rows.tally(seq) if rows is not None else Tally()

    def count(self, address: str) -> int:
        """How many there are of the step at *address*, rounds included."""
        rows = self.rows.get(address)
        return len(rows.begun) if rows is not None else 0

    def at(self, address: str, row: int) -> Execution:
        """One of them, in the order in which they began."""
        return self.rows[address].at(row)

    def row_at(self, address: str, seq: int) -> int:
        """The last one that had begun when the event *seq* happened; -1 for none."""
        rows = self.rows.get(address)
        return bisect_right(rows.begun, seq) - 1 if rows is not None else -1

    def step_after(self, seq: int) -> int | None:
        """The number of the next event after *seq* with which a step begins."""
        at = bisect_right(self.steps, seq)
        return self.steps[at] if at < len(self.steps) else None

    def step_before(self, seq: int) -> int | None:
        """The same backwards."""
        at = bisect_left(self.steps, seq) - 1
        return self.steps[at] if at >= 0 else None

    def _cross(self, event: RunEvent) -> None:
        """A playbook begins or ends."""
        if isinstance(event.payload, PlaybookEntered):
            self._open[event.span] = _OpenSpan("", -1, self._around(event))
        else:
            self._open.pop(event.span, None)

    def _around(self, event: RunEvent) -> str:
        around = self._open.get(event.parent)
        return around.inner if around is not None else ""

    def _enter(self, event: RunEvent) -> None:
        self.steps.append(event.seq)
        rounds = self._around(event)
        row = self.rows.setdefault(event.step, Rows()).begin(event, rounds, is_round=False)
        self._open[event.span] = _OpenSpan(event.step, row, rounds)

    def _begin_round(self, event: RunEvent, number: int) -> None:
        loop = self._open.get(event.span)
        if loop is None:
            return
        self._end_round(loop, event, MarkStatus.DONE)
        loop.inner = f"{loop.rounds}.{number}" if loop.rounds else str(number)
        loop.round = self.rows[loop.address].begin(event, loop.inner, is_round=True)

    def _leave(self, event: RunEvent, status: MarkStatus) -> None:
        span = self._open.pop(event.span, None)
        if span is None or span.row < 0:
            return
        self._end_round(span, event, status if status is MarkStatus.FAILED else MarkStatus.DONE)
        is_no = span.is_no and status is MarkStatus.SKIPPED
        self.rows[span.address].end(span.row, event, MarkStatus.NO if is_no else status)

    def _end_round(self, loop: _OpenSpan, event: RunEvent, status: MarkStatus) -> None:
        if loop.round >= 0:
            self.rows[loop.address].end(loop.round, event, status)
            loop.round = -1

    def _end_all(self, event: RunEvent, status: MarkStatus) -> None:
        for span in (each for each in self._open.values() if each.row >= 0):
            self._end_round(span, event, status)
            self.rows[span.address].end(span.row, event, status)
        self._open = {}


def _moved(rows: Mapping[str, Rows], spans: Iterable[_OpenSpan], text: OtherText | None) -> dict[str, Rows]:
    """*rows* by the addresses that their steps have in *text*, with which a fork goes on; so do the open *spans*.

    What belongs to a step that is gone is found at no address.
    """
    steps = (text.steps if text is not None else None) or {}
    places = {address: steps.get(address, (address,)) for address in rows}
    names = {address: f"{address} gone" if place is None else str(place[0]) for address, place in places.items()}
    for span in spans:
        span.address = names.get(span.address, span.address)
    return {names[address]: found for address, found in rows.items()}
