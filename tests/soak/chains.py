"""Chains of 150 things that people do to a document; each is named by its seed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.core.chains import run_chain


def failures(number: int, folder: Path) -> Iterator[str]:
    """The chains of the first *number* in which a law was broken."""
    for seed in range(number):
        try:
            run_chain(folder, seed)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
            yield f"chain {seed}: {type(error).__name__}: {error}"
