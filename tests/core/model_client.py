"""Drives a client against the scripted server: no wait is real, and what it hears is kept."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from tests.conftest import PATIENCE_S
from tests.model_replies import Answer, Asked
from tests.model_server import ModelServer
from workbench.async_loop import AsyncLoop
from workbench.providers.client import EndpointClient, Surroundings
from workbench.providers.endpoints import Endpoint, WireProtocol
from workbench.providers.keyrings import KeyringFailed, SystemKeyring
from workbench.providers.keys import Keys
from workbench.providers.known import Endpoints
from workbench.providers.sending.door import Door
from workbench.providers.sending.retrying import Clock, Patience
from workbench.providers.values import Message, ModelReply, ModelRequest, Role

KEY = "sk-very-secret-0123456789"
REQUEST = ModelRequest("", "", "You help.", (Message(Role.USER, "Say hello."),))
PROTOCOLS = (WireProtocol.OPENAI, WireProtocol.ANTHROPIC)


class NoKeyring(SystemKeyring):
    """A machine without a keyring."""

    def is_safe(self) -> bool:
        """There is none."""
        return False

    def read(self, name: str) -> tuple[str, str] | None:
        """There is none."""
        raise KeyringFailed


@dataclass
class FalseClock:
    """A clock that only sleeping moves. *slept*: the waits, in seconds. *asleep*: set when one has begun."""

    time_s: float = 1_700_000_000.0
    slept: list[float] = field(default_factory=list)
    is_stopped: bool = False
    asleep: threading.Event = field(default_factory=threading.Event)

    async def sleep(self, seconds: float) -> None:
        """Move on at once, or never where the clock is stopped."""
        self.slept.append(seconds)
        self.asleep.set()
        if self.is_stopped:
            await asyncio.Event().wait()
        self.time_s += seconds

    def clock(self) -> Clock:
        """As the client takes it; chance always says the longest wait."""
        return Clock(lambda: self.time_s, lambda: self.time_s, self.sleep, lambda: 1.0)


@dataclass
class Talk:
    """A client and the server it talks to. *has_heard*: set when the first text has come."""

    server: ModelServer
    clock: FalseClock
    endpoint: Endpoint
    around: Surroundings
    heard: list[str] = field(default_factory=list)
    has_heard: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.new_client()

    def new_client(self) -> Talk:
        """The same with a client for what is set up now."""
        self.client = EndpointClient(lambda: Endpoints((self.endpoint,), self.endpoint.name), self.around)
        return self

    def ask(self, request: ModelRequest = REQUEST) -> ModelReply:
        """The reply to *request*."""
        return self.client.complete(request, self._hear)

    def _hear(self, text: str) -> None:
        self.heard.append(text)
        self.has_heard.set()

    def move_to(self, url: str) -> None:
        """Have the endpoint at *url* from now on."""
        self.endpoint = replace(self.endpoint, url=url)

    def asked(self, number: int = -1) -> Asked:
        """A request that the server got."""
        return self.server.requests[number]

    def ask_in_thread(self, request: ModelRequest = REQUEST) -> Asking:
        """Ask and go on."""
        return Asking(lambda: self.ask(request))


class Asking:
    """A request that is waited for on a thread of its own."""

    def __init__(self, ask: Callable[[], ModelReply]) -> None:
        self.error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(ask,))
        self._thread.start()

    def _run(self, ask: Callable[[], ModelReply]) -> None:
        try:
            ask()
        except BaseException as error:  # noqa: BLE001 - looked at by the test
            self.error = error

    def ended(self) -> BaseException | None:
        """What it raised, when it has ended."""
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()
        return self.error


@contextmanager
def talk(
    answers: Sequence[Answer] | Callable[[Asked], Answer],
    protocol: WireProtocol = WireProtocol.OPENAI,
    refuses: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
    **endpoint: Any,
) -> Iterator[Talk]:
    """A talk with a server that says *answers*; *endpoint*: further fields of ``Endpoint``, and of ``Patience``."""
    named = {name: endpoint.pop(name) for name in tuple(endpoint) if name in Patience.__dataclass_fields__}
    clock, loop = FalseClock(), AsyncLoop()
    keys = Keys({"MODEL_KEY": KEY} if environment is None else environment, NoKeyring())
    around = Surroundings(keys, loop, Door(), Patience(**named), clock.clock())
    with ModelServer(answers, refuses) as server:
        there = replace(Endpoint("there", protocol, server.url, "env:MODEL_KEY", "scripted"), **endpoint)
        try:
            yield Talk(server, clock, there, around)
        finally:
            loop.close()
