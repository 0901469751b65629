"""Expressions made to hurt are little work, and at most 10 MB each; the benchmark "Engine" takes their time."""

from __future__ import annotations

import tracemalloc

import pytest

from benchmarks.attacks import ATTACKS, HARMLESS_BUT_LARGE, attempt
from tests.core.work import lines_run

MOST_LINES = 200_000


def peak_bytes(source: str) -> int:
    """The most memory that was held at a time."""
    tracemalloc.start()
    try:
        attempt(source)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("source", ATTACKS)
def test_an_attack_is_refused(source: str) -> None:
    assert isinstance(attempt(source), Exception)


@pytest.mark.parametrize("source", [*ATTACKS, *HARMLESS_BUT_LARGE])
def test_no_expression_takes_much(source: str) -> None:
    assert lines_run(lambda: attempt(source)) < MOST_LINES
    assert peak_bytes(source) < 10_000_000


def test_there_are_many_attacks() -> None:
    assert len(ATTACKS) > 60
