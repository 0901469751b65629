"""Several variables that one step sets: exactly where each value stands there, else judged with all fields."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.engine_driver import play
from tests.core.test_assembly import steps_of
from workbench.model.meaning import Assign, Judge, Several
from workbench.model.sentences.classify import classify

EXACT = {
    "$a, $b = 1, 2": ["$a = 1", "$b = 2"],
    "($a, $b) = 1, 2": ["$a = 1", "$b = 2"],
    '$a, $b, $c = "x, y", [1, 2], $n + 1': ['$a = "x, y"', "$b = [1, 2]", "$c = $n + 1"],
    "Set $a, $b = 1, 2": ["$a = 1", "$b = 2"],
    "`$a, $b = 1, 2`": ["$a = 1", "$b = 2"],
    "$a, $b = 1, 2, then $c = 3": ["$a = 1", "$b = 2", "$c = 3"],
    "$a = 1, $b = 2": ["$a = 1", "$b = 2"],
}


def parts_of(text: str) -> list[str]:
    """What the parts of the step *text* set, in their order."""
    meaning = classify(text, False)
    parts = meaning.parts if isinstance(meaning, Several) else ()
    return [f"${one.target.name} = {one.value.source}" for one in parts if isinstance(one, Assign)]


@pytest.mark.parametrize("text", EXACT)
def test_values_that_stand_there_are_set_one_by_one(text: str) -> None:
    assert parts_of(text) == EXACT[text]


JUDGED = {
    "$a, $b = $b, $a": ["a", "b"],
    "$a, $b = $b + 1, 2": ["a", "b"],
    "$a, $b = F(1), 2": ["a", "b"],
    "$a, $b = F(1)": ["a", "b"],
    "$a, $b = $pair": ["a", "b"],
    "$a, $b = 1": ["a", "b"],
    "$a, $b = 1, 2, 3": ["a", "b"],
    "Set $a, $b = the two largest": ["a", "b"],
    "$a = $b = 0": ["a", "b"],
    "Let $a = $b = $c = 0": ["a", "b", "c"],
    "Greet the user and set $a, $b = F(2)": ["a", "b"],
}


@pytest.mark.parametrize("text", JUDGED)
def test_everything_else_is_judged_as_a_whole_with_a_field_for_each(text: str) -> None:
    meaning = classify(text, False)
    assert isinstance(meaning, Judge)
    assert (meaning.text, [one.name for one in meaning.outputs]) == (text, JUDGED[text])


def test_what_is_set_together_is_there_afterwards(tmp_path: Path) -> None:
    played = play('- $a, $b = 1, "two"\n- Return [$b, $a]\n', tmp_path)
    assert (played.run.result, played.state.error) == (["two", 1], "")


def test_a_row_in_the_middle_of_a_sentence_is_not_cut(tmp_path: Path) -> None:
    played = play('- Tell user "Hi" and then $a, $b = 1, 2\n- Return [$a, $b]\n', tmp_path)
    assert (played.told(), played.run.result) == (["Hi"], [1, 2])


def test_what_is_set_together_is_compiled_to_one_line() -> None:
    assert steps_of("- $a, $b = 1, 2\n") == ["01:EXE $a:int = 1; EXE $b:int = 2"]
