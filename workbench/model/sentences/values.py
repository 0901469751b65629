"""Values as a step writes them: the same words mean the same in an assignment, a return, and in what is told.

Inline code (`` `$log` ``) says that it is code; without that, bare words joined by little words stay prose.
"""

from __future__ import annotations

import ast

from workbench.model.sentences.conditions import could_be_expression
from workbench.regex import regex
from workbench.syntax.expressions import Expression, joined_expression, try_expression
from workbench.syntax.expressions_grammar import is_spelled_as_name

_INLINE = regex(r"`([^`]+)`")
_CHOICES = ast.BoolOp | ast.UnaryOp | ast.Compare | ast.IfExp


def value_in(words: str) -> Expression | None:
    """The value that *words* are exactly, or None."""
    inline = _INLINE.fullmatch(words)
    if inline is not None:
        return try_expression(inline.group(1))
    expression = try_expression(words) if words and could_be_expression(words) else None
    return None if expression is None or _is_perhaps_prose(expression) else expression


def names_in_word(value: Expression | None) -> tuple[str, ...]:
    """The names in *value*, where that may as well be a word: ``done``, ``N/A``, ``A-17``, ``config.json``."""
    if value is None or " " in value.source or not all(isinstance(node, _OF_WORDS) for node in ast.walk(value.tree)):
        return ()
    return () if any(is_state for _name, is_state in value.names) else tuple(name for name, _state in value.names)


_OF_WORDS = ast.Name | ast.Attribute | ast.BinOp | ast.Sub | ast.Div | ast.Constant | ast.Load


def place_in(words: str) -> Expression | None:
    """The keys that lead from a variable to the part that *words* name: of ``$xs[0].name`` those are 0 and "name"."""
    whole = try_expression(words)
    keys: list[ast.expr] = []
    node = None if whole is None else whole.tree
    while isinstance(node, ast.Attribute | ast.Subscript):
        keys.append(ast.copy_location(ast.Constant(node.attr), node) if isinstance(node, ast.Attribute) else node.slice)
        node = node.value
    if whole is None or not keys or not isinstance(node, ast.Name) or any(isinstance(key, ast.Slice) for key in keys):
        return None
    return joined_expression(words, ast.copy_location(ast.List(keys[::-1], ast.Load()), whole.tree), (whole,))


def combined(place: str, sign: str, words: str) -> Expression | None:
    """What *place* becomes by ``+= words``; in brackets only where the words would be read otherwise without them."""
    if try_expression(words) is None:
        return None
    plain, whole = try_expression(f"{place} {sign} {words}"), try_expression(f"{place} {sign} ({words})")
    is_same = plain is not None and whole is not None and ast.dump(plain.tree) == ast.dump(whole.tree)
    return plain if is_same else whole


def told_value_in(words: str) -> Expression | None:
    """The value that is told where *words* stand behind ``Tell user``; a bare word is the wording, and no value."""
    if words[:1] not in "$\"'([{`" and words[:2].lower() not in ('f"', "f'"):
        return None
    expression = value_in(words)
    if expression is None or isinstance(expression.tree, ast.Tuple | ast.BoolOp):
        return None  # ``$a and $b`` is both of them here
    if words[0] in "`fF" or all(map(_is_certain, expression.names)):
        return expression
    return None


def _is_perhaps_prose(expression: Expression) -> bool:
    """True for bare words joined by little words: ``red or blue``, ``not shipped``, ``soup if hungry else salad``."""
    return isinstance(expression.tree, _CHOICES) and not all(map(_is_certain, expression.names))


def _is_certain(name: tuple[str, bool]) -> bool:
    return name[1] or is_spelled_as_name(name[0])
