"""Who is meant by a name or a number: agents of the file, agents made in the run, persons."""

from __future__ import annotations

import re

from workbench.engine.language.program.book import FIRST_AGENT, Book, type_of
from workbench.engine.state.fold import RunFold
from workbench.regex import regex

USER_WORDS = frozenset({"", "user", "human"})
_NUMBER = regex(r"(?:agent\s+)?(?P<number>\d{1,9})", re.IGNORECASE)
_NAMED = regex(r"(?P<kind>\w+)\s*:\s*(?P<number>\d{1,9})")


def agent_meant(state: RunFold, book: Book, word: str) -> str:
    """The agent that *word* means (``Tax``, ``1003``, ``agent 1003``, ``Tax:1003``); empty where there is none."""
    word = word.strip()
    if word in state.world.created or book.agent(word) is not None:
        return word
    named = _NAMED.fullmatch(word)
    match = named or _NUMBER.fullmatch(word)
    if match is None:
        return next((agent.name for agent in book.program.agents if agent.title.lower() == word.lower()), "")
    found = numbered(state, book, int(match["number"]))
    return found if named is None or type_of(found) == named["kind"] else ""


def numbered(state: RunFold, book: Book, number: int) -> str:
    """The agent with the id *number*; empty where there is none."""
    made = next((agent for agent, its in state.world.created.items() if its == number), "")
    if made:
        return made
    return next((agent.name for agent in book.program.agents if book.number(agent.name) == number), "")


def number_of(state: RunFold, book: Book, agent: str) -> int:
    """The id of *agent*."""
    made = state.world.created.get(agent)
    return book.number(agent) if made is None else made


def next_number(state: RunFold, book: Book) -> int:
    """The id of the next agent that is made."""
    return FIRST_AGENT + len({agent.name for agent in book.program.agents}) + len(state.world.created)


def person_meant(book: Book, word: str) -> str:
    """The person of the file that *word* means; empty where there is none."""
    return next((name for name in book.people if name.lower() == word.strip().lower()), "")
