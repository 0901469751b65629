"""What a file says about the tools that may be used: less than is allowed, and never more."""

from __future__ import annotations

from collections.abc import Iterable

from workbench.engine.language.program.book import Book, type_of

_KEY = "tools"


def limits_in(book: Book, agent: str, playbook: str) -> tuple[frozenset[str] | None, ...]:
    """What the file, the *agent* and the *playbook*, empty for none, say about the tools that may be used in it."""
    owner = book.agent(type_of(agent))
    target = book.playbook(type_of(agent), playbook) if playbook else None
    of_agent = tools_named(owner.metadata) if owner is not None else None
    of_playbook = tools_named(target.playbook.metadata) if target is not None else None
    return tools_named(book.program.front_matter), of_agent, of_playbook


def tools_named(metadata: Iterable[tuple[str, object]]) -> frozenset[str] | None:
    """The tools that alone may be used, after ``tools:`` in *metadata*; None where that is not said."""
    said = dict(metadata).get(_KEY)
    if isinstance(said, str):
        return frozenset(filter(None, (word.strip() for word in said.split(","))))
    return frozenset(map(str, said)) if isinstance(said, list | tuple) else None
