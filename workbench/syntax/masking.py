"""Text with everything blanked out that separators must not be looked for in.

A sentence is cut at commas, *then*, *and*; not at those in ``F("a, b", [1, 2])``. So they are
looked for in a masked copy in which quotes and brackets are filled up. The copy is exactly
as long as the text: a place found in one is a place in the other.
"""

from __future__ import annotations

import re

from workbench.regex import regex

FILL = "\x01"
"""Neither a letter, a blank nor a sign, so that no pattern for words or separators matches it."""

# a quote between letters is an apostrophe (“the user's name”), and begins nothing
QUOTED = regex(r'"(?:[^"\\]|\\.)*"|(?<!\w)\'(?:[^\'\\]|\\.)*\'(?!\w)|`[^`]*`|“[^”]*”', re.DOTALL)
_BRACKETS = str.maketrans("", "", "()[]{}")
_OPENING = {")": "(", "]": "[", "}": "{"}


def without_quotes(text: str) -> str:
    """*text*, of the same length, with quoted and back-ticked parts blanked out."""
    if '"' in text or "'" in text or "`" in text or "“" in text:
        return QUOTED.sub(_fill, text)
    return text


def top_level(text: str) -> str:
    """*text*, of the same length, with quoted parts and balanced brackets blanked out."""
    text = without_quotes(text)
    if len(text.translate(_BRACKETS)) == len(text):
        return text
    return _without_brackets(text)


def _without_brackets(text: str) -> str:
    """*text* with each balanced pair of brackets and what it holds blanked out; others stay.

    A bracket without a partner is prose (``1) first``, ``:-)``) and must not blank out the rest.
    """
    open_at: list[tuple[str, int]] = []
    pairs: list[tuple[int, int]] = []
    for index, char in enumerate(text):
        if char in "([{":
            open_at.append((char, index))
        elif char in ")]}" and open_at and open_at[-1][0] == _OPENING[char]:
            start = open_at.pop()[1]
            while pairs and pairs[-1][0] > start:
                pairs.pop()
            pairs.append((start, index + 1))
    parts: list[str] = []
    done = 0
    for start, end in pairs:
        parts += (text[done:start], FILL * (end - start))
        done = end
    return "".join([*parts, text[done:]])


def _fill(match: re.Match[str]) -> str:
    return FILL * len(match.group())


def split_top_level(text: str, separator: str) -> list[str]:
    """*text* cut at each *separator* (one character) that stands outside quotes and brackets."""
    masked = top_level(text)
    parts: list[str] = []
    start = 0
    while (end := masked.find(separator, start)) >= 0:
        parts.append(text[start:end])
        start = end + 1
    parts.append(text[start:])
    return parts
