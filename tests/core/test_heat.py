"""Levels of heat: as many as can be told apart, with the least and the most in the first and the last."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from workbench.model.showing.heat import MOST_LEVELS, bounds_of, level_of


def test_levels_stand_in_ratios_so_that_one_long_loop_leaves_something_of_the_rest() -> None:
    assert bounds_of([1, 3, 1_000, 0]) == (1, 4, 16, 63, 251)
    assert bounds_of([1, 3]) == (1, 2, 3)
    assert bounds_of([7, 7]) == (7,)
    assert bounds_of([0]) == bounds_of([]) == ()


@given(st.lists(st.integers(1, 10**9), min_size=1))
def test_every_value_has_a_level_and_more_is_never_less(values: list[int]) -> None:
    bounds = bounds_of(values)
    levels = [level_of(bounds, value) for value in sorted(values)]
    assert levels == sorted(levels)
    assert levels[0] == 1
    assert levels[-1] == len(bounds) <= MOST_LEVELS
    assert level_of(bounds, 0) == 0
