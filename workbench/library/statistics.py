"""How far a record of successes can be trusted."""

from __future__ import annotations

import math

from workbench.i18n import _

_Z_95 = 1.959963984540054


def wilson_bounds(successes: int, attempts: int) -> tuple[float, float]:
    """Lower and upper end of the 95 % interval of the true success rate (Wilson's score interval).

    No attempts: anything from 0 to 1 is possible.
    """
    if attempts <= 0:
        return 0.0, 1.0
    rate = successes / attempts
    square = _Z_95 * _Z_95
    middle = rate + square / (2 * attempts)
    spread = _Z_95 * math.sqrt(rate * (1 - rate) / attempts + square / (4 * attempts * attempts))
    scale = 1 + square / attempts
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def lower_bound(successes: int, attempts: int) -> float:
    """The success rate that can be counted on: two of two rank below nineteen of twenty."""
    return wilson_bounds(successes, attempts)[0]


def worked(successes: int, attempts: int) -> str:
    """The record in words: *worked 5 of 6 times*."""
    if attempts == 0:
        return _("never tried")
    if attempts == 1:
        return _("succeeded once") if successes else _("failed once")
    return _("succeeded in {successes} of {attempts} runs").format(successes=f"{successes:,}", attempts=f"{attempts:,}")
