"""Pieces stay small enough to read: the limits of the house, and the exceptions with their reasons."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.architecture.trees import PACKAGE, trees

FILES = sorted(PACKAGE.rglob("*.py"))

FUNCTION_LINES = 30
FILE_LINES = 400
CLASS_LINES = 200
METHODS = 15
PARAMETERS = 5
PACKAGE_FILES = 20
ONE_CLIENT_MODULES = 100  # in the whole program: each of them tells a story of its own

# imports are read from the text, because to go through all the trees once more costs seconds
IMPORT = re.compile(r"^ *from (workbench[\w.]*) import (\([^)]*\)|.*)", re.MULTILINE)

# "file::Qualified.name::limit": why the limit does not help here
EXCEPTIONS: dict[str, str] = {
    "workbench/model/queries.py::Queries::lines": "the one vocabulary for asking where things stand; see its methods",
    "workbench/model/queries.py::Queries::methods": "each answers one question from the same indices in a few lines",
}


@dataclass(frozen=True, slots=True)
class Excess:
    """Something above a limit."""

    name: str
    number: int
    limit: int


@cache
def excesses_of(path: Path) -> tuple[Excess, ...]:
    """Everything in the file at *path* that is above a limit."""
    return tuple(excesses_in(path.relative_to(PACKAGE.parent), path.read_text("utf-8"), trees()[path]))


def excesses_in(path: Path, text: str, tree: ast.Module) -> Iterator[Excess]:
    """Everything in *text*, taken apart as *tree*, that is above a limit."""
    lines = len(text.splitlines())
    if lines > FILE_LINES:
        yield Excess(f"{path}::file", lines, FILE_LINES)
    for name, node in _definitions(tree, ""):
        if isinstance(node, ast.ClassDef):
            yield from _class_excesses(f"{path}::{name}", node)
        else:
            yield from _function_excesses(f"{path}::{name}", node)


def _definitions(node: ast.AST, prefix: str) -> Iterator[tuple[str, ast.ClassDef | ast.FunctionDef]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef | ast.FunctionDef):
            yield f"{prefix}{child.name}", child
            yield from _definitions(child, f"{prefix}{child.name}.")
        elif not isinstance(child, ast.expr):  # in which nothing is defined
            yield from _definitions(child, prefix)


def _class_excesses(name: str, node: ast.ClassDef) -> Iterator[Excess]:
    # how many of Qt's methods (camelCase) have to be overridden is Qt's decision
    methods = sum(isinstance(child, ast.FunctionDef) and child.name.islower() for child in node.body)
    yield from _above(f"{name}::lines", _lines(node), CLASS_LINES)
    yield from _above(f"{name}::methods", methods, METHODS)


def _function_excesses(name: str, node: ast.FunctionDef) -> Iterator[Excess]:
    arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    count = sum(argument.arg not in {"self", "cls"} for argument in arguments)
    yield from _above(f"{name}::lines", _lines(node), FUNCTION_LINES)
    yield from _above(f"{name}::parameters", count, PARAMETERS)


def _above(name: str, number: int, limit: int) -> Iterator[Excess]:
    if number > limit:
        yield Excess(name, number, limit)


def _lines(node: ast.ClassDef | ast.FunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def renamed_imports() -> set[str]:
    """Each class that a module imports under another name, because it knows another one of that name."""
    named = (names for path in FILES for _package, names in IMPORT.findall(path.read_text("utf-8")))
    found = (pair for names in named for pair in re.findall(r"\b([A-Z]\w*[a-z]\w*) as (\w+)", names))
    return {f"{name} as {other}" for name, other in found if name != other}


def one_client_modules() -> list[str]:
    """Modules that only one module imports, which stands in their own package; imports in functions count too."""
    modules = {".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts): path for path in FILES}
    clients: defaultdict[str, set[Path]] = defaultdict(set)
    for path in FILES:
        for package, names in IMPORT.findall(path.read_text("utf-8")):
            for name in {package, *(f"{package}.{word}" for word in re.findall(r"\w+", names))} & modules.keys():
                clients[name].add(path)
    only = {name: found.pop() for name, found in sorted(clients.items()) if len(found) == 1}
    return [
        f"{name}, used by {client.name}"
        for name, client in only.items()
        if client.parent == modules[name].parent and client.name != "__init__.py"
    ]


def test_no_package_has_so_many_files_that_its_subject_is_lost() -> None:
    files = Counter(path.parent for path in FILES if path.name != "__init__.py")
    assert {str(folder): count for folder, count in files.items() if count > PACKAGE_FILES} == {}


def test_who_reads_a_module_meets_no_two_classes_of_one_name() -> None:
    # words of the field for two things each: how far a step has come in a run and in its plan, and what is run
    assert renamed_imports() == {"StepStatus as PlanStatus", "Playbook as StepList"}


def test_few_modules_are_there_for_one_neighbour_only() -> None:
    # who reads one of the two mostly has to open the other as well: join them, unless each tells a story of its own
    found = one_client_modules()
    assert len(found) <= ONE_CLIENT_MODULES, "\n".join(found)


def test_nothing_is_above_a_limit_without_a_reason() -> None:
    assert [item for path in FILES for item in excesses_of(path) if item.name not in EXCEPTIONS] == []


def test_every_exception_is_still_needed() -> None:
    files = {PACKAGE.parent / name.partition("::")[0] for name in EXCEPTIONS}
    assert set(EXCEPTIONS) <= {item.name for path in files for item in excesses_of(path)}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("x = 1\n" * 401, "a.py::file"),
        ("def f():\n" + "    pass\n" * 30, "a.py::f::lines"),
        ("class C:\n" + "    x = 1\n" * 200, "a.py::C::lines"),
        ("class C:\n" + "    def m(self): ...\n" * 16, "a.py::C::methods"),
        ("class C:\n    def m(self, a, b, c, d, *, e, f): ...\n", "a.py::C.m::parameters"),
        ("if True:\n    def f():\n" + "        pass\n" * 30, "a.py::f::lines"),
    ],
)
def test_every_limit_can_fail(text: str, name: str) -> None:
    assert name in {item.name for item in excesses_in(Path("a.py"), text, ast.parse(text))}
