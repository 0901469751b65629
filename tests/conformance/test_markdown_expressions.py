"""Markdown: expressions, placeholders, signatures, binding."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.core.engine_driver import play
from tests.core.test_snapshot import book
from workbench.engine.expressions.evaluation import EvaluationFailed, UnknownName, evaluate, format_value
from workbench.engine.language.calling import bind
from workbench.engine.language.turn import StepFailed
from workbench.syntax.expressions import ExpressionRefused, parse_expression, parse_template, try_expression
from workbench.syntax.signatures import parse_signature


def value(source: str, **known: object) -> object:
    """The value of *source* where the variables are *known*."""

    def scope(name: str, is_state: bool) -> object:  # noqa: FBT001 - a scope is called like this
        if name in known:
            return known[name]
        raise UnknownName(name, tuple(known))

    return evaluate(parse_expression(source), scope)


def names(source: str) -> set[str]:
    """The variables that *source* reads."""
    return {name for name, _is_state in parse_expression(source).names}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("$shelf", {"row": 2}),
        ("$_hidden", 5),
        ("$shelf.row", 2),
        ("$shelf['row']", 2),
        ("$boxes[0].row", 7),
        ("$shelf.row + $boxes[0]['row']", 9),
    ],
)
def test_the_dollar_sign_marks_a_variable_wherever_it_stands(source: str, expected: object) -> None:
    assert value(source, shelf={"row": 2}, _hidden=5, boxes=[{"row": 7}]) == expected


@pytest.mark.parametrize("text", ["costs $5.99", "price $100", "$123", "$$", "$", ""])
def test_amounts_are_text(text: str) -> None:
    assert [piece for piece in parse_template(text).pieces if not isinstance(piece, str)] == []


def test_the_text_of_an_expression_is_never_touched() -> None:
    assert value("'costs $price' == $told", price=3, told="costs $price") is True
    assert try_expression("a$b") is None
    assert try_expression("$$x") is None


@pytest.mark.parametrize(
    ("source", "read"), [("$shelf.row", {"shelf"}), ("$shelf + $box", {"shelf", "box"}), ("'no variables'", set())]
)
def test_the_variables_that_an_expression_reads(source: str, read: set[str]) -> None:
    assert names(source) == read


@pytest.mark.parametrize("name", ["$opening_hours", "$evaluation", "$executive", "$x.open_date", "'please open'"])
def test_words_that_contain_dangerous_ones_are_allowed(name: str) -> None:
    assert try_expression(name) is not None


@pytest.mark.parametrize(
    "source",
    ["$shelf.", "(x := 1)", "import os", "lambda: 1", "__import__('os')",
     "().__class__.__bases__", "$x.__class__"],
)  # fmt: skip
def test_what_is_not_of_the_language_is_refused_with_a_place(source: str) -> None:
    with pytest.raises(ExpressionRefused) as refused:
        parse_expression(source)
    assert 0 <= refused.value.position <= len(source)
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize("source", ["eval('1')", "open('x')"])
def test_what_python_has_besides_is_only_the_name_of_something_to_call(source: str) -> None:
    assert [call.target for call in parse_expression(source).calls] == [source.partition("(")[0]]
    with pytest.raises(EvaluationFailed):
        value(source)


@pytest.mark.parametrize(("source", "expected"), [("1 if $x else 2", 1), ("[y for y in $x if y > 1]", [2])])
def test_conditionals_and_comprehensions_are_allowed(source: str, expected: object) -> None:
    assert value(source, x=[1, 2]) == expected


def test_a_name_that_is_not_there_gets_the_nearest_ones() -> None:
    with pytest.raises(EvaluationFailed, match="weight"):
        value("$wieght", weight=3)


def test_an_unknown_variable_is_named_with_its_place() -> None:
    with pytest.raises(EvaluationFailed) as failed:
        value("1 + $x")
    assert "$x" in str(failed.value) or "x" in str(failed.value)
    assert failed.value.position == 4


def filled(description: str, folder: Path, **known: Any) -> str:
    """The description as a run has it that waits in its playbook."""
    given = "".join(f"- ${name} = {each!r}\n" for name, each in known.items())
    text = f"# A\n## Main\n### Steps\n{given}- M()\n## M\n{description}\n### Steps\n- Judge it\n"
    return play(book(text), folder).state.frames[-1].description or description


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        ("No braces.", "No braces."),
        ("Parcel {$parcel['number']}.", "Parcel 7."),
        ("{$a} and {$a + 1}", "1 and 2"),
        ("{len({'k': $a})}", "1"),
        ("Hi, {$who} {$a} times", "Hi, World 1 times"),
    ],
)
def test_placeholders_are_filled_in(description: str, expected: str, tmp_path: Path) -> None:
    assert filled(description, tmp_path, parcel={"number": 7}, a=1, who="World") == expected


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (None, ""),
        (123, "123"),
        (True, "True"),
        ([1, 2, 3], "[1, 2, 3]"),
        ({"key": "value"}, '{"key": "value"}'),
        ((1, 2), "(1, 2)"),
    ],
)
def test_values_as_text(given: object, text: str) -> None:
    assert format_value(given) == text


def test_long_values_begin_on_a_line_of_their_own() -> None:
    text = format_value({f"key {number}": "value" for number in range(10)})
    assert text.startswith("\n{\n")


@pytest.mark.parametrize(("source", "position"), [("1 + * 2", 4), ("$a +", 4), ("f(1", 1)])
def test_a_refusal_names_its_position(source: str, position: int) -> None:
    with pytest.raises(ExpressionRefused) as caught:
        parse_expression(source)
    assert caught.value.position == position


def test_the_description_is_everything_up_to_the_first_section() -> None:
    description = book("# A\n## M\nOne.\n\n#### More\n\nTwo.\n### Steps\n- a\n").program.playbooks[0].description
    assert [word in description for word in ("One.", "More", "Two.", "Steps")] == [True, True, True, False]


@pytest.mark.parametrize(
    ("signature", "expected"),
    [
        ("F($a:int, $b)", ["a", "b"]),
        ("F(a:int, b) -> str", ["a", "b"]),
        ("F()", []),
        ("F", []),
        ("", []),
        ("F(((", []),
    ],
)
def test_the_names_of_parameters(signature: str, expected: list[str]) -> None:
    assert [one.name for one in parse_signature(signature).parameters] == expected


@pytest.mark.parametrize(
    ("written", "default"),
    [("10", "10"), ("True", "True"), ('"hello"', '"hello"'), ("None", "None"), ("[]", "[]"), ("'x, y'", "'x, y'"),
     ("$other", None)],
)  # fmt: skip
def test_defaults(written: str, default: str | None) -> None:
    assert parse_signature(f"F($a={written})").parameters[0].default == default


def test_parameters_around_marks_are_kept_and_a_finding() -> None:
    signature = parse_signature("F($a, /, $b, *, $c=1)")
    assert [(one.name, one.default) for one in signature.parameters] == [("a", None), ("b", None), ("c", "1")]
    snapshot = book("# A\n## F($a, /, $b, *, $c=1)\n### Steps\n- Return $a + $b + $c\n")
    assert [one.code for one in snapshot.diagnostics] == ["parameter-marker"]
    assert parse_signature("F(*args, **kw)").parameters == ()


@pytest.mark.parametrize(
    ("positional", "named", "bound"),
    [
        ((1, 2), {}, {"a": 1, "b": 2}),
        ((), {"a": 1, "b": 2}, {"a": 1, "b": 2}),
        ((1,), {"b": 3}, {"a": 1, "b": 3}),
        ((1,), {}, {"a": 1, "b": 5}),
    ],
)
def test_arguments_are_bound_to_parameters(
    positional: tuple[object, ...], named: dict[str, object], bound: dict[str, object]
) -> None:
    playbook = book("# A\n## F($a, $b=5)\n### Steps\n- Return $a\n").program.playbooks[0]
    assert bind(playbook, positional, named) == bound


@pytest.mark.parametrize(("positional", "named"), [((1, 2, 3), {}), ((1,), {"c": 2}), ((1,), {"a": 2}), ((), {})])
def test_what_does_not_fit_stops_the_run_and_is_not_dropped(
    positional: tuple[object, ...], named: dict[str, object]
) -> None:
    playbook = book("# A\n## F($a, $b=5)\n### Steps\n- Return $a\n").program.playbooks[0]
    with pytest.raises(StepFailed):
        bind(playbook, positional, named)
