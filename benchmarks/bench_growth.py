"""How much longer four times the text takes, for texts in every shape.

Time, unlike the work that a test can count, also tells of what happens inside regular expressions and built-ins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from benchmarks.measure import Figure, at_most, cpu_ms
from benchmarks.shapes import SHAPES, forget, open_text

_SIZE = 24_000
_TIMES_LARGER = 4
_WORST_GROWTH = 8.0
"""Linear time gives about 4, quadratic time 16."""


def figures() -> Iterator[Figure]:
    """All figures of this part."""
    for name, make in SHAPES.items():
        yield at_most(f"growth of {_TIMES_LARGER} x text: {name}", _growth(make), _WORST_GROWTH, "x")


def _growth(make: Callable[[int], str]) -> float:
    small, large = make(_SIZE), make(_SIZE * _TIMES_LARGER)
    return cpu_ms(lambda: open_text(large), 3, forget) / cpu_ms(lambda: open_text(small), 5, forget)
