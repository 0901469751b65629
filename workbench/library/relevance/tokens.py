"""How long a text is for a model, counted without one: never less than what is there."""

from __future__ import annotations

import re
from dataclasses import dataclass

ELLIPSIS = "…"
CHARACTERS_PER_TOKEN = 4

_WIDE = re.compile(
    "[\u1100-\u11ff\u2e80-\u303f\u3040-\u30ff\u3100-\u31ff\u3200-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f"
    "\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U0001f000-\U0001faff\U00020000-\U0003ffff]"
)
_PREFIX = re.compile(r"\[[^\]]*\] ?")


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
