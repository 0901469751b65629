"""Reads the answer of a server as it comes, and tells what is wrong with it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, NoReturn

import httpx2

from workbench.errors import ModelFailed
from workbench.providers.sending.failures import Failures, Lost, Refused
from workbench.providers.sending.retrying import Patience
from workbench.providers.wire.collecting import Collected, part, text_part
from workbench.providers.wire.json_text import strict_json
from workbench.providers.wire.server_events import EventReader, ServerEvent

_MOST_BYTES = 32 * 1024 * 1024
_MOST_ERROR_BYTES = 64 * 1024
_LINGER_S = 0.5
_COUNTING_S = 5.0
"""How long a connection may stay open when all has been said; and how long the count of tokens is waited for."""
_END = "[DONE]"
_AGAIN_LATER = {"overloaded_error": 529, "rate_limit_error": 429}


@dataclass(slots=True)
class _Body:
    """What of an answer has come. *start*: all of it where it is no stream."""

    is_stream: bool
    start: bytearray
    size: int = 0

    def add(self, piece: bytes) -> None:
        self.size += len(piece)
        if not self.is_stream or self.size <= _MOST_ERROR_BYTES:
            self.start += piece

    @property
    def text(self) -> str:
        return self.start.decode("utf-8", "replace")


class Reading:
    """Reads one response that is spoken in *wire*. *heard* is called with text as it comes."""

    def __init__(self, wire: ModuleType, failures: Failures, patience: Patience, heard: Callable[[str], None]) -> None:
        self._wire, self._failures, self._patience, self._heard = wire, failures, patience, heard
        self._has_told = False

    async def refusal(self, response: httpx2.Response) -> Refused:
        """What a response says that is no success."""
        body = b""
        try:
            async with asyncio.timeout(self._patience.idle_s):
                async for piece in response.aiter_bytes():
                    body += piece
                    if len(body) > _MOST_ERROR_BYTES:
                        break
        except (TimeoutError, httpx2.RequestError):
            pass  # the status says the most
        wish, place = response.headers.get("retry-after", ""), response.headers.get("location", "")
        return Refused(response.status_code, body.decode("utf-8", "replace"), wish, place)

    async def read(self, response: httpx2.Response, so_far: Collected) -> None:
        """Take the answer into *so_far*. Raises ModelFailed, and Lost or Refused where it may be sent again."""
        body = _Body("json" not in response.headers.get("content-type", ""), bytearray())
        pieces, events = response.aiter_bytes(), EventReader()
        limit_s = self._patience.first_byte_s
        try:
            while piece := await _next(pieces, limit_s):
                body.add(piece)
                if body.size > _MOST_BYTES:
                    raise ModelFailed(self._failures.too_large())
                is_over = body.is_stream and self._take(so_far, events.feed(piece))
                usual_s = _COUNTING_S if so_far.is_whole else self._patience.idle_s
                limit_s = _LINGER_S if is_over else usual_s
        except (TimeoutError, httpx2.RequestError) as error:
            if not so_far.is_whole:
                self._fail(error, body)
        if not body.is_stream:
            self._tell(self._wire.take(so_far, self._loaded(body.text)))
        self._check_whole(so_far, body)

    def _take(self, so_far: Collected, events: Any) -> bool:
        """Whether all has been said with *events*."""
        is_over = False
        for event in events:
            if event.data.strip() == _END:
                so_far.is_whole = is_over = True
                continue
            loaded = self._loaded(event.data)
            self._check_error(event, loaded)
            self._tell(self._wire.hear(so_far, loaded))
            is_over = is_over or text_part(loaded, "type") == "message_stop"
        return is_over

    def _tell(self, text: str) -> None:
        if text:
            self._has_told = True
            self._heard(text)

    def _loaded(self, text: str) -> Any:
        try:
            return strict_json(text)
        except ValueError as error:
            raise ModelFailed(self._failures.unreadable(text)) from error

    def _check_error(self, event: ServerEvent, loaded: Any) -> None:
        """Raise what a server tells in the place of an answer."""
        error = part(loaded, "error", dict)
        if error is None and event.name != "error":
            return
        status = _AGAIN_LATER.get(text_part(error, "type"))
        if status and not self._has_told:
            raise Refused(status, event.data)
        raise ModelFailed(self._failures.told(event.data))

    def _fail(self, error: Exception, body: _Body) -> NoReturn:
        if isinstance(error, TimeoutError):
            silent, stuck = self._patience.first_byte_s, self._patience.idle_s
            raise ModelFailed(self._failures.stuck(stuck) if body.size else self._failures.silent(silent)) from error
        if not body.size:
            raise Lost from error
        raise ModelFailed(self._failures.broken_off()) from error

    def _check_whole(self, so_far: Collected, body: _Body) -> None:
        if so_far.is_whole:
            return
        if not body.size:
            raise Lost
        if so_far.id or so_far.text:
            raise ModelFailed(self._failures.broken_off())
        raise ModelFailed(self._failures.unreadable(body.text))


async def _next(pieces: AsyncIterator[bytes], limit_s: float) -> bytes:
    """The next piece that is not empty, empty at the end. Raises TimeoutError."""
    async with asyncio.timeout(limit_s):
        async for piece in pieces:
            if piece:
                return piece
    return b""
