"""A client of the debug adapter: it sends requests, and holds every message that comes against the schema."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from tests.conftest import PATIENCE_S
from tests.core.dap_schema import problems_of
from workbench.cli.debug_adapter.adapter import Closed, Inbox, serve
from workbench.cli.debug_adapter.client import Client
from workbench.cli.debug_adapter.wire import Unframing, framed

ROOT = Path(__file__).resolve().parents[2]
Message = dict[str, Any]


class Refusal(Exception):
    """A request was not carried out."""


class DapClient:
    """One connection. *sent*: what the adapter reads, *told*: what it writes.

    *events*: all that have come so far and were not waited for.
    """

    def __init__(self, sent: IO[bytes], told: IO[bytes]) -> None:
        self._sent = sent
        self._seq = self._heard = 0
        self._inbox: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        self._is_closed = False
        self._responses: dict[int, Message] = {}
        self.events: list[Message] = []
        self.past: list[Message] = []
        threading.Thread(target=self._read, args=(told,), daemon=True).start()

    def _read(self, told: IO[bytes]) -> None:
        while head := told.readline():
            assert told.readline() == b"\r\n"
            self._inbox.put(json.loads(told.read(int(head.removeprefix(b"Content-Length: ")))))
        self._inbox.put(None)

    def raw(self, data: bytes) -> None:
        """Send bytes as they are."""
        self._sent.write(data)
        self._sent.flush()

    def send(self, command: str, **arguments: Any) -> int:
        """Send a request; its number."""
        self._seq += 1
        request = {"seq": self._seq, "type": "request", "command": command}
        self.raw(framed({**request, "arguments": arguments} if arguments else request))
        return self._seq

    def response(self, seq: int) -> Message:
        """The response to the request *seq*."""
        while seq not in self._responses:
            assert self._take(), "the adapter has gone"
        return self._responses.pop(seq)

    def ask(self, command: str, **arguments: Any) -> Any:
        """The body of the response. Raises Refusal with the reason."""
        response = self.response(self.send(command, **arguments))
        assert response["command"] == command
        if not response["success"]:
            assert response["body"]["error"]["format"] == response["message"]
            raise Refusal(response["message"])
        return response.get("body")

    def refused(self, command: str, **arguments: Any) -> str:
        """Why the request is refused."""
        try:
            body = self.ask(command, **arguments)
        except Refusal as refusal:
            return str(refusal)
        raise AssertionError(f"{command} was carried out: {body}")

    def event(self, name: str, *instead: str) -> Any:
        """The body of the next event called *name*; those before it are passed over. None of *instead* may come."""
        while True:
            while self.events:
                event = self.events.pop(0)
                self.past.append(event)
                assert event["event"] not in instead, event
                if event["event"] == name:
                    return event.get("body")
            assert self._take(), f"the adapter has gone, without {name}: {self.past}"

    def stopped(self) -> Any:
        """The body of the next stop."""
        return self.event("stopped", "terminated")

    def output(self, text: str) -> Any:
        """The next output that holds *text*."""
        while text not in (body := self.event("output"))["output"]:
            pass
        return body

    def all_output(self, category: str = "") -> str:
        """All output so far."""
        bodies = (each["body"] for each in (*self.past, *self.events) if each["event"] == "output")
        return "".join(each["output"] for each in bodies if category in ("", each["category"]))

    def is_closed(self) -> bool:
        """Whether the adapter has said its last word; waits for it."""
        while self._take():
            pass
        return True

    def _take(self) -> bool:
        """Take the next message in; False where there is none."""
        message = None if self._is_closed else self._inbox.get(timeout=PATIENCE_S)
        if message is None:
            self._is_closed = True
            return False
        self._heard += 1
        assert problems_of(message) == [], message
        assert message["seq"] == self._heard
        if message["type"] == "response":
            self._responses[message["request_seq"]] = message
        else:
            self.events.append(message)
        return True

    # what every session does

    def initialize(self, **how: Any) -> Any:
        """What the adapter can do."""
        told = {"adapterID": "playbook", "supportsVariableType": True, "supportsVariablePaging": True, **how}
        return self.ask("initialize", **told)

    def launch(self, program: Path, **how: Any) -> int:
        """Launch *program* up to where breakpoints are set; the number of the request."""
        self.initialize()
        seq = self.send("launch", program=str(program), **how)
        self.event("initialized")
        return seq

    def begin(self, seq: int) -> None:
        """Let the run begin."""
        self.ask("configurationDone")
        assert self.response(seq)["success"]

    def set_lines(self, path: Path, *lines: int | Mapping[str, Any]) -> list[Message]:
        """Set breakpoints of a file."""
        wanted = [{"line": each} if isinstance(each, int) else dict(each) for each in lines]
        found: list[Message] = self.ask("setBreakpoints", source={"path": str(path)}, breakpoints=wanted)["breakpoints"]
        return found

    def frames(self, thread: int = 1) -> list[Message]:
        """The frames of a thread, the innermost first."""
        found: list[Message] = self.ask("stackTrace", threadId=thread)["stackFrames"]
        return found

    def lines(self) -> list[tuple[str, int]]:
        """Name and line of each frame."""
        return [(each["name"], each["line"]) for each in self.frames()]

    def variables(self, reference: int, **part: Any) -> dict[str, Message]:
        """The entries of a reference, by name."""
        found = self.ask("variables", variablesReference=reference, **part)["variables"]
        return {each["name"]: each for each in found}

    def scopes(self, frame: int = 0) -> dict[str, int]:
        """The references of the scopes of a frame, counted from the innermost."""
        found = self.ask("scopes", frameId=self.frames()[frame]["id"])["scopes"]
        return {each["name"]: each["variablesReference"] for each in found}

    def type(self, text: str) -> str:
        """What the console says to *text*."""
        return str(self.ask("evaluate", expression=text, context="repl")["result"])

    def go(self, command: str = "continue", thread: int = 1) -> None:
        """Let the run go on."""
        self.ask(command, threadId=thread)

    def end(self) -> int:
        """The exit code of the run, which goes to its end."""
        code = int(self.event("exited")["exitCode"])
        self.event("terminated")
        return code


@contextmanager
def child(**environment: str) -> Iterator[tuple[DapClient, subprocess.Popen[bytes]]]:
    """A client of an adapter that is a process of its own, which has ended afterwards."""
    process = subprocess.Popen(
        [sys.executable, "-m", "workbench", "debug-adapter"],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdin is not None and process.stdout is not None
    try:
        yield DapClient(process.stdin, process.stdout), process
    finally:
        process.kill()
        process.wait(PATIENCE_S)
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                pipe.close()


@contextmanager
def inside() -> Iterator[DapClient]:
    """A client of an adapter in this process, over pipes."""
    inbox: Inbox = queue.SimpleQueue()
    to_adapter, from_adapter = os.pipe(), os.pipe()
    with (
        os.fdopen(to_adapter[0], "rb", 0) as heard,
        os.fdopen(to_adapter[1], "wb", 0) as sent,
        os.fdopen(from_adapter[0], "rb") as told,
    ):
        writing = os.fdopen(from_adapter[1], "wb", 0)

        def read() -> None:
            unframing = Unframing()
            while piece := heard.read(65536):
                for each in unframing.feed(piece):
                    inbox.put(each)
            inbox.put(Closed())

        def adapt() -> None:
            try:
                serve(Client(writing.write), inbox)
            finally:
                writing.close()

        threads = [threading.Thread(target=read), threading.Thread(target=adapt)]
        for thread in threads:
            thread.start()
        client = DapClient(sent, told)
        try:
            yield client
        finally:
            sent.close()
            for thread in threads:
                thread.join(PATIENCE_S)
            assert client.is_closed()
