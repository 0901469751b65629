"""Stands between us and a program that we start, and ends all that this has started; imports nothing of ours.

The guard forks before anything else is loaded: one half becomes the program (``python_child``, or any other by way of
``command``), the other executes no code of it and waits. When the program has ended, when we ask for it (SIGTERM), or
a while after its standard input was closed or we are gone, the guard kills whatever came from it, however far that has
gone away: on Linux the guard is made the parent of all orphans among its descendants. Only then does it end itself,
the way the program did.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import time
import types
from importlib.machinery import SourceFileLoader

if sys.platform == "linux":
    import ctypes

    _SET_DEATH_SIGNAL, _SET_SUBREAPER = 1, 36
    _prctl = ctypes.CDLL(None).prctl

_REQUESTS = 0
_PATIENCE_S = 5.0
_PAUSE_S = 0.01


def main(child: str, lock: int, left_s: float) -> None:
    """Be the guard of *child*, which lives at most *left_s* after its input ends. *lock*: a descriptor only we keep."""
    if lock >= 0:
        os.set_inheritable(lock, False)
    if sys.platform == "linux":
        _prctl(_SET_SUBREAPER, 1)
    guard, pid = os.getpid(), os.fork()
    if pid:
        _end_like(_watched(pid, left_s))
    os.setpgid(0, 0)
    if sys.platform == "linux":
        _prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() == guard:
        _become(child)


def _become(program: str) -> None:
    """Run *program* instead of this one. As in ``runpy``, except that it is not compiled anew each time."""
    sys.argv[0] = program
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    main.__file__ = program
    SourceFileLoader("__main__", program).exec_module(main)


def _watched(child: int, left_s: float) -> int:
    """How *child* ended, as ``waitpid`` says it, once everything that came from it is dead."""
    _let_go_of_output()
    woken = _woken_by(signal.SIGCHLD, signal.SIGTERM)
    waiting = select.poll()
    waiting.register(woken, select.POLLIN)
    waiting.register(_REQUESTS, 0)  # only whether the other end was closed
    deadline: float | None = None
    is_over = False
    while (status := _reaped(child)) is None and not is_over:
        left_ms = None if deadline is None else max(0.0, deadline - time.monotonic()) * 1000
        ready = dict(waiting.poll(left_ms))
        if _REQUESTS in ready:
            waiting.unregister(_REQUESTS)
            deadline = time.monotonic() + left_s
        is_over = not ready or (woken in ready and signal.SIGTERM in os.read(woken, 4096))
    return _kill_all(child, status)


def _let_go_of_output() -> None:
    """Leave the pipes to the child, so that they end when it does."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)


def _woken_by(*signals: int) -> int:
    """A descriptor on which the number of each of *signals* arrives."""
    woken, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.set_wakeup_fd(wakes)
    for each in signals:
        signal.signal(each, _noted)
    return woken


def _noted(_signal: int, _frame: object) -> None:
    """A signal is read from the descriptor that it wakes."""


def _reaped(child: int) -> int | None:
    """How *child* ended, None while it lives; other descendants that have ended are put away too."""
    found = None
    with contextlib.suppress(ChildProcessError):  # there is none left
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            if ended[0] == child:
                found = ended[1]
    return found


def _kill_all(child: int, status: int | None) -> int:
    """Kill every descendant; who is killed cannot fork, so each round finds fewer that are new."""
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        with contextlib.suppress(OSError):
            os.killpg(child, signal.SIGKILL)
        left = _descendants()
        for pid in left:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        reaped = _reaped(child)
        status = reaped if status is None else status
        if (status is not None and not left) or time.monotonic() > deadline:
            return signal.SIGKILL if status is None else status
        time.sleep(_PAUSE_S)


def _descendants() -> list[int]:
    """All processes that come from this one, as far as the system tells; none where it does not."""
    children: dict[int, list[int]] = {}
    for pid in _all_processes():
        with contextlib.suppress(OSError, ValueError, IndexError):  # gone meanwhile
            stat = _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
            children.setdefault(int(stat[1]), []).append(pid)
    found = children.get(os.getpid(), [])
    for pid in found:
        found.extend(children.get(pid, ()))
    return found


def _all_processes() -> list[int]:
    with contextlib.suppress(OSError), os.scandir("/proc") as entries:
        return [int(entry.name) for entry in entries if entry.name.isdecimal()]
    return []


def _read(path: str) -> bytes:
    """The beginning of the file at *path*, in which all of a process's numbers are."""
    file = os.open(path, os.O_RDONLY)
    try:
        return os.read(file, 4096)
    finally:
        os.close(file)


def _end_like(status: int) -> None:
    """End this process the way the child of *status* has."""
    if os.WIFSIGNALED(status):
        with contextlib.suppress(OSError):  # some signals keep what they do
            signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(status))
    os._exit(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))
