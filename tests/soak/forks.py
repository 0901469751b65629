"""Random programs are forked at random events, and runs whose Python leaves traces at each of theirs.

Nothing before a fork may be done again, and every variable must have its value. Forked runs are cut off as well.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from tests.conftest import DATA
from tests.core.cutting import Cut, GoOn, Whole, all_cuts, check_cut, forked, resumed, run_whole, whole_fork
from tests.core.forks import check_fork, check_grown_fork
from workbench.engine.state.fold import fold

_FILES = ("plain.md", "nested.md", "counter.md", "market-stall.md", "help-desk.md")


def failures(number: int, _folder: Path) -> Iterator[str]:
    """What is wrong where *number* random programs are forked at a random event, with their text and a longer one."""
    for count in range(number):
        yield from check_fork(random.Random(count))
        yield from check_grown_fork(random.Random(count))


def cuts(number: int, folder: Path) -> Iterator[str]:
    """What is wrong where runs are forked at each event, and where a fork is cut off after each of its own.

    At most *number* of each run.
    """
    for name in _FILES:
        whole = run_whole(DATA / "language" / name, folder / name / "whole")
        yield from _faults(whole, all_cuts(whole)[:number], folder / name / "forks", forked)
        middle = next(count for count in range(len(whole.events) // 2, len(whole.events)) if _is_quiet(whole, count))
        fork = whole_fork(whole, middle, folder / name / "fork")
        own = [cut for cut in all_cuts(fork) if cut.count > middle]
        yield from _faults(fork, own[:number], folder / name / "cuts", resumed)


def _faults(whole: Whole, found: list[Cut], folder: Path, go_on: GoOn) -> Iterator[str]:
    for count, cut in enumerate(found):
        try:
            check_cut(whole, cut, folder / str(count), go_on)
        except AssertionError as problem:
            yield f"{folder}: {problem}"


def _is_quiet(whole: Whole, count: int) -> bool:
    """Whether no call is under way after *count* events."""
    return not any(frame.intents for frame in fold(whole.events[:count]).frames)
