"""Programs that begin at once: a process has loaded the command line, and becomes a program by forking.

Each is a process of its own, as ``python -m MODULE …`` is: with its own files, environment and signals, and it ends as
Python ends. Two processes take turns at becoming one, so what goes on with a run never hashes texts as what began it.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import random
import runpy
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from itertools import count
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOADED = (
    *("workbench.cli.main", "workbench.disk.private", "workbench.cli.running.run", "workbench.cli.running.runs"),
    *("workbench.engine.servers", "workbench.syntax.data.yaml_events"),
)
"""What any program of these would load first; what else it needs it loads itself."""
_MOST = 1 << 20
_turn = count()


class Program:
    """A program that is going on, with as much of ``subprocess.Popen`` as is needed. *told*: where it is told of it."""

    def __init__(self, told: socket.socket, out: int) -> None:
        self._told = told
        self.pid = int(told.recv(_MOST))
        self.stdout = os.fdopen(out, "rb")
        self.returncode: int | None = None

    def kill(self) -> None:
        """Kill it, unless it has ended; nothing else has its number before it was waited for."""
        if self.returncode is None:
            os.kill(self.pid, signal.SIGKILL)

    def poll(self) -> int | None:
        """The exit code, None while it goes on."""
        ready, _, _ = select.select([self._told] if self.returncode is None else [], [], [], 0)
        return self.wait() if ready else self.returncode

    def wait(self) -> int:
        """The exit code, as soon as it has ended; its number is free then."""
        if self.returncode is None:
            status = int(self._told.recv(_MOST))
            self._told.shutdown(socket.SHUT_WR)
            assert not self._told.recv(1)
            self._told.close()
            self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def communicate(self, timeout: float | None = None) -> tuple[bytes, None]:
        """All the rest that it writes, when it has ended. It is killed after *timeout*."""
        limit = threading.Timer(timeout or 0, self.kill)
        if timeout is not None:
            limit.start()
        try:
            written = self.stdout.read()
            self.wait()
        finally:
            limit.cancel()
        self.stdout.close()
        return written, None


def start(words: tuple[str, ...], folder: Path, environment: Mapping[str, str], *, is_heard: bool = False) -> Program:
    """Carry out ``python -m WORDS`` in *folder*. *is_heard*: what it says of mistakes is seen."""
    told, telling = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    out, writing = os.pipe()
    nothing = os.open(os.devnull, os.O_RDWR)
    where = {**environment, "PYTHONPATH": str(ROOT)}
    wanted = json.dumps({"words": words, "folder": str(folder), "environment": where}).encode()
    files = [nothing, writing, 2 if is_heard else nothing, telling.fileno()]
    socket.send_fds(_loader(next(_turn) % 2), [wanted], files)
    os.close(writing)
    os.close(nothing)
    telling.close()
    return Program(told, out)


@cache
def _loader(_which: int) -> socket.socket:
    """Where one of the processes that become programs is told to; it ends with the tests."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.loaded", str(theirs.fileno())],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        pass_fds=[theirs.fileno()],
    )
    theirs.close()

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


# in the process that becomes programs


def _next_words(wanted: socket.socket) -> list[str]:
    """What the program is to do that this process has become; nothing where no more is wanted."""
    while True:
        message, files, _flags, _sender = socket.recv_fds(wanted, _MOST, 4)
        if not message:
            return []
        if not os.fork():
            wanted.close()
            pid = os.fork()
            if not pid:
                return _become(json.loads(message), files)
            _tell(pid, files)
        for file in files:
            os.close(file)
        _forget_the_ended()


def _become(told: dict[str, object], files: list[int]) -> list[str]:
    """Take on what *told* says of the program, with *files* as what it reads and writes; the words it is started by."""
    for at, file in enumerate(files[:3]):
        os.dup2(file, at)
    for file in files:
        os.close(file)
    environment, words = told["environment"], told["words"]
    assert isinstance(environment, dict) and isinstance(words, list)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(str(told["folder"]))
    sys.path[0] = str(Path.cwd())
    random.seed()
    return words


def _tell(pid: int, files: list[int]) -> None:
    """Tell who wants it of the program *pid*: that it is there, and how it ended; then this process ends."""
    for file in files[:3]:
        os.close(file)
    told = socket.socket(fileno=files[3])
    told.send(str(pid).encode())
    ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    assert ended is not None
    exited = ended.si_code == os.CLD_EXITED
    told.send(str(ended.si_status << 8 if exited else ended.si_status).encode())
    told.recv(1)  # until it was heard, nothing else has the number
    os.waitpid(pid, 0)
    os._exit(0)


def _forget_the_ended() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


if __name__ == "__main__":
    for module in LOADED:
        import_module(module)
    gc.collect()
    gc.freeze()
    if given := _next_words(socket.socket(fileno=int(sys.argv[1]))):
        sys.argv = ["", *given[1:]]
        runpy.run_module(given[0], run_name="__main__", alter_sys=True)
