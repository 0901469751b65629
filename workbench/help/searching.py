"""Full text over all pages, the best section first.

A section is found when it has every word that is looked for: as written, in another form (an ending more or less), as
the beginning of a word, or inside one, as German puts words together. What it is called weighs more than what it says,
rare words weigh more than common ones, and words that stand together as they were typed weigh most (BM25, and a bonus).
What stands in an example weighs least: it is about something else most of the time.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from workbench.help.pages import CONTENTS, LINK, Page, Section, pages
from workbench.help.topics import Topic
from workbench.i18n import language
from workbench.regex import regex

_WORD = regex(r"[^\W_]+")
_FENCE = regex(r"^~~~~\w*$", re.MULTILINE)
_CODE = regex(r"^~~~~\w+$.*?^~~~~$", re.MULTILINE | re.DOTALL)
_SIGNS = regex(r"[*`#|]+")
# English and German endings; what is left need not be a word, only the same for all forms of one
_ENDING = regex(r"(?<=\w{3})(?:ungen|ings?|ern|est|ies|ed|en|em|er|es|s|e|n|y)$")
_NAMES_WEIGH, _TITLE_WEIGHS, _CODE_WEIGHS = 6.0, 4.0, 0.2
_BEGINS, _INSIDE = 0.6, 0.35
_LEAST_INSIDE = 4
_IS_CALLED, _TOGETHER_CALLED, _TOGETHER_SAID = 14.0, 6.0, 3.0
_SATURATION, _LENGTH = 1.2, 0.5
_RULE_WEIGHS = 0.8
_EXCERPT = 150


@dataclass(frozen=True, slots=True)
class Hit:
    """A section that was found. *excerpt*: some of its words, around what was looked for."""

    topic: Topic
    title: str
    page_title: str
    excerpt: str
    score: float


@dataclass(frozen=True, slots=True)
class _Entry:
    """A section as it is looked through: how much each stem weighs in it, and how many words it has.

    *called*: the stems of each of its names; *said*: its words as they stand there.
    """

    topic: Topic
    page: Page
    section: Section
    weights: Mapping[str, float]
    size: float
    called: tuple[tuple[str, ...], ...]
    said: str


@dataclass(frozen=True, slots=True)
class _Index:
    entries: tuple[_Entry, ...]
    frequency: Mapping[str, int]
    mean_size: float


def search(words: str, limit: int = 20) -> tuple[Hit, ...]:
    """The sections that have all of *words*, the best first; where no section has all, those that have most of them."""
    stems, index = tuple(dict.fromkeys(_stems(words))), _index(language())
    if not stems:
        return ()
    expanded = [_expanded(stem, index) for stem in stems]
    found = [(entry, *_rated(entry, expanded, index)) for entry in index.entries]
    most = max((count for _entry, count, _score in found), default=0)
    phrase = _folded_words(words)
    rated = [
        (entry, score * (_RULE_WEIGHS if entry.page.is_rule else 1.0) + _together(entry, phrase))
        for entry, count, score in found
        if count == most > 0
    ]
    rated.sort(key=lambda pair: -pair[1])
    return tuple(_hit(entry, score, words) for entry, score in rated[:limit])


def _rated(entry: _Entry, expanded: list[dict[str, float]], index: _Index) -> tuple[int, float]:
    """How many of the words *entry* has, and what that is worth."""
    count, score = 0, 0.0
    for forms in expanded:
        best = max((_worth(entry, form, index) * fit for form, fit in forms.items()), default=0.0)
        count += best > 0
        score += best
    return count, score


def _worth(entry: _Entry, stem: str, index: _Index) -> float:
    weight = entry.weights.get(stem, 0.0)
    if not weight:
        return 0.0
    rare = math.log(1 + (len(index.entries) - index.frequency[stem] + 0.5) / (index.frequency[stem] + 0.5))
    norm = _SATURATION * (1 - _LENGTH + _LENGTH * entry.size / index.mean_size)
    return rare * weight * (_SATURATION + 1) / (weight + norm)


def _expanded(stem: str, index: _Index) -> dict[str, float]:
    """The stems that *stem* may stand for, with how well they fit."""
    forms = {stem: 1.0} if stem in index.frequency else {}
    for known in index.frequency:
        if known != stem and known.startswith(stem):
            forms[known] = _BEGINS
        elif len(stem) >= _LEAST_INSIDE and stem in known[1:]:
            forms[known] = _INSIDE
    return forms


def _together(entry: _Entry, phrase: list[str]) -> float:
    """The bonus for *entry* being called as *phrase* says, or having these words side by side."""
    stems = _stems_of(phrase)
    if stems in entry.called:
        return _IS_CALLED
    if any(stems == name[at : at + len(stems)] for name in entry.called for at in range(len(name))):
        return _TOGETHER_CALLED
    return _TOGETHER_SAID if f" {' '.join(phrase)} " in entry.said else 0.0


def _hit(entry: _Entry, score: float, words: str) -> Hit:
    excerpt = _excerpt(entry.section.text, _folded_words(words))
    return Hit(entry.topic, entry.section.title, entry.page.title, excerpt, score)


def _excerpt(markdown: str, wanted: list[str]) -> str:
    """Some words around the first that begins as one of *wanted* does, if possible not from an example."""
    for text in (plain_words(_CODE.sub("", markdown)), plain_words(markdown)):
        words = (match for match in _WORD.finditer(text) if _folded(match[0]).startswith(tuple(wanted)))
        if (first := next(words, None)) is not None:
            return _cut(text, first.start())
    return _cut(plain_words(markdown), 0)


def _cut(text: str, first: int) -> str:
    """About a line and a half of *text*, with the word at *first*."""
    start = text.rfind(" ", 0, max(first - _EXCERPT // 3, 0)) + 1
    end = start + _EXCERPT
    cut = text[start:end] if end >= len(text) else text[start:end].rpartition(" ")[0] + " …"
    return ("… " if start else "") + cut


def plain_words(markdown: str) -> str:
    """What *markdown* says, on one line and without its marks."""
    linked = LINK.sub(lambda match: match["words"], markdown)
    return " ".join(_SIGNS.sub(" ", _FENCE.sub("", linked)).split())


@cache
def _index(_language: str) -> _Index:
    every = (found for found in pages() if found.name != CONTENTS)
    entries = tuple(_entry(found, index, section) for found in every for index, section in enumerate(found.sections))
    frequency = Counter(stem for entry in entries for stem in entry.weights)
    return _Index(entries, frequency, sum(entry.size for entry in entries) / len(entries))


def _entry(page: Page, index: int, section: Section) -> _Entry:
    prose, code = _CODE.sub("", section.text), "\n".join(_CODE.findall(section.text))
    names = (section.name, *section.words, section.title)
    weights = Counter[str]()
    for text, weight in (
        (" ".join(names[:-1]), _NAMES_WEIGH),
        (section.title, _TITLE_WEIGHS),
        (plain_words(prose), 1.0),
        (plain_words(code), _CODE_WEIGHS),
    ):
        for stem in _stems(text):
            weights[stem] += weight  # type: ignore[assignment]
    words = _folded_words(plain_words(section.text))
    called = tuple(_stems_of(_folded_words(name)) for name in names)
    return _Entry(Topic(page.name, index), page, section, weights, len(words) + 1.0, called, f" {' '.join(words)} ")


def _stems(text: str) -> tuple[str, ...]:
    return _stems_of(_folded_words(text))


def _stems_of(words: list[str]) -> tuple[str, ...]:
    return tuple(_ENDING.sub("", word) for word in words)


def _folded_words(text: str) -> list[str]:
    return [match[0] for match in _WORD.finditer(_folded(text))]


def _folded(text: str) -> str:
    """*text* in small letters without accents: “Läufe” is found by “laufe”, and “ß” by “ss”."""
    split = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in split if not unicodedata.combining(sign))
