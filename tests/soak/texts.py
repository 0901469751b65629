"""Files that were damaged at random go through every reader; each is named by its seed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.core.random_texts import damaged, originals, read_everything

_IN_A_FOLDER = 100
"""How many share one library of patterns, which grows by what is imported."""


def failures(number: int, folder: Path) -> Iterator[str]:
    """Those of the first *number* at which something went wrong."""
    files = originals()
    for seed in range(number):
        inside = folder / str(seed // _IN_A_FOLDER)
        inside.mkdir(exist_ok=True)
        try:
            read_everything(damaged(seed, files), inside)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
            yield f"text {seed}: {type(error).__name__}: {error}"
