"""Words that call steps by number: ``step 5``, ``steps 2, 3 and 4.1``; not ``step 5 of the guide``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.regex import regex

LONGEST_NUMBER = 9
"""How many digits a part of a step's number can have: as many as a marker. Python reads no more than some thousand."""
_NUMBER = regex(r"\d+(?:\.\d+)*")
# The numbers are atomic, or else “step 12 of the guide” would be read as step 1.
_MENTION = regex(
    r"\bsteps?[ \t]+(?P<numbers>(?>\d+(?:\.\d+)*(?:(?:[ \t]*,[ \t]*|[ \t]+(?:and|or|to)[ \t]+)\d+(?:\.\d+)*)*))"
    r"(?![ \t]+of\b)",
    re.IGNORECASE,
)


def step_mentions(text: str) -> Iterator[re.Match[str]]:
    """Every number by which *text* calls a step, in order."""
    for mention in _MENTION.finditer(text):
        yield from _NUMBER.finditer(text, mention.start("numbers"), mention.end("numbers"))
