"""The rounds of comprehensions: what they go through, the names that they bind, and what a round costs; records."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from workbench.engine.expressions.limits import Frame, Trouble
from workbench.engine.expressions.operations import describe
from workbench.i18n import _, ngettext

Closure = Callable[[Frame], Any]
Each = Callable[[Frame, Callable[[], None]], None]
"""What calls its second argument once for each round."""
Bind = Callable[[dict[str, Any], Any], None]


def once(frame: Frame, act: Callable[[], None]) -> None:
    """The innermost of nested loops."""
    act()


def loop(items: Closure, tests: list[Closure], bind: Bind, inner: Each, weight: int) -> Each:
    """What runs *inner* once for each item that the *tests* let through; a round costs *weight*."""

    def run(frame: Frame, act: Callable[[], None]) -> None:
        for item in _iterable(items(frame)):
            frame.charge(weight + 1)
            bind(frame.bound, item)
            if all(test(frame) for test in tests):
                inner(frame, act)

    return run


def _iterable(value: Any) -> Any:
    if isinstance(value, (str, list, tuple, dict, set)):
        return value
    raise Trouble(_("Only lists, text and records can be looped over."))


def binder(target: ast.expr) -> Bind:
    """What binds the names of a comprehension."""
    if isinstance(target, ast.Name):
        name = target.id
        return lambda bound, item: bound.__setitem__(name, item)
    assert isinstance(target, ast.Tuple), "the tree was checked"
    names = [part.id for part in target.elts if isinstance(part, ast.Name)]

    def bind(bound: dict[str, Any], item: Any) -> None:
        if not isinstance(item, (list, tuple)) or len(item) != len(names):
            words = ngettext("This needs lists of {count} item.", "This needs lists of {count} items.", len(names))
            raise Trouble(words)
        bound.update(zip(names, item, strict=True))

    return bind


def collected(frame: Frame, each: Each, element: Closure) -> list[Any]:
    """The values of *element* in all rounds; names bound meanwhile are forgotten again."""
    outer = dict(frame.bound)
    found: list[Any] = []
    each(frame, lambda: found.append(element(frame)))
    frame.bound = outer
    return found


def record_of(frame: Frame, entries: list[tuple[Closure | None, Closure]]) -> dict[Any, Any]:
    """The record of *entries*; one without a key gives all that its value holds."""
    found: dict[Any, Any] = {}
    for name, value in entries:
        if name is None:
            found.update(_record(frame, value(frame)))
        else:
            key = name(frame)
            frame.read_deeply(key)
            found[key] = value(frame)
    return found


def _record(frame: Frame, value: Any) -> dict[Any, Any]:
    if not isinstance(value, dict):
        raise Trouble(_("Only a record can stand behind two stars; this is {kind}.").format(kind=describe(value)))
    frame.make_items(len(value))
    return value


def weight(node: ast.AST) -> int:
    """How many nodes are in *node*: what one round costs."""
    return sum(1 for part in ast.walk(node) if isinstance(part, ast.expr))
