"""What a file and its project say about the tools that may be used: less than is allowed, and never more."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from workbench.engine.language.program.book import Book, type_of
from workbench.project_file import ProjectFile
from workbench.tools.permissions import Rule
from workbench.tools.values import Asking

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


def rules_of_project(project: ProjectFile) -> tuple[Rule, ...]:
    """What the project wants to be asked about, and what it forbids."""
    asked = [Rule(name, Asking.ALWAYS) for name in names_in(project.tools, "ask")]
    return (*asked, *(Rule(name, Asking.FORBIDDEN) for name in names_in(project.tools, "forbid")))


def limit_of_project(project: ProjectFile) -> frozenset[str] | None:
    """The tools that alone may be used in the project; None where it does not say so."""
    return frozenset(names_in(project.tools, "only")) if "only" in project.tools else None


def names_in(table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """The list of names under *key*; none where there is something else."""
    found = table.get(key, ())
    return tuple(each for each in found if isinstance(each, str)) if isinstance(found, tuple | list) else ()
