"""Artifacts: long results kept under a name, besides the variable that holds them as the text they are."""

from __future__ import annotations

import hashlib
from typing import Any

from workbench.engine.expressions.data import canonical
from workbench.engine.language.code import Think
from workbench.model.meaning import Call, Meaning


def artifact_name(value: Any, threshold: int, meaning: Meaning | Think | None) -> str:
    """The name under which *value*, the result of a call, is kept; empty where it is short enough.

    The name of the variable that takes it, else ``a_`` and eight digits of its hash.
    """
    if not isinstance(value, str | list | dict):
        return ""
    text = value if isinstance(value, str) else canonical(value)
    if len(text) <= threshold:
        return ""
    if isinstance(meaning, Call) and meaning.result is not None:
        return meaning.result.name
    return "a_" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
