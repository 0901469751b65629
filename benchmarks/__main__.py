"""``make bench``: every figure, with its target where it has one. Exits 1 where a target is missed."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from benchmarks import (
    bench_canvas,
    bench_core,
    bench_engine,
    bench_growth,
    bench_language,
    bench_patterns,
    bench_start,
    bench_steplists,
    bench_timeline,
    bench_window,
    peers,
)
from benchmarks.measure import Figure


def main() -> int:
    """Measure and print everything."""
    canvas = bench_canvas.results()
    parts: list[tuple[str, Iterable[Figure]]] = [
        ("Start", bench_start.figures()),
        ("Text to picture", bench_core.figures()),
        ("Language", bench_language.figures()),
        ("Growth", bench_growth.figures()),
        ("Canvas", bench_canvas.figures(canvas)),
        ("Window", bench_window.figures()),
        ("Engine", bench_engine.figures()),
        ("Timeline", bench_timeline.figures()),
        ("Patterns", bench_patterns.figures()),
        ("Step lists", bench_steplists.figures()),
        ("Others, in the same run", peers.figures(canvas)),
    ]
    missed: list[Figure] = []
    for title, figures in parts:
        print(f"\n{title}")
        for figure in figures:
            print(figure, flush=True)
            if figure.is_met is False:
                missed.append(figure)
    print(f"\n{len(missed)} targets missed" if missed else "\nAll targets reached")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
