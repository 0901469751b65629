"""Kept playbooks by the ten thousand: how long a search for a goal in words takes."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.measure import Figure, at_most, cpu_ms
from workbench.planning.shelf.entries import Kept, Origin
from workbench.planning.shelf.store import Shelf

_MANY = 10_000
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
        shelf.close()
