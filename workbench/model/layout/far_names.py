"""Which names can be read from afar, and where: lanes, playbooks, groups, columns, in this order, one beside the other.

Names are as large on the screen at any zoom. They stand where what they name begins, and nothing depends on which part
is in view: who pushes the canvas takes them along, and none comes or goes meanwhile.
"""

from __future__ import annotations

import enum
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from workbench.model.layout.program import Layout, PlaybookLayout
from workbench.model.layout.shapes import Box, Rect
from workbench.model.meaning import StepKind
from workbench.model.showing.words import plain_text, title_of

_GAP_PX = 4.0
_PADDING_PX = 10.0
_WIDEST_PX = 240.0
# That of a group may cover more than the group is wide, where the group is high: most of what is beside it stays free.
_WIDEST_OF_GROUP_PX = 200.0
_WIDEST_OF_COLUMN_PX = 48.0
_SHORTEST_PX = 56.0
_MARGIN_PX = 24.0
_MOST_TRIED = 2_000
_MOST_PLACED = 400
# A name that finds no room beside the others goes below them, so many lines at most.
_LINES = 12
_LINES_OF_GROUP = 3
_LONGEST = 120


class Named(enum.IntEnum):
    """What a name names; what comes first has the first choice of room."""

    LANE = 0
    PLAYBOOK = 1
    GROUP = 2
    COLUMN = 3


class FarName(NamedTuple):
    """A name, and the part of the canvas that has it."""

    words: str
    rect: Rect
    named: Named
    kind: StepKind = StepKind.STEP


class PlacedName(NamedTuple):
    """A name, shortened where need be, and its place in pixels of the screen from the top left of the canvas.

    *drop*: by how much it stands below the beginning of what it names; *shift*: how far left of that it begins.
    """

    words: str
    rect: Rect
    name: FarName
    drop: float = 0.0
    shift: float = 0.0

    @property
    def covered(self) -> Rect:
        """All that is drawn of it: what leads down to it, too."""
        rect = self.rect
        return Rect(rect.x, rect.y - self.drop, rect.width, rect.height + self.drop)


class Letters(Protocol):
    """What is known of the letters that names are written in. *line*: how high one line of them is."""

    line: float

    def width(self, words: str, named: Named) -> float:
        """How wide *words* are, in pixels of the screen."""
        ...

    def shortened(self, words: str, room: float, named: Named) -> str:
        """As much of *words* as *room* holds, with an ellipsis."""
        ...


def names_of(layout: Layout, groups: Iterable[tuple[Box, Rect]] = ()) -> tuple[FarName, ...]:
    """All names of *layout* with those of its *groups*, in the order in which they take room.

    Each group is the box of the heading above its steps, and where that stands.
    """
    found = [FarName(_line(lane.name), lane.rect, Named.LANE) for lane in layout.lanes]
    for playbook in layout.playbooks:
        at, whole = playbook.title.rect, playbook.rect
        rect = Rect(at.x, at.y, max(at.width, whole.x + whole.width - at.x), whole.height)
        found.append(FarName(_line(title_of(playbook.playbook)), rect, Named.PLAYBOOK))
        found += _columns(playbook)
    found += [FarName(_line(each.function.name), each.rect, Named.PLAYBOOK) for each in layout.functions]
    found += [FarName(_line(_words_of(box)), rect, Named.GROUP, box.kind) for box, rect in groups]
    return in_order(found)


def in_order(names: Iterable[FarName]) -> tuple[FarName, ...]:
    """Those of *names* that say something: the outermost first, of groups the largest, else from the left."""
    return tuple(sorted((name for name in names if name.words), key=_rank))


def _rank(name: FarName) -> tuple[object, ...]:
    rect = name.rect
    size = -rect.width * rect.height if name.named is Named.GROUP else 0.0
    return name.named, size, rect.x, rect.y, name.words


def _columns(playbook: PlaybookLayout) -> Iterator[FarName]:
    """The number of the first step of each column, where there are several."""
    columns = playbook.columns if playbook.playbook.is_ordered and not playbook.stand.is_text else ()
    heads = playbook.prefixes[1][0] if len(playbook.prefixes) > 1 else 0
    base = playbook.numbers[heads]
    for column in columns if len(columns) > 1 else ():
        first, last = playbook.numbers[max(column.first, heads)] - base, playbook.numbers[column.last] - base
        if last > first:
            top = playbook.tops[column.first]
            height = playbook.rect.y + playbook.rect.height - top
            yield FarName(f"{first + 1:02d}", Rect(column.left, top, column.width, height), Named.COLUMN)


def _words_of(box: Box) -> str:
    return plain_text(box.step) if box.step is not None else box.text


def _line(words: str) -> str:
    return " ".join(words.split())[:_LONGEST]


def place_names(names: Sequence[FarName], zoom: float, letters: Letters, width: float) -> tuple[PlacedName, ...]:
    """As many of *names*, which stand in order, as there is room for at *zoom*; no two of them meet.

    *width*: of the canvas, at 100 %.
    """
    taken = _Taken(letters.line, width * zoom + _MARGIN_PX)
    placed: list[PlacedName] = []
    for name in names[:_MOST_TRIED]:
        found = _placed(name, zoom, letters, taken)
        if found is not None:
            taken.add(found.rect)
            placed.append(found)
            if len(placed) == _MOST_PLACED:
                break
    return tuple(placed)


def _placed(name: FarName, zoom: float, letters: Letters, taken: _Taken) -> PlacedName | None:
    """The first line that holds all of *name*, else the one that holds most of it; None where none will do."""
    start, top, line = name.rect.x * zoom, name.rect.y * zoom, letters.line
    most, lines = _bounds(name, zoom, line)
    wanted = min(letters.width(name.words, name.named) + _PADDING_PX, _WIDEST_PX)
    left = taken.pulled(start, min(wanted, most))
    best, drop = 0.0, 0.0
    for index in range(lines):
        room = min(taken.room(left, top + index * line, wanted), most)
        if room > best + 1:
            best, drop = room, index * line
        if best >= wanted:
            break
    if best < wanted and (best < _SHORTEST_PX or name.named is Named.COLUMN):
        return None
    room = best - _PADDING_PX
    is_whole = letters.width(name.words, name.named) <= room
    words = name.words if is_whole else letters.shortened(name.words, room, name.named)
    return PlacedName(words, Rect(left, top + drop, best, line), name, drop, start - left)


def _bounds(name: FarName, zoom: float, line: float) -> tuple[float, int]:
    """How wide a name may be, and how many lines there are to choose from: those of parts leave the parts in sight."""
    if name.named < Named.GROUP:
        return _WIDEST_PX, _LINES
    wide, high = name.rect.width * zoom, name.rect.height * zoom
    if name.named is Named.COLUMN:
        return max(wide, _WIDEST_OF_COLUMN_PX), int(high >= 2 * line)
    return max(wide, _WIDEST_OF_GROUP_PX), min(max(int(high / line) - 2, 0), _LINES_OF_GROUP)


class _Taken:
    """The room that names have taken, by lines that are *high* pixels of the screen; none goes beyond *end*."""

    def __init__(self, high: float, end: float) -> None:
        self._high = high
        self._end = end
        self._lines: dict[int, list[Rect]] = defaultdict(list)

    def add(self, rect: Rect) -> None:
        """Take *rect*, which is one line high."""
        self._lines[int(rect.y // self._high)].append(rect)

    def pulled(self, left: float, wanted: float) -> float:
        """Where what should begin at *left* begins, so that *wanted* has room before the end."""
        return min(left, max(self._end - wanted, 0.0))

    def room(self, left: float, top: float, wanted: float) -> float:
        """How much of *wanted* is free from *left* on, in the line whose top is at *top*."""
        free, line = wanted, int(top // self._high)
        for near in (line - 1, line, line + 1):
            for rect in self._lines.get(near, ()):
                if abs(rect.y - top) < self._high and rect.x + rect.width + _GAP_PX > left:
                    free = min(free, rect.x - _GAP_PX - left)
        return max(free, 0.0)
