"""``make bench``: every figure, with its target where it has one. Exits 1 where a target is missed.

Each part has a process of its own, so that none is slower for what another has left in
memory. ``python -m benchmarks start core`` measures only these parts.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence

from benchmarks import (
    bench_canvas,
    bench_core,
    bench_engine,
    bench_growth,
    bench_language,
    bench_million,
    bench_patterns,
    bench_planning,
    bench_project,
    bench_prompts,
    bench_search,
    bench_start,
    bench_steplists,
    bench_timeline,
    bench_window,
    peers,
)
from benchmarks.measure import Figure

PARTS: dict[str, tuple[str, Callable[[], Iterable[Figure]]]] = {
    "start": ("Start", bench_start.figures),
    "core": ("Text to picture", bench_core.figures),
    "language": ("Language", bench_language.figures),
    "growth": ("Growth", bench_growth.figures),
    "canvas": ("Canvas", bench_canvas.figures),
    "window": ("Window", bench_window.figures),
    "project": ("Project", bench_project.figures),
    "search": ("Search", bench_search.figures),
    "engine": ("Engine", bench_engine.figures),
    "timeline": ("Timeline", bench_timeline.figures),
    "million": ("A million events", bench_million.figures),
    "patterns": ("Patterns", bench_patterns.figures),
    "planning": ("From a goal to a playbook", bench_planning.figures),
    "steplists": ("Step lists", bench_steplists.figures),
    "prompts": ("What models are sent", bench_prompts.figures),
    "peers": ("Others, in the same run", peers.figures),
}


def main() -> int:
    """Measure and print what was asked for, or everything."""
    wanted = wanted_parts(sys.argv[1:])
    if len(wanted) == 1:
        return 0 if _is_reached(wanted[0]) else 1
    unmet = [PARTS[part][0] for part in wanted if not _is_reached_in_its_own_process(part)]
    print(f"\nTargets missed, or not measured: {', '.join(unmet)}" if unmet else "\nAll targets reached")
    return 1 if unmet else 0


def wanted_parts(arguments: Sequence[str]) -> list[str]:
    """The parts that *arguments* name; all of them where none is named."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parts: list[str] = parser.parse_args(arguments).parts
    unknown = [part for part in parts if part not in PARTS]
    if unknown:
        parser.error(f"there is no part called {unknown[0]}; parts are {', '.join(PARTS)}")
    return parts or list(PARTS)


def _is_reached(part: str) -> bool:
    """Measure and print *part*; false where it misses a target."""
    title, figures = PARTS[part]
    print(f"\n{title}", flush=True)
    is_reached = True
    for figure in figures():
        print(figure, flush=True)
        is_reached = is_reached and figure.is_met is not False
    return is_reached


def _is_reached_in_its_own_process(part: str) -> bool:
    """As ``_is_reached``; false too where the process breaks down."""
    return subprocess.run([sys.executable, "-m", "benchmarks", part], check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main())
