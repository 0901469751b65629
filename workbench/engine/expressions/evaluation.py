"""The value of an expression, and the text of a template.

Nothing here can run code of the playbook: a checked tree becomes closures over a fixed set
of operations, each with a bound on its work and on the size of what it makes.
"""

from __future__ import annotations

import ast
from functools import lru_cache

from workbench.engine.expressions.closures import Builder, explain
from workbench.engine.expressions.data import is_larger
from workbench.engine.expressions.limits import (
    MAX_FILLED,
    Caller,
    EvaluationFailed,
    Frame,
    Lookup,
    UnknownName,
    VariableUnknown,
    too_long_text,
)
from workbench.engine.expressions.rounds import Closure
from workbench.engine.expressions.texts import format_value
from workbench.syntax.expressions import Expression, Template, position_of

__all__ = [
    "EvaluationFailed",
    "Filling",
    "Lookup",
    "UnknownName",
    "VariableUnknown",
    "evaluate",
    "format_value",
    "render",
]

_BORROWED = (ast.Name, ast.Attribute, ast.Subscript, ast.Compare, ast.Constant)


def evaluate(expression: Expression, lookup: Lookup, caller: Caller | None = None) -> object:
    """The value of *expression*; *lookup* gives the value of a name, and raises LookupError where it has none.

    *caller* gives what a call of a playbook or a tool has come to; without one, such a call fails.
    Raises VariableUnknown for a variable that was never set (the lookup's ``UnknownName``
    may carry the known ones), EvaluationFailed for every other failure.
    """
    frame = Frame(lookup, caller)
    try:
        closure, is_borrowed = _closure(expression)
        value = closure(frame)
        if not is_borrowed and isinstance(value, (list, tuple, dict, set)):
            frame.read_deeply(value)
        return value
    except EvaluationFailed:
        raise
    except Exception as error:
        raise EvaluationFailed(explain(error)) from error


@lru_cache(maxsize=4_096)
def _closure(expression: Expression) -> tuple[Closure, bool]:
    """The closure of *expression*, and whether it makes no new value of any size."""
    builder = Builder(lambda node: position_of(expression, node), expression.tree)
    return builder.build(expression.tree), isinstance(expression.tree, _BORROWED)


def render(template: Template, lookup: Lookup, caller: Caller | None = None) -> str:
    """*template* with the values of its placeholders. Raises EvaluationFailed."""
    filling = Filling(lookup, caller)
    return "".join(piece if isinstance(piece, str) else filling.text_of(piece) for piece in template.pieces)


class Filling:
    """The values that are put into one text: what is bounded is all of them together."""

    def __init__(self, lookup: Lookup, caller: Caller | None = None) -> None:
        self._lookup, self._caller = lookup, caller
        self._left = MAX_FILLED

    def text_of(self, expression: Expression) -> str:
        """The value of *expression* as text. Raises EvaluationFailed where it has none, or there is no room for it."""
        value = evaluate(expression, self._lookup, self._caller)
        if not is_larger(value, self._left):
            text = format_value(value)
            if len(text) <= self._left:
                self._left -= len(text)
                return text
        raise EvaluationFailed(str(too_long_text(MAX_FILLED)))
