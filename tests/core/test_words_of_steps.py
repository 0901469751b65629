"""Words that are exact: counted up and down, made longer, begun anew, said to be something, told, sent and returned."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.engine_driver import book, play
from tests.core.test_several import read
from workbench.model.assembly.compiling import compile_assembly
from workbench.model.meaning import Call, Judge
from workbench.model.sentences.classify import classify

EXACT = {
    "Increment $n": "$n = $n + 1",
    "increment the value of $n.": "$n = $n + 1",
    "Increase $n by 2": "$n = $n + 2",
    "Multiply $n by $k": "$n = $n * $k",
    "Divide $n by 2": "$n = $n / 2",
    "Decrement `$n`": "$n = $n - 1",
    "Decrease $n by $step": "$n = $n - $step",
    "Add 1 to $n": "$n = $n + 1",
    "Subtract 2 from $n": "$n = $n - 2",
    "Initialize $n to 0": "$n = 0",
    "Initialise $xs with []": "$xs = []",
    "Reset $n to 0": "$n = 0",
    "Set $xs to empty list": "$xs = []",
    "Set $xs to an empty list.": "$xs = []",
    "Set $d to a new empty dictionary": "$d = {}",
    "Append 3 to $xs": "$xs = $xs + [3]",
    'Append "a" to the list $xs': '$xs = $xs + ["a"]',
    "Append $x to the end of $xs": "$xs = $xs + [$x]",
    "x is 10": "$x = 10",
    'set lastname = "Pinkerton"': '$lastname = "Pinkerton"',
    "z is x + y": "$z = x + y",
    "result is Helper()": "Helper()",
    '$name is "John"': '$name = "John"',
    "$flag is true": "$flag = true",
    "Tell $x to the user": "tell $x",
    "Show $n to the user": "tell $n",
    "Give $n to the user": "tell $n",
    "Display $n to the customer.": "tell $n",
    'Send "x" to the user': "tell x",
    'Reply "x" to the user': "tell x",
    'Reply to the user: "x"': "tell x",
    'Reply to them with "Hi {$n}"': "tell Hi {$n}",
    "Multiply $n by $k + 1": "$n = $n * ($k + 1)",
    "Subtract -2 from $n": "$n = $n - -2",
    "Set x to 5": "$x = 5",
    "Let y be $a + 1": "$y = $a + 1",
    "Say(user, Output the greeting)": "tell",
    "Say(Apologize to them)": "tell",
    "Say(Apologize and ask)": "tell",
    'Say("user", "hi")': "tell hi",
    "Increment $n and return": "$n = $n + 1; return",
    "If $x > 1, append $x to $xs and tell the user $x": "if: $xs = $xs + [$x]; tell $x",
}


@pytest.mark.parametrize("text", EXACT)
def test_plain_words_for_a_change_are_exact(text: str) -> None:
    assert read(text) == EXACT[text]


JUDGED = {
    "Increase $n by 10%": "judge $n",
    "Increase $n": "judge $n",
    "Add $x to $n": "judge $n",
    "Add 5 to $list": "judge $list",
    "Append the answer to $xs": "judge $xs",
    "Remove 3 from $xs": "judge $xs",
    "order is late": "judge",
    "$order is late": "judge",
    "$x is empty": "judge",
    "it is 10": "judge",
    "The answer is 5": "judge",
    "flag is true": "judge",
    "Show the menu to the user": "judge",
    "Say(Bob, hello there)": "judge",
    'Say "hi" to the tax accountant': "judge",
    "Say hello to Bob": "judge",
    'Send "x" to Bob': "judge",
    "Send $invoice to the user": "judge",
    "Send the report to the user": "judge",
    'Reply to Bob "x"': "judge",
    "Reply with the price": "judge",
    'Reply "x"': "judge",
    "Set timer to 5": "judge",
    "Set the volume to 5": "judge",
    "Set x to the sum of all": "judge $x",
}


@pytest.mark.parametrize("text", JUDGED)
def test_what_may_be_a_claim_or_depends_on_the_value_is_judged(text: str) -> None:
    assert read(text) == JUDGED[text]


def test_counting_counts(tmp_path: Path) -> None:
    steps = "- Initialize $n to 0\n- Set $xs to empty list\n- Repeat 3 times\n  - Increment $n and append $n to $xs\n"
    played = play(steps, tmp_path)
    assert played.state.agents["Book"] == {"n": 3, "xs": [1, 2, 3]}


@pytest.mark.parametrize(
    ("steps", "returned"),
    [
        ("- Return valid\n", "valid"),
        ("- Tell them no and return success\n", "success"),
        ("- 01:RET valid\n", "valid"),
        ("- valid = 3\n- Return valid\n", 3),
        ("- $valid = 3\n- Return valid\n", 3),
    ],
)
def test_a_word_that_is_no_variable_is_returned_as_it_is(steps: str, returned: object, tmp_path: Path) -> None:
    assert play(steps, tmp_path).state.result == returned


def test_a_variable_that_has_no_value_yet_is_no_word(tmp_path: Path) -> None:
    played = play("- If false\n  - valid = 1\n- Return valid\n", tmp_path)
    assert "valid has not been set" in played.state.error


def test_a_returned_word_is_no_finding_unless_it_is_nearly_a_variable() -> None:
    assert [one.code for one in book("- Return valid\n").diagnostics] == []
    assert [one.code for one in book("- result = 1\n- Return reslt\n").diagnostics] == ["unset-variable"]


def test_a_returned_word_compiles_to_itself() -> None:
    assert "- 01:RET valid\n" in compile_assembly(book("- Return valid\n")).text


def test_what_is_quoted_is_sent_to_an_agent_that_there_is(tmp_path: Path) -> None:
    text = '# Book\n## Main\n### Steps\n- Say "hi" to Bob\n- Tell the tax accountant "{1 + 1}"\n- Say "no" to Eve\n'
    others = "\n# Bob\n## A\n### Steps\n- $x = 1\n\n# Tax accountant\n## B\n### Steps\n- $x = 1\n"
    snapshot = book(text + others, "")
    first, second, third = (step.meaning for step in snapshot.program.playbooks[0].steps)
    assert isinstance(first, Call)
    assert isinstance(second, Call)
    assert isinstance(third, Judge)
    played = play(snapshot, tmp_path, "answers: [{text: done}]")
    sent = [(body["to"], body["text"]) for body in played.bodies("message.sent")]
    assert sent == [(["Bob"], "hi"), (["TaxAccountant"], "2")]


def test_a_bare_word_is_read_as_it_stands() -> None:
    assert classify("Return valid", has_children=False) == classify("return valid", has_children=False)


@pytest.mark.parametrize("text", ["Decrease $n by one", "Add two to $n", "Initialize $n to zero"])
def test_small_numbers_may_be_words(text: str) -> None:
    assert read(text).startswith("$n = ")


@pytest.mark.parametrize("text", ["Decrease $n by little", "Append apple to $xs", "Initialize $n to high"])
def test_a_bare_word_is_no_value_of_a_change(text: str) -> None:
    assert read(text).startswith("judge $")
