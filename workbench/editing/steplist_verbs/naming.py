"""Ids for new steps: short words out of what the step says, and never one that is taken."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_WORDS = re.compile(r"[^\W_]+")
_MOST_WORDS = 5
_LONGEST = 40


def new_id(text: str, taken: Iterable[str]) -> str:
    """An id for a step that says *text*, written like those that are *taken*."""
    known = set(taken)
    joint = "-" if sum("-" in one for one in known) > sum("_" in one for one in known) else "_"
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    words = _WORDS.findall(plain.lower())[:_MOST_WORDS]
    wanted = joint.join(words)[:_LONGEST].strip("-_") or "step"
    if not wanted[0].isalpha():
        wanted = f"step{joint}{wanted}"
    return free_id(wanted, known)


def free_id(wanted: str, taken: Iterable[str]) -> str:
    """*wanted*, with the first number that makes it free where it is taken."""
    known = set(taken)
    if wanted not in known:
        return wanted
    joint = "-" if "-" in wanted and "_" not in wanted else "_"
    stem = re.sub(r"[-_]\d+$", "", wanted)
    number = 2
    while f"{stem}{joint}{number}" in known:
        number += 1
    return f"{stem}{joint}{number}"
