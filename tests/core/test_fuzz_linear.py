"""Whatever is in a text: nothing raises, and four times the text is four times the work.

Work is counted, not timed: how many lines of Python run is the same on every machine. What happens inside regular
expressions and built-in functions cannot be counted; the benchmark "Growth" takes the time of it.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.shapes import GRAMMAR, SHAPES, open_text
from tests.conftest import examples
from tests.core.strategies import BETWEEN, HEADS, STEPS
from tests.core.work import TIMES_LARGER, WORST_GROWTH, growth

SIZE = 1_400
SIZES = {**dict.fromkeys(("pieces of the grammar", "marks"), 5_000), "children of one step": 2_000}
"""What is random needs more text until there is something of everything in it, and pairs until they are most of it."""


@pytest.fixture(autouse=True)
def near_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """What looks at many other things stops at a limit; it has to be reached by small texts too."""
    monkeypatch.setattr("workbench.model.checks.flow._FAR", 10)
    monkeypatch.setattr("workbench.model.checks.variables._FAR", 10)
    monkeypatch.setattr("workbench.model.checks.nearest._ENOUGH", 5)


def growth_of(work: Callable[[str], object], shape: str) -> float:
    """How many times as much work more text of a shape is."""
    size, make = SIZES.get(shape, SIZE), SHAPES[shape]
    return growth(work, make(size), make(size * TIMES_LARGER))


@pytest.mark.parametrize("shape", SHAPES)
def test_four_times_the_text_is_about_four_times_the_work(shape: str) -> None:
    assert growth_of(open_text, shape) < WORST_GROWTH


def with_all_pairs(text: str) -> None:
    """Opens *text*, and looks in one expression at each line once for each line."""
    open_text(text)
    lines = text.splitlines()
    assert [line for line in lines for other in lines if line is other]


def test_work_that_grows_with_the_square_is_seen_beside_all_other_work() -> None:
    assert growth_of(with_all_pairs, "children of one step") > 1.5 * WORST_GROWTH


def with_a_search_for_each_line(text: str) -> None:
    """Opens *text*, and goes for each line through those before it, calling nothing."""
    open_text(text)
    for number, line in enumerate(lines := text.splitlines()):
        for other in lines[:number]:
            if other is line:
                break


def test_a_search_through_what_went_before_is_seen_too() -> None:
    assert growth_of(with_a_search_for_each_line, "children of one step") > WORST_GROWTH


@given(st.text(max_size=400), st.integers(1, 250))
@settings(max_examples=examples(30, 60))
def test_no_random_text_raises(text: str, times: int) -> None:
    open_text(text * min(times, 100_000 // max(len(text), 1)))


@given(st.lists(st.one_of(st.sampled_from(GRAMMAR), HEADS, STEPS, BETWEEN.map("\n".join)), max_size=120))
@settings(max_examples=examples(75, 150))
def test_no_recombination_of_the_grammar_raises(pieces: list[str]) -> None:
    open_text("".join(pieces))
    open_text("\n- ".join(pieces))
