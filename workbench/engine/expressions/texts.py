"""Values as text: as people read them, and as a format (``.2f``) says."""

from __future__ import annotations

import json
from typing import Any

from workbench.engine.expressions.limits import Frame

_LONG_TEXT = 100


def format_value(value: Any) -> str:
    """*value* as people read it: nothing is empty, lists and records are JSON, long ones on lines of their own."""
    if value is None:
        return ""
    if not isinstance(value, (list, dict)):
        return str(value)
    text = json.dumps(value, ensure_ascii=False, default=str)
    if len(text) <= _LONG_TEXT:
        return text
    return "\n" + json.dumps(value, ensure_ascii=False, default=str, indent=2)


def as_json(frame: Frame, value: Any) -> str:
    """*value* as JSON. Raises what Python raises where it has none."""
    frame.read_deeply(value)
    text = json.dumps(value, ensure_ascii=False)
    frame.make_text(len(text))
    return text


def written(frame: Frame, value: Any, conversion: str, spec: str) -> str:
    """*value* as one placeholder of an f-string writes it. Raises what Python raises where *spec* does not fit."""
    if isinstance(value, str) and not conversion and not spec:
        return value
    frame.read_deeply(value)
    if conversion:
        value = repr(value) if conversion == "r" else format_value(value)
    text = format(value, spec) if spec else format_value(value)
    frame.make_text(len(text))
    return text
