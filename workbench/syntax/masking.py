"""Text with everything blanked out that separators must not be looked for in."""

from __future__ import annotations

import re

FILL = "\x01"
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|(?<!\w)\'(?:[^\'\\]|\\.)*\'(?!\w)|`[^`]*`|“[^”]*”', re.DOTALL)
_BRACKETS = str.maketrans("", "", "()[]{}")
_OPENING = {")": "(", "]": "[", "}": "{"}


def without_quotes(text: str) -> str:
    """*text*, of the same length, with quoted and back-ticked parts blanked out."""
    if '"' in text or "'" in text or "`" in text or "“" in text:
        return _QUOTED.sub(_fill, text)
    return text


def top_level(text: str) -> str:
    """*text*, of the same length, with quoted parts and balanced brackets blanked out."""
    text = without_quotes(text)
    if len(text.translate(_BRACKETS)) == len(text):
        return text
    return _without_brackets(text)


def _without_brackets(text: str) -> str:
    """*text* with each balanced pair of brackets and what it holds blanked out; others stay."""
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
