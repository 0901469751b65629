"""The zoom levels of the canvas.

Pictures of blocks are drawn at the steps of a ladder. Its steps are multiples of 1/8, so that
the 8-pixel grid falls on whole device pixels and words stay sharp.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

OVERVIEW_BELOW = 0.4
# Letters of 13 pixels are hard to read from here on.
NAMES_BELOW = 0.6
# A decision with 300 branches fits into a window.
SMALLEST = 0.008
LARGEST = 4.0
_OVERVIEW_STEPS = (
    0.008,
    0.01,
    0.0125,
    0.016,
    0.02,
    0.025,
    0.032,
    0.04,
    0.05,
    0.063,
    0.08,
    0.1,
    0.125,
    0.16,
    0.2,
    0.25,
    0.32,
)
_DETAIL_STEPS = (0.5, 0.625, 0.75, 0.875, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0)
LADDER = (*_OVERVIEW_STEPS, *_DETAIL_STEPS)
_NEAR = 1e-6


def next_larger(zoom: float) -> float:
    """The first step above *zoom*."""
    return LADDER[min(bisect_right(LADDER, zoom + _NEAR), len(LADDER) - 1)]


def next_smaller(zoom: float) -> float:
    """The last step below *zoom*."""
    return LADDER[max(bisect_left(LADDER, zoom - _NEAR) - 1, 0)]


def picture_scale(zoom: float) -> float:
    """The step at which blocks are drawn for *zoom*: the first that is not smaller."""
    return _DETAIL_STEPS[min(bisect_left(_DETAIL_STEPS, zoom - _NEAR), len(_DETAIL_STEPS) - 1)]


def fitting(zoom: float) -> float:
    """The zoom at which what needs *zoom* to fit is shown: a sharp step where blocks are drawn, at most 100 %."""
    if zoom < _DETAIL_STEPS[0]:
        return max(zoom, SMALLEST)
    return min(1.0, _DETAIL_STEPS[bisect_right(_DETAIL_STEPS, zoom + _NEAR) - 1])


def bounded(zoom: float) -> float:
    """*zoom* within what the canvas shows."""
    return min(LARGEST, max(SMALLEST, zoom))
