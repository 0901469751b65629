"""Conditions behind what they are about: a branch where both are plain, and nothing is told without its condition."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.engine_driver import play
from tests.core.test_assembly import steps_of
from workbench.model.meaning import Branch, Judge
from workbench.model.sentences.classify import classify

TURNED = {
    "Return good if $n > 3": "If $n > 3, return good",
    "Return if $n is 3": "If $n is 3, return",
    "Return false unless $n": "Unless $n, return false",
    'Tell user "x" if $n > 3': 'If $n > 3, tell user "x"',
    'Tell user "x" and return if $n > 3': 'If $n > 3, tell user "x" and return',
    'Tell user "x" if they are angry': 'If they are angry, tell user "x"',
    'break if $n ends with "a"': 'If $n ends with "a", break',
    "Go to step 1 if $n > 1": "If $n > 1, go to step 1",
    "End the program, if $n is 3.": "If $n is 3, end the program",
    "End the program if the user is bored": "If the user is bored, end the program",
    "F($n) if $n is at least 3": "If $n is at least 3, F($n)",
    "$r = F($n) unless $n": "Unless $n, $r = F($n)",
    "$m = 3 if $n > 2": "If $n > 2, $m = 3",
    "Add 1 to $n if $m > 3": "If $m > 3, add 1 to $n",
    "Wait 5 minutes unless $n": "Unless $n, wait 5 minutes",
    "Ask user for $name if $name is empty": "If $name is empty, ask user for $name",
    "Tell user the price if $n > 3": "If $n > 3, tell user the price",
    "Show the customer their total of $n unless $n is 0": "Unless $n is 0, show the customer their total of $n",
}


@pytest.mark.parametrize("text", TURNED)
def test_a_condition_behind_an_exact_action_is_that_of_a_branch(text: str) -> None:
    assert isinstance(classify(text, has_children=False), Branch)
    assert [line.lower() for line in steps_of(f"- {text}\n")] == [
        line.lower() for line in steps_of(f"- {TURNED[text]}\n")
    ]


OTHERWISE = {
    "$a = 1 if $b else 2": "Assign",
    "Return 1 if $n < 2 else $n": "Return",
    "Return [x for x in $xs if x > 2]": "Return",
    'Tell user "What if $n > 3"': "Tell",
    "Ask user if $n is right": "Ask",
    "Tell user if $n > 3": "Tell",
    "Tell user the price if it rains": "Tell",
    "Tell user to check if $n > 3": "Tell",
    "Tell user a way to see if $n > 3": "Tell",
    "Tell them the answer is right if $n > 3": "Tell",
    "Ask the user whether they come if it rains": "Ask",
    "Check if $n > 3": "Judge",
    "Send a letter if $n > 3": "Judge",
    "$x = the price if $n > 2": "Judge",
    "break if it rains, otherwise return": "Judge",
    'Tell user "x" if the user is new and polite': "Judge",
    'Tell user "x" if $n > 3, otherwise "y"': "Judge",
}


@pytest.mark.parametrize("text", OTHERWISE)
def test_what_only_holds_an_if_is_what_it_was_or_is_judged_as_a_whole(text: str) -> None:
    meaning = classify(text, has_children=False)
    assert type(meaning).__name__ == OTHERWISE[text]
    assert not isinstance(meaning, Judge) or meaning.text == text


@pytest.mark.parametrize(("n", "told"), [(5, ["much", "more"]), (2, ["little"])])
def test_what_stands_before_a_condition_is_done_only_where_it_holds(n: int, told: list[str], tmp_path: Path) -> None:
    steps = f'- $n = {n}\n- Tell user "much" if $n > 3\n- Tell user "little" unless $n > 3\n- Return if $n < 3\n'
    assert play(steps + '- Tell user "more"\n', tmp_path).told() == told
