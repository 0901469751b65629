"""Requests to a model that misbehaves in every way it can, many at a time, given up at any moment."""

from __future__ import annotations

import random
import threading
import traceback
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tests.core.model_client import KEY, PROTOCOLS, REQUEST, FalseClock, NoKeyring
from tests.model_replies import Answer, Asked, Call, Drops, Fails, Raw, Reply
from tests.model_server import ModelServer
from workbench.async_loop import AsyncLoop
from workbench.errors import Cancelled, ModelFailed
from workbench.providers.client import EndpointClient, Surroundings
from workbench.providers.endpoints import Endpoint, WireProtocol
from workbench.providers.keys import Keys
from workbench.providers.known import Endpoints
from workbench.providers.sending.door import Door
from workbench.providers.sending.retrying import Patience
from workbench.providers.values import ToolOffer

TEXT = "Grüße – 🌍 und so weiter, recht lange, damit es Stücke gibt. " * 4
TOOL = ToolOffer("list_files", "Lists files.", {"type": "object", "properties": {}})
CALLS = (Call("list_files", {"path": "/größe"}, "a"), Call("list_files", {"path": "/b"}, "b"))
AT_ONCE = 8
_LONGEST_S = 0.5


def failures(number: int, _folder: Path) -> Iterator[str]:
    """What went wrong in so many requests of each protocol."""
    before = _open_files()
    for protocol in PROTOCOLS:
        yield from _failures(number, protocol)
    if (left := _open_files() - before) > 2:
        yield f"{left} descriptors were left open"


def _open_files() -> int:
    """How many descriptors this process has, 0 where the system does not tell."""
    return sum(1 for _each in Path("/proc/self").glob("fd/*"))


def _failures(number: int, protocol: WireProtocol) -> Iterator[str]:
    chance, found, loop = random.Random(number), list[str](), AsyncLoop()
    chances = {at: random.Random(at) for at in range(number)}

    def answer(_asked: Asked) -> Answer:
        return _answer(chance)

    with ModelServer(answer) as server:
        there = Endpoint("there", protocol, server.url, "ask", "scripted")
        around = Surroundings(Keys({}, NoKeyring()), loop, Door(), Patience(retries=2), FalseClock().clock())
        around.keys.remember(server.url, KEY)

        def work(start: int) -> None:
            for at in range(start, number, AT_ONCE):
                client = EndpointClient(lambda: Endpoints((there,), "there"), around)
                found.extend(f"{protocol.value} {at}: {wrong}" for wrong in _asked(client, chances[at]))

        threads = [threading.Thread(target=work, args=(start,)) for start in range(AT_ONCE)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        loop.close()
    yield from found


def _answer(chance: random.Random) -> Answer:
    whole = Reply(TEXT if chance.random() < 0.7 else "", () if chance.random() < 0.7 else CALLS)
    return chance.choice(
        [
            *[replace(whole, bytes_at_once=size) for size in (0, 1, 5, 64)],
            replace(whole, drops_after=chance.randrange(12)),
            replace(whole, waits=threading.Event()),
            replace(whole, waits=threading.Event(), pauses_after=chance.randrange(1, 8)),
            Fails(chance.choice([400, 401, 404, 429, 500, 503, 529]), f"no {KEY}"),
            Raw(chance.randbytes(200)),
            Drops(),
        ]
    )


def _asked(client: EndpointClient, chance: random.Random) -> Iterator[str]:
    """What is wrong with the end of one request, which is given up after a while where it has not ended."""
    giving_up = threading.Timer(chance.random() ** 2 * _LONGEST_S, client.cancel)
    giving_up.start()
    pieces: list[str] = []
    try:
        reply = client.complete(replace(REQUEST, tools=(TOOL,)), pieces.append)
    except (ModelFailed, Cancelled) as error:
        told = "".join(traceback.format_exception(error))
        if KEY in told:
            yield "the key is in the failure"
    except Exception:  # noqa: BLE001 - whatever it is, it is told
        yield traceback.format_exc()
    else:
        calls = [(wish.id, wish.arguments) for wish in reply.wishes]
        if reply.text not in {"", TEXT} or "".join(pieces) != reply.text:
            yield f"the text is {reply.text!r}"
        if calls not in ([], [(call.id, call.arguments) for call in CALLS]):
            yield f"the calls are {calls}"
    finally:
        giving_up.cancel()
        giving_up.join()
