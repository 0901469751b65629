"""What all clients of this process share on the loop: connections, limits, and what each server takes."""

from __future__ import annotations

import asyncio
import ssl
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache

import httpx2

from workbench.providers.endpoints import Endpoint, WireProtocol
from workbench.providers.local import LocalServers
from workbench.providers.sending.retrying import RateLimit
from workbench.providers.values import ModelRequest
from workbench.providers.wire.asking import AnswerForm, Habits

_DIRECT = ("all://127.0.0.1", "all://localhost", "all://[::1]")
"""Hosts that no proxy can reach."""

_HELD: set[asyncio.Task[None]] = set()
"""Tasks that close doors. A loop refers to its tasks weakly, and these must end as they should, whoever has gone."""


@dataclass(slots=True)
class Lane:
    """What is known of one endpoint since the program started. *has_tools*: whether its model is told of tools."""

    has_tools: bool = True
    limit: RateLimit = field(default_factory=RateLimit)
    _habits: dict[tuple[str, bool], Habits] = field(default_factory=dict)

    def habits(self, endpoint: Endpoint, request: ModelRequest) -> Habits:
        """How to ask for the answer to *request*."""
        # many servers that bind every word to a schema can no longer call a tool, so with tools the answer is one too
        is_by_tool = endpoint.protocol is WireProtocol.ANTHROPIC or (request.tools and self.has_tools)
        usual = Habits(AnswerForm.TOOL if is_by_tool else AnswerForm.SCHEMA)
        return self._habits.get((request.model, bool(request.tools)), usual)

    def remember(self, request: ModelRequest, habits: Habits) -> None:
        """Ask like this from now on: it has worked."""
        self._habits[request.model, bool(request.tools)] = habits


class Door:
    """The one way out; to be used on the loop only. What it holds ends with the loop."""

    def __init__(self) -> None:
        self._clients: dict[bool, httpx2.AsyncClient] = {}
        self._closing: asyncio.Task[None] | None = None
        self._lanes: defaultdict[tuple[str, str], Lane] = defaultdict(Lane)
        self.local = LocalServers()

    def http(self, url: str) -> httpx2.AsyncClient:
        """The client that keeps the connections to where *url* is."""
        is_encrypted = not url.startswith("http:")
        if is_encrypted not in self._clients:
            # loading whom to trust takes a while; without encryption nobody needs to be trusted
            trusted = True if is_encrypted else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            # a key is for one address: whoever sends on is not followed
            client = httpx2.AsyncClient(verify=trusted, follow_redirects=False, mounts=dict.fromkeys(_DIRECT))
            self._clients[is_encrypted] = client
        self.keep_open()
        return self._clients[is_encrypted]

    def keep_open(self) -> None:
        """See to it that all is closed when the loop ends."""
        if self._closing is None:
            self._closing = asyncio.create_task(self._close_at_the_end())
            _HELD.add(self._closing)
            self._closing.add_done_callback(_HELD.discard)

    def lane(self, endpoint: Endpoint) -> Lane:
        """What is known of *endpoint*."""
        return self._lanes[endpoint.name, endpoint.url]

    async def _close_at_the_end(self) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            clients = tuple(self._clients.values())
            self._clients.clear()
            self._lanes.clear()
            self._closing = None
            for client in clients:
                await client.aclose()
            await self.local.close()


@cache
def shared_door() -> Door:
    """The door of this process."""
    return Door()
