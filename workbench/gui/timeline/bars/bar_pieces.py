"""What there is to draw of a lane: single bars while they are few, merged stretches where they are dense.

The work is bounded by the width of the window, never by the number of bars.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from workbench.gui.timeline.bars.bars import OPEN_NS, Lane
from workbench.gui.timeline.time_window import TimeWindow

ROOMY_PX = 6.0
COARSE_PX = 1.5  # buckets are powers of two, so this gives three quarters of a pixel to one and a half


class Piece(NamedTuple):
    """One rectangle. *bar*: its index in the lane, -1 where *merged* bars became one."""

    left: float
    right: float
    code: int
    bar: int
    merged: int


def pieces(lane: Lane, window: TimeWindow) -> Iterator[Piece]:
    """The closed bars of *lane* in *window*, left to right."""
    start_ns, end_ns = int(max(0.0, window.start_ns)), int(window.end_ns)
    is_sparse = lane.count_between(start_ns, end_ns) <= window.width_px // 2
    if is_sparse or window.ns_per_px * COARSE_PX < lane.coverage.finest_ns:
        yield from _single(lane, window, start_ns, end_ns)
    else:
        yield from _merged(lane, window, start_ns, end_ns)


def _single(lane: Lane, window: TimeWindow, start_ns: int, end_ns: int) -> Iterator[Piece]:
    """Bar by bar; of those that begin in the same pixel only the last can be wider than it (after Chrome's rule)."""
    starts, ends, codes = lane.starts, lane.ends, lane.codes
    scale, offset_ns = 1 / window.ns_per_px, window.start_ns
    index, count = lane.first_ending_after(start_ns - 1), len(lane)  # with what has no length at the edge
    while index < count and starts[index] < end_ns:
        left = (starts[index] - offset_ns) * scale
        if ends[index] == OPEN_NS:
            index += 1
            continue
        right = max((ends[index] - offset_ns) * scale, left + 1.0)
        following = index + 1
        if right - left < 2.0:
            following = bisect_left(starts, int(offset_ns + (int(left) + 1) / scale), following)
            last = following - 1
            if last > index and (ends[last] == OPEN_NS or (ends[last] - starts[last]) * scale >= 2.0):
                following = last
        merged = following - index
        yield Piece(left, right, max(codes[index:following]), index if merged == 1 else -1, merged)
        index = following


def _merged(lane: Lane, window: TimeWindow, start_ns: int, end_ns: int) -> Iterator[Piece]:
    """Stretches of the coverage; a stretch with room for its bars is drawn bar by bar."""
    for from_ns, to_ns, code in lane.coverage.stretches(start_ns, end_ns, window.ns_per_px * COARSE_PX):
        left, right = window.x_of(from_ns), window.x_of(to_ns)
        if right - left < ROOMY_PX:
            yield Piece(left, right, code, -1, 0)
            continue
        first = lane.first_ending_after(max(from_ns, start_ns) - 1)
        count = max(1, bisect_left(lane.starts, min(to_ns, end_ns)) - first)
        if (right - left) / count >= ROOMY_PX:
            yield from _single(lane, window, max(from_ns, start_ns), min(to_ns, end_ns))
        else:
            yield Piece(left, right, code, -1, count)
