"""Values of a run are JSON data and nothing else, so that the journal holds them exactly."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from typing import Any

from workbench.i18n import _

_encode = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":"), sort_keys=True).encode


MAX_VALUE = 10_000_000
"""How many characters a value may have that Python returns, and all values together that are given to a call."""


class NotData(ValueError):
    """A value that cannot be written as JSON; the message says which."""


def canonical(value: Any) -> str:
    """The one way to write *value*: sorted keys, no blanks, ASCII only."""
    return _encode(value)


def digest_of(value: Any) -> str:
    """A short name for *value*, equal for equal values."""
    return hashlib.sha256(canonical(value).encode("ascii")).hexdigest()[:16]


_DEPTH = 100


def as_data(value: Any, depth: int = _DEPTH) -> Any:
    """*value* as JSON data: tuples and ranges become lists, sets sorted lists, keys text.

    Raises NotData for anything that JSON cannot hold, and for what is nested more than *depth* deep.
    """
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return _finite(value)
    if depth == 0:
        raise NotData(_("lists can be nested at most {limit} levels deep").format(limit=_DEPTH))
    if isinstance(value, Mapping):
        return {_key(name): as_data(each, depth - 1) for name, each in value.items()}
    if isinstance(value, list | tuple | range):
        return [as_data(each, depth - 1) for each in value]
    if isinstance(value, set | frozenset):
        return sorted((as_data(each, depth - 1) for each in value), key=canonical)
    raise NotData(_("a value of type {type} cannot be stored in a run").format(type=type(value).__name__))


def is_larger(value: Any, most: int) -> bool:
    """Whether *value* has more than *most* characters, where all that is no text counts as one."""
    waiting, left = [value], most
    while waiting and left >= 0:
        current = waiting.pop()
        left -= len(current) if isinstance(current, str) else 1
        if isinstance(current, Mapping):
            left -= sum(map(len, map(str, current)))
            waiting.extend(current.values())
        elif isinstance(current, list | tuple | set | frozenset):
            waiting.extend(current)
    return left < 0


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise NotData(_("the number {value} cannot be stored in a run").format(value=value))
    return value


def _key(name: Any) -> str:
    return name if isinstance(name, str) else canonical(as_data(name))
