"""Looks for regular expressions in texts, in a process of its own; imports nothing of the workbench.

Each order is a line of JSON, and behind it the text that it gives the size of. Each answer is a line: the places of all
matches, or why there are none. What takes longer than the limit of the order, in time of the processor, is given up.
"""

from __future__ import annotations

import contextlib
import json
import re
import signal
import sys
from collections.abc import Iterator
from itertools import chain, islice
from types import FrameType
from typing import Any

_MEMORY = 1 << 30


class _Late(Exception):
    """The time is over."""


def main() -> None:
    """Answer until nothing is asked any more."""
    _limit_memory()
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGVTALRM, _on_late)
    while line := sys.stdin.buffer.readline():
        order = json.loads(line)
        text = sys.stdin.buffer.read(order["size"]).decode("utf-8", "surrogatepass")
        sys.stdout.buffer.write(json.dumps(_answer(order, text)).encode("ascii") + b"\n")
        sys.stdout.buffer.flush()


def _limit_memory() -> None:
    with contextlib.suppress(ImportError, OSError, ValueError):  # Windows has none, or the system a lower one
        import resource  # noqa: PLC0415 - not there on Windows

        resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))


def _on_late(_number: int, _frame: FrameType | None) -> None:
    raise _Late


def _answer(order: dict[str, Any], text: str) -> dict[str, Any]:
    try:
        with _time(order["limit_s"]):
            pattern = re.compile(order["pattern"], order["flags"])
            return {"spans": list(islice(_spans(pattern, text, order["start"]), order["most"]))}
    except _Late:
        return {"error": "", "late": True}
    except re.error as error:
        return {"error": error.msg, "at": error.pos}
    except (OverflowError, RecursionError, MemoryError) as error:
        return {"error": str(error) or "it is too large"}


def _spans(pattern: re.Pattern[str], text: str, start: int) -> Iterator[list[int]]:
    for match in pattern.finditer(text, start):
        yield list(chain.from_iterable(match.regs))


@contextlib.contextmanager
def _time(limit_s: float) -> Iterator[None]:
    """Raises _Late in what goes on for longer."""
    if not hasattr(signal, "setitimer"):  # then whoever asked ends this process
        yield
        return
    signal.setitimer(signal.ITIMER_VIRTUAL, limit_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


if __name__ == "__main__":
    main()
