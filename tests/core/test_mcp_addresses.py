"""Servers at an address that refuse, redirect, or speak something else: what is told, and where keys go."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tests.core.mcp_servers import box_of, unheard
from workbench.errors import RunFailed
from workbench.tools.mcp import server
from workbench.tools.mcp.specs import ServerSpec, Transport

_KEY = "correct-horse-battery"


@dataclass
class _Web:
    """A web server that always answers the same, and notes who knew the key."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    keys: list[str] = field(default_factory=list)
    url: str = ""


def _handler(web: _Web) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            web.keys.append(self.headers.get("Authorization", ""))
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(web.status)
            for name, value in {"Content-Length": str(len(web.body)), **web.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(web.body)

        do_GET = do_DELETE = do_POST  # noqa: N815 - the library calls them so

        def log_message(self, *_arguments: object) -> None:
            pass

    return Handler


@pytest.fixture
def webs() -> Iterator[tuple[_Web, _Web]]:
    """Two web servers."""
    both, listening = (_Web(), _Web()), []
    for web in both:
        each = ThreadingHTTPServer(("127.0.0.1", 0), _handler(web))
        web.url = f"http://127.0.0.1:{each.server_port}/mcp"
        threading.Thread(target=each.serve_forever, args=(0.01,), daemon=True).start()
        listening.append(each)
    yield both
    for each in listening:
        each.shutdown()
        each.server_close()


class _Server(BaseHTTPRequestHandler):
    """A server of one tool. *sessions*: the last is the one that it knows. *hangs*: until it lets go."""

    sessions: ClassVar[list[str]] = []
    hangs: ClassVar[threading.Event] = threading.Event()

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        session, method = self.headers.get("Mcp-Session-Id", ""), request["method"]
        if method == "initialize":
            session = f"s{len(self.sessions)}"
            self.sessions.append(session)
        if method != "server/discover" and session not in self.sessions[-1:]:
            self._answer(404, b"")
        elif "id" not in request:
            self._answer(202, b"")
        else:
            reply = {"jsonrpc": "2.0", "id": request["id"], **_answer_to(method)}
            self._answer(200, json.dumps(reply).encode(), session)

    def do_GET(self) -> None:
        self._answer(405, b"")

    def do_DELETE(self) -> None:
        self.hangs.wait(60)
        self._answer(200, b"")

    def _answer(self, status: int, body: bytes, session: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        if session:
            self.send_header("Mcp-Session-Id", session)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        pass


def _answer_to(method: str) -> dict[str, Any]:
    match method:
        case "initialize":
            info = {"name": "web", "version": "1"}
            about = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": info}
            return {"result": about}
        case "tools/list":
            return {"result": {"tools": [{"name": "x", "inputSchema": {"type": "object"}}]}}
        case "tools/call":
            return {"result": {"content": [{"type": "text", "text": "done"}]}}
    return {"error": {"code": -32601, "message": "Method not found"}}


@pytest.fixture
def real(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a server that is one."""
    monkeypatch.setattr(_Server, "sessions", [])
    monkeypatch.setattr(_Server, "hangs", threading.Event())
    listening = ThreadingHTTPServer(("127.0.0.1", 0), _Server)
    threading.Thread(target=listening.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{listening.server_port}/mcp"
    _Server.hangs.set()
    listening.shutdown()
    listening.server_close()


def _told(folder: Path, url: str, transport: Transport = Transport.HTTP) -> str:
    """Why the server at *url* does not work."""
    key = (("Authorization", "Bearer ${WEB_KEY}"),)
    spec = ServerSpec("web", ".mcp.json", folder, transport, url=url, headers=key)
    box = box_of(folder, spec)
    with pytest.raises(RunFailed) as caught:
        box.call("web.x", {}, unheard)
    box.close()
    return f"{caught.value} {box.servers.log('web')}"


@pytest.fixture(autouse=True)
def _with_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEB_KEY", _KEY)


@pytest.mark.parametrize("transport", [Transport.HTTP, Transport.SSE])
@pytest.mark.parametrize(
    ("status", "body"), [(401, b""), (403, b"no"), (404, b"<html>"), (500, b""), (200, b"<html>hello"), (204, b"")]
)
def test_what_is_no_server_is_told_without_the_key(
    tmp_path: Path, webs: tuple[_Web, _Web], transport: Transport, status: int, body: bytes
) -> None:
    webs[0].status, webs[0].body = status, body
    told = _told(tmp_path, webs[0].url, transport)
    assert "The server “web” could not be started" in told
    assert str(status) in told or status < 300 or status == 404
    assert _KEY not in told
    assert set(webs[0].keys) == {f"Bearer {_KEY}"}


@pytest.mark.parametrize("transport", [Transport.HTTP, Transport.SSE])
def test_a_key_does_not_follow_to_another_address(
    tmp_path: Path, webs: tuple[_Web, _Web], transport: Transport
) -> None:
    webs[0].status, webs[0].headers = 307, {"Location": webs[1].url}
    _told(tmp_path, webs[0].url, transport)
    assert webs[0].keys and not webs[1].keys


def test_an_address_where_nobody_is_is_told(tmp_path: Path) -> None:
    assert "nothing answers at its address" in _told(tmp_path, "http://127.0.0.1:9/mcp")


def test_a_key_in_the_address_is_not_told(tmp_path: Path) -> None:
    told = _told(tmp_path, f"http://me:{_KEY}@127.0.0.1:9/mcp?token={_KEY}")
    assert _KEY not in told


def test_a_server_that_forgets_us_is_entered_again_for_the_next_call(tmp_path: Path, real: str) -> None:
    _Server.hangs.set()
    box = box_of(tmp_path, ServerSpec("web", ".mcp.json", tmp_path, Transport.HTTP, url=real))
    assert box.call("web.x", {}, unheard) == "done"
    _Server.sessions.append("another's")
    with pytest.raises(RunFailed, match="it answered with 404 Not Found"):
        box.call("web.x", {}, unheard)
    assert box.call("web.x", {}, unheard) == "done"
    box.close()


def test_a_server_that_does_not_let_us_go_is_given_up(
    tmp_path: Path, real: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "_PATIENCE_S", 0.1)
    box = box_of(tmp_path, ServerSpec("web", ".mcp.json", tmp_path, Transport.HTTP, url=real))
    assert box.call("web.x", {}, unheard) == "done"
    box.close()
    assert box.servers.status("web").state is server.ServerState.STOPPED
