"""What is pinned above the part of the picture that is in view: whose steps these are, where that has scrolled away.

Each column of a playbook has its own: its agent, its name, and the steps around whatever stands at the top of the view.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from math import inf
from typing import NamedTuple

from workbench.model.layout.program import Layout, PlaybookLayout
from workbench.model.layout.rows import Column
from workbench.model.layout.shapes import BLOCK_WIDTH, Rect, low_of
from workbench.model.program import Step

TITLE_NAME_PX = 24.0
"""How much of a title is the name; below it stands what the playbook takes."""
_NARROW_PX = 120.0
_MOST_LOOKED_AT = 200
_WIDEST_PX = 220.0
_SHORTEST_PX = 64.0
GAP = -1
"""Stands for names for which there is no room."""


class Pinned(NamedTuple):
    """The names for a stretch of the view from *left* to *right*, in pixels at 100 %.

    *agent*: its name where there are several, else empty. *playbook*: where it stands in the layout. *around*: the
    steps in which lies what is at the top of the view, from the outside in; only those whose words have scrolled away.
    """

    left: float
    right: float
    agent: str
    playbook: PlaybookLayout
    around: tuple[Step, ...] = ()


def pinned(layout: Layout, seen: Rect, zoom: float) -> tuple[Pinned, ...]:
    """What is pinned above the part *seen* of *layout*, shown at *zoom*; nothing where the name itself is in view."""
    agents = {lane.name: lane for lane in layout.lanes}
    owners = {id(one): agent for agent in layout.document.program.agents for one in agent.playbooks}
    found: list[Pinned] = []
    for playbook in layout.playbooks:
        rect, title = playbook.rect, playbook.title.rect
        if not rect.meets(seen) or title.y + TITLE_NAME_PX > seen.y:
            continue
        owner = owners.get(id(playbook.playbook))
        agent = (owner.title or owner.name) if owner is not None and owner.name in agents else ""
        found += _of_playbook(Pinned(rect.x, rect.x + rect.width, agent, playbook), layout, seen, zoom)
    starts = [each.left for each in found] + [each.rect.x for each in layout.playbooks if each.rect.meets(seen)]
    ends = (min((start for start in starts if start > each.left), default=seen.x + seen.width) for each in found)
    return tuple([each._replace(right=max(each.right, end)) for each, end in zip(found, ends, strict=True)])


def _of_playbook(whole: Pinned, layout: Layout, seen: Rect, zoom: float) -> Iterable[Pinned]:
    """One for each column that goes on across the top of the view; one for all where these are narrow, or none does."""
    playbook = whole.playbook
    columns = [each for each in playbook.columns if _is_cut(playbook, each, seen)]
    if not columns or (len(columns) > 1 and min(each.width for each in columns) * zoom < _NARROW_PX):
        return (whole,)
    ends = [(each.left, each.left + each.width, _around(playbook, each, layout, seen)) for each in columns]
    return [whole._replace(left=left, right=right, around=around) for left, right, around in ends]


def _is_cut(playbook: PlaybookLayout, column: Column, seen: Rect) -> bool:
    """Whether the upper edge of the view goes through *column*."""
    is_across = column.left <= seen.x + seen.width and seen.x <= column.left + column.width
    if not is_across or column.last <= column.first:
        return False
    last = column.last - 1
    return playbook.tops[column.first] <= seen.y < playbook.tops[last] + playbook.fragments[last].height


def _around(playbook: PlaybookLayout, column: Column, layout: Layout, seen: Rect) -> tuple[Step, ...]:
    """The steps around the first words of *column* that are in view, as far as their own are above."""
    edge = Rect(column.spine, seen.y, 0.0, 0.0)
    placed = next((each for each in playbook.visible(edge) if each.y + each.fragment.height > seen.y), None)
    if placed is None:
        return ()
    lows, top, left = placed.fragment.lows, seen.y - placed.y, seen.x - placed.x
    at = bisect_right(lows, (top, inf))
    below = lows[at : at + _MOST_LOOKED_AT]
    step = next((step for _low, x, step in below if left - BLOCK_WIDTH < x < left + seen.width), None)
    if step is None or layout.document.find(step) is None:
        return ()
    boxes = placed.fragment.box_of
    around = [each for each in layout.document.lineage(step)[:-1] if each.id in boxes]
    return tuple([each for each in around if low_of(boxes[each.id]) <= top])


def fitted(widths: Sequence[float], name: int, room: float, sign: float) -> list[tuple[int, float]]:
    """Those of the names of one stretch that have room, and how wide each of them may be, in pixels of the screen.

    *widths*: of the agent, where there is one, the playbook (at the index *name*), and the steps around, from the
    outside in. *sign*: the room between two. Where there is no room for all, ``GAP`` may stand between the playbook and
    the innermost step; where there is none for these two, the playbook is alone.
    """
    own = [min(width, _WIDEST_PX) for width in widths]
    kept = list(range(len(own)))
    while _whole(own, kept, sign) > room and (kept[0] < name or len(kept) > 2):
        if kept[0] < name:
            kept.pop(0)
        elif GAP not in kept:
            kept[1] = GAP
        elif len(kept) > 3:
            kept.pop(2)
        else:
            break
    names = [each for each in kept if each != GAP]
    left = room - (_whole(own, kept, sign) - sum(own[each] for each in names))
    if _whole(own, kept, sign) > room and left < len(names) * _SHORTEST_PX:
        return [(name, min(own[name], room))]
    found: dict[int, float] = {GAP: sign}
    for place, each in enumerate(sorted(names, key=own.__getitem__)):
        found[each] = max(0.0, min(own[each], left / (len(names) - place)))
        left -= found[each]
    return [(each, found[each]) for each in kept]


def _whole(own: Sequence[float], kept: Sequence[int], sign: float) -> float:
    """How much room all that is *kept* takes."""
    return sum(own[each] if each != GAP else sign for each in kept) + sign * (len(kept) - 1)
