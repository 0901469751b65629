"""The files that steps link to: a box for each, at the right of its playbook, with the ways that lead there.

Which files they are follows from the text alone; whether one is there, and what it is, the canvas asks the project.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from workbench.model.layout.shapes import Box, Rect, Route, Shape
from workbench.model.links import FileLink, file_links
from workbench.model.meaning import RouteKind, StepKind
from workbench.model.program import PlacedPlaybook, StepId
from workbench.model.queries import Queries

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
