"""Posts the spans of runs to a collector of OpenTelemetry while they go on, from a thread of its own.

It hears of events once they are written, like every view of a run, and nothing that happens to it reaches a run: a
collector that cannot be reached costs the spans that it misses, and is told of once.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from workbench.engine.audit.otlp import request_of
from workbench.engine.audit.spans import Span, SpanFold
from workbench.engine.journal.events import RunEvent
from workbench.i18n import _

if TYPE_CHECKING:
    from httpx2 import Client

_PATH = "/v1/traces"
_BATCH = 512
_REST_S = 1.0
_TIMEOUT_S = 10.0
_CLOSING_S = 3.0
_MOST_WAITING = 100_000
_BUSY = frozenset({429, 502, 503, 504})
_TRIES = 3


class SpanExporter:
    """Sends finished spans to *endpoint*; *on_trouble* is told once, on its thread, why that does not work.

    Life cycle: ``take`` from any thread; ``close`` sends what is left, as far as the collector takes it in time.
    """

    def __init__(self, endpoint: str, on_trouble: Callable[[str], None]) -> None:
        self._url = traces_url(endpoint)
        self._on_trouble = on_trouble
        self._changed = threading.Condition()
        self._heard: deque[tuple[RunEvent, bool]] = deque()
        self._is_closing = False
        self._has_told = False
        self._folds: dict[str, SpanFold] = {}
        self._thread = threading.Thread(target=self._carry_out, name="spans", daemon=True)
        self._thread.start()

    def take(self, events: Iterable[RunEvent], *, is_earlier: bool = False) -> None:
        """Hear of *events* of a run, in their order; spans that ended in those that *is_earlier* are not sent again."""
        with self._changed:
            if len(self._heard) < _MOST_WAITING:
                self._heard.extend((event, is_earlier) for event in events)
            self._changed.notify_all()

    def end(self) -> None:
        """Send what is left, in the background; nothing more will be heard."""
        with self._changed:
            self._is_closing = True
            self._changed.notify_all()

    def close(self) -> None:
        """The same, and wait a little for it."""
        self.end()
        self._thread.join(_CLOSING_S)

    def _carry_out(self) -> None:
        from httpx2 import Client  # noqa: PLC0415 - loaded where something is sent

        with Client(timeout=_TIMEOUT_S) as client:
            while not self._is_over():
                batch = self._next_batch()
                if batch:
                    self._send(client, batch)

    def _is_over(self) -> bool:
        with self._changed:
            return self._is_closing and not self._heard

    def _next_batch(self) -> list[tuple[str, Span]]:
        """The spans that have ended; waits for the first events, and then a little for more."""
        with self._changed:
            self._changed.wait_for(lambda: self._heard or self._is_closing)
            self._changed.wait_for(lambda: len(self._heard) >= _BATCH or self._is_closing, _REST_S)
            heard = [self._heard.popleft() for _event in range(min(len(self._heard), _BATCH))]
        return [found for event, is_earlier in heard for found in self._ended(event, is_earlier=is_earlier)]

    def _ended(self, event: RunEvent, *, is_earlier: bool) -> list[tuple[str, Span]]:
        fold = self._folds.setdefault(event.run, SpanFold())
        spans = [(str(event.run), span) for span in fold.take(event)]
        return [] if is_earlier else spans

    def _send(self, client: Client, batch: list[tuple[str, Span]]) -> None:
        from httpx2 import HTTPError  # noqa: PLC0415 - see above

        content = json.dumps(_joined(batch), ensure_ascii=True).encode("ascii")
        problem = ""
        for attempt in range(1, _TRIES + 1):
            try:
                answer = client.post(self._url, content=content, headers={"Content-Type": "application/json"})
            except HTTPError as error:
                problem = str(error) or type(error).__name__
            else:
                if answer.is_success:
                    return
                problem = f"HTTP {answer.status_code}"
                if answer.status_code not in _BUSY:
                    break
            if attempt < _TRIES and not self._rested(attempt * _REST_S / 2):
                break
        self._tell(problem)

    def _rested(self, seconds: float) -> bool:
        """Whether *seconds* have passed; False where nobody wants to wait any more."""
        with self._changed:
            return not self._changed.wait_for(lambda: self._is_closing, seconds)

    def _tell(self, problem: str) -> None:
        if not self._has_told:
            self._has_told = True
            words = _("Spans could not be sent to {host}: {problem}. Runs go on; what was not sent is in the journal.")
            self._on_trouble(words.format(host=urlsplit(self._url).netloc.rpartition("@")[2], problem=problem))


def traces_url(endpoint: str) -> str:
    """Where spans are posted to; an *endpoint* without a path is a collector's own address."""
    parts = urlsplit(endpoint)
    return endpoint.rstrip("/") + _PATH if parts.path in ("", "/") else endpoint


def _joined(batch: list[tuple[str, Span]]) -> dict[str, list[object]]:
    """One request with the spans of each run."""
    runs = dict.fromkeys(run for run, _span in batch)
    requests = [request_of(run, [span for of, span in batch if of == run]) for run in runs]
    return {"resourceSpans": [one for request in requests for one in request["resourceSpans"]]}
