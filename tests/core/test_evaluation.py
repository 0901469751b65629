"""Values of expressions and templates; failures say what and where."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.engine.expressions.evaluation import (
    EvaluationFailed,
    UnknownName,
    VariableUnknown,
    evaluate,
    format_value,
    render,
)
from workbench.syntax.expressions import ExpressionRefused, parse_expression, parse_template

VALUES: dict[str, Any] = {
    "total": 150,
    "items": [3, 1, 2],
    "order": {"id": 7, "lines": [{"price": 2.5}]},
    "name": "Ada",
    "nothing": None,
    "flag": False,
}


def scope(name: str, is_state: bool) -> object:
    """The value of a name in VALUES."""
    if name not in VALUES:
        raise UnknownName(name, tuple(VALUES))
    return VALUES[name]


def value_of(source: str) -> object:
    """What *source* gives."""
    return evaluate(parse_expression(source), scope)


RESULTS = [
    ("$total > 100", True),
    ("100 < $total <= 150", True),
    ("$order.id + 1", 8),
    ("$order['lines'][0].price * 2", 5.0),
    ("sorted($items, reverse=true)[0]", 3),
    ("$items[-1]", 2),
    ("$items[1:]", [1, 2]),
    ("$name.upper() + '!'", "ADA!"),
    ("'d' in $name", True),
    ("$name is 'Ada'", True),
    ("$name is not 'Eve'", True),
    ("$nothing is null", True),
    ("[x * 2 for x in $items if x > 1]", [6, 4]),
    ("{x: len(str(x)) for x in $items}", {3: 1, 1: 1, 2: 1}),
    ("[a + b for a, b in [[1, 2], [3, 4]]]", [3, 7]),
    ("sum(x for x in $items)", 6),
    # braces around one value are a placeholder without its text; those around several values are a set
    ("{$name}", "Ada"),
    ("{$total + 1}", 151),
    ("{$name} == 'Ada'", True),
    ("[{$total}, { {$total} }]", [150, 150]),
    ("$name in {'Ada'}", True),
    ("len({$total, $total, 1})", 2),
    ("'yes' if $flag else 'no'", "no"),
    ("not $flag and true", True),
    ("$nothing or 'default'", "default"),
    ("round(2.567, 2)", 2.57),
    ("-$total // 4", -38),
    ("any(x > 2 for x in $items) and all($items)", True),
    ("min($items) + max(1, 2)", 3),
    ("[1, 2] + [3]", [1, 2, 3]),
    ("$unknown or true", True),
    ("false and $unknown", False),
    ("[x for x in [1] for y in [x + 1]] + [len($items)]", [1, 3]),
]


@pytest.mark.parametrize(("source", "expected"), RESULTS)
def test_an_expression_has_its_value(source: str, expected: object) -> None:
    assert value_of(source) == expected


FAILURES = [
    ("1 + 2 / 0", 4, "Division by zero"),
    ("$order.ide", 0, "Did you mean id?"),
    ("$items[7]", 0, "no index 7"),
    ("$name + 1", 0, "a text and a number"),
    ("-$name", 0, "a text"),
    ("$name.first", 0, "works with a record"),
    ("len(5)", 0, "these kinds"),
    ("int('x')", 0, "does not fit"),
    ("(-8) ** 0.5", 0, "not a real number"),
    ("'%9999999d' % 1", 0, "a text and a number"),
    ("sum([[1], [2]])", 0, "Only numbers"),
    ("[a for a, b in $items]", 0, "lists of 2 items"),
    ("$größe + $items[9]", 0, "$größe has not been set"),
]


@pytest.mark.parametrize(("source", "position", "words"), FAILURES)
def test_a_failure_says_what_and_where(source: str, position: int, words: str) -> None:
    with pytest.raises(EvaluationFailed) as failure:
        value_of(source)
    assert (failure.value.position, words in str(failure.value)) == (position, True)


def test_positions_count_characters_not_bytes() -> None:
    with pytest.raises(EvaluationFailed) as failure:
        value_of("'größe 🗂' + 'x' * (1 / 0)")
    assert failure.value.position == len("'größe 🗂' + 'x' * (")


def test_an_unknown_variable_is_named_with_names_like_it() -> None:
    with pytest.raises(VariableUnknown, match=r"\$totl has not been set. Did you mean total\?"):
        value_of("$totl > 1")


@pytest.mark.parametrize("source", ["$unknown and true", "$unknown or false", "not $unknown", "$unknown == 1"])
def test_what_depends_on_an_unknown_variable_is_unknown(source: str) -> None:
    with pytest.raises(VariableUnknown):
        value_of(source)


FORMATS = [
    (None, ""),
    (123, "123"),
    (True, "True"),
    ("é", "é"),
    ([1, 2, 3], "[1, 2, 3]"),
    ({"key": "wörd"}, '{"key": "wörd"}'),
    ((1, 2), "(1, 2)"),
    (list(range(3)), "[0, 1, 2]"),
]


@pytest.mark.parametrize(("value", "text"), FORMATS)
def test_values_are_written_as_people_read_them(value: object, text: str) -> None:
    assert format_value(value) == text


def test_long_records_are_written_on_lines_of_their_own() -> None:
    assert format_value({"key": "x" * 100}) == '\n{\n  "key": "' + "x" * 100 + '"\n}'


def test_a_template_is_filled_in() -> None:
    template = parse_template("Hello, $name: {len($items)} of {$order['id']}, $5.99{$nothing}")
    assert render(template, scope) == "Hello, Ada: 3 of 7, $5.99"


@given(st.text(alphabet="$xabt.[]()'\" 0129,:+-*/<>=notrifc", max_size=40))
def test_evaluating_gives_a_value_or_is_refused(text: str) -> None:
    with contextlib.suppress(ExpressionRefused, EvaluationFailed):
        evaluate(parse_expression(text), lambda name, is_state: 3)
