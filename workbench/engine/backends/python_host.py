"""Calls the Python of a playbook in a child process, never inside ours.

The child gets a bare environment, a group of its own that a stop kills as a whole, a time
limit for each call and a limit on what it may print.
"""

from __future__ import annotations

import codecs
import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from workbench.engine.ports import CalledBack, Cancelled
from workbench.errors import RunFailed
from workbench.i18n import _, numeral

# what the child writes behind the output of a call; importing it from there would load asyncio into every window
END_OF_OUTPUT = "\0end of output\0"
_CHILD = Path(__file__).with_name("python_child.py")
_KEPT_VARIABLES = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT")
_OUTPUT_LIMIT = 1_000_000
_OUTPUT_EVERY_S = 0.1
_MARK = END_OF_OUTPUT.encode()


@dataclass(frozen=True, slots=True)
class PythonCode:
    """The Python of one agent. *first_lines*: 1-based line of each fence's code in the file, 0 where unknown.

    *callables*: what it can call besides, by name or by ``Agent.name``.
    """

    fences: tuple[str, ...]
    first_lines: tuple[int, ...]
    folder: Path
    ledger: Path
    time_limit_s: float = 60.0
    callables: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PythonCall:
    """One call. *key* names it in the ledger."""

    key: str
    name: str
    positional: tuple[Any, ...]
    named: tuple[tuple[str, Any], ...]


class PythonFailed(RunFailed):
    """The playbook's Python failed, hung, or died; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class _Reply:
    content: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Output:
    text: str


@dataclass(frozen=True, slots=True)
class _Ended:
    """The output of one call, or the whole process, has come to its end."""

    is_process: bool


_Message = _Reply | _Output | _Ended


class PythonHost:
    """One child process, started when the first call is made."""

    def __init__(self, code: PythonCode) -> None:
        self._code = code
        self._process: subprocess.Popen[bytes] | None = None
        self._messages: queue.Queue[_Message] = queue.Queue()
        self._readers: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._is_cancelled = False

    def call(self, call: PythonCall, on_output: Callable[[str], None]) -> Any:
        """What the function returns, or what it asks to be called first: then ``reply`` goes on with it.

        Raises PythonFailed, and Cancelled after ``cancel`` once the child is dead.
        """
        named = dict(call.named)
        message = {"key": call.key, "name": call.name, "positional": call.positional, "named": named}
        return self._exchange(message, on_output)

    def reply(self, reply: Mapping[str, Any], on_output: Callable[[str], None]) -> Any:
        """As ``call``, for Python that gets its *reply*: a ``value``, or why the call was ``refused``."""
        return self._exchange({"reply": dict(reply)}, on_output)

    def _exchange(self, message: dict[str, Any], on_output: Callable[[str], None]) -> Any:
        try:
            if self._process is None:
                self._start()
                self._conversation(on_output)
            self._send(message)
            reply = self._conversation(on_output)
        except PythonFailed:
            if self._is_cancelled:
                self.close()
                raise Cancelled from None
            raise
        if "value" in reply:
            return reply["value"]
        if "asks" in reply:
            asks = reply["asks"]
            return CalledBack(asks["name"], tuple(asks["positional"]), tuple(asks["named"].items()))
        raise PythonFailed(reply["message"])

    def cancel(self) -> None:
        """Kill the child with all that it has started; callable from any thread."""
        with self._lock:
            self._is_cancelled = True
            self._kill()

    def close(self) -> None:
        """End the child; when this returns it is dead."""
        with self._lock:
            process, self._process = self._process, None
            if process is None:
                return
            _kill_group(process)
        process.wait()
        for reader in self._readers:
            reader.join()
        for stream in (process.stdin, process.stdout, process.stderr):
            _close(stream)

    def _start(self) -> None:
        environment = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
        self._code.ledger.parent.mkdir(parents=True, exist_ok=True)
        with self._lock:
            if self._is_cancelled:
                raise PythonFailed(_("The run was stopped."))
            self._process = process = _spawn(self._code.folder, environment)
        self._messages = queue.Queue()
        assert process.stdout is not None
        assert process.stderr is not None
        self._readers = [
            threading.Thread(target=_read_replies, args=(process.stdout, self._messages), daemon=True),
            threading.Thread(target=_read_output, args=(process.stderr, self._messages), daemon=True),
        ]
        for reader in self._readers:
            reader.start()
        self._send(
            {
                "fences": self._code.fences,
                "first_lines": self._code.first_lines,
                "ledger": str(self._code.ledger),
                "time_limit_s": self._code.time_limit_s,
                "callables": self._code.callables,
            }
        )

    def _send(self, message: dict[str, Any]) -> None:
        process = self._process
        assert process is not None
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps(message).encode("ascii") + b"\n")
            process.stdin.flush()
        except OSError as error:
            raise self._died() from error

    def _conversation(self, on_output: Callable[[str], None]) -> dict[str, Any]:
        """The child's reply, when all that it printed before is handed on."""
        talk = _Talk(on_output, time.monotonic() + self._code.time_limit_s)
        while not talk.is_complete:
            try:
                message = self._messages.get(timeout=talk.wait_s())
            except queue.Empty:
                if time.monotonic() >= talk.deadline:
                    raise self._too_long() from None
                talk.flush()
                continue
            if isinstance(message, _Ended) and message.is_process:
                talk.flush()
                raise self._died()
            talk.take(message)
        talk.flush()
        assert talk.reply is not None
        if "failed" in talk.reply:
            self.close()
            raise PythonFailed(talk.reply["failed"])
        return talk.reply

    def _too_long(self) -> PythonFailed:
        self.close()
        message = _("The Python code took longer than {limit} s and was stopped.")
        return PythonFailed(message.format(limit=numeral(self._code.time_limit_s, "g")))

    def _died(self) -> PythonFailed:
        code = _exit_code(self._process)
        self.close()
        return PythonFailed(_("The Python process ended unexpectedly (exit code {code}).").format(code=code))

    def _kill(self) -> None:
        if self._process is not None:
            _kill_group(self._process)


class _Talk:
    """What has been heard from the child since the last message to it."""

    def __init__(self, on_output: Callable[[str], None], deadline: float) -> None:
        self.deadline = deadline
        self.reply: dict[str, Any] | None = None
        self._on_output = on_output
        self._has_ended = False
        self._heard: list[str] = []
        self._flushed = time.monotonic()
        self._left = _OUTPUT_LIMIT

    @property
    def is_complete(self) -> bool:
        """Whether the reply is here, and all output that belongs to it."""
        return self.reply is not None and (self._has_ended or "failed" in self.reply)

    def wait_s(self) -> float:
        """How long to wait for the next message."""
        left = self.deadline - time.monotonic()
        return max(0.0, min(left, _OUTPUT_EVERY_S if self._heard else left))

    def take(self, message: _Message) -> None:
        """Note *message*."""
        match message:
            case _Reply(content):
                self.reply = content
            case _Output(text):
                self._hear(text)
            case _Ended():
                self._has_ended = True
        if time.monotonic() - self._flushed > _OUTPUT_EVERY_S:
            self.flush()

    def _hear(self, text: str) -> None:
        if self._left <= 0 or not text:
            return
        self._heard.append(text[: self._left])
        self._left -= len(text)
        if self._left <= 0:
            self._heard.append(_("\n(further output was left out)\n"))

    def flush(self) -> None:
        """Hand on what was printed."""
        self._flushed = time.monotonic()
        if self._heard:
            self._on_output("".join(self._heard))
            self._heard = []


def _spawn(folder: Path, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            [sys.executable, "-I", "-X", "utf8", str(_CHILD)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
    except OSError as error:
        reason = error.strerror or str(error)
        raise PythonFailed(_("Python could not be started: {reason}.").format(reason=reason)) from error


def _exit_code(process: subprocess.Popen[bytes] | None) -> int | None:
    """How *process*, which no longer talks, ended; None while it still runs."""
    try:
        return process.wait(timeout=1.0) if process is not None else None
    except subprocess.TimeoutExpired:
        return None


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill the child and all in its group; until it is waited for, its number cannot belong to another."""
    if sys.platform == "win32":
        process.kill()
        return
    with contextlib.suppress(ProcessLookupError):  # it is gone already
        os.killpg(process.pid, signal.SIGKILL)


def _close(stream: Any) -> None:
    with contextlib.suppress(OSError):  # what was still to be written has nobody to read it
        stream.close()


def _read_replies(stream: BinaryIO, messages: queue.Queue[_Message]) -> None:
    for line in stream:
        messages.put(_Reply(json.loads(line)))
    messages.put(_Ended(is_process=True))


def _read_output(stream: BinaryIO, messages: queue.Queue[_Message]) -> None:
    """Hand on what is printed, cut at the marks that end the output of a call."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    rest = b""
    while chunk := os.read(stream.fileno(), 65536):
        *ended, rest = (rest + chunk).split(_MARK)
        for text in ended:
            messages.put(_Output(decoder.decode(text)))
            messages.put(_Ended(is_process=False))
        keep = _beginning_of_mark(rest)
        messages.put(_Output(decoder.decode(rest[: len(rest) - keep])))
        rest = rest[len(rest) - keep :]


def _beginning_of_mark(text: bytes) -> int:
    """How many bytes at the end of *text* may be the beginning of a mark."""
    return next((size for size in range(min(len(_MARK), len(text)), 0, -1) if _MARK.startswith(text[-size:])), 0)
