"""A model that says what a test tells it to, behind both protocols, on a real socket of this machine.

::

    with ModelServer([Reply("Hello"), Fails(429, headers={"Retry-After": "2"}), Reply(data={"done": True})]) as server:
        ...  # server.url is the base URL of either protocol; server.requests has what was asked

Instead of a list a function from the request to the reply can be given. What is streamed is streamed in pieces.
"""

from __future__ import annotations

import contextlib
import http.server
import json
import select
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from tests.conftest import PATIENCE_S
from tests.model_replies import Answer, Asked, Drops, Fails, Raw, Reply, stream_of, whole_of

_LOOKS_S = 0.01
_NOTHING: Mapping[str, str] = {}


class ModelServer(http.server.ThreadingHTTPServer):
    """Serves a script: *answers* one after another, or what a function makes of each request.

    *refuses*: fields of a request that are answered with 400, without using up the script, as by a server that
    knows no schemas. *hung_up* is set when a client goes away while something is waited for.
    """

    daemon_threads = False

    def __init__(
        self, answers: Sequence[Answer] | Callable[[Asked], Answer], refuses: Sequence[str] = (), key: str = ""
    ) -> None:
        self.requests: list[Asked] = []
        self.refuses = frozenset(refuses)
        self.key = key
        self.arrived, self.hung_up, self.is_closing = threading.Event(), threading.Event(), threading.Event()
        self._answer = answers if callable(answers) else _one_by_one(answers)
        self._lock, self._connections = threading.Lock(), set[socket.socket]()
        super().__init__(("127.0.0.1", 0), _Handler)
        self._thread = threading.Thread(target=self.serve_forever, args=(_LOOKS_S,), name="model-server")

    @property
    def url(self) -> str:
        """The base URL of either protocol."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.is_closing.set()
        self.shutdown()
        self._thread.join(PATIENCE_S)
        with self._lock:
            for each in self._connections:
                _end(each)
        self.server_close()

    def answer_to(self, asked: Asked) -> Answer:
        """What the script says to *asked*, which is recorded."""
        with self._lock:
            self.requests.append(asked)
            self.arrived.set()
            refused = sorted(self.refuses & asked.body.keys())
            if refused:
                return Fails(400, {"error": {"message": f"{refused[0]} is not supported"}})
            return self._answer(asked)

    def opened(self, connection: socket.socket) -> None:
        """Remember *connection*, so that it can be ended."""
        with self._lock:
            self._connections.add(connection)

    def closed(self, connection: socket.socket) -> None:
        """Forget *connection*."""
        with self._lock:
            self._connections.discard(connection)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that go away are no mistake of a test; they are told by ``hung_up``."""


def _one_by_one(answers: Sequence[Answer]) -> Callable[[Asked], Answer]:
    left = iter(answers)
    return lambda _asked: next(left, Fails(500, {"error": {"message": "the script has no more answers"}}))


def _end(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):  # ended already
        connection.shutdown(socket.SHUT_RDWR)


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: ModelServer

    def setup(self) -> None:
        super().setup()
        self.server.opened(self.connection)

    def finish(self) -> None:
        self.server.closed(self.connection)
        super().finish()

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002 - named so above
        """Say nothing."""

    def do_GET(self) -> None:
        self._plain(200, json.dumps({"object": "list", "data": [{"id": "scripted", "object": "model"}]}).encode())

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        if self.server.key and self.server.key not in {
            headers.get("x-api-key"),
            headers.get("authorization", "").removeprefix("Bearer "),
        }:
            self._plain(401, b'{"error": {"message": "wrong key"}}')
            return
        asked = Asked(self.path, headers, json.loads(body))
        self._give(asked, self.server.answer_to(asked))

    def _give(self, asked: Asked, answer: Answer) -> None:
        match answer:
            case Drops():
                self.close_connection = True
                _end(self.connection)
            case Raw(body, kind):
                self._plain(200, body, {"Content-Type": kind})
            case Fails(status, body, headers):
                text = body if isinstance(body, str) else json.dumps(body)
                self._plain(status, text.encode(), headers)
            case Reply():
                self._say(asked, answer)

    def _say(self, asked: Asked, reply: Reply) -> None:
        if not reply.pauses_after and not self._waited(reply):
            return
        if asked.body.get("stream"):
            self._stream(stream_of(asked, reply), reply)
        else:
            self._plain(200, json.dumps(whole_of(asked, reply)).encode())

    def _stream(self, events: Sequence[str], reply: Reply) -> None:
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        kept = events if reply.drops_after is None else events[: reply.drops_after]
        first = reply.pauses_after or len(kept)
        self.wfile.write(head + _chunks(kept[:first], reply.bytes_at_once))
        if reply.pauses_after:
            if not self._waited(reply):
                return
            self.wfile.write(_chunks(kept[first:], reply.bytes_at_once))
        if reply.drops_after is None:
            self.wfile.write(b"0\r\n\r\n")
        else:
            self.close_connection = True
            _end(self.connection)

    def _waited(self, reply: Reply) -> bool:
        """False where the client or the test went away meanwhile."""
        while reply.waits and not reply.waits.wait(_LOOKS_S):
            if select.select([self.connection], [], [], 0)[0] and not self.connection.recv(1, socket.MSG_PEEK):
                self.server.hung_up.set()
                self.close_connection = True
            self.close_connection = self.close_connection or self.server.is_closing.is_set()
            if self.close_connection:
                return False
        return True

    def _plain(self, status: int, body: bytes, headers: Mapping[str, str] = _NOTHING) -> None:
        """Write header and body at once: in two writes the second may wait for an acknowledgement."""
        named = {"Content-Type": "application/json", "Content-Length": str(len(body)), **headers}
        head = "".join(f"{name}: {value}\r\n" for name, value in named.items())
        self.wfile.write(f"HTTP/1.1 {status} x\r\n{head}\r\n".encode() + body)


def _chunks(events: Sequence[str], at_once: int) -> bytes:
    whole = "".join(events).encode("utf-8", "surrogatepass")
    step = at_once or max(1, len(whole))
    parts = [whole[at : at + step] for at in range(0, len(whole), step)] if at_once else [e.encode() for e in events]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts if part)
