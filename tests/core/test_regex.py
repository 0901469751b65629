"""Regular expressions that are compiled late are right all the same."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import workbench.editing
import workbench.library
import workbench.model
import workbench.syntax
from workbench.regex import regex

PACKAGE = Path(workbench.model.__file__).parents[1]


def late_expressions() -> Iterator[tuple[str, object]]:
    """Each of them in the packages that read and write text, with the name that it has there."""
    for package in (workbench.editing, workbench.library, workbench.model, workbench.syntax):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            module = importlib.import_module(found.name)
            kinds = [(name, each) for name, each in vars(module).items() if type(each) is type(regex(""))]
            yield from ((f"{found.name}.{name}", each) for name, each in kinds)


def test_every_one_of_them_can_be_compiled() -> None:
    sources = [str(each.pattern) for _name, each in late_expressions()]  # type: ignore[attr-defined]
    assert len(sources) > 250


def test_it_is_used_as_a_compiled_one() -> None:
    words = regex(r"(\w)(\w+)", re.IGNORECASE)
    assert words.sub(r"\2\1", "ab cde") == "ba dec"
    assert (words.groups, words.flags & re.IGNORECASE, words.pattern) == (2, re.IGNORECASE, r"(\w)(\w+)")


def test_a_mistake_is_found_by_the_first_use() -> None:
    with pytest.raises(re.error):
        regex("(").match("x")


def compiled_at_import(tree: ast.AST) -> Iterator[int]:
    """The lines of *tree*, outside its functions, that compile an expression."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile":
            yield node.lineno
        if not isinstance(node, ast.FunctionDef | ast.Lambda):
            yield from compiled_at_import(node)


def test_what_compiles_at_import_is_seen() -> None:
    text = "A = (re.compile('a'), 1)\ndef f():\n    return re.compile('b')\nclass C:\n    D = re.compile('d')\n"
    assert list(compiled_at_import(ast.parse(text))) == [1, 5]


def test_no_module_compiles_one_when_it_is_imported() -> None:
    texts = {path.name: path.read_text("utf-8") for path in sorted(PACKAGE.rglob("*.py"))}
    trees = {name: ast.parse(text) for name, text in texts.items() if "re.compile(" in text}
    assert [f"{name}:{line}" for name, tree in trees.items() for line in compiled_at_import(tree)] == []
