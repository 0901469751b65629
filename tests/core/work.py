"""How much work something is: lines of Python that run, which are as many on every machine, however busy it is."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def lines_run(work: Callable[[], object]) -> int:
    """How many lines run in *work*; those of loops and comprehensions count each time."""
    lines = 0

    def look(_frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal lines
        lines += event == "line"
        return look

    before = sys.gettrace()
    sys.settrace(look)
    try:
        work()
    finally:
        sys.settrace(before)
    return lines
