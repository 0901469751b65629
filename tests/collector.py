"""A collector of OpenTelemetry for tests: a real server on a real socket that keeps what it is sent."""

from __future__ import annotations

import http.server
import json
import threading
from types import TracebackType
from typing import Any, Self


class Collector(http.server.ThreadingHTTPServer):
    """Answers with *statuses* one after the other, then with 200.

    *requests*: path and content of each; *arrived*: is released with each.
    """

    daemon_threads = False

    def __init__(self, *statuses: int) -> None:
        self.statuses = list(statuses)
        self.requests: list[tuple[str, Any]] = []
        self.arrived = threading.Semaphore(0)
        super().__init__(("127.0.0.1", 0), _Handler)
        self._thread = threading.Thread(target=self.serve_forever, args=(0.01,), name="collector")

    @property
    def url(self) -> str:
        """Its address, without a path."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.shutdown()
        self.server_close()
        self._thread.join()


class _Handler(http.server.BaseHTTPRequestHandler):
    server: Collector

    def do_POST(self) -> None:  # noqa: N802 - called so by the server
        """Keep what was sent."""
        content = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.requests.append((self.path, json.loads(content)))
        self.server.arrived.release()
        status = self.server.statuses.pop(0) if self.server.statuses else 200
        self.send_response(status)
        self.send_header("Content-Length", "2")
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_arguments: object) -> None:
        """Nothing is printed."""
