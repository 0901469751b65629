"""Markdown: calls and their arguments."""

from __future__ import annotations

import pytest

from workbench.engine.expressions.evaluation import evaluate
from workbench.model.meaning import Assign, Call
from workbench.model.sentences.calls import call_of
from workbench.model.sentences.classify import classify


def call(text: str) -> tuple[str, list[tuple[str, str]]] | None:
    """Target and arguments of *text*, as they are written."""
    found = call_of(text)
    return (found.target, [(one.name, one.value.source) for one in found.arguments]) if found else None


def literal(text: str) -> object:
    """The value of the only argument of *text*."""
    found = call_of(text)
    assert found is not None

    def nothing(name: str, is_state: bool) -> object:  # noqa: FBT001 - a scope is called like this
        raise AssertionError(name)

    return evaluate(found.arguments[0].value, nothing)


@pytest.mark.parametrize(
    ("text", "target", "arguments"),
    [
        ("FindParcel()", "FindParcel", []),
        ("FindParcel($number)", "FindParcel", [("", "$number")]),
        ("Swap($a, $b)", "Swap", [("", "$a"), ("", "$b")]),
        ("Show(size=$big)", "Show", [("size", "$big")]),
        ('Show($what, state="lost")', "Show", [("", "$what"), ("state", '"lost"')]),
        ("Disk.list_folder(path=$here, deep=true)", "Disk.list_folder", [("path", "$here"), ("deep", "true")]),
        ("Show($x[0])", "Show", [("", "$x[0]")]),
        ("Show(len($items))", "Show", [("", "len($items)")]),
        ("Show($order.lines.first)", "Show", [("", "$order.lines.first")]),
    ],
)
def test_a_call_has_a_target_and_arguments(text: str, target: str, arguments: list[tuple[str, str]]) -> None:
    assert call(text) == (target, arguments)


@pytest.mark.parametrize(
    ("written", "value"),
    [("true", True), ("false", False), ("null", None), ("None", None), ("-1", -1), ('"lost"', "lost"), ("2.5", 2.5)],
)
def test_literals_in_either_spelling(written: str, value: object) -> None:
    assert literal(f"Show({written})") == value


@pytest.mark.parametrize("written", ["[1, $x]", '{"a": $b}', "$a + $b", "$x[$i]", "$x['k'].y"])
def test_the_dollar_sign_is_kept_wherever_it_stands(written: str) -> None:
    assert call(f"Show({written})") == ("Show", [("", written)])


@pytest.mark.parametrize("text", ["Show(**$x)", "Show(*$x)"])
def test_stars_are_no_arguments(text: str) -> None:
    assert call(text) is None


@pytest.mark.parametrize("text", ["await Show()", "Show()()", "Show(", "Show", ""])
def test_what_is_no_call(text: str) -> None:
    assert call(text) is None


def test_an_assignment_and_a_call_of_one_agent_by_its_number_are_calls_of_ours() -> None:
    found = classify("$r = Show()", has_children=False)
    assert isinstance(found, Call)
    assert (found.target, found.result and found.result.name) == ("Show", "r")
    assert call("Clerk:1020.Show()") == ("Clerk:1020.Show", [])


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("`Show(1)`", "Show"),
        ("`$x:int = Desk.Show(1)`", "Desk.Show"),
        ('`Show("a (b) c")`', "Show"),
        ("Call `Show($a)`.", "Show"),
    ],
)
def test_a_call_in_back_ticks(text: str, target: str) -> None:
    found = classify(text, has_children=False)
    assert isinstance(found, Call)
    assert found.target == target


def test_a_name_in_back_ticks_without_brackets_is_no_call() -> None:
    assert not isinstance(classify("`Show`", has_children=False), Call | Assign)
