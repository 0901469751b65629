"""Several variables that one assignment sets: ``$a, $b = 1, 2``, ``$a = $b = 0``.

Set one after the other they become the same only where every value stands there, calls nothing and reads nothing of
what is set. Everything else is judged as a whole, with a field for each variable.
"""

from __future__ import annotations

import re

from workbench.model.meaning import Assign, Judge, Several, Variable
from workbench.model.sentences.outputs import TYPE
from workbench.model.sentences.values import value_in
from workbench.regex import regex
from workbench.syntax.expressions import NAME, Expression
from workbench.syntax.masking import split_top_level

_ONE = rf"\${NAME}(?:\s?:\s?{TYPE})?"
_ROW = regex(rf"(?P<open>\()?\s*(?P<row>{_ONE}(?:\s*,\s*{_ONE})+)\s*(?(open)\))\s*=(?!=)\s*(?P<values>\S.*)", re.DOTALL)
_CHAIN = regex(rf"(?:{_ONE}\s*=(?!=)\s*)+")
_NAMED = regex(rf"\$(?P<name>{NAME})(?:\s?:\s?(?P<type>{TYPE}))?")


def chained(value: str) -> tuple[Variable, ...]:
    """What *value*, which another variable is set to, sets as well."""
    chain = _CHAIN.match(value) if value[:1] == "$" and "=" in value else None
    return _variables(chain.group()) if chain is not None else ()


def unpacked(text: str) -> Several | Judge | None:
    """What *text* sets, where a row of variables stands before the sign."""
    if text[:1] not in "$(" or "," not in text.partition("=")[0]:
        return None
    row = _ROW.fullmatch(text)
    if row is None:
        return None
    targets = _variables(row["row"])
    values = [value_in(part.strip()) for part in split_top_level(row["values"], ",")]
    pairs = zip(targets, values, strict=False)
    parts = tuple(Assign(target, value) for target, value in pairs if value is not None and _is_apart(value, targets))
    return Several(parts) if len(parts) == len(values) == len(targets) else Judge(text, targets)


def _variables(words: str) -> tuple[Variable, ...]:
    found = (Variable(match["name"], True, match["type"] or "") for match in _NAMED.finditer(words))
    return tuple({one.name: one for one in found}.values())


def _is_apart(value: Expression, targets: tuple[Variable, ...]) -> bool:
    """Whether *value* is the same whatever of *targets* has been set before it."""
    return not value.calls and {name for name, _is_state in value.names}.isdisjoint(one.name for one in targets)
