"""Expressions made to hurt are little work, and at most 10 MB each; the benchmark "Engine" takes their time."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from benchmarks.attacks import ATTACKS, HARMLESS_BUT_LARGE, attempt
from tests.core.engine_driver import play
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


_MANY = "{$s}" * 100
_LONG = 'Return "x" * 390000'
_TEXTS = {
    "told": f'- $s = Long()\n- Tell user "{_MANY}"\n## Long\n### Steps\n- {_LONG}\n',
    "returned": f'- $s = Long()\n- Return "{_MANY}"\n## Long\n### Steps\n- {_LONG}\n',
    "described": f"- $s = Long()\n- $r = Described()\n## Long\n### Steps\n- {_LONG}\n## Described\n{_MANY}\n",
    "given": f"- $s = Long()\n- $r = Other({', '.join(['$s'] * 60)})\n## Long\n### Steps\n- {_LONG}\n",
}


@pytest.mark.parametrize("steps", _TEXTS.values(), ids=_TEXTS)
def test_what_is_put_into_one_text_or_call_is_bounded_together(steps: str, tmp_path: Path) -> None:
    tracemalloc.start()
    try:
        played = play(steps, tmp_path)
        assert tracemalloc.get_traced_memory()[1] < 30_000_000
    finally:
        tracemalloc.stop()
    assert "characters" in played.state.error


def test_a_question_says_what_it_can_and_leaves_the_rest_as_written(tmp_path: Path) -> None:
    played = play(f"- $s = Long()\n- Look at {6 * _MANY}\n## Long\n### Steps\n- {_LONG}\n", tmp_path, "answers: [{}]")
    (asked,) = played.bodies("input.asked")
    assert 1_900_000 < len(asked["text"]) < 2_010_000
    assert asked["text"].endswith("{$s}")
