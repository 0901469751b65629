"""Runs a command to its end, or ends it: with limits on its time, its output and its memory."""

from __future__ import annotations

import codecs
import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from workbench.errors import Cancelled, RunFailed
from workbench.i18n import _, numeral
from workbench.tools.children.guarding import ask_to_end, bare_environment, guarded_python, python_words, wait_for_end

_CHILD = Path(__file__).with_name("limited_child.py")
_OUTPUT_LIMIT = 1_000_000
_OUTPUT_EVERY_S = 0.1
_KEPT_ERRORS = 4000


@dataclass(frozen=True, slots=True)
class Command:
    """*argv* is started as it is, no shell between. *environment*: all that it sees of ours."""

    argv: tuple[str, ...]
    folder: Path
    environment: Mapping[str, str] = field(default_factory=bare_environment)
    time_limit_s: float = 60.0
    output_limit: int = _OUTPUT_LIMIT
    memory_mb: int = 2048


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended. *errors*: the end of what it wrote to the error stream."""

    exit_code: int
    output: str
    errors: str


@dataclass(frozen=True, slots=True)
class _Piece:
    """What was read from a stream; *text* None: its end."""

    is_error: bool
    text: str | None


class CommandRunner:
    """Runs one command at a time. After ``cancel`` whatever runs is ended, and nothing is started any more."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._is_cancelled = False

    def run(self, command: Command, on_output: Callable[[str], None]) -> Ended:
        """How *command* ended; *on_output* hears what it writes.

        Raises RunFailed where it cannot be started or went beyond a limit, and Cancelled after ``cancel``. When this
        returns or raises, all that it had started is dead.
        """
        process = self._started(command)
        heard = _Heard(command, on_output)
        readers = _readers(process, heard.pieces)
        try:
            problem = heard.listen() or heard.wait_for(process)
        finally:
            self._end(process)
            for reader in readers:
                reader.join()
        if self._is_cancelled:
            raise Cancelled
        if problem:
            raise RunFailed(problem)
        heard.take_rest()
        return Ended(process.returncode, heard.output, heard.errors)

    def cancel(self) -> None:
        """Have the command ended; callable from any thread."""
        with self._lock:
            self._is_cancelled = True
            if self._process is not None:
                ask_to_end(self._process)

    def _started(self, command: Command) -> subprocess.Popen[bytes]:
        if any("\0" in word for word in command.argv):
            raise RunFailed(_("A command cannot hold a character of value 0."))
        with self._lock:
            if self._is_cancelled:
                raise Cancelled
            try:
                process = self._process = _spawn(command.folder)
            except OSError as error:
                reason = error.strerror or str(error)
                raise RunFailed(_("The command could not be started: {reason}.").format(reason=reason)) from error
        assert process.stdin is not None
        order = {"command": command.argv, "environment": dict(command.environment), "memory_mb": command.memory_mb}
        try:
            process.stdin.write(json.dumps(order).encode("ascii") + b"\n")
            process.stdin.flush()
        except OSError:  # it was ended at once
            pass
        return process

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        """End what still goes on. The guard ends once all is dead, and says how the command ended."""
        with self._lock:
            self._process = None
            if process.poll() is None:
                ask_to_end(process)
        wait_for_end(process)
        if process.stdin is not None:
            with contextlib.suppress(OSError):  # nobody reads it any more
                process.stdin.close()


def _spawn(folder: Path) -> subprocess.Popen[bytes]:
    """The child that will become the command, under a guard that ends it when we are gone. Raises OSError."""
    words = python_words(_CHILD) if sys.platform == "win32" else guarded_python(_CHILD, 0)
    return subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=bare_environment(),
        start_new_session=True,
    )


class _Heard:
    """What a command has written so far."""

    def __init__(self, command: Command, on_output: Callable[[str], None]) -> None:
        self.pieces: queue.Queue[_Piece] = queue.Queue()
        self._limit_s, self._left = command.time_limit_s, command.output_limit
        self._deadline = time.monotonic() + command.time_limit_s
        self._limit = command.output_limit
        self._on_output = on_output
        self._output: list[str] = []
        self._errors = ""
        self._unheard: list[str] = []
        self._open = 2

    @property
    def output(self) -> str:
        """All that was written to the output."""
        return "".join(self._output)

    @property
    def errors(self) -> str:
        """The end of what was written to the error stream."""
        return self._errors

    def listen(self) -> str:
        """Listen until both streams have ended; why the command must be ended before, else an empty text."""
        while self._open:
            left_s = self._deadline - time.monotonic()
            if left_s <= 0:
                self._flush()
                return self._too_long
            try:
                self._take(self.pieces.get(timeout=min(left_s, _OUTPUT_EVERY_S)))
            except queue.Empty:
                self._flush()
            if self._left < 0:
                self._flush()
                message = _("The command wrote more than {limit} characters and was stopped.")
                return message.format(limit=numeral(self._limit))
        self._flush()
        return ""

    def wait_for(self, process: subprocess.Popen[bytes]) -> str:
        """Wait until a command has ended that writes nothing any more; why it must be ended before, else empty."""
        try:
            process.wait(max(0.0, self._deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            return self._too_long
        return ""

    @property
    def _too_long(self) -> str:
        message = _("The command took longer than {limit} s and was stopped.")
        return message.format(limit=numeral(self._limit_s, "g"))

    def take_rest(self) -> None:
        """Take what was still on its way when listening ended."""
        while not self.pieces.empty():
            self._take(self.pieces.get())
        self._flush()

    def _take(self, piece: _Piece) -> None:
        if piece.text is None:
            self._open -= 1
            return
        self._left -= len(piece.text)
        if piece.is_error:
            self._errors = (self._errors + piece.text)[-_KEPT_ERRORS:]
        else:
            self._output.append(piece.text)
        self._unheard.append(piece.text)

    def _flush(self) -> None:
        if self._unheard:
            self._on_output("".join(self._unheard))
            self._unheard = []


def _readers(process: subprocess.Popen[bytes], pieces: queue.Queue[_Piece]) -> list[threading.Thread]:
    assert process.stdout is not None and process.stderr is not None
    streams: tuple[tuple[BinaryIO, bool], ...] = ((process.stdout, False), (process.stderr, True))  # type: ignore[assignment]
    readers = [threading.Thread(target=_read, args=(*each, pieces), daemon=True) for each in streams]
    for reader in readers:
        reader.start()
    return readers


def _read(stream: BinaryIO, is_error: bool, pieces: queue.Queue[_Piece]) -> None:  # noqa: FBT001
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    with stream:
        while chunk := os.read(stream.fileno(), 65536):
            pieces.put(_Piece(is_error, decoder.decode(chunk)))
    pieces.put(_Piece(is_error, None))
