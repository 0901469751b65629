"""Whatever bytes a client sends, they come out as the requests in them, and the rest is told once."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core.dap_client import Refusal, inside
from workbench.cli.debug_adapter.adapter import REQUESTS
from workbench.cli.debug_adapter.client import Client, Refused, all_of, may, need
from workbench.cli.debug_adapter.wire import MOST_BYTES, Received, Request, Rubbish, Unframing, framed


def request(seq: int, command: str = "threads", **arguments: Any) -> bytes:
    """A request as bytes."""
    return framed({"seq": seq, "type": "request", "command": command, "arguments": arguments})


def read(*pieces: bytes) -> list[Received]:
    """What comes out of *pieces*."""
    unframing = Unframing()
    return [each for piece in pieces for each in unframing.feed(piece)]


def test_a_request_is_read_as_it_was_sent() -> None:
    assert read(request(7, "next", threadId=1)) == [Request(7, "next", {"threadId": 1})]


@settings(max_examples=examples(60))
@given(st.lists(st.text(max_size=20), max_size=4), st.integers(1, 50))
def test_requests_come_out_however_their_bytes_are_cut(texts: list[str], size: int) -> None:
    data = b"".join(request(number, "evaluate", expression=text) for number, text in enumerate(texts))
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    assert read(*pieces) == [Request(number, "evaluate", {"expression": text}) for number, text in enumerate(texts)]


@settings(max_examples=examples(100))
@given(st.binary(max_size=200))
def test_no_bytes_break_it(data: bytes) -> None:
    assert all(isinstance(each, Request | Rubbish) for each in read(data))


@pytest.mark.parametrize(
    "rubbish",
    [
        b"hello\r\nthere\r\n\r\n",
        b"\x00\xff" * 50 + b"\n",
        b"x" * 10_000 + b"\n",
        b"Content-Length: many\r\n\r\n",
        b"Content-Length: -5\r\n\r\n",
        b"Content-Length: 99999999999999999999\r\n\r\n",
    ],
)
def test_what_is_no_message_is_told_once_and_passed_over(rubbish: bytes) -> None:
    found = read(rubbish, request(1))
    assert [type(each) for each in found] == [Rubbish, Request]


def test_other_heads_are_no_rubbish() -> None:
    body = request(1).partition(b"\r\n\r\n")
    assert len(read(b"Content-Type: application/json\r\n" + b"".join(body))) == 1


def test_a_message_that_is_too_long_is_passed_over_whole() -> None:
    inner = request(1, "terminate")
    filling = b" " * (MOST_BYTES + 1 - len(inner))
    found = read(b"Content-Length: %d\r\n\r\n" % (MOST_BYTES + 1), filling, inner, request(2))
    assert [type(each) for each in found] == [Rubbish, Request]
    assert found[1] == Request(2, "threads", {})


def test_a_message_that_breaks_off_is_no_request() -> None:
    assert read(request(1)[:-1]) == []


@pytest.mark.parametrize(
    ("body", "seq"),
    [
        (b"", None),
        (b"{", None),
        (b"\xff\xfe", None),
        (b"[" * 100_000, None),
        (b"[1]", None),
        (b"{}", None),
        (b'{"type": "event", "seq": 1, "event": "x"}', None),
        (b'{"type": "request", "command": "next"}', None),
        (b'{"type": "request", "seq": true, "command": "next"}', None),
        (b'{"type": "request", "seq": 4}', 4),
        (b'{"type": "request", "seq": 4, "command": ""}', 4),
        (b'{"type": "request", "seq": 4, "command": "next", "arguments": [1]}', 4),
    ],
)
def test_a_message_that_is_no_request_says_why(body: bytes, seq: int | None) -> None:
    (found,) = read(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    assert isinstance(found, Rubbish) and found.reason and found.seq == seq


def test_what_is_sent_is_numbered_and_plain_ascii() -> None:
    sent: list[bytes] = []
    client = Client(sent.append)
    client.output("grüß dich \udcff")
    client.tell("initialized")
    bodies = [json.loads(each.partition(b"\r\n\r\n")[2]) for each in sent]
    assert [body["seq"] for body in bodies] == [1, 2] and b"".join(sent).isascii()


def test_a_client_that_does_not_read_is_gone() -> None:
    def broken(_data: bytes) -> None:
        raise BrokenPipeError

    client = Client(broken)
    client.tell("initialized")
    assert client.is_gone


def test_arguments_have_the_type_that_is_wanted() -> None:
    given = {"a": "x", "b": True, "c": ["x", 1], "d": None}
    assert need(given, "a", str) == "x" and may(given, "d", str) is None and all_of(given, "none", str) == []
    for name, kind in (("b", int), ("a", dict)):
        with pytest.raises(Refused, match=name):
            may(given, name, kind)
    with pytest.raises(Refused, match="missing"):
        need(given, "d", str)
    with pytest.raises(Refused, match="string"):
        all_of(given, "c", str)


NUMBERS = st.sampled_from([0, 1, 2, 3, -1, 2**31, 10**30])
VALUES = st.one_of(
    NUMBERS,
    st.sampled_from(["", "$n", "1 + $n", "set $n = ", "skip", "repl", "hover", "book.md", "\0", "\ud800", "Main:01"]),
    st.none(),
    st.booleans(),
    st.lists(NUMBERS, max_size=2),
    st.dictionaries(
        st.sampled_from(["path", "line", "name", "condition", "filterId"]), st.text(max_size=3), max_size=2
    ),
)
NAMES = (
    "threadId frameId variablesReference start count filter name value expression context line endLine column text "
    "source sourceReference breakpoints lines filters filterOptions startFrame levels"
)
WANTED = st.tuples(
    st.sampled_from(sorted(REQUESTS.keys() - {"disconnect", "terminate", "configurationDone"})),
    st.dictionaries(st.sampled_from(NAMES.split()), VALUES, max_size=4),
)


@settings(max_examples=examples(30))
@given(st.lists(WANTED, min_size=20, max_size=60))
def test_no_request_breaks_a_session(tmp_path: Path, wanted: list[tuple[str, dict[str, Any]]]) -> None:
    path = tmp_path / "book.md"
    path.write_text("# Book\n## Main\n### Steps\n- $n = [1, [2]]\n- While true\n  - $n = [$n[0] + 1]\n", "utf-8")
    with inside() as client:
        client.begin(client.launch(path, store=str(tmp_path / "store"), stopOnEntry=True))
        client.stopped()
        for command, arguments in wanted:
            with suppress(Refusal):
                client.ask(command, **arguments)
        client.ask("disconnect", terminateDebuggee=True)
        assert client.is_closed()
