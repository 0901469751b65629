"""JSON out of what a model writes, which likes to wrap it in words and fences."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from workbench.regex import regex

_FENCE = regex(r"^[ \t]*```[\w-]*[ \t]*\n(.*?)^[ \t]*```", re.DOTALL | re.MULTILINE)
_OPENING = regex(r"[{\[]")
_TRIES = 16


def strict_json(text: str | bytes) -> Any:
    """*text* as JSON. Raises ValueError for whatever is none, numbers that JSON does not have included."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def json_in(text: str) -> Any:
    """The JSON that *text* is, or that stands in its last fence, or in its words; None where there is none."""
    for candidate in (text, *reversed(_FENCE.findall(text))):
        try:
            return strict_json(candidate)
        except ValueError:
            continue
    return _in_words(text)


def _in_words(text: str) -> Any:
    decoder = json.JSONDecoder(parse_constant=_refuse)
    for number, found in enumerate(_OPENING.finditer(text)):
        if number >= _TRIES:
            break
        try:
            return decoder.raw_decode(text, found.start())[0]
        except (ValueError, RecursionError):
            continue
    return None


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)
