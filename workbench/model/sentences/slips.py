"""What somebody probably meant to write: a keyword in place of a word that is nearly one, a bracket that is missing.

A slip is only claimed where writing it right makes the words exact. ``Retrun 4`` is one, for ``Return 4`` can be
carried out; ``(see the manual`` and ``Whole plates`` are none, for nothing is gained.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from workbench.model.meaning import Judge, Meaning
from workbench.model.sentences.classify import KEYWORDS, code_in, without_marks
from workbench.regex import regex
from workbench.syntax.masking import without_quotes

_WORD = regex(r"[^\W\d_]+(?!\w)")
_ALONE = frozenset({"return", "otherwise", "else", "break", "continue"})
_OTHER_VERBS = frozenset("sell spell yell smell live dive drive praise deduce induce produce await attend slow".split())
"""Verbs that are nearly keywords and meant all the same."""
_CLOSING = {"(": ")", "[": "]", "{": "}", '"': '"', "“": "”", "`": "`"}
_BRACKETS = regex(r"[()\[\]{}]")
_QUOTE = regex('["“`]')
_BEHIND = " \t.:;,"
_LONGEST = 14
_Read = Callable[[str], Meaning]


@dataclass(frozen=True, slots=True)
class Slip:
    """What stands at *start* to *end* of a text, and that *insert* belongs in place of what is from *at* to *until*.

    *is_exact*: with that, something in the text is exact that was not before.
    """

    start: int
    end: int
    at: int
    until: int
    insert: str
    is_exact: bool = True


def misspelt(text: str, read: _Read) -> Slip | None:
    """The first word of *text*, where it is nearly a keyword; *read* says what words mean."""
    word = _WORD.match(text)
    if word is None:
        return None
    for keyword in _nearly(word.group().lower()):
        written = keyword.capitalize() if text[0].isupper() else keyword
        meant = read(written + text[word.end() :])
        if isinstance(meant, Judge):
            continue
        is_exact = _gains(meant, read(text))
        has_more = bool(text[word.end() :].strip(_BEHIND))
        is_clear = _is_swapped(word.group().lower(), keyword) if has_more else keyword in _ALONE
        if is_exact or is_clear:
            return Slip(0, word.end(), 0, word.end(), written, is_exact)
    return None


def _gains(meant: Meaning, meaning: Meaning) -> bool:
    """True where *meant* has code that *meaning* has not."""
    return not set(code_in(meant)) <= {*code_in(meaning), ""}


@lru_cache(maxsize=4_096)
def _nearly(word: str) -> tuple[str, ...]:
    """The keywords that *word* may be meant for."""
    if word in KEYWORDS or word in _OTHER_VERBS or len(word) > _LONGEST:
        return ()
    return tuple(sorted(keyword for keyword in KEYWORDS if _is_swapped(word, keyword) or _is_near(word, keyword)))


def _is_swapped(word: str, keyword: str) -> bool:
    """True where two letters side by side have changed places."""
    if len(word) != len(keyword):
        return False
    at = next((at for at, (one, two) in enumerate(zip(word, keyword, strict=True)) if one != two), len(word))
    return word[at : at + 2] == keyword[at : at + 2][::-1] and word[at + 2 :] == keyword[at + 2 :]


def _is_near(word: str, keyword: str) -> bool:
    """True where one letter is missing, too many or another; not for another form of the word (“returns”)."""
    if len(keyword) < 4 or abs(len(word) - len(keyword)) > 1:
        return False
    if word.startswith(keyword):
        return word[-1] == keyword[-1]
    at = next((at for at, (one, two) in enumerate(zip(word, keyword, strict=False)) if one != two), len(word))
    return word[at + (len(word) >= len(keyword)) :] == keyword[at + (len(keyword) >= len(word)) :]


def unclosed(text: str, read: _Read) -> Slip | None:
    """The bracket or quote of *text* that never closes; *read* says what words mean."""
    meaning = read(text)
    for end in dict.fromkeys((len(text.rstrip()), len(text.rstrip(_BEHIND)))):
        opened = list(_open_in(text[:end]))
        if not opened:
            continue
        insert = "".join(_CLOSING[text[at]] for at in reversed(opened))
        if _gains(read(text[:end] + insert + text[end:]), meaning):
            return Slip(opened[-1], opened[-1] + 1, end, end, insert)
    return None


def too_many(text: str, read: _Read) -> Slip | None:
    """The bracket at the end of *text* that closes nothing; *read* says what words mean."""
    end = len(text.rstrip(_BEHIND))
    if text[end - 1 : end] not in (")", "]", "}"):
        return None
    if _gains(read(text[: end - 1] + text[end:]), read(text)):
        return Slip(end - 1, end, end - 1, end, "")
    return None


def marked(text: str, read: _Read) -> Slip | None:
    """The marks in *text* that stand inside of what would be code without them; *read* says what words mean."""
    bare = without_marks(text) if "**" in text or "__" in text else text
    if bare == text or not _gains(read(bare), read(text)):
        return None
    at = next(at for at, (one, two) in enumerate(zip(text, bare, strict=False)) if one != two)
    return Slip(at, at + 2, 0, len(text), bare)


def is_uneven(text: str) -> bool:
    """True where *text* has more brackets of one side than of the other, or half a pair of quotes."""
    if any(text.count(one) != text.count(two) for one, two in ("()", "[]", "{}", "“”")):
        return True
    return text.count('"') % 2 == 1 or text.count("`") % 2 == 1


def _open_in(text: str) -> Iterator[int]:
    """Where the brackets and the quote stand that are open at the end of *text*."""
    masked = without_quotes(text)
    quote = _QUOTE.search(masked)
    open_at: list[int] = []
    for match in _BRACKETS.finditer(masked, 0, quote.start() if quote else len(masked)):
        if match.group() in _CLOSING:
            open_at.append(match.start())
        elif open_at and _CLOSING[masked[open_at[-1]]] == match.group():
            open_at.pop()
    yield from open_at
    if quote is not None:
        yield quote.start()
