"""Words of a text, so that two texts can be compared."""

from __future__ import annotations

import re
import unicodedata

_WORD = re.compile(r"[^\W_]+", re.UNICODE)
_INNER_MARK = re.compile(r"(?<=\w)['’](?=\w)")
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
