"""One request on its way: sent, sent again where that may help, and its answer read as it comes."""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any, NoReturn
from urllib.parse import quote

import httpx2

from workbench.errors import ModelFailed
from workbench.providers.endpoints import Endpoint, WireProtocol
from workbench.providers.keys import Secret
from workbench.providers.sending.door import Lane
from workbench.providers.sending.failures import Failures, Lost, Refused
from workbench.providers.sending.retrying import AGAIN_LATER, Clock, Patience, asked_wait, usual_wait
from workbench.providers.values import Finish, ModelReply, ModelRequest, Usage
from workbench.providers.wire import chat_completions, messages
from workbench.providers.wire.asking import AnswerForm, Habits, answer_tool, easier, plain, unwrapped
from workbench.providers.wire.collecting import Collected, part, text_part
from workbench.providers.wire.json_text import json_in, strict_json
from workbench.providers.wire.server_events import EventReader, ServerEvent
from workbench.secrets import Redactor

log = logging.getLogger(__name__)

_REFUSED_FORM = frozenset({400, 422, 501})
_NO_CONNECTION = (
    httpx2.ConnectError,
    httpx2.ConnectTimeout,
    httpx2.ProxyError,
    httpx2.UnsupportedProtocol,
    httpx2.InvalidURL,
)


@dataclass(frozen=True, slots=True)
class Target:
    """Where a request goes."""

    endpoint: Endpoint
    key: Secret | None

    @property
    def wire(self) -> ModuleType:
        """The protocol that is spoken there."""
        return messages if self.endpoint.protocol is WireProtocol.ANTHROPIC else chat_completions

    @property
    def address(self) -> str:
        """Where requests are sent."""
        url = self.endpoint.url
        is_bare = self.endpoint.protocol is WireProtocol.ANTHROPIC and not url.endswith("/v1")
        return f"{url}{'/v1' if is_bare else ''}{self.wire.PATH}"


@dataclass(frozen=True, slots=True)
class Means:
    """What a request is sent with."""

    http: httpx2.AsyncClient
    lane: Lane
    patience: Patience
    clock: Clock


class Exchange:
    """One request; *heard* is called with text as it comes. Raises ModelFailed."""

    def __init__(self, target: Target, request: ModelRequest, means: Means, heard: Callable[[str], None]) -> None:
        key = target.key.revealed() if target.key else ""
        self._target, self._request, self._means, self._heard = target, request, means, heard
        self._headers = {**target.wire.headers(key), "Content-Type": "application/json", "Accept-Encoding": "identity"}
        known = (key, quote(key, safe="")) if key else ()
        self._failures = Failures(target.endpoint, request.model, Redactor(os.urandom(8), known))
        self._habits = means.lane.habits(target.endpoint, request)
        self._sent = self._failed = 0

    async def reply(self) -> ModelReply:
        """The whole answer."""
        while True:
            await self._means.lane.limit.turn(self._target.endpoint.requests_per_minute, self._means.clock)
            self._sent += 1
            try:
                collected = await self._once()
            except Refused as refusal:
                await self._after(refusal)
            except Lost as lost:
                if self._failed >= self._means.patience.retries:
                    raise ModelFailed(self._failures.lost()) from lost
                await self._wait("lost")
            else:
                reply = self._finished(collected)
                self._means.lane.remember(self._request, self._learned(reply))
                return reply

    async def _after(self, refusal: Refused) -> None:
        """Return when the request can be sent again, in an easier form or after a while."""
        is_about_form = refusal.status in _REFUSED_FORM and not (
            refusal.is_too_long or refusal.is_used_up or refusal.is_unknown_model
        )
        if is_about_form and (habits := easier(self._habits, self._request, refusal.body)):
            self._habits = habits
            return
        patience, now = self._means.patience, self._means.clock.now()
        if refusal.status not in AGAIN_LATER or refusal.is_used_up:
            raise ModelFailed(self._failures.refused(refusal))
        asked_s = asked_wait(refusal.retry_after, now)
        if asked_s is not None and asked_s > patience.longest_s:
            raise ModelFailed(self._failures.wait_too_long(asked_s))
        if self._failed >= patience.retries:
            raise ModelFailed(self._failures.refused(refusal))
        await self._wait(str(refusal.status), asked_s or 0.0)

    async def _wait(self, reason: str, least_s: float = 0.0) -> None:
        self._failed += 1
        clock = self._means.clock
        wait_s = max(least_s, usual_wait(self._failed, self._means.patience, clock.chance()))
        log.info("Asked %s in vain (%s), tried again after %.1f s", self._target.endpoint.name, reason, wait_s)
        await clock.sleep(wait_s)

    async def _once(self) -> Collected:
        is_by_tool = self._request.schema is not None and self._habits.form is AnswerForm.TOOL
        so_far = Collected(answer_tool(self._request) if is_by_tool else "")
        reading = Reading(self._target.wire, self._failures, self._means.patience, self._heard)
        response = await self._opened()
        try:
            if response.status_code >= 300:
                raise await reading.refusal(response)
            await reading.read(response, so_far)
        finally:
            await response.aclose()
        return so_far

    async def _opened(self) -> httpx2.Response:
        """The response, when its head has come."""
        patience = self._means.patience
        limits = httpx2.Timeout(None, connect=patience.connect_s, write=patience.idle_s)
        body = json.dumps(plain(self._target.wire.body(self._request, self._habits)), ensure_ascii=False)
        try:
            content = body.encode("utf-8", "replace")
            request = self._means.http.build_request(
                "POST", self._target.address, content=content, headers=self._headers, timeout=limits
            )
            async with asyncio.timeout(patience.first_byte_s):
                return await self._means.http.send(request, stream=True)
        except TimeoutError as error:
            raise ModelFailed(self._failures.silent(patience.first_byte_s)) from error
        except _NO_CONNECTION as error:
            raise ModelFailed(self._failures.unreachable(error)) from error
        except httpx2.TransportError as error:
            raise Lost from error

    def _learned(self, reply: ModelReply) -> Habits:
        """How to ask the next time: many servers take the wish that a tool be called, and do not see to it."""
        is_used = reply.finish is not Finish.STOP or reply.data is not None or reply.wishes
        if self._request.schema is None or is_used:
            return self._habits
        is_bound = self._request.tools and self._target.endpoint.protocol is not WireProtocol.ANTHROPIC
        following = {AnswerForm.TOOL: AnswerForm.WORDS}
        if is_bound:
            # who writes no JSON unless every word is bound to it would not call tools well either
            following[AnswerForm.WORDS] = AnswerForm.SCHEMA
        return replace(self._habits, form=following.get(self._habits.form, self._habits.form))

    def _finished(self, collected: Collected) -> ModelReply:
        """The reply that *collected* is."""
        endpoint, counts, schema = self._target.endpoint, collected.counts, self._request.schema
        calls = collected.calls.wishes()
        wishes = tuple(wish for wish in calls if wish.name != collected.answer_tool)
        answer = next((wish for wish in calls if wish.name == collected.answer_tool), None)
        text = "".join(collected.text) if answer is None or wishes else answer.written
        data = None if schema is None or wishes else unwrapped(schema, json_in(text))
        finish = Finish.TOOLS if wishes else Finish.STOP if answer and not wishes else collected.finish
        cost_usd = endpoint.cost_usd(self._request.model, counts)
        return ModelReply(
            text,
            data,
            wishes,
            Usage(counts.input, counts.output, counts.cached, cost_usd),
            finish,
            collected.model,
            collected.id,
            self._sent,
        )


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
