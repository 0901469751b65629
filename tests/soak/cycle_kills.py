"""Cycles whose process is killed at any moment, again and again, until they come to their end: always the same one."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.soak.cycle_child import OTHER
from workbench.engine.journal.journal import Journal
from workbench.engine.state.fold import fold
from workbench.planning.shelf.store import Shelf

_LONGEST_S = 1.5
_MOST_KILLS = 40


def failures(number: int, folder: Path) -> Iterator[str]:
    """What is wrong with *number* cycles that are killed at random moments."""
    for count in range(number):
        place = folder / f"cycle{count}"
        place.mkdir()
        yield from (f"cycle {count}: {fault}" for fault in killed(random.Random(count), place))


def killed(chance: random.Random, folder: Path) -> Iterator[str]:
    """What is wrong with one cycle in *folder* that is killed now and then."""
    name, kills = "", 0
    while True:
        child = subprocess.Popen([sys.executable, "-m", "tests.soak.cycle_child", str(folder), *filter(None, [name])])
        if kills < _MOST_KILLS:
            try:
                child.wait(chance.uniform(0.3, _LONGEST_S))
            except subprocess.TimeoutExpired:
                child.send_signal(signal.SIGKILL)
        child.wait()
        kills += 1
        name = _cycle_in(folder)
        if name and _is_over(folder, name):
            break
        if kills > _MOST_KILLS + 3:
            yield "it does not come to its end"
            return
        time.sleep(0)
    yield from _faults(folder, name)


def _cycle_in(folder: Path) -> str:
    if not (folder / "runs.sqlite").is_file():
        return ""
    journal = Journal(folder / "runs.sqlite")
    found = [each.id for each in journal.runs() if each.playbook == "Cycle"]
    journal.close()
    return found[0] if found else ""


def _is_over(folder: Path, name: str) -> bool:
    journal = Journal(folder / "runs.sqlite")
    state = fold(journal.check(journal.find(name)))
    journal.close()
    return state.is_over


def _faults(folder: Path, name: str) -> Iterator[str]:
    journal, shelf = Journal(folder / "runs.sqlite"), Shelf(folder / "shelf.sqlite", "ada")
    state = fold(journal.check(journal.find(name)))
    if state.result != OTHER:
        yield f"it came to {state.result!r}, {state.error}"
    if len(shelf.entries()) != 1 or len(shelf.runs(shelf.entries()[0].id)) != 1:
        yield f"on the shelf stand {shelf.entries()}"
    runs = [event.payload for event in journal.check(journal.find(name)) if event.name == "cycle.begun"]
    if len(runs) != 2 or len(journal.runs()) != 3:
        yield f"{len(runs)} runs were begun, and there are {len(journal.runs())}"
    shelf.close()
    journal.close()
