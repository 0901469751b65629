"""Several variables that one step sets: ``$a, $b = 1, 2``, ``$a = $b = 0``, ``Set $a to 1 and $b to 2``.

Set one after the other they become the same only where every value stands there, calls nothing and reads nothing of
what is set. Everything else is judged as a whole, with a field for each variable.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from workbench.model.meaning import Assign, Judge, Several, Variable
from workbench.model.sentences.outputs import TYPE, outputs_of
from workbench.model.sentences.values import value_in
from workbench.regex import regex
from workbench.syntax.expressions import NAME, Expression
from workbench.syntax.masking import split_top_level, top_level

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


_AND_SET = regex(rf"(?:\s*,\s*(?:and\s+)?|\s+and\s+)(?=\${NAME}(?:\s?:\s?{TYPE})?\s+(?:to|be|=)\s)")


def set_one_by_one(text: str, rest: str, read: Callable[[str, str], object]) -> Several | Judge | None:
    """What ``Set $x to 5 and $y to 6`` sets; *read* reads each as a sentence of its own. None where there are no two.

    Where one of the values is a judgement, all is; and where one reads what another sets, which may mean it as it was.
    """
    cuts = [match.span() for match in _AND_SET.finditer(top_level(rest))] if "$" in rest else []
    if not cuts:
        return None
    starts, ends = [0, *(end for _start, end in cuts)], [*(start for start, _end in cuts), len(rest)]
    verb = text[: len(text) - len(rest)]
    read_parts = [read(f"{verb}{rest[start:end]}", rest[start:end]) for start, end in zip(starts, ends, strict=True)]
    if None in read_parts:
        return None
    parts = tuple(part for part in read_parts if isinstance(part, Assign))
    targets = tuple(part.target for part in parts)
    is_exact = len(parts) == len(read_parts) and all(_is_apart(part.value, targets) for part in parts)
    return Several(parts) if is_exact else Judge(text, outputs_of(text))


def _variables(words: str) -> tuple[Variable, ...]:
    found = (Variable(match["name"], True, match["type"] or "") for match in _NAMED.finditer(words))
    return tuple({one.name: one for one in found}.values())


def _is_apart(value: Expression, targets: tuple[Variable, ...]) -> bool:
    """Whether *value* is the same whatever of *targets* has been set before it."""
    return not value.calls and {name for name, _is_state in value.names}.isdisjoint(one.name for one in targets)
