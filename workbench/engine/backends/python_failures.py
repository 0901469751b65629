"""Puts into words what went wrong in the Python of a playbook, and where.

Part of ``python_child``, which loads it by its path: nothing of the workbench can be imported there.
"""

from __future__ import annotations

import contextlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FENCE = "<fence {number}>"
"""As what the code of each fence is compiled."""
_MOST_FENCES = 1000


def sentence(error: BaseException, greeting: dict[str, Any], words: str = "") -> str:
    """What went wrong and in which line of which fence. *words*: what to say instead of what *error* says."""
    try:
        return _in_words(error, greeting, words)
    except MemoryError:  # what has failed still holds all there is
        _let_go(error)
        return _in_words(error, greeting, words)


def _let_go(error: BaseException) -> None:
    """Let go of what the functions hold that *error* has ended."""
    trace = error.__traceback__
    while trace is not None:
        with contextlib.suppress(RuntimeError):  # it still runs
            trace.tb_frame.clear()
        trace = trace.tb_next


def _in_words(error: BaseException, greeting: dict[str, Any], words: str) -> str:
    said = greeting["words"]
    if isinstance(error, MemoryError):
        words = f"MemoryError: {said['memory']}"
    words = words or _said_by(error)
    number, line = _place(error)
    if line == 0:
        return words + "."
    first = greeting["first_lines"][number] if number < len(greeting["first_lines"]) else 0
    where = said["in_file"].format(line=line, whole=first + line - 1) if first else said["in_block"].format(line=line)
    return f"{words}, {where}."


def _said_by(error: BaseException) -> str:
    import traceback  # noqa: PLC0415 - few calls fail, and it takes a fifth of the time until a child is ready

    return "".join(traceback.format_exception_only(error)).strip().splitlines()[-1]


def _place(error: BaseException) -> tuple[int, int]:
    """Which fence, and which line of it, *error* comes from; line 0: none."""
    names = {FENCE.format(number=number): number for number in range(_MOST_FENCES)}
    if isinstance(error, SyntaxError) and error.filename in names:
        return names[error.filename], error.lineno or 0
    place, trace = (0, 0), error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file in names:
            place = names[file], trace.tb_lineno or 0
        trace = trace.tb_next
    return place
