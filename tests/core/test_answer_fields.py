"""What a person types becomes the same value in the terminal, in the window and in the inspector."""

from __future__ import annotations

import builtins
from typing import Any

import pytest

from workbench.cli.running.prompt import ask
from workbench.engine.fields import FieldKind, FieldType, NotThatType, field_type, typed, value_of
from workbench.engine.ports import Request, RequestKind
from workbench.model.meaning import Variable

READ = [
    ("42", "int", 42),
    ("-1", "integer", -1),
    ("2,5", "float", 2.5),
    ("3.5", "number", 3.5),
    ("yes", "bool", True),
    ("off", "boolean", False),
    ("007", "", "007"),
    ("007", "str", "007"),
    ("a,b", "array", ["a", "b"]),
    ("a, b", "list[str]", ["a", "b"]),
    ("[1, 2]", "list", [1, 2]),
    ("1, 2", "list[int]", [1, 2]),
    ('{"a": 1}', "json", {"a": 1}),
    ("[1]", "json", [1]),
    ('"5"', "json", "5"),
    ('{"a": 1}', "object", {"a": 1}),
    ("city = Oslo", "dict", {"city": "Oslo"}),
    ("large", "small|large", "large"),
    ("7", "int | str", "7"),
    ("7", "int | None", 7),
    ("7", "Optional[int]", 7),
    ("", "int | None", None),
    ("", "Optional[a|b]", None),
    ("", "str | None", ""),
    ("a", "Literal['a', 'b'] | None", "a"),
    ("7", "Order", "7"),
    ("a, b", "list[a|b|c]", ["a", "b"]),
    ("1,2\n3", "list[list[int]]", [[1, 2], [3]]),
    ('{"a": 1, "b": 2}', "list[dict[str, int]]", [{"a": 1, "b": 2}]),
]
REFUSED = [
    ("4.5", "int", "“4.5” is not a whole number, such as 42."),
    ("x", "float", "“x” is not a number, such as 3.5."),
    ("", "bool", "A value is missing."),
    ("maybe", "bool", "“maybe” is not yes or no."),
    ("{", "dict", '“{” is not an object, such as {"name": "Ada"}.'),
    ("[1]", "object", '“[1]” is not an object, such as {"name": "Ada"}.'),
    ("a", "b|c", "“a” is not one of: b, c."),
    ("1,x", "list[int]", "“x” is not a whole number, such as 42."),
    ("9" * 5000, "int", f"“{'9' * 39}…” is not a whole number, such as 42."),
]


def at_the_prompt(monkeypatch: pytest.MonkeyPatch, text: str, type_: str) -> Any:
    """The value of a field of *type_* after typing *text* in the terminal."""
    monkeypatch.setattr(builtins, "input", lambda _label: text)
    request = Request("q", RequestKind.ASK, "Main:01", "How?", (Variable("x", type=type_),))
    return dict(ask(request).values)["x"]


@pytest.mark.parametrize(("text", "type_", "value"), READ)
def test_the_same_words_give_the_same_value_everywhere(
    monkeypatch: pytest.MonkeyPatch, text: str, type_: str, value: object
) -> None:
    in_the_window = value_of(text, field_type(Variable("x", type=type_)))
    assert (in_the_window, at_the_prompt(monkeypatch, text, type_)) == (value, value)


@pytest.mark.parametrize(("type_", "value"), [(type_, value) for _text, type_, value in READ])
def test_what_has_been_read_stays_as_it_is_when_the_run_checks_it(type_: str, value: object) -> None:
    assert typed(Variable("x", type=type_), value) == value


def test_yes_and_no_are_also_read_in_the_language_of_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.engine.fields._", lambda text: {"yes": "ja", "no": "nein"}.get(text, text))
    assert [value_of(word, FieldType(FieldKind.YES_NO)) for word in ("Ja", "nein", "yes", "no")] == [True, False] * 2


@pytest.mark.parametrize(("text", "type_"), [("[" * 99_999, "json"), ('{"a":' * 99_999, "dict")], ids=["json", "dict"])
def test_what_is_nested_too_deeply_is_refused(text: str, type_: str) -> None:
    with pytest.raises(NotThatType, match=r"JSON|object"):
        value_of(text, field_type(Variable("x", type=type_)))


def test_what_is_nested_too_deeply_in_a_pair_or_a_list_is_text() -> None:
    deep = "[" * 99_999
    assert typed(Variable("x", type="dict"), f"a = {deep}") == {"a": deep}
    assert typed(Variable("x", type="list"), deep) == [deep]


def test_a_type_that_is_nested_without_end_is_still_a_list() -> None:
    assert value_of("1", field_type(Variable("x", type="list[" * 5000 + "int" + "]" * 5000)))


def test_lines_are_entries_of_a_list_too() -> None:
    assert typed(Variable("x", type="list[int]"), "1\n2\n") == [1, 2]


@pytest.mark.parametrize(("text", "type_", "words"), REFUSED)
def test_what_does_not_fit_is_told_in_a_sentence(text: str, type_: str, words: str) -> None:
    with pytest.raises(NotThatType) as refused:
        typed(Variable("x", type=type_), text)
    assert str(refused.value) == words


@pytest.mark.parametrize(
    ("value", "type_", "wanted"),
    [
        (3.0, "int", 3),
        (3, "float", 3.0),
        (3, "str", "3"),
        ("a", "list", ["a"]),
        ([3.0], "list[int]", [3]),
        (3, "", 3),
        (3, "int | None", 3),
        ([1, None], "list[int]", [1, None]),
        ({"id": 1}, "Order", {"id": 1}),
        ({"id": 1}, "Order|Refund", {"id": 1}),
        ([{"id": 1}], "list[dict[str, int]]", [{"id": 1}]),
        ([1], "set", [1]),
        (1, "1|2", "1"),
    ],
)
def test_a_value_from_a_script_becomes_one_of_its_type(value: object, type_: str, wanted: object) -> None:
    found = typed(Variable("x", type=type_), value)
    assert (found, type(found)) == (wanted, type(wanted))
