"""Which pattern is which: the published identity of a set of tools, and ours of their order."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Sequence

ID_LENGTH = 16


def pattern_id(task_type: str, tools: Sequence[str]) -> str:
    """The published id: the same for every order of *tools*, different for another number of the same tool."""
    named = task_type + ":" + ",".join(sorted(tools))
    return hashlib.sha256(named.encode("utf-8")).hexdigest()[:ID_LENGTH]


def variant_id(task_type: str, tools: Sequence[str]) -> str:
    """The id of one order of *tools*: told apart by what the published id runs together, such as a comma in a name.

    Two spellings of the same characters (composed or not) are one variant.
    """
    canonical = json.dumps([task_type, list(tools)], ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(unicodedata.normalize("NFC", canonical).encode("utf-8")).hexdigest()[:ID_LENGTH]


def checked_tools(tools: Sequence[str]) -> tuple[str, ...]:
    """*tools* as a tuple of its own.

    Raises ValueError for one string instead of a list, for names that are not text, that are
    blank, or that hold half of a surrogate pair (they cannot be written to any file).
    """
    if isinstance(tools, str | bytes):
        raise ValueError(f"tools must be a list of names, not the one text {tools!r}")  # noqa: TRY004  # as promised
    for tool in tools:
        checked_text(tool, "a tool name")
        if not tool.strip():
            raise ValueError("a tool name must not be blank")
    return tuple(tools)


def checked_text(text: str, what: str) -> str:
    """*text* itself; raises ValueError naming *what* when it is not text or cannot be encoded."""
    if not isinstance(text, str):
        raise ValueError(f"{what} must be text, not {type(text).__name__}")  # noqa: TRY004  # as promised
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(f"{what} holds half of a surrogate pair: {text!r}") from error
    return text
