"""Servers that fail: what is tried again and how soon, what is said, how it is given up, and that no key is in it."""

from __future__ import annotations

import socket
import threading
import traceback
from dataclasses import replace
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import PATIENCE_S
from tests.core.model_client import KEY, PROTOCOLS, REQUEST, NoKeyring, Talk, talk
from tests.core.test_providers_wire import WANTED, both
from tests.model_replies import Call, Drops, Fails, Raw, Reply
from tests.soak import requests
from workbench.errors import Cancelled, ModelFailed
from workbench.providers.endpoints import WireProtocol
from workbench.providers.keys import Keys
from workbench.providers.sending import exchange
from workbench.providers.sending.retrying import Patience, asked_wait, usual_wait

OPENAI, ANTHROPIC = PROTOCOLS
BUSY = Fails(429, {"error": {"message": "slow down"}})


def failure(there: Talk) -> str:
    """What a person reads of the failure, in which the key is nowhere."""
    with pytest.raises(ModelFailed) as caught:
        there.ask()
    assert KEY not in "".join(traceback.format_exception(caught.value)) + repr(caught.value)
    return str(caught.value)


@both
@pytest.mark.parametrize("status", [429, 503, 529])
def test_who_is_busy_is_asked_again(protocol: WireProtocol, status: int) -> None:
    with talk([Fails(status), Fails(status), Reply("Hello")], protocol) as there:
        assert (there.ask().requests, there.clock.slept) == (3, [1.0, 2.0])


@both
def test_a_server_says_how_many_seconds_to_wait(protocol: WireProtocol) -> None:
    with talk([Fails(429, headers={"Retry-After": "7"}), Reply("Hello")], protocol) as there:
        assert there.ask().text == "Hello"
        assert there.clock.slept == [7.0]


def test_a_server_says_until_when_to_wait() -> None:
    with talk([Fails(429, headers={"Retry-After": formatdate(1_700_000_030, usegmt=True)}), Reply("Hello")]) as there:
        there.ask()
        assert there.clock.slept == [30.0]


def test_nobody_waits_for_longer_than_patience_lasts() -> None:
    with talk([Fails(429, headers={"Retry-After": "600"})]) as there:
        assert "asks to wait 10 minutes" in failure(there)


@both
def test_after_some_tries_it_is_given_up(protocol: WireProtocol) -> None:
    with talk([BUSY] * 9, protocol, retries=2) as there:
        assert "too many requests" in failure(there)
        assert len(there.server.requests) == 3


@pytest.mark.parametrize(
    ("said", "seconds"),
    [("0", 0.0), ("-5", 0.0), ("Thu, 01 Jan 1970 00:02:00 GMT", 20.0), ("Thu, 01 Jan 1970 00:00:00", 0.0)]
    + [(said, None) for said in ("", "soon", "1e400", "99 Foo 1970", "²")],
)
def test_what_servers_say_about_waiting_is_understood_or_passed_over(said: str, seconds: float | None) -> None:
    assert asked_wait(said, 100.0) == seconds


def test_waits_double_up_to_a_limit_and_differ_by_chance() -> None:
    waits = [usual_wait(failures, Patience(longest_s=5), 0.0) for failures in (1, 2, 3, 4, 60)]
    assert waits == [0.5, 1.0, 2.0, 2.5, 2.5]


@both
def test_a_connection_that_drops_before_the_first_byte_is_tried_again(protocol: WireProtocol) -> None:
    with talk([Drops(), Reply("Hello")], protocol) as there:
        assert there.ask().requests == 2


@both
def test_a_connection_that_always_drops_is_a_failure(protocol: WireProtocol) -> None:
    with talk([Drops()] * 3, protocol, retries=2) as there:
        assert "closed the connection without an answer" in failure(there)


@both
def test_a_connection_that_drops_in_the_middle_is_a_failure_and_not_tried_again(protocol: WireProtocol) -> None:
    with talk([Reply("Good morning to you", drops_after=4), Reply("Hello")], protocol) as there:
        assert "lost in the middle of the answer" in failure(there)
        assert (there.heard != [], len(there.server.requests)) == (True, 1)


@both
def test_a_call_that_is_cut_off_is_never_made(protocol: WireProtocol) -> None:
    with talk([Reply(calls=[Call("rm", {"path": "/home/somebody"})], drops_after=5)], protocol) as there:
        assert "lost in the middle" in failure(there)


def test_a_stream_that_ends_without_saying_so_is_not_whole() -> None:
    body = b'data: {"id": "1", "choices": [{"index": 0, "delta": {"content": "Hel"}}]}\n\n'
    with talk([Raw(body)]) as there:
        assert "lost in the middle" in failure(there)


@both
def test_an_answer_that_is_whole_is_used_though_the_connection_drops_at_its_end(protocol: WireProtocol) -> None:
    # what is missing: the count of tokens and the sign that all is over, or the latter
    with talk([Reply(["Hello"], drops_after=3 if protocol is OPENAI else 6)], protocol) as there:
        assert there.ask().text == "Hello"


def test_a_connection_that_stays_open_when_all_is_said_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "_LINGER_S", 0.01)
    with talk([Reply(["Hello"], waits=threading.Event(), pauses_after=5)]) as there:
        assert there.ask().text == "Hello"


@both
def test_a_failure_that_is_told_in_the_stream_is_a_failure(protocol: WireProtocol) -> None:
    body = b'event: error\ndata: {"type": "error", "error": {"type": "api_error", "message": "out of memory"}}\n\n'
    with talk([Raw(body)], protocol) as there:
        assert "(out of memory)" in failure(there)


def test_a_server_that_says_in_the_stream_that_it_is_busy_is_asked_again() -> None:
    body = b'event: error\ndata: {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}\n\n'
    with talk([Raw(body), Reply("Hello")], ANTHROPIC) as there:
        assert there.ask().requests == 2


@both
@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Fails(401), "did not accept the key"),
        (Fails(403, "<html>no</html>"), "did not accept the key"),
        (Fails(404), "has no model “scripted”"),
        (Fails(400, {"error": {"code": "model_not_found", "message": "model x not found"}}), "has no model"),
        (Fails(400, {"error": {"message": "This model's maximum context length is 8 tokens"}}), "request is too long"),
        (Fails(400, {"error": {"message": "prompt is too long: 9 > 8"}}), "request is too long"),
        (Fails(429, {"error": {"code": "insufficient_quota", "message": "You exceeded"}}), "no credit left"),
        (Fails(400, {"error": {"message": "strange"}}), "refused the request (400). (strange)"),
        (Fails(500, "Oh no"), "an error of its own (500). (Oh no)"),
        (Fails(302, "", {"Location": "http://evil.example.org/v1/x?key=1"}), "has moved to evil.example.org"),
    ],
)
def test_a_status_is_told_in_words(protocol: WireProtocol, answer: Fails, words: str) -> None:
    with talk([answer], protocol) as there:
        assert words in failure(there)
        assert len(there.server.requests) == 1


def test_what_a_server_says_is_shortened_and_without_the_key() -> None:
    said = f"your key {KEY} is bad; header was Authorization: Bearer {KEY} " + "x" * 5000
    with talk([Fails(400, said)]) as there:
        told = failure(there)
        assert "‹secret" in told
        assert len(told) < 450


def test_who_refuses_a_key_may_not_repeat_parts_of_it() -> None:
    with talk([Fails(401, {"error": {"message": f"Incorrect key: {KEY[:8]}***{KEY[-4:]}"}})]) as there:
        assert KEY[-4:] not in failure(there)


def test_a_key_is_not_even_said_in_part_where_the_words_are_cut() -> None:
    with talk([Fails(400, "x" * 290 + KEY)]) as there:
        assert KEY[:8] not in failure(there)


def test_a_schema_that_is_refused_in_every_way_is_a_failure() -> None:
    with talk([Fails(400, {"error": {"message": "no"}})] * 3) as there, pytest.raises(ModelFailed, match="refused"):
        there.ask(WANTED)


def test_nobody_there_is_a_failure_that_names_the_address() -> None:
    with socket.socket() as taken, talk([]) as there:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        there.move_to(url)
        assert f"cannot be reached at {url.removesuffix('/v1')}" in failure(there)


@both
def test_a_model_that_does_not_begin_is_not_waited_for_for_ever(protocol: WireProtocol) -> None:
    with talk([Reply("Hello", waits=threading.Event())], protocol, first_byte_s=0.02) as there:
        assert "did not begin to answer" in failure(there)


@both
def test_a_model_that_stops_is_not_waited_for_for_ever(protocol: WireProtocol) -> None:
    with talk([Reply("Good morning to you", waits=threading.Event(), pauses_after=3)], protocol, idle_s=0.02) as there:
        assert "stopped in the middle" in failure(there)


@both
def test_a_model_that_takes_its_time_is_waited_for(protocol: WireProtocol) -> None:
    may_answer = threading.Event()
    with talk([Reply("Hello", waits=may_answer)], protocol) as there:
        asking = there.ask_in_thread()
        assert there.server.arrived.wait(PATIENCE_S)
        may_answer.set()
        assert asking.ended() is None


@both
def test_it_can_be_given_up_before_the_first_byte(protocol: WireProtocol) -> None:
    with talk([Reply("Hello", waits=threading.Event())], protocol) as there:
        asking = there.ask_in_thread()
        assert there.server.arrived.wait(PATIENCE_S)
        there.client.cancel()
        assert isinstance(asking.ended(), Cancelled)
        assert there.server.hung_up.wait(PATIENCE_S)


@both
def test_it_can_be_given_up_in_the_middle_of_an_answer(protocol: WireProtocol) -> None:
    with talk([Reply("Good morning", waits=threading.Event(), pauses_after=4)], protocol) as there:
        asking = there.ask_in_thread()
        assert there.has_heard.wait(PATIENCE_S)
        there.client.cancel()
        assert isinstance(asking.ended(), Cancelled)
        assert there.server.hung_up.wait(PATIENCE_S)


@pytest.mark.parametrize("answer", [BUSY, Drops()])
def test_it_can_be_given_up_while_it_waits_to_try_again(answer: Any) -> None:
    with talk([answer]) as there:
        there.clock.is_stopped = True
        asking = there.ask_in_thread()
        assert there.clock.asleep.wait(PATIENCE_S)
        there.client.cancel()
        assert isinstance(asking.ended(), Cancelled)


def test_it_can_be_given_up_while_it_waits_for_its_turn() -> None:
    with talk([Reply("Hello")], requests_per_minute=1) as there:
        there.ask()
        there.clock.is_stopped = True
        asking = there.ask_in_thread()
        assert there.clock.asleep.wait(PATIENCE_S)
        there.client.cancel()
        assert isinstance(asking.ended(), Cancelled)


def test_it_can_be_given_up_while_a_locked_keyring_asks_the_person() -> None:
    is_asked, is_unlocked = threading.Event(), threading.Event()

    class Locked(NoKeyring):
        def read(self, name: str) -> tuple[str, str] | None:
            is_asked.set()
            is_unlocked.wait()
            return None

    with talk([Reply("Hello")], key="keyring:work") as there:
        there.around = replace(there.around, keys=Keys({}, Locked()))
        asking = there.new_client().ask_in_thread()
        assert is_asked.wait(PATIENCE_S)
        there.client.cancel()
        assert isinstance(asking.ended(), Cancelled)
        is_unlocked.set()


def test_this_machine_is_reached_without_the_proxy_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with talk([Reply("Hello")]) as there:
        assert there.ask().text == "Hello"


def test_nothing_is_asked_after_it_was_given_up() -> None:
    with talk([Reply("Hello")]) as there:
        there.client.cancel()
        with pytest.raises(Cancelled):
            there.ask()
        assert there.server.requests == []


def test_whoever_fails_to_hear_ends_the_request() -> None:
    def fails(_text: str) -> None:
        raise ZeroDivisionError

    with talk([Reply("Good morning", waits=threading.Event(), pauses_after=4)]) as there:
        with pytest.raises(ZeroDivisionError):
            there.client.complete(REQUEST, fails)
        assert there.server.hung_up.wait(PATIENCE_S)


def test_no_more_requests_are_sent_in_a_minute_than_allowed() -> None:
    with talk(lambda _asked: Reply("Hello"), requests_per_minute=2) as there:
        for _each in range(5):
            there.ask()
        assert there.clock.slept == [60.0, 60.0]


def test_an_answer_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "_MOST_BYTES", 1000)
    with talk([Raw(b"data: " + b"x" * 2000)]) as there:
        assert "too large" in failure(there)


def test_a_server_that_answers_with_nothing_is_asked_again() -> None:
    with talk([Raw(b""), Reply("Hello")]) as there:
        assert there.ask().requests == 2


def test_the_model_of_the_endpoint_is_asked_where_none_is_named() -> None:
    with talk([Reply("Hello"), Reply("Hello")]) as there:
        there.ask()
        there.ask(replace(REQUEST, model="another"))
        assert [asked.body["model"] for asked in there.server.requests] == ["scripted", "another"]


def test_whatever_a_server_does_a_request_ends_with_an_answer_or_in_words(tmp_path: Path) -> None:
    assert list(requests.failures(16, tmp_path)) == []
