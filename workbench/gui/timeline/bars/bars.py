"""Which stretches of a lane are covered, at every zoom: a pyramid of buckets over time.

A bucket holds the highest paint code of the bars that meet it, so that neither a short bar
nor a failure disappears, however far one zooms out. Reading a screen costs the screen's
width, not the number of bars. Idea: the mipmaps of trace viewers, max-pooled.
"""

from __future__ import annotations

import enum
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Protocol

from workbench.gui.timeline.bars.columns import Costs, Message, Texts
from workbench.model.meaning import StepKind

FINEST_NS = 1 << 16
MOST_BUCKETS = 1 << 18
OPEN_NS = -1
"""The end of a bar that still runs."""


class Coverage:
    """One lane. Times are ns since the run began; a code is 1…255, higher ones win; 0 is empty."""

    def __init__(self, most_buckets: int = MOST_BUCKETS, finest_ns: int = FINEST_NS) -> None:
        self._most = most_buckets
        self._finest_ns = finest_ns
        self._levels: list[bytearray] = [bytearray(1)]

    @property
    def finest_ns(self) -> int:
        """The width of the finest buckets; finer questions need the bars themselves."""
        return self._finest_ns

    def add(self, start_ns: int, end_ns: int, code: int) -> None:
        """Cover [*start_ns*, *end_ns*) with *code*; a bar without width covers one bucket.

        Bars of one lane do not overlap: whole buckets inside belong to this bar alone.
        """
        last_ns = max(start_ns, end_ns - 1)
        self.reach(last_ns)
        width_ns = self._finest_ns
        for level in self._levels:
            first, last = start_ns // width_ns, last_ns // width_ns
            if first == last and level[first] >= code:
                return  # every coarser bucket above is at least as high
            if last - first > 1:  # no other bar lies in between, so nothing needs comparing
                level[first + 1 : last] = bytes((code,)) * (last - first - 1)
            level[first] = max(level[first], code)
            level[last] = max(level[last], code)
            width_ns *= 2

    def fill(self, starts: Iterable[int], ends: Iterable[int], codes: Iterable[int]) -> None:
        """Add many bars at once, as far as they have ended; the same as adding one after the other."""
        level, width_ns = self._levels[0], self._finest_ns
        for start_ns, end_ns, code in zip(starts, ends, codes, strict=True):
            if end_ns == OPEN_NS:
                continue
            first, last = start_ns // width_ns, max(start_ns, end_ns - 1) // width_ns
            if last - first > 1:
                level[first + 1 : last] = bytes((code,)) * (last - first - 1)
            level[first] = max(level[first], code)
            level[last] = max(level[last], code)
        for below, above in pairwise(self._levels):
            even, odd = below[0::2], below[1::2]
            above[: len(even)] = bytes(map(max, even, odd + bytes(len(even) - len(odd))))

    def stretches(self, start_ns: int, end_ns: int, width_ns: float) -> list[tuple[int, int, int]]:
        """Covered stretches (start, end, code) that meet [*start_ns*, *end_ns*), in buckets of at most *width_ns*."""
        bucket_ns, first, window = self.row(start_ns, end_ns, width_ns)
        found, at = [], first
        for code, members in groupby(window):
            count = sum(1 for _member in members)
            if code:
                found.append((at * bucket_ns, (at + count) * bucket_ns, code))
            at += count
        return found

    def row(self, start_ns: int, end_ns: int, width_ns: float) -> tuple[int, int, bytes]:
        """The same as it is kept: how long a bucket is, the number of the first, and the codes from there on."""
        bucket_ns, level = self._level_for(width_ns)
        first = max(0, start_ns // bucket_ns)
        return bucket_ns, first, bytes(level[first : end_ns // bucket_ns + 1])

    def _level_for(self, width_ns: float) -> tuple[int, bytearray]:
        bucket_ns, chosen = self._finest_ns, self._levels[0]
        for level in self._levels[1:]:
            if bucket_ns * 2 > width_ns:
                break
            bucket_ns, chosen = bucket_ns * 2, level
        return bucket_ns, chosen

    def reach(self, at_ns: int) -> None:
        """Make every level long enough for *at_ns*; the finest is given up where it would become too long."""
        # keeps memory bounded however long a run is; only a short run needs the finest detail
        while at_ns // self._finest_ns >= self._most:
            self._finest_ns *= 2
            if len(self._levels) > 1:  # a single bucket looks the same at twice the width
                self._levels.pop(0)
        needed = at_ns // self._finest_ns + 1
        if needed > len(self._levels[0]):
            self._lengthen(min(self._most, max(needed, 2 * len(self._levels[0]))))

    def _lengthen(self, count: int) -> None:
        """*count* buckets at the finest level, half as many at each next one, and one at the top."""
        for number, level in enumerate(self._levels):
            level.extend(bytes(max(0, -(-count // (1 << number)) - len(level))))
        while len(top := self._levels[-1]) > 1:
            top.extend(bytes(len(top) % 2))
            self._levels.append(bytearray(map(max, top[0::2], top[1::2])))


class BarKind(enum.Enum):
    """What a bar stands for. QUESTION: to a person; JUDGEMENT: to a model."""

    PLAYBOOK = "playbook"
    STEP = "step"
    CALL = "call"
    QUESTION = "question"
    WAIT = "wait"
    MODEL = "model"
    JUDGEMENT = "judgement"
    ATTEMPT = "attempt"


class BarStatus(enum.IntEnum):
    """How it went; a higher one wins where bars share a pixel."""

    SKIPPED = 0
    NO = 1
    DONE = 2
    STOPPED = 3
    RUNNING = 4
    WAITING = 5
    BLOCKED = 6
    FAILED = 7


@dataclass(frozen=True, slots=True)
class Tint:
    """What colours a bar: its *kind*, for steps also how they are drawn on the flowchart, and its *status*."""

    kind: BarKind
    status: BarStatus
    step_kind: StepKind = StepKind.STEP


def paint_code(tint: Tint) -> int:
    """One byte that orders bars by what must not disappear: status first, then kind."""
    step_kind = tint.step_kind if tint.kind is BarKind.STEP else StepKind.STEP
    return tint.status * _PER_STATUS + _KIND_NUMBERS[tint.kind, step_kind]


def is_code(code: int) -> bool:
    """Whether *code* is the paint code of something."""
    return code % _PER_STATUS != 0 and code // _PER_STATUS < len(_STATUSES)


def tint_of(code: int) -> Tint:
    """The tint in a paint code."""
    kind, step_kind = _KINDS[code % _PER_STATUS - 1]
    return Tint(kind, _STATUSES[code // _PER_STATUS], step_kind)


_STATUSES = tuple(BarStatus)
_KINDS = (
    *((kind, StepKind.STEP) for kind in BarKind if kind is not BarKind.STEP),
    *((BarKind.STEP, step_kind) for step_kind in StepKind),
)
_KIND_NUMBERS = {kinds: number for number, kinds in enumerate(_KINDS, start=1)}
_PER_STATUS = len(_KINDS) + 1
KINDS_BY_CODE = tuple(_KINDS[code % _PER_STATUS - 1][0] for code in range(256))
"""How many codes each status has: one per kind, and 0, which stands for no bar in the coverage."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar. Times are ns since the run began. *seq*: of the event that opened it. *note*: error or question."""

    lane: int
    index: int
    tint: Tint
    start_ns: int
    end_ns: int
    name: str
    step: str
    seq: int
    note: str = ""

    @property
    def status(self) -> BarStatus:
        """How it went, or goes."""
        return self.tint.status

    @property
    def is_open(self) -> bool:
        """Whether it still runs."""
        return self.end_ns == OPEN_NS


class Lane:
    """Bars that do not overlap, by start: those of one depth, or of one depth within a group."""

    def __init__(self) -> None:
        self.starts = array("q")
        self.ends = array("q")
        self.codes = bytearray()
        self.names = array("l")
        self.steps = array("l")
        self.seqs = array("q")
        self.agents = array("l")
        self.coverage = Coverage()

    def __len__(self) -> int:
        return len(self.starts)

    def first_ending_after(self, at_ns: int) -> int:
        """The index of the first bar that ends after *at_ns* (its length where none does)."""
        index = bisect_right(self.starts, at_ns)
        if index and (self.ends[index - 1] > at_ns or self.ends[index - 1] == OPEN_NS):
            return index - 1
        return index

    def copied(self) -> Lane:
        """The same bars, with a coverage of those that have ended."""
        copy = Lane()
        copy.starts, copy.ends, copy.codes = self.starts[:], self.ends[:], self.codes[:]
        copy.names, copy.steps, copy.seqs = self.names[:], self.steps[:], self.seqs[:]
        copy.agents = self.agents[:]
        copy.cover()
        return copy

    def cover(self) -> None:
        """Fill the coverage with all bars that have ended, at once."""
        last = next((at for at in reversed(range(len(self))) if self.ends[at] != OPEN_NS), None)
        if last is not None:
            self.coverage.reach(max(self.starts[last], self.ends[last] - 1))
            self.coverage.fill(self.starts, self.ends, self.codes)

    def count_between(self, start_ns: int, end_ns: int) -> int:
        """How many bars begin in [*start_ns*, *end_ns*)."""
        return bisect_left(self.starts, end_ns) - bisect_left(self.starts, start_ns)


class Planned(Protocol):
    """What was planned for a run. *steps*: the addresses of all steps, by their words, in their order."""

    @property
    def steps(self) -> Mapping[str, str]: ...

    def words_at(self, address: str, seq: int) -> str:
        """The words of the step at *address* when the event with the number *seq* happened."""
        ...


class BarTable:
    """All bars of one run. Grows at its end only; *revision* counts the changes. *planned*: what it is held against."""

    def __init__(self) -> None:
        self.lanes: list[Lane] = []
        self.failures: list[tuple[int, int]] = []  # (lane, index), in order of failing
        self.open_bars: dict[str, tuple[int, int]] = {}  # (lane, index) by span
        self.end_ns = 0
        self.revision = 0
        self.texts = Texts()
        self.costs = Costs()
        self.planned: Planned | None = None
        self.messages: list[Message] = []  # between agents, in the order in which they were read
        self._notes: dict[tuple[int, int], str] = {}

    def open(self, span: str, bar: Bar, agent: str = "") -> None:
        """Begin *bar* in its lane; *span* names it until it closes, *agent*: as at ``begin``."""
        self.begin(span, bar.lane, (bar.start_ns, paint_code(bar.tint), bar.name, bar.step, bar.seq), agent)
        self._moved_to(bar.start_ns)

    def begin(self, span: str, number: int, told: tuple[int, int, str, str, int], agent: str = "") -> None:
        """Begin a bar in lane *number*; *told*: when, its paint code, its name, its step, the number of the event.

        *agent*: whose it is, where that is another than of the bar around it.
        """
        while len(self.lanes) <= number:
            self.lanes.append(Lane())
        lane, (start_ns, code, name, step, seq) = self.lanes[number], told
        self.open_bars[span] = (number, len(lane.starts))
        lane.starts.append(start_ns)
        lane.ends.append(OPEN_NS)
        lane.codes.append(code)
        lane.names.append(self.texts.number(name))
        lane.steps.append(self.texts.number(step))
        lane.seqs.append(seq)
        around = self.lanes[number - 1].agents if number and not agent else None  # its last bar is the one around
        lane.agents.append(around[-1] if around else self.texts.number(agent))

    def finish(self, span: str, at_ns: int, status: BarStatus) -> None:
        """End the bar of *span* without a word to the coverage, which is filled afterwards (``copied``)."""
        number, index = self.open_bars.pop(span)
        lane = self.lanes[number]
        lane.codes[index] = lane.codes[index] % _PER_STATUS + status * _PER_STATUS
        lane.ends[index] = at_ns

    def close(self, span: str, at_ns: int, status: BarStatus, note: str = "") -> None:
        """End the bar of *span*; nothing where it is not open."""
        place = self.open_bars.pop(span, None)
        if place is None:
            return
        self._set(place, status, note)
        number, index = place
        lane = self.lanes[number]
        lane.ends[index] = at_ns
        lane.coverage.add(lane.starts[index], at_ns, lane.codes[index])
        if status is BarStatus.FAILED:
            self.failures.append(place)
        self._moved_to(at_ns)

    def mark(self, span: str, status: BarStatus, note: str = "") -> None:
        """Show the open bar of *span* as *status*."""
        place = self.open_bars.get(span)
        if place is not None:
            self._set(place, status, note)
            self.revision += 1

    def turn(self, span: str, kind: BarKind) -> None:
        """Let the open bar of *span* be of another *kind*."""
        place = self.open_bars.get(span)
        if place is not None:
            lane = self.lanes[place[0]]
            status = _STATUSES[lane.codes[place[1]] // _PER_STATUS]
            lane.codes[place[1]] = paint_code(Tint(kind, status))

    def reach(self, at_ns: int) -> None:
        """Let the run extend to *at_ns*."""
        self.end_ns = max(self.end_ns, at_ns)

    def bar(self, lane_number: int, index: int) -> Bar:
        """One bar as a value."""
        lane = self.lanes[lane_number]
        return Bar(
            lane_number,
            index,
            tint_of(lane.codes[index]),
            lane.starts[index],
            lane.ends[index],
            self.texts.at(lane.names[index]),
            self.texts.at(lane.steps[index]),
            lane.seqs[index],
            self.note(lane_number, index),
        )

    def bar_at(self, lane_number: int, at_ns: int, slack_ns: int) -> Bar | None:
        """The bar of a lane at *at_ns*, or one at most *slack_ns* away."""
        if not 0 <= lane_number < len(self.lanes):
            return None
        lane = self.lanes[lane_number]
        index = lane.first_ending_after(at_ns - slack_ns - 1)
        if index < len(lane) and lane.starts[index] <= at_ns + slack_ns:
            return self.bar(lane_number, index)
        return None

    def note(self, lane_number: int, index: int) -> str:
        """The error of a bar, or what it waits for."""
        return self._notes.get((lane_number, index), "")

    def end_of(self, place: tuple[int, int]) -> int:
        """When the bar at *place* (lane, index) ended."""
        return self.lanes[place[0]].ends[place[1]]

    def count(self) -> int:
        """How many bars there are."""
        return sum(len(lane) for lane in self.lanes)

    def _set(self, place: tuple[int, int], status: BarStatus, note: str) -> None:
        lane = self.lanes[place[0]]
        lane.codes[place[1]] = lane.codes[place[1]] % _PER_STATUS + status * _PER_STATUS
        if note:
            self._notes[place] = note

    def _moved_to(self, at_ns: int) -> None:
        self.reach(at_ns)
        self.revision += 1


def copied(table: BarTable) -> BarTable:
    """The same bars, which stay as they are while *table* grows on another thread."""
    copy = BarTable()
    copy.lanes = [lane.copied() for lane in table.lanes]
    copy.failures, copy.open_bars = table.failures[:], dict(table.open_bars)
    copy.end_ns, copy.revision = table.end_ns, table.revision
    copy.texts, copy.costs, copy.messages = table.texts, table.costs, table.messages  # these only grow
    copy._notes, copy.planned = table._notes, table.planned  # likewise
    return copy
