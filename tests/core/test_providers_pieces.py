"""Events and calls that come in pieces: however they are cut, the same comes out."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from workbench.providers.values import ToolWish
from workbench.providers.wire.asking import is_strict, object_schema, unwrapped
from workbench.providers.wire.chat_completions import hear
from workbench.providers.wire.collecting import CallPieces, Collected
from workbench.providers.wire.json_text import json_in, strict_json
from workbench.providers.wire.server_events import EventReader, ServerEvent

CUTS = st.lists(st.integers(0, 400), max_size=12)
LINES = st.lists(
    st.one_of(
        st.builds("data: {}".format, st.text(st.characters(exclude_characters="\r\n"), max_size=12)),
        st.sampled_from(
            ["data", "data:", "data:x", "event: ping", ": a comment", "id: 7", "retry: 5", "", "", "größe: 🌍"]
        ),
    ),
    max_size=12,
)
ENDS = st.sampled_from(["\n", "\r\n", "\r"])


def cut(whole: bytes, cuts: list[int]) -> list[bytes]:
    """*whole* in pieces, some of them empty."""
    places = [0, *sorted(place % (len(whole) + 1) for place in cuts), len(whole)]
    return [whole[start:end] for start, end in zip(places, places[1:], strict=False)]


def events(*pieces: bytes) -> list[ServerEvent]:
    """What is read of *pieces*."""
    reader = EventReader()
    return [event for piece in pieces for event in reader.feed(piece)]


@settings(max_examples=examples(80))
@given(LINES, st.lists(ENDS, min_size=12, max_size=12), CUTS)
@example(["data: a", ""], ["\r\n"] * 12, [8])
@example(["data: 🌍", ""], ["\r"] * 12, [7, 8, 9, 10])
def test_events_are_the_same_however_their_bytes_are_cut(lines: list[str], ends: list[str], cuts: list[int]) -> None:
    whole = "".join(line + end for line, end in zip(lines, ends, strict=False)).encode("utf-8", "surrogatepass")
    assert events(*cut(whole, cuts)) == events(whole)


@settings(max_examples=examples(60))
@given(st.lists(st.text(st.characters(exclude_characters="\r\n"), min_size=1), max_size=4), ENDS)
def test_what_was_sent_is_what_is_read(texts: list[str], end: str) -> None:
    sent = "".join(f": so{end}data: {text}{end}{end}" for text in texts).encode("utf-8", "replace")
    read = [text.encode("utf-8", "replace").decode() for text in texts]
    assert events(sent) == [ServerEvent(text) for text in read]


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        (b"data: a\ndata: b\n\n", [ServerEvent("a\nb")]),
        (b"event: stop\ndata:x\n\n", [ServerEvent("x", "stop")]),
        (b"event: stop\n\ndata: y\n\n", [ServerEvent("y")]),
        (b"\xef\xbb\xbfdata: a\n\n", [ServerEvent("a")]),
        (b"data: a", []),
        (b"data: \xff\n\n", [ServerEvent("\N{REPLACEMENT CHARACTER}")]),
        (b"data: [DONE]\r\n\r\n", [ServerEvent("[DONE]")]),
        (b":\n\n\n\n", []),
    ],
)
def test_events_are_read_as_the_standard_says(sent: bytes, read: list[ServerEvent]) -> None:
    assert events(sent) == read


CALLS = st.lists(
    st.tuples(
        st.text(st.characters(codec="ascii", exclude_characters="\0"), min_size=1, max_size=8),
        st.dictionaries(st.text(max_size=4), st.one_of(st.integers(), st.text(max_size=6), st.none()), max_size=3),
    ),
    min_size=1,
    max_size=3,
)


@settings(max_examples=examples(25))
@given(CALLS, CUTS, st.randoms(use_true_random=False))
def test_calls_are_the_same_however_they_are_cut_and_mixed(
    calls: list[tuple[str, dict[str, Any]]], cuts: list[int], chance: Any
) -> None:
    pieces = CallPieces()
    written = [json.dumps(arguments, ensure_ascii=False) for _name, arguments in calls]
    for at, (name, _arguments) in enumerate(calls):
        pieces.add(at, f"id-{at}", name)
    waiting = [[(at, part) for part in in_parts(text, cuts)] for at, text in enumerate(written)]
    while any(waiting):
        at, part = chance.choice([each for each in waiting if each]).pop(0)
        pieces.add(at, arguments=part)
    expected = [
        ToolWish(f"id-{at}", name, arguments, text)
        for at, ((name, arguments), text) in enumerate(zip(calls, written, strict=True))
    ]
    assert list(pieces.wishes()) == expected


def in_parts(text: str, cuts: list[int]) -> list[str]:
    """*text* in pieces."""
    places = [0, *sorted(place % (len(text) + 1) for place in cuts), len(text)]
    return [text[start:end] for start, end in zip(places, places[1:], strict=False)]


def wishes(*deltas: dict[str, Any]) -> list[tuple[str, str, Any]]:
    """What the calls in *deltas* of chat completions are together."""
    so_far = Collected()
    for delta in deltas:
        hear(so_far, {"choices": [{"delta": {"tool_calls": [delta]}}]})
    return [(wish.id, wish.name, wish.arguments) for wish in so_far.calls.wishes()]


def part(name: str = "", arguments: Any = "", **fields: Any) -> dict[str, Any]:
    """A piece of a call."""
    return {**fields, "function": {"name": name, "arguments": arguments}}


def test_a_server_that_repeats_id_and_name_is_understood() -> None:
    pieces = [part("go", '{"a"', index=0, id="x"), part("go", ": 1}", index=0, id="x")]
    assert wishes(*pieces) == [("x", "go", {"a": 1})]


def test_a_server_that_counts_no_calls_is_understood() -> None:
    pieces = [part("go", "{}", id="x"), part("stop", '{"b"', id="y"), part("", ": 2}")]
    assert wishes(*pieces) == [("x", "go", {}), ("y", "stop", {"b": 2})]


def test_a_server_that_gives_two_calls_one_number_is_understood() -> None:
    pieces = [part("go", "{}", index=0, id="x"), part("stop", "{}", index=0, id="y")]
    assert wishes(*pieces) == [("x", "go", {}), ("y", "stop", {})]


def test_a_server_that_sends_arguments_as_an_object_and_no_id_is_understood() -> None:
    assert wishes(part("go", {"a": 1}, index=0)) == [("call-0", "go", {"a": 1})]


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ('{"a": 1}', {"a": 1}),
        ("[1]", [1]),
        ("true", True),
        ('Here:\n```json\n{"a": 1}\n```\nDone.', {"a": 1}),
        ('```\n{"a": 0}\n```\nno, rather\n```json\n{"a": 1}\n```', {"a": 1}),
        ('The answer is {"a": {"b": [1]}} as you wanted.', {"a": {"b": [1]}}),
        ("I am {sure}: [2]", [2]),
        ("nothing", None),
        ('{"a": NaN}', None),
        ('{"a": 1', None),
        ("", None),
    ],
)
def test_json_is_found_in_what_a_model_writes(text: str, data: Any) -> None:
    assert json_in(text) == data


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "{" * 100_000, "9" * 10_000, "```\n" * 5000])
def test_no_text_makes_looking_for_json_fail(text: str) -> None:
    assert json_in(text) is None


@settings(max_examples=examples(60))
@given(st.text())
def test_json_of_any_text_is_found_in_a_fence(text: str) -> None:
    assert json_in(f"Words\n```json\n{json.dumps([text])}\n```\n") == [text]


def test_numbers_that_json_does_not_have_are_refused() -> None:
    with pytest.raises(ValueError, match="Infinity"):
        strict_json("[Infinity]")


def test_a_schema_of_an_object_goes_out_as_it_is() -> None:
    schema = {"type": "object", "properties": {}}
    assert object_schema(schema) == schema
    assert unwrapped(schema, {"answer": 1}) == {"answer": 1}


def test_the_shared_parts_of_a_schema_stay_at_its_root() -> None:
    wrapped = object_schema({"type": "array", "items": {"$ref": "#/$defs/a"}, "$defs": {"a": {"type": "string"}}})
    assert wrapped["properties"]["answer"] == {"type": "array", "items": {"$ref": "#/$defs/a"}}
    assert wrapped["$defs"] == {"a": {"type": "string"}}


@pytest.mark.parametrize(
    ("schema", "strict"),
    [
        ({"type": "object", "properties": {}, "additionalProperties": False}, True),
        ({"type": "object", "properties": {"a": {}}, "required": ["a"], "additionalProperties": False}, True),
        ({"type": "object", "properties": {"a": {}}, "required": [], "additionalProperties": False}, False),
        ({"type": "object", "properties": {}}, False),
        ({"anyOf": [{"type": "object", "properties": {}}]}, False),
    ],
)
def test_strict_is_wanted_only_where_the_schema_is(schema: dict[str, Any], strict: bool) -> None:
    assert is_strict(schema) is strict
