"""Runs replayed on texts with one random change each: the replay finds where a run of that text does something else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.core.mutating import PLAIN, check_mutation, original_of


def failures(number: int, folder: Path) -> Iterator[str]:
    """The programs and changes, of *number* in all, for which that is not so."""
    for index, name in enumerate(PLAIN):
        place = folder / name
        place.mkdir()
        one = original_of(name, place)
        for seed in range(index, number, len(PLAIN)):
            try:
                check_mutation(one, seed, place / str(seed))
            except AssertionError as error:
                yield f"{name}: {error}"
        one.journal.close()
