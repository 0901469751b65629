"""How a child is started under its guard, and ended with all that it has started. There are no guards on Windows."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol

_GUARD = Path(__file__).with_name("guard.py")
_COMMAND = Path(__file__).with_name("command.py")
_KEPT_VARIABLES = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT")
_NO_LOCK = -1
_MERCY_S = 2.0


class Child(Protocol):
    """A process that can be sent signals, however it was started."""

    def send_signal(self, number: int, /) -> None:
        """Send the signal *number*; nothing happens where it has ended."""

    def kill(self) -> None:
        """End it at once."""


def bare_environment(named: Mapping[str, str] | None = None) -> dict[str, str]:
    """What a child knows of our environment: where programs and the person's folder are, the language, and *named*."""
    return {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ} | dict(named or {})


def python_words(script: Path, *arguments: str) -> list[str]:
    """The command line that runs *script* in an isolated Python."""
    return [sys.executable, "-I", "-X", "utf8", str(script), *arguments]


def guarded_python(script: Path, left_s: float, lock: int = _NO_LOCK) -> list[str]:
    """The command line of *script* under a guard, which ends it *left_s* after its standard input was closed.

    *lock*: a descriptor that only the guard keeps. Start it in a session of its own.
    """
    return python_words(_GUARD, str(script), str(lock), str(left_s))


def guarded_command(words: Sequence[str], left_s: float) -> list[str]:
    """The same for any program. One that cannot be started ends with exit code 127, and says why."""
    return list(words) if sys.platform == "win32" else [*guarded_python(_COMMAND, left_s), *words]


def ask_to_end(child: Child) -> None:
    """Have the guard of *child* kill it with all that it has started, though it may have stopped the guard."""
    if sys.platform == "win32":
        child.kill()
        return
    child.send_signal(signal.SIGTERM)
    child.send_signal(signal.SIGCONT)


def wait_for_end(process: subprocess.Popen[bytes]) -> None:
    """Wait until the guard has ended; one that does not is killed with its child."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(_MERCY_S)
        return
    process.kill()
    with suppress(subprocess.TimeoutExpired):
        process.wait(_MERCY_S)
