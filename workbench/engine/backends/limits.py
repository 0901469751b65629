"""What a file and its project say about the tools that may be used: less than is allowed, and never more."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from workbench.project_file import ProjectFile
from workbench.tools.permissions import Asking, Rule

_KEY = "tools"


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
