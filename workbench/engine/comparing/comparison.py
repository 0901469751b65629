"""Two runs compared: what each of them was, and step by step where they differ. All of it follows from their events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from workbench.engine.comparing.differences import Difference, measured, of_lone, of_passes, of_runs, of_values
from workbench.engine.comparing.passes import NOWHERE, Pass, passes_of
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.fork_events import RunForked
from workbench.engine.journal.run_clock import RunClock
from workbench.engine.state.fold import fold
from workbench.engine.state.judging import Used
from workbench.engine.state.run_state import RunState
from workbench.syntax.comparing.aligning import Rule, aligned, by_key, by_words


@dataclass(frozen=True, slots=True)
class Row:
    """A pass of the one run beside the pass of the other that it belongs to; None where only one of them has it.

    *shown*: the pass of the run, or else that of the other. *depth*: how many passes are around it. *differences*: of a
    pass that one of them has, all that was done in it.
    """

    shown: Pass
    other: Pass | None
    run: Pass | None
    depth: int
    differences: tuple[Difference, ...] = ()

    @property
    def is_in_both(self) -> bool:
        """Whether both runs came here."""
        return self.other is not None and self.run is not None

    @property
    def matters(self) -> bool:
        """Whether the runs differ here in what they did."""
        return not self.is_in_both or any(each.matters for each in self.differences)


@dataclass(frozen=True, slots=True)
class Compared:
    """One of the two runs. *used*: by models. *duration_ns*: how long it was carried out.

    *source*, *source_seq*: the run that it is a fork of, and the event from which it went on; empty for none.
    """

    run: RunId
    playbook: str
    path: str
    text_hash: str
    status: RunStatus
    error: str
    started_ns: int
    duration_ns: int
    used: Used
    source: str = ""
    source_seq: int = 0


@dataclass(frozen=True, slots=True)
class Comparison:
    """*run* is the one that is looked at, *other* what it is compared with.

    *differences*: of the runs as a whole. *values*: of what was known at their ends.
    """

    other: Compared
    run: Compared
    differences: tuple[Difference, ...]
    values: tuple[Difference, ...]
    rows: tuple[Row, ...]

    @property
    def is_same_text(self) -> bool:
        """Whether both carried out the same text."""
        return self.other.text_hash == self.run.text_hash

    @property
    def differing(self) -> tuple[Row, ...]:
        """The rows in which the runs differ in what they did."""
        return tuple(row for row in self.rows if row.matters)

    @property
    def matters(self) -> bool:
        """Whether the runs differ in what they did."""
        return any(each.matters for each in (*self.differences, *self.values)) or any(row.matters for row in self.rows)


def comparison_of(run: Sequence[RunEvent], other: Sequence[RunEvent]) -> Comparison:
    """The run of the events *run* compared with that of the events *other*; neither is empty."""
    now, was = fold(run), fold(other)
    is_same_text = now.origin.pb_hash == was.origin.pb_hash
    rows = _rows(_Side(passes_of(other)), _Side(passes_of(run)), is_same_text=is_same_text)
    compared, against = _compared(now, run), _compared(was, other)
    return Comparison(
        against,
        compared,
        (*of_runs(was, now), *measured(against.duration_ns, compared.duration_ns, was.used, now.used)),
        tuple(of_values(was, now)),
        tuple(rows),
    )


def _compared(state: RunState, events: Sequence[RunEvent]) -> Compared:
    origin, clock = state.origin, RunClock()
    for event in events:
        clock.move_to(event)
    began = next((event for event in reversed(events) if isinstance(event.payload, RunForked)), events[0])
    fork = began.payload if isinstance(began.payload, RunForked) else None
    return Compared(
        *(began.run, origin.playbook, origin.path, origin.pb_hash, state.status, state.error),
        *(began.at_ns, clock.position_ns, state.used),
        *((fork.source, fork.seq) if fork is not None else ()),
    )


_Pair = tuple[int | None, int | None]
"""Places of passes in the two runs that belong together; None where a pass has no other."""


class _Side:
    """The passes of one run, and which of them are part of which."""

    def __init__(self, passes: Sequence[Pass]) -> None:
        self.inside: dict[int, list[int]] = {}
        self.passes = passes
        for place, one in enumerate(passes):
            self.inside.setdefault(one.around, []).append(place)

    def at(self, place: int | None) -> Pass | None:
        """The pass at *place*."""
        return None if place is None else self.passes[place]

    def places_in(self, around: int | None) -> Sequence[int]:
        """Where the passes are that lie directly in the one at *around*."""
        return () if around is None else self.inside.get(around, ())


def _rows(other: _Side, run: _Side, *, is_same_text: bool) -> Iterator[Row]:
    """All passes of both, side by side: those of steps that belong together have what is in them compared as well."""
    rules = _SAME_TEXT if is_same_text else _OTHER_TEXT
    waiting = [*_inside(other, run, (NOWHERE, NOWHERE), rules)]
    depths = [0] * len(waiting)
    while waiting:
        was, now = waiting.pop()
        depth = depths.pop()
        yield from _row(other.at(was), run.at(now), depth)
        inside = _inside(other, run, (was, now), rules)
        waiting += inside
        depths += [depth + 1] * len(inside)


def _inside(other: _Side, run: _Side, around: _Pair, rules: Sequence[Rule[Pass]]) -> list[_Pair]:
    """What belongs together of what lies in the passes *around*, the last first."""
    olds, news = other.places_in(around[0]), run.places_in(around[1])
    pairs = aligned([other.passes[at] for at in olds], [run.passes[at] for at in news], rules)
    found: list[_Pair] = [
        (None if was is None else olds[was], None if now is None else news[now]) for was, now in pairs
    ]
    return found[::-1]


def _row(old: Pass | None, new: Pass | None, depth: int) -> Iterator[Row]:
    if old is not None and new is not None:
        yield Row(new, old, new, depth, tuple(of_passes(old, new)))
    elif new is not None:
        yield Row(new, None, new, depth, tuple(of_lone(new, is_other=False)))
    elif old is not None:
        yield Row(old, old, None, depth, tuple(of_lone(old, is_other=True)))


def _place(one: Pass) -> tuple[str, bool, int]:
    return one.address, bool(one.text), one.round


def _words(one: Pass) -> str:
    return one.text


_SAME_TEXT: tuple[Rule[Pass], ...] = (
    by_key(lambda one: (one.address, bool(one.text), one.item or one.round)),
    by_key(_place),
)
_OTHER_TEXT: tuple[Rule[Pass], ...] = (
    by_key(lambda one: (one.playbook, one.text or one.address, one.item or one.round)),
    by_key(lambda one: (one.playbook, one.text or one.address, one.round)),
    by_words(_words),
    by_key(_place),
)
"""A step is known by its address, or by its words where other lines may have moved it; a round by what it is about."""
