"""Servers at an address that refuse, redirect, or speak something else: what is told, and where keys go."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.core.mcp_servers import box_of, unheard
from workbench.errors import RunFailed
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
    both, servers = (_Web(), _Web()), []
    for web in both:
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(web))
        web.url = f"http://127.0.0.1:{server.server_port}/mcp"
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        servers.append(server)
    yield both
    for server in servers:
        server.shutdown()
        server.server_close()


def _told(folder: Path, url: str, transport: Transport = Transport.HTTP) -> str:
    """Why the server at *url* does not work."""
    key = (("Authorization", "Bearer ${WEB_KEY}"),)
    spec = ServerSpec("web", ".mcp.json", folder, transport, url=url, headers=key, start_timeout_s=10)
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
