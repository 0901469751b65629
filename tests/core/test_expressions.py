"""The expression language accepts what is listed and refuses everything else with a position."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core.work import lines_run
from workbench.syntax.expressions import ExpressionRefused, Template, parse_expression, parse_template

ACCEPTED = {
    "$name": [("name", True)],
    "name": [("name", False)],
    "$_private": [("_private", True)],
    "$user.name": [("user", True)],
    "$order['id']": [("order", True)],
    "$data[0].value": [("data", True)],
    "$a.b + $c['d']": [("a", True), ("c", True)],
    "$user + $order": [("user", True), ("order", True)],
    "'no variables'": [],
    "'cost: $5.99'": [],
    '"price $100"': [],
    "true and not false or null": [],
    "$opening_hours": [("opening_hours", True)],
    "$x.open_date + $evaluation": [("x", True), ("evaluation", True)],
    "'please open'": [],
    "[n * 2 for n in $items if n > limit]": [("items", True), ("limit", False)],
    "{k: v for k, v in $pairs}": [("pairs", True)],
    "$x if $y else 3": [("y", True), ("x", True)],
    "$größe >= 1.5e3": [("größe", True)],
    "$items[1:-1]": [("items", True)],
    "$name.upper().strip()": [("name", True)],
    "sorted($items, reverse=true)": [("items", True)],
    " $x ": [("x", True)],
    "$class": [("class", True)],
    "$due < 2024-01-05": [("due", True)],
    "[1,2]": [],
}


@pytest.mark.parametrize("source", ACCEPTED)
def test_expressions_tell_which_names_they_read(source: str) -> None:
    expression = parse_expression(source)
    assert set(expression.names) == set(ACCEPTED[source])
    assert expression.source == source.strip()


REFUSED = {
    "": 0,
    "$": 0,
    "$123": 0,
    "$$x": 0,
    "a$b": 1,
    "1or 2": 1,
    "0xfor": 3,
    "$user.": 6,
    "(x := 1)": 1,
    "import os": 0,
    "lambda: 1": 0,
    "open (x)": 0,
    "$x.__class__": 0,
    "$x._secret": 0,
    "().__class__.__bases__": 0,
    "f'{x y}'": 0,
    "b'x'": 1,
    "'\\d'": 1,
    "'open": 0,
    "$x # remark": 3,
    "$f(1)": 0,
    "$x.format(1)": 0,
    "max($items, key=len)": 14,
    "*$x": 0,
    "{*$x}": 1,
    "[*$x]": 1,
    "Check(**$x)": 0,
    "len(*$x)": 4,
    "$x @ $y": 0,
    "1 | 2": 0,
    "...": 0,
    "1j": 1,
    "x\0": 1,
    "\ud800": 0,
    "ẟx": 0,
    "__import__": 0,
    "a; b": 1,
    "1,000": 0,
    "-1,5": 0,
    "'''x'''": 2,
}


@pytest.mark.parametrize("source", REFUSED)
def test_refusals_name_a_position(source: str) -> None:
    with pytest.raises(ExpressionRefused) as refusal:
        parse_expression(source)
    assert refusal.value.position == REFUSED[source]
    assert str(refusal.value).endswith(".")


@pytest.mark.parametrize(
    "source", ["-" * 1999, "(" * 1999, "[" * 500 + "]" * 500, "x" * 2001, "1+" * 900 + "1", "not " * 400 + "$x"]
)
def test_what_is_too_large_or_deep_is_refused_with_little_work(source: str) -> None:
    def refuse() -> None:
        with pytest.raises(ExpressionRefused):
            parse_expression(source)

    assert lines_run(refuse) < 10 * len(source)


@settings(max_examples=examples(200))
@given(st.text(max_size=60) | st.text(alphabet="$xy.[](){}'\"\\ 019,:+-*/<>=!andorif\n", max_size=60))
def test_any_text_is_an_expression_or_refused(text: str) -> None:
    assert 0 <= _refused_at(text) <= len(text)


def _refused_at(text: str) -> int:
    """Where *text* is refused; 0 where it is an expression."""
    try:
        parse_expression(text)
    except ExpressionRefused as refusal:
        return refusal.position
    return 0


def _pieces(template: Template) -> list[str]:
    return [piece if isinstance(piece, str) else f"<{piece.source}>" for piece in template.pieces]


TEMPLATES = {
    "no braces": ["no braces"],
    "": [],
    "Hello {$name}, {name}": ["Hello ", "<$name>", ", ", "<name>"],
    "Hello, $name!": ["Hello, ", "<$name>", "!"],
    "$user.name owes $5.99 or $100 ($$)": ["<$user.name>", " owes $5.99 or $100 ($$)"],
    "{$order['id']}{$x}": ["<$order['id']>", "<$x>"],
    "a {'k': {'b': 1}} literal": ["a {'k': ", "<'b': 1>", "} literal"],
    "first $x[0]. Then $y.": ["first ", "<$x[0]>", ". Then ", "<$y>", "."],
    "{not one of ours} {": ["{not one of ours} {"],
    "{len({'a': 1})} key": ["<len({'a': 1})>", " key"],
}
TEMPLATES["a {'k': {'b': 1}} literal"] = ["a {'k': {'b': 1}} literal"]


@pytest.mark.parametrize("source", TEMPLATES)
def test_templates_are_cut_at_their_placeholders(source: str) -> None:
    assert _pieces(parse_template(source)) == TEMPLATES[source]


@settings(max_examples=examples(100))
@given(st.text(alphabet="ab $x{}['].1\\\"", max_size=40))
def test_templates_keep_all_text_that_is_no_placeholder(text: str) -> None:
    shown = "".join(piece if isinstance(piece, str) else "" for piece in parse_template(text).pieces)
    assert len(shown) <= len(text)
    if "$" not in text and "{" not in text:
        assert shown == text
