"""Which page explains a topic: by its name, by a word for it, or by its title."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

from workbench.help.pages import SOURCE, Page, guide_page, page, page_names
from workbench.i18n import language
from workbench.model.checks.rules import rule_codes

_MOST_SIMILAR = 4
_SIMILAR = 0.6


@dataclass(frozen=True, slots=True)
class Topic:
    """A place in the guide: *section* counts from 0, which is the page as a whole."""

    page: str
    section: int = 0


def topic_of(word: str) -> Topic | None:
    """Where *word* is explained, in whatever case it is written; None where nothing is said of it."""
    wanted = _plain(word)
    return _known(language()).get(wanted) or (Topic(wanted) if wanted in rule_codes() else None)


def topic_on(names: Iterable[str], word: str) -> Topic | None:
    """Where one of the pages called *names* explains *word*; None where none does."""
    wanted = _plain(word)
    for name in names:
        for code in (language(), SOURCE):
            for index, section in enumerate(guide_page(name, code).sections):
                if wanted in map(_plain, (section.name, *section.words)):
                    return Topic(name, index)
    return None


def similar_topics(word: str) -> tuple[str, ...]:
    """Topics that are written much like *word*, the nearest first."""
    known = [*_known(language()), *rule_codes()]
    return tuple(get_close_matches(_plain(word), known, _MOST_SIMILAR, _SIMILAR))


def shown_page(topic: Topic) -> Page:
    """The page of *topic*, which is known to exist."""
    found = page(topic.page)
    if found is None:
        raise KeyError(topic.page)
    return found


@cache
def _known(spoken: str) -> dict[str, Topic]:
    """Each name, word and title of the guide; names go before words, and these before titles.

    The words of the English guide count in every language: those of playbooks are among them.
    """
    known: dict[str, Topic] = {}
    rows = [*_sections(spoken), *(() if spoken == SOURCE else _sections(SOURCE))]
    for pick in (0, 1, 2):
        for topic, keys in rows:
            for key in keys[pick]:
                known.setdefault(_plain(key), topic)
    return known


def _sections(code: str) -> Iterator[tuple[Topic, tuple[tuple[str, ...], ...]]]:
    for name in page_names():
        for index, section in enumerate(guide_page(name, code).sections):
            yield Topic(name, index), ((section.name,), section.words, (section.title,))


def _plain(word: str) -> str:
    return " ".join(word.casefold().split())
