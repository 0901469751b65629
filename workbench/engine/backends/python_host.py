"""Calls the Python of a playbook in a child process, never inside ours.

The child gets a bare environment, a guard that ends it with all that it has started (``tools/children``), a time limit
for each call, and limits on what it may print, answer and keep in memory. What it says is not believed: see
``python_reply``.
"""

from __future__ import annotations

import codecs
import contextlib
import json
import os
import queue
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from workbench.engine.backends.call_ledger import CallLedger
from workbench.engine.backends.python_reply import (
    LINE_LIMIT,
    Failed,
    NotLoaded,
    Reply,
    Returned,
    Unreadable,
    reply_in,
)
from workbench.engine.expressions.data import MAX_VALUE
from workbench.engine.ports import Asked
from workbench.errors import Cancelled, RunFailed
from workbench.i18n import _, numeral
from workbench.tools.children.guarding import ask_to_end, bare_environment, guarded_python, python_words, wait_for_end

# what the child writes behind the output of a call; importing it from there would load all that only a child needs
END_OF_OUTPUT = "\0end of output\0"
_CHILD = Path(__file__).with_name("python_child.py")
_OUTPUT_LIMIT = 1_000_000
_OUTPUT_EVERY_S = 0.1
_LOOK_EVERY_S = 0.5
_MERCY_S = 2.0
_GRACE_S = 5.0
_MARK = END_OF_OUTPUT.encode()


@dataclass(frozen=True, slots=True)
class PythonCode:
    """The Python of one agent. *first_lines*: 1-based line of each fence's code in the file, 0 where unknown.

    *callables*: what it can call besides, by name or by ``Agent.name``. *memory_mb*: what the child, and each process
    that it starts, may have for itself.
    """

    fences: tuple[str, ...]
    first_lines: tuple[int, ...]
    folder: Path
    ledger: Path
    time_limit_s: float = 60.0
    callables: tuple[str, ...] = ()
    memory_mb: int = 2048


@dataclass(frozen=True, slots=True)
class PythonCall:
    """One call. *key* names it in the ledger. *agent*: as which it is made."""

    key: str
    name: str
    positional: tuple[Any, ...]
    named: tuple[tuple[str, Any], ...]
    agent: str = ""


class PythonFailed(RunFailed):
    """The playbook's Python failed, hung, or died; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class _Output:
    text: str


@dataclass(frozen=True, slots=True)
class _Ended:
    """The output of one call, or the whole process, has come to its end."""

    is_process: bool


_Message = Reply | _Output | _Ended


class PythonHost:
    """One child process, started when the first call is made. *ledger*: what is noted down about its calls."""

    def __init__(self, code: PythonCode) -> None:
        self.ledger = CallLedger(code.ledger, code.time_limit_s)
        self._code = code
        self._process: subprocess.Popen[bytes] | None = None
        self._messages: queue.Queue[_Message] = queue.Queue()
        self._readers: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._is_cancelled = False
        self._asking = 0

    def call(self, call: PythonCall, on_output: Callable[[str], None]) -> Any:
        """What the function returns, or what it asks to be called first: then ``reply`` goes on with it.

        Raises PythonFailed, StoreFailed where nothing can be noted down, and Cancelled after ``cancel`` once the
        child is dead.
        """
        named = dict(call.named)
        message = {
            "key": call.key,
            "name": call.name,
            "positional": call.positional,
            "named": named,
            "agent": call.agent,
        }
        return self._exchange(message, on_output)

    def reply(self, reply: Mapping[str, Any], on_output: Callable[[str], None]) -> Any:
        """As ``call``, for Python that gets its *reply*: a ``value``, why it was ``refused``, or how it ``failed``."""
        if not self._asking:
            raise PythonFailed(_("Its Python process has ended, because another call in it took too long or crashed."))
        self._asking -= 1
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
        if isinstance(reply, Asked):
            self._asking += 1
            return reply
        if isinstance(reply, Failed):
            raise PythonFailed(reply.message)
        return reply.value if isinstance(reply, Returned) else None

    def cancel(self) -> None:
        """Have the child ended with all that it has started, without waiting for that; callable from any thread."""
        self.ledger.give_up()
        with self._lock:
            self._is_cancelled = True
            if self._process is not None:
                ask_to_end(self._process)
            self._messages.put(_Ended(is_process=True))

    def close(self) -> None:
        """End the child; when this returns it is dead."""
        with self._lock:
            process, self._process, self._asking = self._process, None, 0
            if process is None:
                return
            ask_to_end(process)
        wait_for_end(process)
        _close(process.stdin)
        for reader in self._readers:
            reader.join(_MERCY_S)  # what escaped, where the system lets it, may keep the pipes open

    def _start(self) -> None:
        lock = self.ledger.hold()
        with self._lock:
            if self._is_cancelled:
                raise PythonFailed(_("The run was stopped."))
            self._process = process = _spawn(self._code, lock)
            self._messages = queue.Queue()
        self._readers = [
            threading.Thread(target=read, args=(stream, self._messages), daemon=True)
            for read, stream in ((_read_replies, process.stdout), (_read_output, process.stderr))
        ]
        for reader in self._readers:
            reader.start()
        self.ledger.note_writer(process.pid)
        self._send(
            {
                "fences": self._code.fences,
                "first_lines": self._code.first_lines,
                "ledger": str(self._code.ledger),
                "time_limit_s": self._code.time_limit_s,
                "grace_s": _GRACE_S,
                "memory_mb": self._code.memory_mb,
                "reply_limit": MAX_VALUE,
                "callables": self._code.callables,
                "words": _words(self._code.memory_mb),
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

    def _conversation(self, on_output: Callable[[str], None]) -> Reply:
        """The child's reply, when all that it printed before is handed on."""
        talk = _Talk(on_output, time.monotonic() + self._code.time_limit_s)
        while not talk.is_complete:
            try:
                message = self._messages.get(timeout=talk.wait_s())
            except queue.Empty:
                message = self._unheard(talk)
            if isinstance(message, _Ended) and message.is_process:
                talk.flush()
                raise self._died()
            talk.take(message)
        talk.flush()
        assert talk.reply is not None
        if isinstance(talk.reply, NotLoaded | Unreadable):
            self.close()
            raise PythonFailed(talk.reply.message)
        return talk.reply

    def _unheard(self, talk: _Talk) -> _Message:
        """What it means that nothing was heard; raises PythonFailed when that was for too long."""
        if time.monotonic() >= talk.deadline:
            raise self._too_long()
        if self._process is None or self._process.poll() is not None:
            return _Ended(is_process=True)  # somebody else keeps its pipes open
        return _Output("")

    def _too_long(self) -> PythonFailed:
        self.close()
        message = _("The Python code took longer than {limit} s and was stopped.")
        return PythonFailed(message.format(limit=numeral(self._code.time_limit_s, "g")))

    def _died(self) -> PythonFailed:
        code = _exit_code(self._process)
        self.close()
        return PythonFailed(_("The Python process ended unexpectedly (exit code {code}).").format(code=code))


class _Talk:
    """What has been heard from the child since the last message to it."""

    def __init__(self, on_output: Callable[[str], None], deadline: float) -> None:
        self.deadline = deadline
        self.reply: Reply | None = None
        self._on_output = on_output
        self._has_ended = False
        self._heard: list[str] = []
        self._flushed = time.monotonic()
        self._left = _OUTPUT_LIMIT

    @property
    def is_complete(self) -> bool:
        """Whether the reply is here, and all output that belongs to it."""
        return isinstance(self.reply, Unreadable) or (self.reply is not None and self._has_ended)

    def wait_s(self) -> float:
        """How long to wait for the next message."""
        left = self.deadline - time.monotonic()
        return max(0.0, min(left, _OUTPUT_EVERY_S if self._heard else _LOOK_EVERY_S))

    def take(self, message: _Message) -> None:
        """Note *message*."""
        match message:
            case _Output(text):
                self._hear(text)
            case _Ended():
                self._has_ended = True
            case reply:
                self.reply = reply
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


def _spawn(code: PythonCode, lock: int | None) -> subprocess.Popen[bytes]:
    """The child, which keeps *lock* as long as anything of it lives. There are no guards on Windows."""
    left_s = code.time_limit_s + _GRACE_S
    words = python_words(_CHILD) if lock is None else guarded_python(_CHILD, left_s, lock)
    try:
        return subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=code.folder,
            env=bare_environment(),
            start_new_session=True,
            pass_fds=() if lock is None else (lock,),
        )
    except OSError as error:
        reason = error.strerror or str(error)
        raise PythonFailed(_("Python could not be started: {reason}.").format(reason=reason)) from error


def _exit_code(process: subprocess.Popen[bytes] | None) -> int | None:
    """How *process*, which no longer talks, ended; None while it still runs."""
    try:
        return process.wait(_MERCY_S) if process is not None else None
    except subprocess.TimeoutExpired:
        return None


def _close(stream: Any) -> None:
    with contextlib.suppress(OSError):  # what was still to be written has nobody to read it
        stream.close()


def _read_replies(stream: BinaryIO, messages: queue.Queue[_Message]) -> None:
    """Hand on what is answered, up to what has no meaning."""
    with stream:
        reply: Reply | None = None
        while not isinstance(reply, Unreadable) and (line := stream.readline(LINE_LIMIT + 1)):
            if line.endswith(b"\n") or len(line) > LINE_LIMIT:  # else it died while it said so
                messages.put(reply := reply_in(line))
    messages.put(_Ended(is_process=True))


def _read_output(stream: BinaryIO, messages: queue.Queue[_Message]) -> None:
    """Hand on what is printed, cut at the marks that end the output of a call; no more of one than has room."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    rest, printed = b"", 0
    with stream:
        while chunk := os.read(stream.fileno(), 65536):
            *ended, rest = (rest + chunk).split(_MARK)
            for text in ended:
                messages.put(_Output(decoder.decode(text)))
                messages.put(_Ended(is_process=False))
                printed = 0
            keep = _beginning_of_mark(rest)
            if printed <= _OUTPUT_LIMIT:  # else whoever prints without end would keep us from everything else
                messages.put(_Output(decoder.decode(rest[: len(rest) - keep])))
            printed += len(rest) - keep
            rest = rest[len(rest) - keep :]


def _beginning_of_mark(text: bytes) -> int:
    """How many bytes at the end of *text* may be the beginning of a mark."""
    return next((size for size in range(min(len(_MARK), len(text)), 0, -1) if _MARK.startswith(text[-size:])), 0)


def _words(memory_mb: int) -> dict[str, str]:
    """The sentences of the child in the language of the person, filled in as far as they are known here."""
    return {
        "comma": numeral(1000)[1:-3],
        "limit": numeral(MAX_VALUE),
        "passed": _("the value that is passed to the function has a length of {size}, and {limit} is the limit"),
        "returned": _("the value that the function returned has a length of {size}, and {limit} is the limit"),
        "memory": _("the Python of a playbook may use {limit} MB").format(limit=numeral(memory_mb)),
        "not_data": _("a value of type {kind} was returned, which is not text, a number, a list or a record"),
        "no_call": _("the agent and its variables are only there while a function is called"),
        "unset": _("the variable ${name} is not set"),
        "undeletable": _("{name} cannot be deleted or replaced"),
        "not_kept": _(
            "the variable ${name} cannot hold a value of type {kind}, which is not text, a number, a list or a record"
        ),
        "changed": _("the variable ${name} was changed by another playbook; read it again before you change it"),
        "foreign_state": _("only {name} itself sees its variables"),
        "not_offered": _("{agent} offers nothing called {name}"),
        "unwritten": _("It was not called, because its beginning cannot be written down ({reason})."),
        "unknown": _("The Python blocks define no @playbook function {name}."),
        "in_block": _("in line {line} of the Python block"),
        "in_file": _("in line {line} of the Python block (line {whole} of the file)"),
    }
