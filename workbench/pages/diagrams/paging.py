"""Where a flowchart is cut into pages, and the ways that go on elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from workbench.model.layout.program import PlaybookLayout
from workbench.model.layout.shapes import Rect


def cuts(spans: Iterable[tuple[float, float]], start: float, end: float, most: float) -> list[float]:
    """*start*, *end*, and places between them, at most *most* apart: between *spans* wherever that can be."""
    found, ordered = [start], sorted(spans)
    while end - found[-1] > most:
        at, limit = found[-1], found[-1] + most
        near = [span for span in ordered if span[1] > at and span[0] < limit]
        free = [low + 6 for _top, low in near if at + most * 0.3 < low + 6 <= limit]
        free = [place for place in free if not any(top < place < low for top, low in near)]
        found.append(max(free, default=limit))
    return [*found, end]


def crossings(
    layout: PlaybookLayout, across: Sequence[float], down: Sequence[float]
) -> Iterator[tuple[float, float, bool]]:
    """Where the ways of a playbook cross the cuts: the place, and whether they cross it level; no place twice."""
    routes = [(route, 0.0, 0.0) for route in layout.routes]
    routes += [(route, placed.x, placed.y) for placed in layout.placed for route in placed.fragment.routes]
    seen: set[tuple[int, int]] = set()
    for route, dx, dy in routes:
        for (x1, y1), (x2, y2) in zip(route.points, route.points[1:], strict=False):
            places = [(x1 + dx, cut, False) for cut in down if min(y1, y2) + dy < cut < max(y1, y2) + dy]
            places += [(cut, y1 + dy, True) for cut in across if min(x1, x2) + dx < cut < max(x1, x2) + dx]
            for x, y, is_level in places:
                if (round(x), round(y)) not in seen:
                    seen.add((round(x), round(y)))
                    yield x, y, is_level


def holding(spots: Sequence[Rect], x: float, y: float) -> int | None:
    point = Rect(x, y, 0.0, 0.0)
    return next((at for at, spot in enumerate(spots) if spot.meets(point)), None)


def letters() -> Iterator[str]:
    """A, B, … Z, A2, B2, …"""
    turn = 1
    while True:
        yield from (f"{chr(65 + at)}{turn if turn > 1 else ''}" for at in range(26))
        turn += 1
