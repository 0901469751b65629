"""Words of a text, to compare two; and how long one is for a model, counted without one."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from workbench.regex import regex

_WORD = regex(r"[^\W_]+", re.UNICODE)
_INNER_MARK = regex(r"(?<=\w)['’](?=\w)")
_LEAST_CONTENT = 2
STOP_WORDS = frozenset(
    """a about after all also an and any are as at be because been before but by can could did do does each every for
    from get give go had has have he her here his how i if in into is it its just let like make may me more most must
    my need no not now of on once one only or other our out over please shall she should so some such than that the
    their them then there these they this those through to too under until up us use very want was we were what when
    where which while who why will with would you your""".split()
)
NEGATIONS = frozenset(
    """no not never nothing none nobody without cannot cant dont doesnt didnt wont shouldnt mustnt isnt arent wasnt
    neither nor avoid stop unless except skip disable""".split()
)
ELLIPSIS = "…"
CHARACTERS_PER_TOKEN = 4
_WIDE = regex(
    "[\u1100-\u11ff\u2e80-\u303f\u3040-\u30ff\u3100-\u31ff\u3200-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f"
    "\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U0001f000-\U0001faff\U00020000-\U0003ffff]"
)
_PREFIX = regex(r"\[[^\]]*\] ?")


def words(text: str) -> tuple[str, ...]:
    """The words of *text* in order: one spelling for equal characters and letter cases, no punctuation.

    ``deploy-api``, ``deploy_api`` and ``deploy/api`` are two words each; ``don’t`` is one.
    """
    plain = _INNER_MARK.sub("", unicodedata.normalize("NFC", text).casefold())
    return tuple(unicodedata.normalize("NFC", word) for word in _WORD.findall(plain))


def content_words(text: str) -> frozenset[str]:
    """The words of *text* that carry meaning; all of them where fewer than two do."""
    found = frozenset(words(text))
    content = found - STOP_WORDS
    return content if len(content) >= _LEAST_CONTENT else found


@dataclass(frozen=True, slots=True)
class TokenCount:
    """Characters so far: *wide* ones (Chinese, Japanese, Korean, emoji) count one token each, four others one."""

    wide: int = 0
    narrow: int = 0

    def with_text(self, text: str) -> TokenCount:
        """The count after *text* was added."""
        wide = len(_WIDE.findall(text))
        return TokenCount(self.wide + wide, self.narrow + len(text) - wide)

    @property
    def tokens(self) -> int:
        """Rounded up."""
        return self.wide + -(-self.narrow // CHARACTERS_PER_TOKEN)


def count_tokens(text: str) -> int:
    """The tokens of *text*, line ends counted like other characters."""
    return TokenCount().with_text(text).tokens


def cut_to(line: str, budget: int) -> str:
    """The longest beginning of *line* that fits *budget* with an ellipsis, cut at a word; empty when nothing fits."""
    if count_tokens(line) <= budget:
        return line
    prefix = _PREFIX.match(line)
    least = prefix.end() if prefix else 0
    low, high = 0, len(line)
    while low < high:
        middle = (low + high + 1) // 2
        if count_tokens(line[:middle] + ELLIPSIS) <= budget:
            low = middle
        else:
            high = middle - 1
    if low <= least:
        return ""
    space = line.rfind(" ", least, low + 1)
    end = space if space > least else low
    return line[:end].rstrip() + ELLIPSIS
