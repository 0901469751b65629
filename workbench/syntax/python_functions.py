"""The ``@playbook`` functions of Python code, read by ``ast`` and never run."""

from __future__ import annotations

import ast
import contextlib
import json
import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from workbench.syntax.signatures import Parameter
from workbench.syntax.text import Span


@dataclass(frozen=True, slots=True)
class PythonFunction:
    """A ``@playbook`` function in a Python fence, read without running it.

    *triggers*: the texts given as ``triggers=[…]``, or the one text given. *metadata*: every other argument of the
    decorator that is a plain value.
    """

    name: str
    parameters: tuple[Parameter, ...]
    description: str
    is_async: bool = False
    is_public: bool = False
    triggers: tuple[str, ...] = ()
    metadata: tuple[tuple[str, object], ...] = ()


def python_functions(code: str) -> tuple[PythonFunction, ...]:
    """Every decorated function at the top of *code*, in order; none where it cannot be parsed."""
    tree = python_tree(code)
    if tree is None:
        return ()
    return tuple(
        _function(node)
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and any(map(is_playbook_decorator, node.decorator_list))
    )


def place_of_function(text: str, name: str) -> int:
    """Where the function *name* is defined in the *text* of a file; 0 where it is not found."""
    found = re.search(rf"\bdef[ \t]+{re.escape(name)}\b", text)
    return found.start() if found else 0


def line_of_function(text: str, name: str) -> Span:
    """The line of *text* that defines the function *name*, from ``def`` on."""
    start = place_of_function(text, name)
    end = text.find("\n", start)
    return Span(start, end if end >= 0 else len(text))


@lru_cache(maxsize=128)
def python_tree(code: str) -> ast.Module | None:
    """The parsed code; Python's parser may fail in several ways, and warns of odd escapes."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(code)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None


@lru_cache(maxsize=128)
def python_constants(code: str) -> Mapping[str, Any]:
    """The names at the top of *code* that are set once, to plain data that JSON can hold."""
    tree = python_tree(code)
    found: dict[str, list[ast.expr]] = {}
    for node in tree.body if tree is not None else ():
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for target in targets:
            if isinstance(target, ast.Name):
                found.setdefault(target.id, []).append(getattr(node, "value", None) or target)
    values: dict[str, Any] = {}
    for name, set_to in found.items():
        if len(set_to) == 1:
            with contextlib.suppress(ValueError, TypeError, MemoryError, RecursionError):
                value = ast.literal_eval(set_to[0])
                json.dumps(value, allow_nan=False)
                values[name] = value
    return values


def is_playbook_decorator(decorator: ast.expr) -> bool:
    """True for ``@playbook``, ``@playbook(…)`` and the same behind a module's name."""
    named = decorator.func if isinstance(decorator, ast.Call) else decorator
    if isinstance(named, ast.Attribute):
        return named.attr == "playbook"
    return isinstance(named, ast.Name) and named.id == "playbook"


def _function(node: ast.FunctionDef | ast.AsyncFunctionDef) -> PythonFunction:
    docstring = ast.get_docstring(node) or ""
    description = docstring.splitlines()[0].strip() if docstring else ""
    is_async = isinstance(node, ast.AsyncFunctionDef)
    is_public = any(_says_public(decorator) for decorator in node.decorator_list)
    written = _written(node.decorator_list)
    triggers = written.pop("triggers", ())
    listed = [triggers] if isinstance(triggers, str) else triggers
    texts = tuple(one for one in listed if isinstance(one, str)) if isinstance(listed, list | tuple) else ()
    metadata = tuple(written.items())
    return PythonFunction(node.name, _parameters(node.args), description, is_async, is_public, texts, metadata)


def _written(decorators: list[ast.expr]) -> dict[str, object]:
    """The named arguments of ``@playbook(…)`` whose values are plain data."""
    found: dict[str, object] = {}
    for decorator in decorators:
        if isinstance(decorator, ast.Call) and is_playbook_decorator(decorator):
            for keyword in decorator.keywords:
                if keyword.arg is not None:
                    with contextlib.suppress(ValueError, TypeError, MemoryError, RecursionError):
                        found[keyword.arg] = ast.literal_eval(keyword.value)
    return found


def _says_public(decorator: ast.expr) -> bool:
    """True for ``@playbook(public=True)``, and for ``export=True``."""
    return isinstance(decorator, ast.Call) and any(
        keyword.arg in ("public", "export") and isinstance(keyword.value, ast.Constant) and keyword.value.value is True
        for keyword in decorator.keywords
    )


def _parameters(arguments: ast.arguments) -> tuple[Parameter, ...]:
    """The parameters that a call can give, without ``*args`` and ``**kwargs``."""
    positional = [*arguments.posonlyargs, *arguments.args]
    missing = len(positional) - len(arguments.defaults)
    defaults: list[ast.expr | None] = [*[None] * missing, *arguments.defaults, *arguments.kw_defaults]
    return tuple(
        Parameter(argument.arg, False, _source(argument.annotation) or "", _source(default))
        for argument, default in zip([*positional, *arguments.kwonlyargs], defaults, strict=True)
    )


def _source(node: ast.expr | None) -> str | None:
    """*node* as source text; None where there is none."""
    if node is None:
        return None
    try:
        return ast.unparse(node)
    except (ValueError, RecursionError):
        return "…"
