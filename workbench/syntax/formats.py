"""What stands behind the colon of a placeholder: ``{$price:.2f}``, ``{n:>10}``.

Only formats whose work has a bound are formats of ours; whatever else follows a colon is no placeholder.
"""

from __future__ import annotations

from typing import NamedTuple

from workbench.regex import regex
from workbench.syntax.masking import top_level

MAX_WIDTH = 1_000
MAX_PRECISION = 100

_SPEC = regex(
    r"(?! )(?=.)(?:[^{}]?[<>^=])?[-+ ]?#?0?(?P<width>\d{1,4})?[,_]?(?:\.(?P<precision>\d{1,3}))?[bdeEfFgGosxX%]?"
)


class Formatted(NamedTuple):
    """A placeholder cut in three. *conversion*: ``r``, ``s`` or nothing."""

    value: str
    conversion: str
    spec: str


def formatted(inside: str) -> Formatted | None:
    """What stands between braces, where it says how its value is to be written; else None."""
    colon = top_level(inside).rfind(":") if ":" in inside else -1
    head, spec = (inside[:colon], inside[colon + 1 :]) if colon >= 0 else (inside, "")
    conversion = head[-1] if head[-2:] in ("!r", "!s") else ""
    if spec and not _is_bounded(spec):
        return None
    if not spec and not conversion:
        return None
    return Formatted(head[:-2] if conversion else head, conversion, spec)


def _is_bounded(spec: str) -> bool:
    match = _SPEC.fullmatch(spec)
    if match is None:
        return False
    return int(match["width"] or 0) <= MAX_WIDTH and int(match["precision"] or 0) <= MAX_PRECISION
