"""Where the chapters of a procedure stand: those that are gone through side by side, text between them in columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from workbench.model.layout.shapes import Rect, Route
from workbench.model.meaning import RouteKind
from workbench.model.program import Playbook, StepId

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
