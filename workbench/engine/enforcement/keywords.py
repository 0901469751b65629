"""Does a text say a word that a step must have said? As part of other words, or as a word that is not denied."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from workbench.regex import regex

_REACH = 60
"""How far before a word, in characters, another may stand that denies it."""
_CLAUSE = regex(r"[.;:!?,\n{}\[\]]|\bbut\b|\baber\b|\bsondern\b")
"""What ends the reach of a word that denies."""
_DENIES = regex(
    r"\b(?:not|no|never|nobody|nothing|none|neither|nor|cannot|without|non|hardly|\w+n['’]t"
    r"|nicht|nie|niemals|nirgends|kaum|ohne|weder|kein(?:e[mnrs]?)?)\b"
)
_IS_DENIED_AFTER = regex(
    r"[\"'`]?\s*(?:[:=]|\bis\b|\bist\b|\bwas\b)\s*[\"'`]?(?:not|nicht|false|no|nein|none|null|0)\b"
)
"""``{"approved": false}``, ``approved = no``, "approved is false"."""


def missing_words(words: Iterable[str], texts: Iterable[str], *, is_whole: bool) -> tuple[str, ...]:
    """Those of *words* that none of *texts* says, in any letter case.

    *is_whole*: a word counts where it stands by itself and nothing near it denies it; else wherever its letters occur.
    """
    said = "\n".join(texts).casefold()
    if not is_whole:
        return tuple(word for word in words if word.casefold() not in said)
    return tuple(word for word in words if not _says(said, word.casefold()))


def _says(text: str, word: str) -> bool:
    return any(not _is_denied(text, found) for found in _pattern(word).finditer(text))


@lru_cache(maxsize=256)
def _pattern(word: str) -> re.Pattern[str]:
    """*word* with nothing before and after it that would make another word of it; blanks are any blanks."""
    written = r"\s+".join(map(re.escape, word.split()))
    return re.compile(rf"(?<![\w-]){written}(?![\w-])")


def _is_denied(text: str, found: re.Match[str]) -> bool:
    before = _CLAUSE.split(text[max(0, found.start() - _REACH) : found.start()])[-1]
    return bool(_DENIES.search(before) or _IS_DENIED_AFTER.match(text, found.end()))
