"""Kept playbooks by the ten thousand, searched by a goal in words; and what it costs to compare a run with its plan."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.measure import Figure, at_most, cpu_ms
from workbench.engine.backends.script import ScriptBackend
from workbench.engine.journal.journal import Journal
from workbench.engine.options import RunOptions
from workbench.engine.scripts import Script
from workbench.engine.starting import start_run
from workbench.model.snapshot import derive
from workbench.planning.deviation.watching import Watch
from workbench.planning.plan import Plan, PlanStep
from workbench.planning.shelf.entries import Kept, Origin
from workbench.planning.shelf.store import Shelf
from workbench.syntax.text import SourceText

_MANY = 10_000
_STEPS = 10_000
_BOOK = "# Count\n\n## Main()\n\n### Steps\n\n- $n = 0\n- Repeat {times} times\n  - $n = $n + 1\n  - $m = $n\n"
_VERBS = "deploy build test release restore refund review answer archive plan import translate measure order".split()
_THINGS = "service database invoice customer ticket report image server disk network firewall queue key page".split()
_HOW = "quickly safely again nightly by-hand in-Berlin for-Ada with-care without-loss in-two-steps".split()

_GOALS = {
    "rare words": "restore the firewall for Ada 313",
    "frequent words": "deploy test release restore refund the service database invoice customer ticket report",
    "nothing fits": "launch a rocket to the moon",
}


def figures() -> Iterator[Figure]:
    """All figures of this part."""
    chance = random.Random(0)
    with tempfile.TemporaryDirectory() as folder:
        shelf = Shelf(Path(folder) / "shelf.sqlite")
        for number in range(_MANY):
            goal = f"{chance.choice(_VERBS)} the {chance.choice(_THINGS)} {chance.choice(_HOW)} {number % 997}"
            shelf.put(Kept(goal, f"# {goal}\n", "markdown", Origin(goal), f"For the {chance.choice(_THINGS)}."))
        for name, goal in _GOALS.items():
            yield at_most(f"search of {_MANY:,} kept playbooks, {name}", cpu_ms(partial(shelf.search, goal)), 100)
        typed = max(cpu_ms(partial(shelf.search, each, 200, is_typing=True)) for each in ("r", "re", "refund the or"))
        yield at_most(f"the same while a goal is typed, {_MANY:,} kept playbooks", typed, 100)
        shelf.close()
        yield at_most(f"watching a run of {_STEPS:,} steps", _watching(Path(folder)), 2.0, "%")


def _watching(folder: Path) -> float:
    """How much of the time of a run its comparison with the plan takes, in percent."""
    journal, text = Journal(folder / "runs.sqlite"), derive(SourceText(_BOOK.format(times=_STEPS // 2)))

    def carry_out() -> None:
        run = start_run(text, journal, ScriptBackend(Script()), RunOptions())
        run.wait()

    run_ms = cpu_ms(carry_out, 1)
    events = journal.read(journal.runs()[0].id)
    checked = Plan("Count", "", (PlanStep("$n = $n + 1", checks=("$n > 0",)), PlanStep("$m = $n")))

    def watch() -> None:
        watching = Watch(text, checked)
        for event in events:
            watching.take(event)

    watch_ms = cpu_ms(watch, 3)
    journal.close()
    return 100 * watch_ms / run_ms
