"""Fuzzy matching in the command palette."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from workbench.assist.fuzzy import match_score


def _ranked(query: str, *names: str) -> list[str]:
    scores = {name: score for name in names if (score := match_score(query, name)) is not None}
    return sorted(scores, key=lambda name: -scores[name])


def test_first_letters_of_words_come_before_letters_in_the_middle() -> None:
    assert _ranked("zi", "Size in", "Zoom in", "Zebra wizard")[0] == "Zoom in"


def test_a_whole_word_comes_before_scattered_letters() -> None:
    assert _ranked("save", "Show all values everywhere", "Save as")[0] == "Save as"


def test_letters_that_are_missing_do_not_fit() -> None:
    assert match_score("xyz", "Undo") is None


@given(st.text(max_size=12), st.text(max_size=12))
def test_every_subsequence_fits(name: str, more: str) -> None:
    assert match_score(name, f"{more}{name}") is not None
