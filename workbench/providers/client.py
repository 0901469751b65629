"""The client of the engine: asks on the background loop, waits on the thread of the run."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field, replace
from pathlib import Path
from queue import SimpleQueue

from workbench.async_loop import AsyncLoop, shared_loop
from workbench.errors import Cancelled, ModelFailed
from workbench.i18n import _
from workbench.providers.endpoints import Endpoint, WireProtocol
from workbench.providers.keyrings import in_thread
from workbench.providers.keys import Keys, Secret, session_keys
from workbench.providers.known import Endpoints
from workbench.providers.sending.door import Door, shared_door
from workbench.providers.sending.exchange import Exchange, Means, Target
from workbench.providers.sending.retrying import Clock, Patience
from workbench.providers.values import ModelReply, ModelRequest
from workbench.providers.wire.asking import AnswerForm

_LOCAL_FIRST_BYTE_S = 900.0
"""A processor takes its time with a long prompt."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a client works with; tests hand in their own."""

    keys: Keys = field(default_factory=session_keys)
    loop: AsyncLoop = field(default_factory=shared_loop)
    door: Door = field(default_factory=shared_door)
    patience: Patience = field(default_factory=Patience)
    clock: Clock = field(default_factory=Clock)


class EndpointClient:
    """A ``ModelClient`` for configured endpoints; *endpoints* is asked anew for each request."""

    def __init__(self, endpoints: Callable[[], Endpoints], around: Surroundings | None = None) -> None:
        self._endpoints = endpoints
        self._around = Surroundings() if around is None else around
        self._lock = threading.Lock()
        self._is_cancelled = False
        self._asking: Future[ModelReply] | None = None

    def complete(self, request: ModelRequest, on_delta: Callable[[str], None]) -> ModelReply:
        """The whole answer to *request*; an empty endpoint or model is the default one. See ``ModelClient``."""
        endpoint = self._endpoints().named(request.endpoint)
        named = _named(request, endpoint)
        heard: SimpleQueue[str | None] = SimpleQueue()
        asking = self._begun(endpoint, named, heard)
        try:
            while (text := heard.get()) is not None and not self._is_cancelled:
                on_delta(text)
            reply = asking.result()
        except CancelledError as error:
            raise Cancelled from error
        finally:
            asking.cancel()
        if self._is_cancelled:
            raise Cancelled
        return reply

    def cancel(self) -> None:
        """Give up; see ``ModelClient``."""
        with self._lock:
            self._is_cancelled = True
            asking = self._asking
        if asking is not None:
            asking.cancel()

    def answer_form(self, request: ModelRequest) -> AnswerForm:
        """How the last answer to a request like this was asked for."""
        endpoint = self._endpoints().named(request.endpoint)
        return self._around.door.lane(endpoint).habits(endpoint, _named(request, endpoint)).form

    def _begun(self, endpoint: Endpoint, request: ModelRequest, heard: SimpleQueue[str | None]) -> Future[ModelReply]:
        with self._lock:
            if self._is_cancelled:
                raise Cancelled
            asking = self._around.loop.submit(self._ask(endpoint, request, heard.put))
            self._asking = asking
        asking.add_done_callback(lambda _done: heard.put(None))
        return asking

    async def _ask(self, endpoint: Endpoint, request: ModelRequest, heard: Callable[[str], None]) -> ModelReply:
        around = self._around
        around.door.keep_open()
        target, patience = await self._target(endpoint)
        means = Means(around.door.http(target.endpoint.url), around.door.lane(endpoint), patience, around.clock)
        return await Exchange(target, request, means, heard).reply()

    async def _target(self, endpoint: Endpoint) -> tuple[Target, Patience]:
        """Where *endpoint* is, with its key, and how long it is waited for."""
        around = self._around
        if endpoint.protocol is WireProtocol.LOCAL:
            server = await around.door.local.server_for(endpoint)
            around.door.lane(endpoint).has_tools = server.has_tools
            here = replace(endpoint, url=server.url)
            return Target(here, Secret(server.key)), replace(around.patience, first_byte_s=_LOCAL_FIRST_BYTE_S)
        # a keyring may ask the person first
        key = await asyncio.wrap_future(in_thread(lambda: around.keys.find(endpoint)))
        return Target(endpoint, key), around.patience


def _named(request: ModelRequest, endpoint: Endpoint) -> ModelRequest:
    """*request* with the names of *endpoint* and its model. Raises ModelFailed where no model is named."""
    is_local = endpoint.protocol is WireProtocol.LOCAL
    model = request.model or endpoint.model or (Path(endpoint.file).stem if is_local else "")
    if not model:
        message = _("“{name}” has no default model, and the request names none. Choose one in its settings.")
        raise ModelFailed(message.format(name=endpoint.name))
    return replace(request, endpoint=endpoint.name, model=model)
