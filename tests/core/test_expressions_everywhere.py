"""The same text means the same wherever an expression stands, and is kept as it is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.core.engine_driver import play
from workbench.engine.expressions.evaluation import EvaluationFailed, evaluate
from workbench.model.meaning import Assign, Branch, Judge, Meaning, Return, Tell
from workbench.model.sentences.classify import classify
from workbench.syntax.expressions import Expression, ExpressionRefused, parse_expression


def meaning(text: str, *, has_children: bool = False) -> Meaning:
    return classify(text, has_children)


GIVEN = (
    '- $n = 3\n- $x = None\n- $price = 3.14159\n- $name = "Ada"\n- $xs = [3, 1, 2]\n'
    '- $crew = [{"age": 30, "on": true}, {"age": null, "on": false}]\n- $rec = {"k": 1, "m": 2}\n'
)
VALUES: dict[str, Any] = {
    "[m.age for m in $crew]": [30, None],
    "[m.age or 0 for m in $crew if m.on]": [30],
    "max([m.age or 0 for m in $crew])": 30,
    "[i*i for i in [1, 2]]": [1, 4],
    "{k: v for k, v in $rec.items()}": {"k": 1, "m": 2},
    "$x is None": True,
    "$n is not None": True,
    "$x is None and $n is not None": True,
    '"a" if $n else None': "a",
    '"a" if $x else "b"': "b",
    "$n ** 2": 9,
    "-$n + 1": -2,
    "$n in $xs": True,
    "not $x": True,
    "$x or $n": 3,
    '$rec.get("k", 0)': 1,
    '$rec.get("z", 0)': 0,
    "$rec.keys()": ["k", "m"],
    "$rec.values()": [1, 2],
    "$rec.items()": [["k", 1], ["m", 2]],
    "$rec.copy()": {"k": 1, "m": 2},
    '{**$rec, "k": 3}': {"k": 3, "m": 2},
    '{"k": 3, **$rec}': {"k": 1, "m": 2},
    '{**$rec, **{"z": $n}}': {"k": 1, "m": 2, "z": 3},
    "$xs.index(2)": 2,
    "$xs.count(3)": 1,
    "$xs.copy()": [3, 1, 2],
    "sorted($xs)[0]": 1,
    "$xs[-1]": 2,
    "$name.upper()": "ADA",
    'f"{$price:.2f} for {$name}"': "3.14 for Ada",
    'f"{$n:>4}|{$name:<5}|{$n:03}"': "   3|Ada  |003",
    'f"{$name!r} {{kept}}"': "'Ada' {kept}",
    '"Hello {$name}, {$price:.1f}"': "Hello Ada, 3.1",
    '"none" if "{$x}" else "{$name}"': "Ada",
    'len("{$name}!")': 4,
}


@pytest.mark.parametrize("source", VALUES)
def test_an_expression_has_the_same_value_in_an_assignment_a_return_and_an_argument(
    source: str, tmp_path: Path
) -> None:
    steps = f"{GIVEN}- $a = {source}\n- $b = Given({source})\n- $c = Giving()\n- Return [$a, $b, $c]\n"
    others = f"## Given($it)\n- Return $it\n## Giving\n- Return {source}\n"
    assert play(steps + others, tmp_path).state.result == [VALUES[source]] * 3


@pytest.mark.parametrize("source", VALUES)
def test_an_expression_has_the_same_value_in_a_condition(source: str, tmp_path: Path) -> None:
    steps = f'{GIVEN}- $a = {source}\n- If ({source}) == $a, return "same"\n- Return "other"\n'
    assert play(steps, tmp_path).state.result == "same"


@pytest.mark.parametrize("source", VALUES)
def test_an_expression_has_the_same_value_as_inline_code(source: str, tmp_path: Path) -> None:
    steps = f"{GIVEN}- $a = `{source}`\n- If `{source}`\n  - Return `[$a, {source}, 1]`\n- Return `[$a, {source}, 0]`\n"
    value = VALUES[source]
    assert play(steps, tmp_path).state.result == [value, value, int(bool(value))]


@pytest.mark.parametrize("source", [each for each in VALUES if "{" not in each])
def test_an_expression_has_the_same_value_in_a_placeholder(source: str, tmp_path: Path) -> None:
    played = play(f'{GIVEN}- $a = {source}\n- Tell user "{{{source}}}"\n- Tell user "{{$a}}"\n', tmp_path)
    assert played.state.error == ""
    assert played.told()[0] == played.told()[1]


@pytest.mark.parametrize("source", VALUES)
def test_an_expression_is_kept_as_it_is_written(source: str) -> None:
    assert parse_expression(source).source == source
    assigned, returned = meaning(f"$a = {source}"), meaning(f"Return {source}")
    assert isinstance(assigned, Assign)
    assert isinstance(returned, Return)
    assert returned.value is not None
    assert assigned.value.source == returned.value.source == source


@pytest.mark.parametrize("source", ['[f"{a}={b}" for a, b in $d]', '["{a}" for a in $d]', '[f"{c.k}" for c in $d]'])
def test_names_that_an_expression_binds_itself_are_not_read(source: str) -> None:
    assert parse_expression(source).names == (("d", True),)


@pytest.mark.parametrize(
    "words", ["soup if hungry else salad", "red or blue", "not shipped", "a list for the team", "up to you", "is fine"]
)
def test_words_that_are_no_code_stay_a_judgement(words: str) -> None:
    assert isinstance(meaning(f"$a = {words}"), Judge)
    returned = meaning(f"Return {words}")
    assert isinstance(returned, Return)
    assert returned.value is None


def test_inline_code_is_exact_in_a_condition() -> None:
    branch = meaning('If `$bed == "peas"`, tell user "no"')
    assert isinstance(branch, Branch)
    assert branch.condition is not None
    assert isinstance(branch.condition.test, Expression)
    assert branch.condition.test.source == '$bed == "peas"'


def test_inline_code_stands_in_english_conditions() -> None:
    branch = meaning("If `$x` is greater than `$y + 1`", has_children=True)
    assert isinstance(branch, Branch)
    assert branch.condition is not None
    assert branch.condition.test is not None


def test_quotes_in_a_placeholder_do_not_end_a_told_text(tmp_path: Path) -> None:
    assert play(f'{GIVEN}- Tell user "{{$rec["k"]}} and {{$rec.get("z", 9)}}"\n', tmp_path).told() == ["1 and 9"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{$price:.2f}", "3.14"),
        ("{$n:>4}", "   3"),
        ("{$n:,}", "3"),
        ("{$name!r}", "'Ada'"),
        ('{"a": 1}', '{"a": 1}'),
        ("{n: 5}", "{n: 5}"),
        ("{$n:>5000}", "{3:>5000}"),
    ],
)
def test_a_placeholder_can_have_a_format(text: str, told: str, tmp_path: Path) -> None:
    played = play(f"{GIVEN}- Tell user about {text}\n- Tell user “{text}”\n", tmp_path)
    assert played.state.error == ""
    assert played.told() == [f"Tell user about {told}", told]


@pytest.mark.parametrize("steps", ["- Tell user the counter is {counter}\n", "- Tell user the counter is {$counter}\n"])
def test_a_placeholder_without_a_value_keeps_its_braces(steps: str, tmp_path: Path) -> None:
    assert play(steps, tmp_path).told() == [steps.strip("- \n")]


def test_a_text_that_a_playbook_is_written_with_keeps_its_placeholders(tmp_path: Path) -> None:
    steps = '- $name = "A"\n- CreatePlaybook("Bye", "- Return \'Bye, {$name}\'")\n- $name = "B"\n- Return Bye()\n'
    assert play(steps, tmp_path).state.result == "Bye, B"


@pytest.mark.parametrize(
    "source",
    ['f"{$x:>2000}"', 'f"{$x:.500f}"', 'f"{$x"', 'f"{x y}"', 'f"{}"', 'f"{$x!a}"', "f'{().__class__}'", 'u"x"'],
)
def test_a_format_that_could_grow_or_cannot_be_read_is_refused(source: str) -> None:
    with pytest.raises(ExpressionRefused):
        parse_expression(source)


@pytest.mark.parametrize("source", ["$x.append(1)", "$x.pop()", "$x.update($x)", "$x.clear()", "$x.sort()"])
def test_a_method_that_changes_a_value_is_refused(source: str) -> None:
    with pytest.raises(ExpressionRefused):
        parse_expression(source)


@pytest.mark.parametrize("source", ["$x.get(1)", "$x.upper()", "$x.keys()", 'f"{$x:.2f}"', "$x.index(9)"])
def test_a_method_or_format_that_does_not_fit_fails_in_plain_words(source: str) -> None:
    with pytest.raises(EvaluationFailed, match=r"^(“\.|This )"):
        evaluate(parse_expression(source), lambda _name, _is_state: [1])


def test_what_is_told_may_be_a_value_without_a_dollar_sign() -> None:
    tell = meaning('Tell user f"{count:>3}"')
    assert isinstance(tell, Tell)
    assert tell.template is not None


AVAILABLE = {
    "$name is available": True,
    "$never is available": False,
    "$never is not available": True,
    "$x is available": False,
    "$rec.k is available": True,
    "$rec.z is available": False,
    '$never is available or $name is "Ada"': True,
    "$n is provided and $xs is defined": True,
    "$empty is available": False,
    "$zero is available": True,
}


@pytest.mark.parametrize("condition", AVAILABLE)
def test_what_is_available_is_set_and_not_empty(condition: str, tmp_path: Path) -> None:
    steps = f'{GIVEN}- $empty = ""\n- $zero = 0\n- If {condition}, return true\n- Return false\n'
    assert play(steps, tmp_path).state.result is AVAILABLE[condition]


def test_available_somewhere_is_a_judgement() -> None:
    branch = meaning("If $seat is available in the first row", has_children=True)
    assert isinstance(branch, Branch)
    assert branch.condition is not None
    assert branch.condition.test is None


@pytest.mark.parametrize(("value", "kind"), [("$xs", "a list"), ("$name", "a text"), ("$x", "nothing")])
def test_what_stands_behind_two_stars_is_a_record(value: str, kind: str, tmp_path: Path) -> None:
    error = play(f"{GIVEN}- $a = {{**{value}}}\n", tmp_path).state.error
    assert f"Only a record can stand behind two stars; this is {kind}" in error


def test_a_call_can_give_the_record_behind_two_stars(tmp_path: Path) -> None:
    steps = '- $a = {**Giving(), "k": 2}\n- Return $a\n## Giving\n- Return {"k": 1, "m": 3}\n'
    assert play(steps, tmp_path).state.result == {"k": 2, "m": 3}
