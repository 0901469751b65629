"""Conditions: exact where they are an expression or one of the English comparison forms.

A condition is never made exact by guessing: a bare word counts as a name only where
arithmetic or a comparison sign shows that it is one, or where it is spelled like one
(``is_large``, ``x2``). Everything else is left to judgement.
"""

from __future__ import annotations

import ast
import re

from workbench.model.meaning import Condition
from workbench.model.sentences.english import english_condition
from workbench.syntax.expressions import Expression, try_expression
from workbench.syntax.expressions_grammar import STATE_PREFIX
from workbench.syntax.masking import without_quotes

_PROSE = re.compile(
    r"[^\W\d]\w*\s+(?!(?:and|or|not|in|is|if|else|for)\b)[^\W\d$]|\b(?:and|or|is|not|in)\s+(?:a|an|the)\b|\?\s*$|[^\W\d]-[^\W\d]"
)
_SYMBOLIC = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
_VALUES = (ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict)


def condition_of(text: str) -> Condition:
    """The condition that *text* states."""
    return Condition(text, exact_condition(text))


def exact_condition(text: str) -> Expression | None:
    """The expression that *text* means exactly, or None where it is a judgement."""
    if not could_be_expression(text):
        return english_condition(text)
    expression = try_expression(text)
    if expression is not None and _is_condition(expression.tree):
        return expression
    return english_condition(text)


def could_be_expression(text: str) -> bool:
    """False for text that reads like prose: two words in a row, or an article after a little word."""
    return _PROSE.search(without_quotes(text)) is None


def _is_condition(tree: ast.expr) -> bool:
    """True when *tree* asks something, and every name in it is surely one."""
    if isinstance(tree, ast.Constant):
        return isinstance(tree.value, bool)
    return not isinstance(tree, _VALUES) and names_are_certain(tree)


def names_are_certain(node: ast.AST) -> bool:
    """False where a bare word in *node* may as well be prose, or a value stands where a claim is needed."""
    match node:
        case ast.Name(id=name):
            return is_spelled_as_name(name)
        case ast.BoolOp(op=ast.And(), values=values):
            return all(map(_is_condition, values))
        case ast.BoolOp(values=values):
            return all(map(_is_condition, values)) and not any(map(_may_be_choice, values, values[1:]))
        case ast.Compare(ops=ops) if all(isinstance(op, _SYMBOLIC) for op in ops):
            return True
        case ast.Call() | ast.ListComp() | ast.GeneratorExp() | ast.SetComp() | ast.DictComp():
            return True
    return all(names_are_certain(child) for child in ast.iter_child_nodes(node))


def _may_be_choice(before: ast.expr, value: ast.expr) -> bool:
    """True for ``$x is 5 or $y``, which can be read in two ways."""
    return isinstance(value, ast.Name) and isinstance(before, ast.Compare) and not isinstance(before.ops[-1], _SYMBOLIC)


def is_spelled_as_name(name: str) -> bool:
    """True for ``$x``, and for bare words that no sentence would hold."""
    return name[0] == STATE_PREFIX or "_" in name or name[-1].isdigit()
