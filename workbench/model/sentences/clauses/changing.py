"""What a variable is made: counted up and down, made longer, begun anew, or said to be something.

``Increment $n``, ``Add 1 to $n``, ``Append 3 to $xs``, ``Set $xs to an empty list``, ``result is Helper()``. Whatever
could be a claim, or depends on what the variable holds, is left to judgement.
"""

from __future__ import annotations

import ast
import re

from workbench.model.meaning import Assign, Call, Variable
from workbench.model.sentences.calls import call_of
from workbench.model.sentences.outputs import TYPE
from workbench.model.sentences.values import combined, place_in, value_in
from workbench.regex import regex
from workbench.syntax.expressions import NAME, Expression, try_expression
from workbench.syntax.expressions_grammar import is_spelled_as_name

_VARIABLE = (
    r"(?:the\s+)?(?:(?:value|end)\s+of\s+)?(?:the\s+)?(?:list\s+|variable\s+)?"
    rf"(?P<tick>`?)\$(?P<name>{NAME}(?:\.{NAME}|\[[^\[\]]*\])*)(?P=tick)"
)
_ALONE = regex(_VARIABLE, re.IGNORECASE)
_BY = regex(rf"{_VARIABLE}\s+by\s+(?P<value>\S.*)", re.IGNORECASE | re.DOTALL)
_BEGUN = regex(
    rf"\$(?P<name>{NAME})(?:\s?:\s?(?P<type>{TYPE}))?\s+(?:to|with|as|=)\s+(?P<value>\S.*)", re.IGNORECASE | re.DOTALL
)
_STATED = regex(rf"(?P<state>\$?)(?P<name>{NAME})\s+is\s+(?P<value>\S.*)", re.DOTALL)
_EMPTY = regex(r"(?:(?:an?|the)\s+)?(?:new\s+)?empty\s+(?P<what>\w+)", re.IGNORECASE)
_EMPTIES = {
    **dict.fromkeys(("list", "array"), "[]"),
    **dict.fromkeys(("dictionary", "dict", "object", "record", "map"), "{}"),
    **dict.fromkeys(("string", "text"), '""'),
}
NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
}
"""Numbers as words, and how code writes them."""
_LIST_LIKE = regex(r"(?:^|_)(?:list|array|items|entries|numbers|values|all)$|(?:list|array)s?$", re.IGNORECASE)
_STANDS_FOR_NO_NAME = frozenset("it this that there he she what which who today everything nothing something".split())
_STEPS = {
    **dict.fromkeys(("increment", "increase", "raise"), "+"),
    **dict.fromkeys(("decrement", "decrease", "reduce"), "-"),
    "multiply": "*",
    "divide": "/",
}
_BY_ONE = frozenset({"increment", "decrement"})


def changed(verb: str, rest: str) -> Assign | None:
    """What ``Increment $n by 2`` and its like assign; None where that is not exact."""
    words = rest.removesuffix(".")
    if verb in _STEPS:
        return _stepped(verb, words)
    if verb in ("initialize", "initialise", "reset"):
        return _begun(words)
    value, _joint, place = words.rpartition(" from " if verb == "subtract" else " to ")
    variable = _ALONE.fullmatch(place.strip())
    known = _certain(value.strip()) if variable is not None else None
    if variable is None or known is None:
        return None
    if verb == "append":
        return _assigned(variable["name"], try_expression(f"${variable['name']} + [{known.source}]"))
    if verb == "add" and (not _is_number(known) or _LIST_LIKE.search(variable["name"])):
        return None  # a list may be meant as well
    sign = "-" if verb == "subtract" else "+"
    return _assigned(variable["name"], combined(f"${variable['name']}", sign, known.source))


def _stepped(verb: str, words: str) -> Assign | None:
    alone = _ALONE.fullmatch(words) if verb in _BY_ONE else None
    if alone is not None:
        return _assigned(alone["name"], combined(f"${alone['name']}", _STEPS[verb], "1"))
    match = _BY.fullmatch(words)
    value = _certain(match["value"]) if match else None
    if match is None or value is None:
        return None
    return _assigned(match["name"], combined(f"${match['name']}", _STEPS[verb], value.source))


def _begun(words: str) -> Assign | None:
    match = _BEGUN.fullmatch(words)
    value = _certain(plain_value(match["value"])) if match else None
    return None if match is None or value is None else Assign(Variable(match["name"], True, match["type"] or ""), value)


def _certain(words: str) -> Expression | None:
    """The value that *words* are: a bare word is prose here, unless it is a number or spelled as a name."""
    value = value_in(NUMBER_WORDS.get(words.lower(), words))
    is_certain = value is not None and all(is_state or is_spelled_as_name(name) for name, is_state in value.names)
    return value if is_certain else None


def plain_value(words: str) -> str:
    """*words*, or what they say as code: ``[]`` for *an empty list*."""
    match = _EMPTY.fullmatch(words.rstrip("."))
    return _EMPTIES.get(match["what"].lower(), words) if match else words


def stated(text: str) -> Assign | Call | None:
    """What ``x is 10`` assigns, and ``result is Helper()`` calls; None for what may be a claim."""
    match = _STATED.fullmatch(text)
    if match is None or match["name"].lower() in _STANDS_FOR_NO_NAME or not match["name"][0].islower():
        return None
    target = Variable(match["name"], bool(match["state"]))
    words = match["value"].removesuffix(".")
    call = call_of(words, target) if words.endswith(")") else None
    if call is not None:
        return call
    value = value_in(words)
    return Assign(target, value) if value is not None and _is_plain(value.tree, target) else None


def _is_plain(tree: ast.expr, target: Variable) -> bool:
    match tree:
        case ast.Constant(value=bool()):
            return target.is_state
        case ast.Constant(value=value):
            return value is not None
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
            return True
    return isinstance(tree, ast.List | ast.Dict | ast.BinOp | ast.JoinedStr)


def _is_number(value: Expression) -> bool:
    return isinstance(value.tree, ast.Constant) and type(value.tree.value) in (int, float)


def _assigned(name: str, expression: Expression | None) -> Assign | None:
    if expression is None or name.isidentifier():
        return None if expression is None else Assign(Variable(name), expression)
    place = place_in(f"${name}")
    return None if place is None else Assign(Variable(re.split(r"[.\[]", name)[0]), expression, place)
