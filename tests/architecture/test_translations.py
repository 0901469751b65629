"""Every catalogue is complete, says what the text says, and is compiled; counts and numbers follow the language."""

from __future__ import annotations

import ast
import importlib.util
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from tests.architecture.trees import trees

ROOT = Path(__file__).resolve().parents[2]


def _tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("translations", ROOT / "packaging" / "translations.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TOOL = _tool()


@pytest.mark.parametrize("path", TOOL.catalogue_files(), ids=lambda path: path.parents[1].name)
def test_a_catalogue_has_every_text_and_no_other(path: Path) -> None:
    assert list(TOOL.faults(path)) == []


@pytest.mark.parametrize(
    ("translation", "words"),
    [
        ("", "not translated"),
        ("{other} Schritte", "other placeholders"),
        ("{count} S&chritte", "other key marks"),
        ("{count} Schritte ", "other key marks or spaces"),
    ],
)
def test_a_faulty_translation_is_found(translation: str, words: str) -> None:
    message = TOOL.Message("{count} steps", translation)
    assert any(words in fault for fault in TOOL._faults_of("{count} steps", message))


# Placeholders outside `ngettext` that may stand before a word: each is filled with a text or the number of a place,
# so the word does not depend on it; a limit is fixed by the program and never one.
WORDS = frozenset(
    "address agent argument call caller code end fields file first folder key kind left limit meaning message name "
    "names number offset path place playbook run sender sign step subject tag time tool type value".split()
)
# What a number may stand before in any language: units, and words between two numbers.
UNITS = frozenset("s ms µs min h of or instead".split())
NOT_COUNTED = {
    "{added} added, {merged} already in the library.": "a participle is the same for one and for many",
    "{count} left out, the first is number {number}: {reason}.": "a participle is the same for one and for many",
    "Run {run} was altered: event {first} of {count} is the first that does not match.": "the event is what is told of",
}
NO_SINGULAR = {
    "worked": "“once” is told in another way than a number",
    "_answer_to": "whatever is not one is told in the same words",
}
NOT_OURS = {
    "steplist_fields.py": "what a field shows is read back from it",
    "python_child.py": "imports nothing of this program, and has the sign between digits from the run",
}

BEFORE_A_WORD = re.compile(r"\{(\w+)[^{}]*\} ([^\W\d_A-Z]\w*)")


Nodes = Iterable[ast.AST]
LOOKED_AT = (ast.Call, ast.FormattedValue, ast.FunctionDef, ast.If, ast.IfExp)


@cache
def sources() -> dict[Path, list[ast.AST]]:
    """What is looked at in every file of the product; walking through all of it takes long."""
    return {path: [each for each in ast.walk(tree) if isinstance(each, LOOKED_AT)] for path, tree in trees().items()}


def texts(nodes: Nodes, *doors: str) -> Iterator[ast.expr]:
    """What is handed to the translating functions *doors*."""
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in doors:
            yield from node.args[: 2 if node.func.id == "ngettext" else 1]


def counts_in(nodes: Nodes) -> list[str]:
    """The texts outside ``ngettext`` that have a count before a word."""
    found = [each.value for each in texts(nodes, "_", "N_") if isinstance(each, ast.Constant)]
    return [
        text
        for text in map(str, found)
        if text not in NOT_COUNTED
        and any(name not in WORDS and word not in UNITS for name, word in BEFORE_A_WORD.findall(text))
    ]


def singulars_in(nodes: Nodes) -> list[int]:
    """The lines where a text is chosen by comparing with one."""
    choices = [node for node in nodes if isinstance(node, ast.If | ast.IfExp) and _asks_for_one(node.test)]
    return [node.lineno for node in choices if any(texts(ast.walk(node), "_", "N_"))]


def _asks_for_one(test: ast.expr) -> bool:
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.Eq | ast.NotEq):
        return False
    return any(isinstance(each, ast.Constant) and each.value == 1 for each in (test.left, *test.comparators))


def formatted_in(nodes: Nodes) -> Iterator[int]:
    """The lines where a number gets English separators: in an f-string, or in a text that is filled in."""
    for node in nodes:
        if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
            spec = "".join(str(each.value) for each in ast.walk(node.format_spec) if isinstance(each, ast.Constant))
            if re.fullmatch(r"[^%]*(,.*|[efg%])", spec):
                yield node.lineno
    written = (each for each in texts(nodes, "_", "N_", "ngettext") if isinstance(each, ast.Constant))
    yield from (each.lineno for each in written if re.search(r"\{\w+:", str(each.value)))


def test_every_text_is_written_where_it_is_translated() -> None:
    made = {
        f"{path.name}:{each.lineno}"
        for path, nodes in sources().items()
        for each in texts(nodes, "_", "N_", "ngettext")
        if not isinstance(each, ast.Constant) and path.name not in ("i18n.py", "rules.py")
    }
    assert made == set()


def test_a_word_beside_a_count_has_plural_forms() -> None:
    assert [text for nodes in sources().values() for text in counts_in(nodes)] == []


def test_no_singular_is_written_by_hand() -> None:
    found = [
        f"{path.name}:{line}"
        for path, nodes in sources().items()
        for line in singulars_in(nodes)
        if not any(_may_ask_for_one(node, line) for node in nodes)
    ]
    assert found == []


def _may_ask_for_one(node: ast.AST, line: int) -> bool:
    is_excepted = isinstance(node, ast.FunctionDef) and node.name in NO_SINGULAR
    return is_excepted and node.lineno <= line <= (node.end_lineno or line)


def test_numbers_are_written_as_the_language_does() -> None:
    found = [f"{path.name}:{line}" for path, nodes in sources().items() for line in formatted_in(nodes)]
    assert [place for place in found if place.partition(":")[0] not in NOT_OURS] == []


@pytest.mark.parametrize(
    ("code", "find"),
    [
        ('_("{count} steps")', counts_in),
        ('N_("Wrote {total} large files.")', counts_in),
        ('_("one step") if count == 1 else _("steps")', singulars_in),
        ("if 1 != count:\n    label = _('steps')", singulars_in),
        ('f"{count:,}"', formatted_in),
        ('_("{size:.1f} kB")', formatted_in),
    ],
)
def test_a_count_without_plural_forms_is_found(code: str, find: Callable[[Nodes], Iterable[object]]) -> None:
    assert len(list(find([*ast.walk(ast.parse(code))]))) == 1
