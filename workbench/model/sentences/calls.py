"""Calls as they are written: ``F($a, k=1)``, ``Agent.F(…)``, in back-ticks, and ``tool with: k=1``."""

from __future__ import annotations

import re

from workbench.model.meaning import Argument, Call, Variable
from workbench.syntax.expressions import NAME, Expression, try_expression, verbatim
from workbench.syntax.expressions_grammar import FUNCTIONS, METHODS
from workbench.syntax.masking import split_top_level, top_level
from workbench.syntax.signatures import normalise_name

CALL = re.compile(rf"(?P<target>\$?{NAME}(?::\w+)?(?:\.{NAME})*)\((?P<inside>.*)\)", re.DOTALL)
_WRITING = "CreatePlaybook"
"""The text that this is given has placeholders of its own, which are filled in when it is carried out."""
_KEYWORD = re.compile(rf"\s*({NAME})\s*=(?!=)")
_WITH = re.compile(
    rf"(?:(?:call|use|run|invoke)\s+)?(?:(?:the\s+)?(?P<agent>[^\W\d][\w ]*?)['’]s\s+)?(?:the\s+)?"
    rf"(?P<tool>{NAME}(?:\.{NAME})*)(?:\s+tool)?\s+with\s*:\s*(?P<inside>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_PAIR = re.compile(rf"(?:^|[\s,;])({NAME})\s*=(?!=)\s*")


def call_of(text: str, result: Variable | None = None) -> Call | None:
    """The call that *text* is, or None. Calls that expressions may hold are not calls of ours."""
    match = CALL.fullmatch(text)
    if match is None:
        return _call_with(text, result) if "with" in text else None
    target = match["target"]
    if _is_expression_call(target):
        return None
    arguments = _arguments(match["inside"])
    if arguments is not None and target == _WRITING:
        arguments = tuple(Argument(each.name, verbatim(each.value)) for each in arguments)
    return None if arguments is None else Call(target, arguments, result)


def _is_expression_call(target: str) -> bool:
    """True for ``len`` and for a text's method behind a name in small letters."""
    head, _dot, method = target.rpartition(".")
    if target[0] == "$":
        return not head or method in METHODS or not method[0].isupper()
    return target in FUNCTIONS if not head else method in METHODS and head[0].islower()


def _arguments(inside: str) -> tuple[Argument, ...] | None:
    """The arguments, or None where a bracket or a value does not fit."""
    masked = top_level(inside)
    if any(bracket in masked for bracket in "()[]{}"):
        return None
    if not inside.strip():
        return ()
    arguments = [_argument(part) for part in split_top_level(inside, ",")]
    found = [argument for argument in arguments if argument is not None]
    return tuple(found) if len(found) == len(arguments) else None


def _argument(written: str) -> Argument | None:
    keyword = _KEYWORD.match(written)
    value = try_expression(written[keyword.end() :] if keyword else written)
    if value is None:
        return None
    return Argument(keyword.group(1) if keyword else "", value)


def _call_with(text: str, result: Variable | None) -> Call | None:
    """``Agent's tool with:`` and ``name=value`` pairs, on lines of their own or not."""
    match = _WITH.fullmatch(text)
    if match is None:
        return None
    arguments = _pairs(match["inside"])
    if arguments is None:
        return None
    agent = f"{normalise_name(match['agent']).name}." if match["agent"] else ""
    return Call(agent + match["tool"], arguments, result)


def _pairs(inside: str) -> tuple[Argument, ...] | None:
    pairs = list(_PAIR.finditer(top_level(inside)))
    if not pairs or pairs[0].start() != 0:
        return None
    ends = [*(pair.start() for pair in pairs[1:]), len(inside)]
    stretches = [inside[pair.end() : end].strip(" \t\r\n,;") for pair, end in zip(pairs, ends, strict=True)]
    values = [try_expression(stretch) for stretch in stretches]
    found = [value for value in values if isinstance(value, Expression)]
    if len(found) < len(pairs):
        return None
    return tuple(Argument(pair.group(1), value) for pair, value in zip(pairs, found, strict=True))


def back_ticked(text: str) -> str:
    """What stands in back-ticks, where all of *text* does (but for a verb before and a full stop); else empty."""
    match = _TICKED.fullmatch(text)
    return match.group(1).strip() if match else ""


_TICKED = re.compile(r"(?:(?:call|run|invoke|execute|do|use)\s+)?`([^`]+)`[.;]?", re.IGNORECASE)
