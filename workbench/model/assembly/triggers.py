"""Triggers as assembly writes them: ``T1:EVT When asked``, also inside Python code."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from itertools import accumulate

from workbench.model.assembly.lines import one_line
from workbench.model.meaning import TriggerEvent
from workbench.model.sentences.classify import classify_trigger
from workbench.regex import regex
from workbench.syntax.assembly_lines import parse_trigger_line
from workbench.syntax.python_functions import is_playbook_decorator, python_tree

_COMPILED = regex(r"T\d+:[A-Z]{3} ")
_QUOTE = regex(r"[rRuU]?(?:\"\"\"|'''|\"|')")


def trigger_lines(texts: Iterable[str]) -> list[str]:
    """The triggers *texts* of one playbook, each with its number and its code."""
    return [f"T{number}:{_coded(text)}" for number, text in enumerate(texts, 1)]


def _coded(text: str) -> str:
    written = parse_trigger_line(text)
    if written is not None and written.content:
        return f"{written.code} {written.content}"
    return f"{_code(classify_trigger(text))} {one_line(text)}"


def _code(meaning: TriggerEvent) -> str:
    if meaning.is_start:
        return "BGN"
    return "CND" if meaning.condition is not None and meaning.condition.test is not None else "EVT"


def begins(texts: Iterable[str]) -> bool:
    """True when one of the triggers *texts* is the start of the program."""
    return any(classify_trigger(text).is_start for text in texts)


def with_codes(code: str) -> str:
    """The Python *code*, whose lines end with a line feed, with number and code before the triggers in it."""
    tree = python_tree(code)
    if tree is None:
        return code
    places = _Places(code)
    edits = [edit for node in tree.body for edit in _edits(node, places)]
    for place, insert in sorted(edits, reverse=True):
        code = code[:place] + insert + code[place:]
    return code


class _Places:
    """Where the nodes of a text stand in it: ``ast`` counts bytes in its lines."""

    def __init__(self, code: str) -> None:
        self.code = code
        self._lines = code.split("\n")
        self._starts = list(accumulate((len(line) + 1 for line in self._lines), initial=0))

    def start(self, node: ast.expr) -> int:
        """The offset of the first character of *node*."""
        return self._offset(node.lineno, node.col_offset)

    def end(self, node: ast.expr) -> int:
        """The offset behind *node*."""
        return self._offset(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)

    def _offset(self, line: int, column: int) -> int:
        encoded = self._lines[line - 1].encode("utf-8", "surrogatepass")
        return self._starts[line - 1] + len(encoded[:column].decode("utf-8", "surrogatepass"))


def _edits(node: ast.stmt, places: _Places) -> Iterator[tuple[int, str]]:
    """What is put in where in the triggers of the function *node*."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and is_playbook_decorator(decorator):
            for keyword in decorator.keywords:
                if keyword.arg == "triggers":
                    yield from _listed(keyword.value, places)


def _listed(value: ast.expr, places: _Places) -> Iterator[tuple[int, str]]:
    """A single text becomes a list, for it would be read letter by letter."""
    if isinstance(value, ast.List | ast.Tuple):
        for number, each in enumerate(value.elts, 1):
            yield from _prefix(each, number, places)
    elif isinstance(value, ast.Constant) and isinstance(value.value, str):
        yield places.start(value), "["
        yield from _prefix(value, 1, places)
        yield places.end(value), "]"


def _prefix(value: ast.expr, number: int, places: _Places) -> Iterator[tuple[int, str]]:
    if not isinstance(value, ast.Constant) or not isinstance(value.value, str) or _COMPILED.match(value.value):
        return
    at = places.start(value)
    quote = _QUOTE.match(places.code, at)
    if quote is not None:
        yield quote.end(), f"T{number}:{_code(classify_trigger(value.value))} "
