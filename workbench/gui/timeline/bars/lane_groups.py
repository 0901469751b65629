"""The bars of a run in lanes by agent, worker, tool or plan, besides the lanes by depth that they were folded into.

The lanes of a group are those of its bars by depth *within the group*, so that the first covers all others. What is new
in the table by depth is taken over as it comes: a run of a million events is laid out while it is read.
"""

from __future__ import annotations

import enum
from array import array
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import NamedTuple

from workbench.gui.timeline.bars.bars import KINDS_BY_CODE, OPEN_NS, Bar, BarKind, BarTable, Lane
from workbench.gui.timeline.bars.columns import Message
from workbench.i18n import N_, _

_AT_ONCE = 2_000
"""So many new bars are covered at once, and not one by one."""
_LANE_BITS = 20


class Lanes(enum.Enum):
    """What the lanes of a timeline are; the value stands in the settings."""

    DEPTH = "depth"
    AGENT = "agent"
    WORKER = "worker"
    TOOL = "tool"
    PLAN = "plan"

    def __str__(self) -> str:
        return str(_WORDS[self])


_WORDS = {
    Lanes.DEPTH: N_("Lanes: depth"),
    Lanes.AGENT: N_("Lanes: agent"),
    Lanes.WORKER: N_("Lanes: worker"),
    Lanes.TOOL: N_("Lanes: tool"),
    Lanes.PLAN: N_("Lanes: plan"),
}
_WORKERS = {BarKind.CALL: N_("Tools"), BarKind.QUESTION: N_("Questions"), BarKind.JUDGEMENT: N_("Questions")}
_NO_NAME = -1
_RUNTIME = BarKind.STEP
_AS_PLANNED, _UNPLANNED, _LEFT = range(3)
_AGAINST_PLAN = (N_("As planned"), N_("Not planned"), N_("Planned, not done"))
_MOST_LEFT = 6


@dataclass(slots=True)
class LaneGroup:
    """Lanes under one heading. *lanes*: their numbers in the table, the outermost first. *count*: of its bars.

    *note*: what else is to be read there.
    """

    title: str
    lanes: list[int] = field(default_factory=list)
    count: int = 0
    note: str = ""


class Arrow(NamedTuple):
    """From lane *source* at a time to lane *target* at another."""

    from_ns: int
    source: int
    to_ns: int
    target: int


MOST_ARROWS = 40
HEADING = -1


@dataclass(frozen=True, slots=True)
class LaneRows:
    """Which lanes stand where, from above. *lanes*: by row, ``HEADING`` for a heading. *rows*: by lane.

    The lanes of a group that is folded all stand in the row of its heading. *headings*: the group and the rows of each.
    """

    lanes: tuple[int, ...]
    rows: tuple[int, ...]
    headings: tuple[tuple[LaneGroup, range], ...] = ()

    def above(self, lane: int) -> list[int]:
        """The lanes in rows above that of *lane*, the nearest first."""
        return [each for each in reversed(self.lanes[: self.rows[lane]]) if each != HEADING]

    def below(self, lane: int) -> list[int]:
        """The lanes in rows below that of *lane*, the nearest first."""
        return [each for each in self.lanes[self.rows[lane] + 1 :] if each != HEADING]


def rows_of(table: BarTable, folded: frozenset[str] = frozenset()) -> LaneRows:
    """The rows of *table*, in which the groups with titles in *folded* are folded."""
    if not isinstance(table, GroupedTable):
        every = tuple(range(len(table.lanes)))
        return LaneRows(every, every)
    lanes, rows, headings = list[int](), [0] * len(table.lanes), list[tuple[LaneGroup, range]]()
    for group in table.groups:
        top = len(lanes)
        is_folded = group.title in folded
        lanes += [group.lanes[0]] if is_folded else [HEADING, *group.lanes]
        for place, lane in enumerate(group.lanes, 1):
            rows[lane] = top if is_folded else top + place
        headings.append((group, range(top, len(lanes))))
    return LaneRows(tuple(lanes), tuple(rows), tuple(headings))


@dataclass(frozen=True, slots=True)
class LaneGeometry:
    """Where lanes lie. *top_px*: of row 0, less when scrolled. A row's height includes the gap below its bars."""

    top_px: float
    lane_px: float
    bar_px: float
    height_px: float
    rows: LaneRows

    def y_of(self, lane: int) -> float:
        """The top of the bars of *lane*."""
        return self.top_of(self.rows.rows[lane] if lane < len(self.rows.rows) else lane)

    def top_of(self, row: int) -> float:
        """The top of what stands in *row*."""
        return self.top_px + row * self.lane_px

    def row_at(self, y: float) -> int:
        """The row under *y*; it may not exist."""
        return int((y - self.top_px) // self.lane_px)

    def lane_at(self, y: float) -> int:
        """The lane under *y*, less than 0 where there is none."""
        row = self.row_at(y)
        return self.rows.lanes[row] if 0 <= row < len(self.rows.lanes) else -1

    def visible_rows(self) -> range:
        """The rows that can be seen."""
        first = max(0, self.row_at(0))
        return range(first, max(first, min(len(self.rows.lanes), self.row_at(self.height_px) + 1)))

    def visible(self) -> list[int]:
        """The lanes that can be seen; of those that are folded into one row the outermost."""
        return [lane for row in self.visible_rows() if (lane := self.rows.lanes[row]) >= 0]


class GroupedTable(BarTable):
    """The bars of *source* in the lanes that *sort* says. *groups*: in the order in which they began."""

    def __init__(self, sort: Lanes, source: BarTable) -> None:
        super().__init__()
        self.sort = sort
        self.groups: list[LaneGroup] = []
        self._source = source
        self._by_key: dict[tuple[BarKind, int], int] = {}
        self._taken: list[int] = []  # how many bars of each lane of the source are there
        self._path: list[int] = []  # the group of the last bar at each depth
        self._origins: list[array[int]] = []  # by lane: where its bars stand in the source
        self._going: list[tuple[tuple[int, int], tuple[int, int]]] = []  # what had not ended: places here and there
        self._failed = 0
        self._plan = _AgainstPlan(self) if sort is Lanes.PLAN else None
        self._key_of = _KEYS[sort] if self._plan is None else self._plan.key_of
        for place in range(len(_AGAINST_PLAN)) if self._plan is not None else ():
            self._lane_of(self._group_of((_RUNTIME, place)), 0)
        self.catch_up(source)

    def catch_up(self, source: BarTable) -> None:
        """Take over what is new in *source*, which may be a longer copy of the one before."""
        self._source = source
        self.texts, self.costs, self.messages = source.texts, source.costs, source.messages
        self.planned = source.planned
        fresh = self._fresh()
        is_much = len(fresh) > _AT_ONCE
        for packed in fresh:
            self._add(packed & ((1 << _LANE_BITS) - 1), is_covered=not is_much)
        self._settle(is_covered=not is_much)
        if is_much:
            for lane in self.lanes:
                lane.cover()
        self._take_failures()
        if self._plan is not None:
            self._plan.tell_what_is_left()
        self.open_bars = {f"{here}": here for here, _there in self._going}
        self.end_ns = source.end_ns
        self.revision += 1

    def note(self, lane_number: int, index: int) -> str:
        """What the source says of the bar."""
        return self._source.note(*self._origin(lane_number, index))

    def arrows(self, bar: Bar, from_ns: int, to_ns: int) -> list[Arrow]:
        """What *bar* was called by and what it calls, in other groups; where lanes are agents, its messages.

        Of what lies between *from_ns* and *to_ns*, and at most ``MOST_ARROWS`` of each.
        """
        depth, index = self._origin(bar.lane, bar.index)
        last_ns = self.end_ns if bar.is_open else bar.end_ns
        around = self._source.bar_at(depth - 1, bar.start_ns, 0)
        calls = [] if around is None else [(around.seq, bar.seq, bar.start_ns)]
        if depth + 1 < len(self._source.lanes):
            inner = self._source.lanes[depth + 1]
            first = bisect_left(inner.starts, max(from_ns, bar.start_ns))
            last = bisect_left(inner.starts, min(to_ns, last_ns), first)
            called = range(first, min(last, first + MOST_ARROWS))
            calls += [(bar.seq, inner.seqs[at], inner.starts[at]) for at in called]
        ends = ((place_of(self, source), place_of(self, target), at_ns) for source, target, at_ns in calls)
        found = [Arrow(at_ns, here[0], at_ns, there[0]) for here, there, at_ns in ends if here and there]
        agent = self._source.lanes[depth].agents[index]
        return [each for each in found if not self._is_one_group(each)] + self._messages(agent, (bar.start_ns, last_ns))

    def _messages(self, agent: int, between: tuple[int, int]) -> list[Arrow]:
        if self.sort is not Lanes.AGENT:
            return []
        first = bisect_left(self.messages, between[0], key=_read_at)
        near = self.messages[first : first + MOST_ARROWS]
        own = (each for each in near if agent in (each.sender, each.reader) and each.sent_ns <= between[1])
        lanes = ((each, self._outermost(each.sender), self._outermost(each.reader)) for each in own)
        return [Arrow(each.sent_ns, here, each.read_ns, there) for each, here, there in lanes if here >= 0 <= there]

    def _outermost(self, agent: int) -> int:
        group = self._by_key.get((_RUNTIME, agent))
        return self.groups[group].lanes[0] if group is not None else -1

    def _is_one_group(self, arrow: Arrow) -> bool:
        return any(arrow.source in group.lanes and arrow.target in group.lanes for group in self.groups)

    def _fresh(self) -> list[int]:
        """The bars that are not there yet, in the order in which they began: number of the event, and lane."""
        lanes = self._source.lanes
        self._taken += [0] * (len(lanes) - len(self._taken))
        found: list[int] = []
        for depth, lane in enumerate(lanes):
            found += [seq << _LANE_BITS | depth for seq in lane.seqs[self._taken[depth] :]]
        found.sort()
        return found

    def _add(self, depth: int, *, is_covered: bool) -> None:
        """Take over the next bar at *depth*."""
        source, index = self._source.lanes[depth], self._taken[depth]
        self._taken[depth] = index + 1
        kind = KINDS_BY_CODE[source.codes[index]]
        # an attempt lies where its call does; against the plan only steps are held
        is_part = kind is BarKind.ATTEMPT or (self.sort is Lanes.PLAN and kind is not BarKind.STEP)
        group = self._path[depth - 1] if is_part and depth else self._group_of(self._key_of(source, index))
        del self._path[depth:]
        number = self._lane_of(group, self._path.count(group))
        self._path.append(group)
        self.groups[group].count += 1
        lane, end_ns, code = self.lanes[number], source.ends[index], source.codes[index]
        if end_ns == OPEN_NS:
            self._going.append(((number, len(lane.starts)), (depth, index)))
        elif is_covered:
            lane.coverage.add(source.starts[index], end_ns, code)
        lane.starts.append(source.starts[index])
        lane.ends.append(end_ns)
        lane.codes.append(code)
        lane.names.append(source.names[index])
        lane.steps.append(source.steps[index])
        lane.seqs.append(source.seqs[index])
        lane.agents.append(source.agents[index])
        self._origins[number].append(index << _LANE_BITS | depth)

    def _group_of(self, key: tuple[BarKind, int]) -> int:
        group = self._by_key.setdefault(key, len(self.groups))
        if group == len(self.groups):
            self.groups.append(LaneGroup(self._title(*key)))
        return group

    def _title(self, kind: BarKind, name: int) -> str:
        if self.sort is Lanes.PLAN:
            return str(_AGAINST_PLAN[name])
        text = self.texts.at(name) if name != _NO_NAME else ""
        if self.sort is Lanes.AGENT:
            return text or _("Without an agent")
        if kind is BarKind.MODEL:
            return _("Model {name}").format(name=text)
        if self.sort is Lanes.TOOL:
            return text or _("Steps and questions")
        return str(_WORKERS[kind]) if kind in _WORKERS else _("Runtime")

    def _lane_of(self, group: int, depth: int) -> int:
        lanes = self.groups[group].lanes
        if depth == len(lanes):
            lanes.append(len(self.lanes))
            self.lanes.append(Lane())
            self._origins.append(array("q"))
        return lanes[depth]

    def _settle(self, *, is_covered: bool) -> None:
        """Take over how what had not ended goes on, or how it ended."""
        going = self._going
        self._going = []
        for here, (depth, index) in going:
            lane, source = self.lanes[here[0]], self._source.lanes[depth]
            lane.codes[here[1]], lane.ends[here[1]] = source.codes[index], source.ends[index]
            if source.ends[index] == OPEN_NS:
                self._going.append((here, (depth, index)))
            elif is_covered:
                lane.coverage.add(source.starts[index], source.ends[index], source.codes[index])

    def _take_failures(self) -> None:
        """Take over the failures, in the order in which they ended."""
        for depth, index in self._source.failures[self._failed :]:
            place = place_of(self, self._source.lanes[depth].seqs[index])
            if place is not None:
                self.failures.append(place)
        self._failed = len(self._source.failures)

    def _origin(self, lane_number: int, index: int) -> tuple[int, int]:
        packed = self._origins[lane_number][index]
        return packed & ((1 << _LANE_BITS) - 1), packed >> _LANE_BITS


class _AgainstPlan:
    """Holds the bars of *table* against what was planned."""

    def __init__(self, table: GroupedTable) -> None:
        self._table = table
        self._done: set[str] = set()

    def key_of(self, lane: Lane, index: int) -> tuple[BarKind, int]:
        """Whether a bar is as planned; what is no step is: it lies around them."""
        planned = self._table.planned
        if planned is None or KINDS_BY_CODE[lane.codes[index]] is not BarKind.STEP:
            return _RUNTIME, _AS_PLANNED
        words = planned.words_at(self._table.texts.at(lane.steps[index]), lane.seqs[index])
        self._done.add(words)
        return _RUNTIME, _AS_PLANNED if words in planned.steps else _UNPLANNED

    def tell_what_is_left(self) -> None:
        """Say which planned steps were not done so far."""
        steps = self._table.planned.steps.items() if self._table.planned is not None else ()
        left = [at.rpartition(":")[2] for words, at in steps if words not in self._done]
        group = self._table.groups[_LEFT]
        group.count, group.note = len(left), ", ".join(left[:_MOST_LEFT]) + ("…" if len(left) > _MOST_LEFT else "")


def laid_out(sort: Lanes, table: BarTable) -> BarTable:
    """The bars of *table* in the lanes that *sort* says; on any thread, also while *table* grows on another."""
    return table if sort is Lanes.DEPTH else GroupedTable(sort, table)


def sort_of(table: BarTable) -> Lanes:
    """What the lanes of *table* are."""
    return table.sort if isinstance(table, GroupedTable) else Lanes.DEPTH


def place_of(table: BarTable, seq: int) -> tuple[int, int] | None:
    """Lane and index of the bar that began with the event number *seq*."""
    for number, lane in enumerate(table.lanes):
        index = bisect_left(lane.seqs, seq)
        if index < len(lane) and lane.seqs[index] == seq:
            return number, index
    return None


def same_bar(table: BarTable, bar: Bar | None) -> Bar | None:
    """The same bar as it stands in the lanes of *table*; *bar* comes from another table of the run."""
    place = place_of(table, bar.seq) if bar is not None else None
    return table.bar(*place) if place is not None else None


def _read_at(message: Message) -> int:
    return message.read_ns


def _by_agent(lane: Lane, index: int) -> tuple[BarKind, int]:
    return _RUNTIME, lane.agents[index]


def _by_tool(lane: Lane, index: int) -> tuple[BarKind, int]:
    return (
        (BarKind.CALL, lane.names[index]) if KINDS_BY_CODE[lane.codes[index]] is BarKind.CALL else (_RUNTIME, _NO_NAME)
    )


def _by_worker(lane: Lane, index: int) -> tuple[BarKind, int]:
    kind = KINDS_BY_CODE[lane.codes[index]]
    if kind is BarKind.MODEL:
        return kind, lane.names[index]
    if kind is BarKind.JUDGEMENT:  # which it becomes while it is open
        return BarKind.QUESTION, _NO_NAME
    return kind if kind in _WORKERS else _RUNTIME, _NO_NAME


_KEYS = {Lanes.AGENT: _by_agent, Lanes.TOOL: _by_tool, Lanes.WORKER: _by_worker}
