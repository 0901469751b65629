"""What goes over the wire and what comes back, in both protocols, from a server that a test scripts."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.core.model_client import KEY, PROTOCOLS, REQUEST, talk
from tests.model_replies import Call, Fails, Raw, Reply
from workbench.errors import ModelFailed
from workbench.providers.endpoints import ModelFacts, WireProtocol
from workbench.providers.values import Finish, Message, Role, ToolOffer, ToolWish, Usage

both = pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda each: each.value)
OPENAI, ANTHROPIC = PROTOCOLS

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"is_done": {"type": "boolean"}, "why": {"type": "string"}},
    "required": ["is_done", "why"],
    "additionalProperties": False,
}
DATA = {"is_done": True, "why": "Grüße – 🌍"}
LIST = ToolOffer("list_files", "Lists files.", {"type": "object", "properties": {"path": {"type": "string"}}})
WANTED = replace(REQUEST, schema=SCHEMA)
ACTING = replace(REQUEST, tools=(LIST,))


@both
def test_a_text_comes_in_the_pieces_that_the_server_sends(protocol: WireProtocol) -> None:
    with talk([Reply(["Good ", "mor", "ning"])], protocol) as there:
        assert there.ask().text == "Good morning"
        assert there.heard == ["Good ", "mor", "ning"]


@both
@pytest.mark.parametrize("at_once", [1, 2, 3, 7])
def test_characters_may_be_split_between_chunks(protocol: WireProtocol, at_once: int) -> None:
    with talk([Reply("Grüße – 🌍🌏", bytes_at_once=at_once)], protocol) as there:
        assert there.ask().text == "Grüße – 🌍🌏"


@both
def test_the_reply_says_how_it_ended_and_who_gave_it(protocol: WireProtocol) -> None:
    with talk([Reply("Hello")], protocol) as there:
        reply = there.ask()
        assert (reply.finish, reply.model, reply.requests) == (Finish.STOP, "scripted", 1)


@both
@pytest.mark.parametrize(
    ("words", "finish"),
    [
        (("length", "max_tokens"), Finish.LENGTH),
        (("content_filter", "refusal"), Finish.FILTERED),
    ],
)
def test_an_answer_that_was_cut_off_says_so(protocol: WireProtocol, words: tuple[str, str], finish: Finish) -> None:
    with talk([Reply("Hel", finish=words[PROTOCOLS.index(protocol)])], protocol) as there:
        assert there.ask().finish is finish


@both
def test_tokens_are_counted_with_those_from_the_cache(protocol: WireProtocol) -> None:
    with talk([Reply("Hello", usage=(1000, 20, 400))], protocol) as there:
        assert there.ask().usage == Usage(1000, 20, 400)


@both
def test_what_it_cost_follows_from_the_prices_that_are_set(protocol: WireProtocol) -> None:
    prices = ModelFacts("scripted", input_usd=2.0, output_usd=10.0, cached_usd=0.5)
    with talk([Reply("Hello", usage=(1_000_000, 100_000, 400_000))], protocol, models=(prices,)) as there:
        assert there.ask().usage.cost_usd == pytest.approx(1.2 + 0.2 + 1.0)


@both
def test_calls_come_in_pieces_and_are_put_together(protocol: WireProtocol) -> None:
    calls = [Call("list_files", {"path": "/tmp/größe"}, "a"), Call("list_files", {"path": "/", "deep": [1, 2]}, "b")]
    with talk([Reply("Let me look.", calls, bytes_at_once=5)], protocol) as there:
        reply = there.ask(ACTING)
        assert [(wish.id, wish.arguments) for wish in reply.wishes] == [(each.id, each.arguments) for each in calls]
        assert (reply.finish, reply.text) == (Finish.TOOLS, "Let me look.")


@both
def test_a_call_whose_arguments_are_no_json_says_what_was_written(protocol: WireProtocol) -> None:
    with talk([Reply(calls=[Call("list_files", '{"path": "/')])], protocol) as there:
        [wish] = there.ask(ACTING).wishes
        assert (wish.arguments, wish.written) == (None, '{"path": "/')


@both
def test_a_call_without_arguments_has_none(protocol: WireProtocol) -> None:
    with talk([Reply(calls=[Call("list_files", "")])], protocol) as there:
        assert there.ask(ACTING).wishes[0].arguments == {}


@both
def test_an_answer_by_a_schema_is_data(protocol: WireProtocol) -> None:
    with talk([Reply(data=DATA)], protocol) as there:
        reply = there.ask(WANTED)
        assert (reply.data, reply.finish, reply.wishes) == (DATA, Finish.STOP, ())
        assert there.asked().schema == SCHEMA


@both
def test_an_answer_that_is_no_object_is_wrapped_on_its_way(protocol: WireProtocol) -> None:
    with talk([Reply(data=[1, 2])], protocol) as there:
        assert there.ask(replace(REQUEST, schema={"type": "array", "items": {"type": "integer"}})).data == [1, 2]


@both
def test_an_answer_that_breaks_the_schema_is_handed_on_for_others_to_check(protocol: WireProtocol) -> None:
    with talk([Reply(data={"is_done": "perhaps"})], protocol) as there:
        assert there.ask(WANTED).data == {"is_done": "perhaps"}


@both
def test_json_is_found_in_words_where_a_model_ignores_what_was_wanted(protocol: WireProtocol) -> None:
    with talk([Reply('Sure!\n```json\n{"is_done": true, "why": "so"}\n```\n')], protocol) as there:
        assert there.ask(WANTED).data == {"is_done": True, "why": "so"}


@both
def test_tools_may_be_called_before_an_answer_by_a_schema(protocol: WireProtocol) -> None:
    with talk([Reply(calls=[Call("list_files", {"path": "/"})]), Reply(data=DATA)], protocol) as there:
        wanted = replace(WANTED, tools=(LIST,))
        assert (there.ask(wanted).data, there.ask(wanted).data) == (None, DATA)
        assert there.asked().tools == ("list_files",)


def test_a_model_that_writes_no_json_is_bound_to_it() -> None:
    with talk([Reply("Yes."), Reply("Yes!"), Reply(data=DATA)]) as there:
        wanted = replace(WANTED, tools=(LIST,))
        assert [there.ask(wanted).data for _each in range(3)] == [None, None, DATA]
        assert there.asked().body["response_format"]["type"] == "json_schema"


@pytest.mark.parametrize("refuses", [(), ("response_format",), ("response_format", "tool_choice")])
def test_a_server_that_refuses_schemas_is_asked_in_another_way(refuses: tuple[str, ...]) -> None:
    with talk([Reply(data=DATA), Reply(data=DATA)], OPENAI, refuses) as there:
        assert there.ask(WANTED).data == DATA
        again = there.ask(WANTED)
        assert (again.data, again.requests) == (DATA, 1)
        assert len(there.server.requests) == 2 + len(refuses)


def test_a_server_that_forces_no_tools_is_asked_in_words() -> None:
    with talk([Reply(data=DATA)], ANTHROPIC, ("tool_choice",)) as there:
        assert there.ask(WANTED).data == DATA
        assert "is_done" in there.asked().messages[-1][1]


@both
def test_a_server_that_does_not_see_to_it_that_a_tool_is_called_is_asked_in_words(protocol: WireProtocol) -> None:
    with talk([Reply("Yes, it is."), Reply(json.dumps(DATA))], protocol) as there:
        wanted = replace(WANTED, tools=(LIST,))
        assert (there.ask(wanted).data, there.ask(wanted).data) == (None, DATA)
        assert "is_done" in there.asked().messages[-1][1]
        assert there.asked().tools == ("list_files",)


@pytest.mark.parametrize(
    ("refuses", "field"),
    [("max_tokens", "max_completion_tokens"), ("temperature", "model"), ("stream_options", "model")],
)
def test_a_field_that_a_server_refuses_is_left_out(refuses: str, field: str) -> None:
    def answer(asked: Any) -> Any:
        hint = "use max_completion_tokens" if refuses == "max_tokens" else "unknown"
        is_refused = refuses in asked.body
        return Fails(400, {"error": {"message": f"{refuses}: {hint}"}}) if is_refused else Reply("Hello")

    with talk(answer) as there:
        assert there.ask(replace(REQUEST, temperature=0.5)).text == "Hello"
        assert field in there.asked().body


@both
def test_the_system_prompt_comes_first_and_what_was_said_follows(protocol: WireProtocol) -> None:
    said = (
        Message(Role.USER, "Look."),
        Message(
            Role.ASSISTANT, "", (ToolWish("a", "list_files", {"path": "/"}), ToolWish("b", "list_files", None, "{"))
        ),
        Message(Role.TOOL, "etc", answers="a"),
        Message(Role.TOOL, "not JSON", answers="b", is_error=True),
        Message(Role.USER, "Go on."),
    )
    with talk([Reply("Yes")], protocol) as there:
        there.ask(replace(ACTING, messages=said))
        assert there.asked().system == "You help."
        assert [role for role, _text in there.asked().messages] == (
            ["user", "assistant", "tool", "tool", "user"] if protocol is OPENAI else ["user", "assistant", "user"]
        )


def test_the_stable_part_is_marked_for_the_cache() -> None:
    with talk([Reply("Yes")], ANTHROPIC) as there:
        there.ask(replace(WANTED, tools=(LIST, LIST)))
        assert there.asked().body["system"][0]["cache_control"] == {"type": "ephemeral"}
        assert ["cache_control" in tool for tool in there.asked().body["tools"]] == [False, True, False]


@both
def test_the_key_goes_into_its_header_only(protocol: WireProtocol) -> None:
    with talk([Reply("Yes")], protocol) as there:
        there.ask()
        named = {name for name, value in there.asked().headers.items() if KEY in value}
        assert named == {"authorization" if protocol is OPENAI else "x-api-key"}


@both
def test_a_server_that_does_not_stream_is_understood(protocol: WireProtocol) -> None:
    wholes = {
        OPENAI: b'{"choices": [{"message": {"content": "Hello", "tool_calls": null}, "finish_reason": "stop"}]}',
        ANTHROPIC: b'{"content": [{"type": "text", "text": "Hello"}], "stop_reason": "end_turn"}',
    }
    with talk([Raw(wholes[protocol], "application/json")], protocol) as there:
        assert there.ask().text == "Hello"


@both
@pytest.mark.parametrize(
    "body",
    [
        b'data: {"choices": [{"delta": {"content": "Hel\n\n',
        b"data: \xff\xfe{}[]\n\n",
        b"<html>Sign in</html>",
        b'data: {"choices": 5}\n\ndata: [1]\n\ndata: null\n\n',
        b'data: {"choices": [{"delta": {"tool_calls": [5, {"function": 7}]}}]}\n\n',
    ],
)
def test_what_is_no_answer_is_a_failure_in_words(protocol: WireProtocol, body: bytes) -> None:
    with talk([Raw(body)], protocol) as there, pytest.raises(ModelFailed, match="not an answer of a model"):
        there.ask()


@both
@pytest.mark.parametrize("body", [b"{", b"[]", b'{"choices": []}', b'{"error": {"message": "no"}}'])
def test_what_is_no_answer_in_one_piece_is_a_failure_too(protocol: WireProtocol, body: bytes) -> None:
    with talk([Raw(body, "application/json")], protocol) as there, pytest.raises(ModelFailed, match="“there”"):
        there.ask()
