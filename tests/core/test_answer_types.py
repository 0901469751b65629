"""What is asked for becomes a number where the program needs one, and stays the text it is everywhere else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core.engine_driver import book, play
from workbench.engine.journal.choices import RunStatus
from workbench.engine.options import RunOptions
from workbench.errors import RunFailed
from workbench.model.meaning import Variable
from workbench.model.number_types import number_types, reason_words

ASK = "- Ask user for $n\n"
TYPES = [
    ("- If $n > 5\n  - Return\n", "number", "compared with 5 in Main:02"),
    ("- If $n is at least 3\n  - Return\n", "number", "compared with 3 in Main:02"),
    ("- If $n is 5\n  - Return\n", "number", "compared with 5 in Main:02"),
    ("- If $n is between 1 and 9\n  - Return\n", "number", "compared with 1 in Main:02"),
    ("- If $n is one of 1, 2 or 3\n  - Return\n", "number", "compared with [1, 2, 3] in Main:02"),
    ("- If $n is even\n  - Return\n", "number", "part of $n % 2 in Main:02"),
    ('- While $n < 3\n  - Tell user "more"\n', "number", "compared with 3 in Main:02"),
    ("- $m = $n + 1\n", "number", "part of $n + 1 in Main:02"),
    ("- $m = -$n\n", "number", "part of -$n in Main:02"),
    ("- $m = $price * $n\n", "number", "part of $price * $n in Main:02"),
    ("- $m = max($n, 3)\n", "number", "part of max($n, 3) in Main:02"),
    ("- $m = round($n)\n", "number", "part of round($n) in Main:02"),
    ("- Return $n / 2\n", "number", "part of $n / 2 in Main:02"),
    ('- Tell user "{$n - 1} left"\n', "number", "part of $n - 1 in Main:02"),
    ('- Repeat $n times\n  - Tell user "more"\n', "int", "the number of rounds in Main:02"),
    ("- $m = range($n)\n", "int", "part of range($n) in Main:02"),
    ("- $m = $n\n- If $m > 5\n  - Return\n", "number", "compared with 5 in Main:03"),
    ("- $m = 3\n- $k = $n + $m\n", "number", "part of $n + $m in Main:03"),
    ("- $m = len($list)\n- If $n > $m\n  - Return\n", "number", "compared with $m in Main:03"),
    ("- Big($n)\n## Big($a)\n### Steps\n- If $a > 7\n  - Return\n", "number", "compared with 7 in Big:01"),
    ("- Big(a=$n)\n## Big(a)\n### Steps\n- Return a * 2\n", "number", "part of a * 2 in Big:01"),
    (
        "- Big($n)\n## Big($a:float)\n### Steps\n- Return $a\n",
        "number",
        "given to Big in Main:02, which takes a number",
    ),
    ("- Big($n)\n## Big($a:int)\n### Steps\n- Return $a\n", "int", "given to Big in Main:02, which takes a number"),
    (
        "- Return $n\n## Other\n### Steps\n- $r = Main()\n- If $r > 2\n  - Return\n",
        "number",
        "compared with 2 in Other:02",
    ),
    ("- If $n is empty\n  - Return\n- If $n > 5\n  - Return\n", "number|None", "compared with 5 in Main:03"),
    ("### Triggers\n- When $n > 40\n", "number", "compared with 40 in Main:T1"),
]
TEXTS = [
    '- Tell user "You live in {$n}"\n',
    "- Return $n\n",
    '- If $n == "5"\n  - Return\n',
    "- If $n is empty\n  - Return\n",
    '- $m = "no. " + $n\n',
    "- $m = $n + $k\n",
    "- If $n > $k\n  - Return\n",
    "- $m = int($n) + 1\n",
    "- If len($n) > 4\n  - Return\n",
    "- If len($n) == 5 and $n > 9\n  - Return\n",
    "- $m = $n.upper()\n",
    '- If "a" in $n\n  - Return\n',
    '- For each $x in $n\n  - Tell user "more"\n',
    "- Check whether $n is more than 5\n",
    "- Big($n)\n## Big($a:str)\n### Steps\n- If $a > 7\n  - Return\n",
    "- Ask user for $n:str\n- If $n > 7\n  - Return\n",
    "## Other\n### Steps\n- n = 4\n- If n > 3\n  - Return\n",
    "# Second\n## Other\n### Steps\n- If $n > 3\n  - Return\n",
]


def type_of_n(rest: str) -> tuple[str, str]:
    """The type of ``$n``, which the first step asks for, and the reason."""
    snapshot = book(ASK + rest)
    types, name = number_types(snapshot.program), Variable("n")
    needed = types.reason("Book", "Main", name)
    return types.typed("Book", "Main", name).type, reason_words(needed, snapshot) if needed else ""


@pytest.mark.parametrize(("rest", "type_", "reason"), TYPES)
def test_an_answer_is_a_number_where_the_program_needs_one(rest: str, type_: str, reason: str) -> None:
    assert type_of_n(rest) == (type_, reason)


@pytest.mark.parametrize("rest", TEXTS)
def test_an_answer_stays_a_text_where_nothing_needs_a_number(rest: str) -> None:
    assert type_of_n(rest) == ("", "")


def answered(steps: str, folder: Path, **values: Any) -> Any:
    """What a run of *steps* returns to which *values* are answered."""
    return play(steps, folder, f"answers: [{{values: {values}}}]").run.result


def test_what_is_typed_is_compared_as_a_number(tmp_path: Path) -> None:
    steps = '- Ask user for $n\n- If $n > 5\n  - Return "many"\n- Return "few"\n'
    assert answered(steps, tmp_path, n="7") == "many"
    assert answered(steps, tmp_path, n="10") == "many"
    assert answered(steps, tmp_path, n="3") == "few"


def test_what_is_typed_is_added_up_as_a_number(tmp_path: Path) -> None:
    assert answered("- Ask user for $n\n- Return $n + 1\n", tmp_path, n="2,5") == 3.5


def test_a_whole_number_stays_whole(tmp_path: Path) -> None:
    steps = '- Ask user for $n\n- $m = $n * 2\n- Tell user "{$m}"\n'
    assert play(steps, tmp_path, "answers: [{values: {n: '7'}}]").told() == ["14"]


def test_a_zip_code_that_is_told_keeps_its_zeros(tmp_path: Path) -> None:
    steps = '- Ask user for $zip and $n\n- If $n > 5\n  - Tell user "{$zip}"\n'
    assert play(steps, tmp_path, "answers: [{values: {zip: '007', n: '6'}}]").told() == ["007"]


def test_the_type_that_the_author_writes_counts(tmp_path: Path) -> None:
    steps = "- Ask user for $n:str\n- Return $n * 2\n"
    assert answered(steps, tmp_path, n="7") == "77"


def test_what_is_judged_is_a_number_too(tmp_path: Path) -> None:
    steps = "- Estimate the $weight of the parcel\n- Return $weight * 2\n"
    assert answered(steps, tmp_path, weight="3") == 6


def test_the_question_says_why_a_number_is_wanted(tmp_path: Path) -> None:
    (asked,) = play(ASK + "- Return $n + 1\n", tmp_path, "answers: [{values: {n: '1'}}]").bodies("input.asked")
    assert asked["fields"] == [{"is_state": True, "name": "n", "type": "number"}]
    assert asked["reasons"] == [["n", "part of $n + 1 in Main:02"]]


def test_an_answer_that_is_no_number_is_refused(tmp_path: Path) -> None:
    played = play(ASK + "- Return $n + 1\n", tmp_path, "answers: [{values: {n: many}}]")
    assert played.state.status is RunStatus.FAILED
    assert "“many” is not a number, such as 3.5" in played.state.error


MIXED = [
    ("- Ask user for $n:str\n- If $n > 5\n  - Return\n", "$n is a text in Main:01, and a number is needed here."),
    ('- $n = "Ada"\n- $m = $n + 1\n', "$n is a text in Main:01, and a number is needed here."),
    ('- $m = "no. " + $n\n- $k = $n - 1\n', "$n is a text in Main:01, and a number is needed here."),
    ('- $n = "none"\n- $n = 5\n- If $n > 3\n  - Return\n', ""),
    ('- $line = "-"\n- Tell user "{$line * 20}"\n', ""),
    ("- Ask user for $n\n- If $n > 5\n  - Return\n", ""),
    ('- Ask user for $n:str\n- If $n == "5"\n  - Return\n', ""),
]


@pytest.mark.parametrize(("steps", "message"), MIXED)
def test_a_text_where_a_number_is_needed_is_found(steps: str, message: str) -> None:
    found = [one.message for one in book(steps).diagnostics if one.code == "text-and-number"]
    assert found == ([message] if message else [])


def test_an_argument_of_a_run_is_a_number_where_the_playbook_needs_one(tmp_path: Path) -> None:
    snapshot = book("- Return $n + 1\n", "# Book\n## Main($n)\n### Steps\n")
    assert play(snapshot, tmp_path, "", RunOptions(arguments={"n": "7"})).run.result == 8


def test_an_argument_of_a_run_that_is_no_number_is_refused(tmp_path: Path) -> None:
    snapshot = book("- Return $n + 1\n", "# Book\n## Main($n)\n### Steps\n")
    with pytest.raises(RunFailed, match="The value of n does not fit: “many” is not a number"):
        play(snapshot, tmp_path, "", RunOptions(arguments={"n": "many"}))


OPERANDS = st.sampled_from(["5", "2.5", "$k", "len($list)", "($k + 1)", "round($k)"])
SIGNS = st.sampled_from(["<", "<=", ">", ">=", "==", "!=", "+", "-", "*", "/", "//", "%"])
ANSWERS = st.one_of(st.integers(1, 999).map(str), st.decimals(1, 99, places=2).map(str))


@settings(max_examples=examples(60))
@given(OPERANDS, SIGNS, ANSWERS, st.booleans())
def test_no_answer_that_is_a_number_is_taken_for_a_text_where_one_is_needed(
    tmp_path_factory: pytest.TempPathFactory, operand: str, sign: str, answer: str, is_left: bool
) -> None:
    left, right = ("$n", operand) if is_left else (operand, "$n")
    steps = f"- $k = 3\n- $list = [1, 2]\n- Ask user for $n\n- $m = {left} {sign} {right}\n- Return [$n, $m]\n"
    played = play(steps, tmp_path_factory.mktemp("run"), f"answers: [{{values: {{n: '{answer}'}}}}]")
    assert played.state.status is RunStatus.COMPLETED
    number, value = played.run.result
    assert number == float(answer)
    known = {"k": 3, "list": [1, 2], "n": number}
    python = f"{left} {sign} {right}".replace("$", "")
    assert value == eval(python, {"__builtins__": {"len": len, "round": round}}, known)
