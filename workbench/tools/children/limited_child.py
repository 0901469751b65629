"""Becomes the command that stands on the first line of its input; imports nothing of the workbench.

It keeps the memory limit, gets no input and no open file of ours. What cannot be started ends like in a shell: 126 or
127, with a sentence on the error stream.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys

if sys.platform != "win32":  # Windows has no such limits
    import resource

_MEGABYTE = 1024 * 1024


def main() -> None:
    """Read the order and become its command."""
    order = json.loads(_first_line())
    if sys.platform != "win32":
        limit = order["memory_mb"] * _MEGABYTE
        with contextlib.suppress(OSError, ValueError):  # where the system has a lower limit, that stays
            resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    for name in ("SIGPIPE", "SIGXFSZ"):  # Python ignores these, and whom we become would do so too
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    command, environment = order["command"], order["environment"]
    try:
        os.execvpe(command[0], command, environment)  # noqa: S606 - that no shell is between is what is wanted
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        os.write(2, f"{command[0]}: {reason}\n".encode("utf-8", "surrogateescape"))
        os._exit(127 if isinstance(error, FileNotFoundError) else 126)


def _first_line() -> bytes:
    """The first line of the input, and not a byte of what may follow."""
    line = bytearray()
    while (byte := os.read(0, 1)) and byte != b"\n":
        line += byte
    return bytes(line)


if __name__ == "__main__":
    main()
