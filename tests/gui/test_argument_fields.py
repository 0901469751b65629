"""Arguments as fields: each by its schema, whatever a server takes for one, and nothing lost that nobody touched."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from tests.conftest import examples
from workbench.gui.forms.argument_fields import ArgumentFields

LETTERS = st.text(max_size=6)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | LETTERS,
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(LETTERS, inside, max_size=3),
    max_leaves=6,
)
KINDS = st.sampled_from(["string", "integer", "number", "boolean", "array", "object", "null", "odd"])
SCHEMAS = st.fixed_dictionaries(
    {}, optional={"type": KINDS | st.lists(KINDS, max_size=3), "enum": st.lists(LETTERS, max_size=3), "items": VALUES}
)


def fields_for(properties: Any, given_: dict[str, Any], *needed: str) -> ArgumentFields:
    return ArgumentFields({"type": "object", "properties": properties, "required": list(needed)}, given_)


@pytest.mark.parametrize(
    ("schema", "typed", "value"),
    [
        ({"type": "string"}, "a, b", "a, b"),
        ({"type": "integer"}, "12", 12),
        ({"type": "number"}, "2,5", 2.5),
        ({"type": "boolean"}, "no", False),
        ({"type": "string", "enum": ["a", "b"]}, "b", "b"),
        ({"type": "array", "items": {"type": "string"}}, "a\nb c", ["a", "b c"]),
        ({"type": ["array", "string"]}, '["echo", "a b"]', ["echo", "a b"]),
        ({"type": ["array", "string"]}, "echo a", "echo a"),
        ({"type": "object"}, '{"a": [1]}', {"a": [1]}),
        ({}, "[1]", [1]),
    ],
)
def test_what_is_typed_is_read_as_the_schema_wants_it(qtbot: QtBot, schema: Any, typed: str, value: Any) -> None:
    fields = fields_for({"x": schema}, {}, "x")
    qtbot.addWidget(fields)
    fields.fields[0].field.fill(typed)
    assert fields.check()
    assert fields.arguments() == {"x": value}


@pytest.mark.parametrize("kind", ["string", "integer", "boolean", "array", "object"])
def test_what_is_optional_and_left_empty_is_not_given(qtbot: QtBot, kind: str) -> None:
    fields = fields_for({"x": {"type": kind}}, {})
    qtbot.addWidget(fields)
    assert fields.check()
    assert fields.arguments() == {}


def test_a_tool_that_takes_anything_is_given_an_object(qtbot: QtBot) -> None:
    fields = ArgumentFields({"type": "object"}, {})
    qtbot.addWidget(fields)
    fields.fields[0].field.fill('{"a": 1}')
    assert fields.check()
    assert fields.arguments() == {"a": 1}


def test_what_does_not_fit_is_said_at_its_field(qtbot: QtBot) -> None:
    fields = fields_for({"x": {"type": "integer"}}, {"x": 1}, "x")
    qtbot.addWidget(fields)
    fields.fields[0].field.fill("many")
    assert not fields.check()
    assert "whole number" in fields.fields[0].field.editor.accessibleDescription()


@settings(max_examples=examples(60))
@given(st.dictionaries(LETTERS, SCHEMAS | VALUES, max_size=4), st.dictionaries(LETTERS, VALUES, max_size=4))
def test_arguments_that_nobody_touches_stay_what_they_are(qapp: object, properties: Any, values: Any) -> None:
    fields = fields_for(properties, values)
    assert fields.arguments() == values


@settings(max_examples=examples(40))
@given(VALUES, VALUES)
def test_no_schema_is_too_odd(qapp: object, properties: Any, needed: Any) -> None:
    fields = ArgumentFields({"properties": properties, "required": needed}, {})
    fields.check()
