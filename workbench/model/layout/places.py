"""Where the chapters of a procedure stand, and beside each playbook the files that its steps link to.

Chapters that are gone through stand side by side, text between them in columns. Each file is a box at the right, with
the ways that lead there. Which files they are follows from the text alone; whether one is there, and what it is, the
canvas asks the project.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from workbench.model.layout.shapes import Box, Rect, Route, Shape
from workbench.model.links import FileLink, file_links
from workbench.model.meaning import RouteKind, StepKind
from workbench.model.program import PlacedPlaybook, Playbook, StepId
from workbench.model.queries import Queries

MARGIN = 48.0
PLAYBOOK_GAP = 96.0
_TEXT_GAP = 40.0
_TEXT_COLUMN_HEIGHT = 1_000.0
_WAY_TOP = 22.0

Point = tuple[float, float]


class Stand(NamedTuple):
    """Where a playbook begins. *number*: of a chapter among those that are gone through, 0 for none.

    *is_text*: nothing of it is carried out. *leads_on*: another chapter comes after it, and not the end.
    """

    x: float
    y: float
    number: int = 0
    is_text: bool = False
    leads_on: bool = False


class Placing:
    """Gives each playbook its place, from left to right; texts that follow one another stand in one column."""

    def __init__(self, playbooks: Sequence[Playbook]) -> None:
        self._gone_through = [each for each in playbooks if each.is_chapter and each.is_carried_out]
        self._is_alone = sum(each.is_chapter for each in playbooks) < 2
        self._column: Rect | None = None  # that of the texts above, while there may be more
        self._count = 0
        self.right = MARGIN

    def stand_of(self, playbook: Playbook) -> Stand:
        """Where *playbook*, the next one, begins."""
        if playbook.is_chapter and not playbook.is_carried_out:
            above = self._column
            if above is not None and above.y + above.height < _TEXT_COLUMN_HEIGHT:
                return Stand(above.x, above.y + above.height + _TEXT_GAP, is_text=True)
            return Stand(self._next_x, MARGIN, is_text=True)
        self._count += playbook.is_chapter
        number = 0 if self._is_alone or not playbook.is_chapter else self._count
        leads_on = playbook.is_chapter and playbook is not self._gone_through[-1]
        return Stand(self._next_x, MARGIN, number, leads_on=leads_on)

    def take(self, stand: Stand, rect: Rect) -> None:
        """The playbook at *stand* takes *rect*."""
        self.right = max(self.right, rect.x + rect.width)
        self._column = rect if stand.is_text else None

    @property
    def _next_x(self) -> float:
        return self.right + PLAYBOOK_GAP if self.right > MARGIN else MARGIN


class Ends(NamedTuple):
    """Where a way out of a chapter begins and one into it ends; *right*: how far the chapter reaches."""

    foot: Point | None
    last: StepId | None
    head: Point
    first: StepId | None
    right: float


def ways_between(chapters: Sequence[Ends]) -> Iterator[Route]:
    """From the end of each of *chapters* up and over to the next one."""
    for one, following in zip(chapters, chapters[1:], strict=False):
        if one.foot is None:
            continue
        (x, y), lane = one.foot, one.right + PLAYBOOK_GAP / 2
        to_x, to_y = following.head
        points = ((x, y), (lane, y), (lane, _WAY_TOP), (to_x, _WAY_TOP), (to_x, to_y))
        yield Route(RouteKind.NEXT, points, one.last, following.first)


FILE_WIDTH = 200.0
FILE_HEIGHT = 58.0
_AWAY = 72.0
_APART = 16.0
_LANE = 20.0
_BEHIND = 24.0
"""How far ways begin inside of a step, which is painted above them: the outline of a decision is not straight."""


@dataclass(frozen=True, slots=True)
class PlacedFiles:
    """The boxes of files and the ways to them. *rect*: all of the playbook, with them."""

    boxes: tuple[Box, ...]
    routes: tuple[Route, ...]
    rect: Rect


def links_by_playbook(document: Queries) -> dict[int, tuple[FileLink, ...]]:
    """By the identity of each playbook of *document*, the links from its steps to other files."""
    found: dict[int, list[FileLink]] = {}
    placed: PlacedPlaybook | None = None
    for index, link in file_links(document):
        if placed is None or not placed.start <= index < placed.stop:
            placed = document.placed_at_block(index)
        if placed is not None:
            found.setdefault(id(placed.playbook), []).append(link)
    return {key: tuple(links) for key, links in found.items()}


def place_files(links: Sequence[FileLink], places: Mapping[StepId, Rect], rect: Rect) -> PlacedFiles:
    """One box for each file that *links* lead to, right of the playbook in *rect*, beside the first step that does.

    *places*: where the words of the steps stand; what is not drawn has none.
    """
    sources: dict[str, list[StepId]] = {}
    for link in links:
        if link.step in places:
            sources.setdefault(link.path, []).append(link.step)
    boxes: list[Box] = []
    left, low = rect.x + rect.width + _AWAY, rect.y
    for path in sorted(sources, key=lambda path: _exit(places[sources[path][0]])):
        top = max(low, _exit(places[sources[path][0]]) - FILE_HEIGHT / 2)
        boxes.append(Box(None, Shape.FILE, StepKind.CALL, Rect(left, top, FILE_WIDTH, FILE_HEIGHT), path, lines=2))
        low = top + FILE_HEIGHT + _APART
    if not boxes:
        return PlacedFiles((), (), rect)
    wide = rect._replace(width=left + FILE_WIDTH - rect.x, height=max(rect.height, low - rect.y))
    return PlacedFiles(tuple(boxes), tuple(_ways(boxes, sources, places)), wide)


def _ways(
    boxes: Sequence[Box], sources: Mapping[str, Sequence[StepId]], places: Mapping[StepId, Rect]
) -> Iterator[Route]:
    """From the right of each step, below the ways to other steps, to the left of the box of its file."""
    for box in boxes:
        goal = (box.rect.x, box.rect.y + box.rect.height / 2)
        lane = box.rect.x - _LANE
        for step in {places[step]: step for step in reversed(sources[box.text])}.values():
            start = (places[step].x + places[step].width - _BEHIND, _exit(places[step]))
            is_level = start[1] == goal[1]
            points = (start, goal) if is_level else (start, (lane, start[1]), (lane, goal[1]), goal)
            yield Route(RouteKind.LINK, points, step)


def _exit(place: Rect) -> float:
    """How far down the way to a file leaves what stands at *place*."""
    return place.y + place.height * 0.75
