"""``make soak``: what takes minutes. The same code runs for a second or two in the required tests.

``python -m tests.soak`` runs every part, ``python -m tests.soak chains 50`` one of them so many times (or seconds).
Each failure is printed, and where there is one, the program exits with 1.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.soak import (
    chains,
    cycle_kills,
    forks,
    going_on,
    kills,
    leave_kills,
    list_kills,
    model_kills,
    replays,
    requests,
    saves,
    servers,
    texts,
    window,
)
from workbench.disk.places import HOME_VARIABLE

Part = Callable[[int, Path], Iterator[str]]
"""Does something so many times in an empty folder, and tells each failure."""

PARTS: dict[str, tuple[Part, int]] = {
    "chains": (chains.failures, 1_000),
    "saves": (saves.failures, 200),
    "cuts": (kills.cuts, 10_000),
    "kills-plain": (kills.plain, 100),
    "kills-nested": (kills.nested, 200),
    "kills-leave": (kills.leave, 100),
    "kills-planned": (kills.planned, 100),
    "kills-asked": (leave_kills.asked, 30),
    "kills-machines": (kills.machines, 40),
    "kills-lists": (list_kills.scripts, 100),
    "kills-list-tools": (list_kills.tools, 100),
    "kills-entries": (list_kills.entries, 100),
    "kills-models": (model_kills.kills, 100),
    "kills-cycles": (cycle_kills.failures, 30),
    "cuts-lists": (list_kills.cuts, 1_000),
    "forks": (forks.failures, 200),
    "going-on": (going_on.failures, 200),
    "cuts-forks": (forks.cuts, 1_000),
    "replays": (replays.failures, 200),
    "texts": (texts.failures, 100_000),
    "requests": (requests.failures, 3_000),
    "servers": (servers.failures, 200),
    "window": (window.failures, 600),
}


def main() -> int:
    """Run what was asked for, or everything."""
    name, number = (*sys.argv[1:], "", "")[:2]
    wanted = [name] if name else list(PARTS)
    if not set(wanted) <= PARTS.keys():
        print(f"There is no part called {name}. There are: {', '.join(PARTS)}.")
        return 2
    return max([_failed(part, int(number) if number else PARTS[part][1]) for part in wanted])


def _failed(part: str, number: int) -> int:
    started = time.monotonic()
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        os.environ[HOME_VARIABLE] = str(Path(folder) / "home")
        for failure in PARTS[part][0](number, Path(folder)):
            count += 1
            print(f"{part}: {failure}", flush=True)
    print(f"{part} {number}: {count} failures in {time.monotonic() - started:.0f} s", flush=True)
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
