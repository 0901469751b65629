"""Regular expressions that are compiled late are right all the same."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator

import pytest

import workbench.model
import workbench.syntax
from workbench.regex import regex


def late_expressions() -> Iterator[tuple[str, object]]:
    """Each of them in the packages that read text, with the name that it has there."""
    for package in (workbench.model, workbench.syntax):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            module = importlib.import_module(found.name)
            kinds = [(name, each) for name, each in vars(module).items() if type(each) is type(regex(""))]
            yield from ((f"{found.name}.{name}", each) for name, each in kinds)


def test_every_one_of_them_can_be_compiled() -> None:
    sources = [str(each.pattern) for _name, each in late_expressions()]  # type: ignore[attr-defined]
    assert len(sources) > 100


def test_it_is_used_as_a_compiled_one() -> None:
    words = regex(r"(\w)(\w+)", re.IGNORECASE)
    assert words.sub(r"\2\1", "ab cde") == "ba dec"
    assert (words.groups, words.flags & re.IGNORECASE, words.pattern) == (2, re.IGNORECASE, r"(\w)(\w+)")


def test_a_mistake_is_found_by_the_first_use() -> None:
    with pytest.raises(re.error):
        regex("(").match("x")
