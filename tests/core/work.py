"""How much work something is: lines of Python that run, which are as many on every machine, however busy it is."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from benchmarks.shapes import forget

TIMES_LARGER = 4
WORST_GROWTH = 4.5
"""What is linear gives 4 or, with work that has to be done once, less; what is quadratic comes close to 16."""


def growth(work: Callable[[str], object], small: str, large: str) -> float:
    """How many times as much work *large* is as *small*, each from nothing."""

    def from_nothing(text: str) -> int:
        forget()
        return lines_run(lambda: work(text))

    work(small)  # what is loaded or compiled once in a process belongs to neither
    return from_nothing(large) / from_nothing(small)


def lines_run(work: Callable[[], object]) -> int:
    """How many lines run in *work*; those of loops and comprehensions count each time."""
    lines = 0

    def enter(_frame: FrameType, _event: str, _argument: Any) -> Any:
        return look

    def look(_frame: FrameType, event: str, _argument: Any) -> None:
        nonlocal lines
        if event == "line":
            lines += 1

    before, was_collecting = sys.gettrace(), gc.isenabled()
    gc.disable()  # whoever hears of collections runs lines of its own, whenever one happens to be due
    sys.settrace(enter)
    try:
        work()
    finally:
        sys.settrace(before)
        if was_collecting:
            gc.enable()
    return lines
