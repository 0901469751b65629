"""A value with one part of it set: ``$order.status = "paid"``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workbench.engine.expressions.limits import Trouble
from workbench.engine.expressions.operations import describe, near
from workbench.i18n import _


def with_part(whole: Any, keys: Sequence[Any], value: Any) -> Any:
    """*whole* with *value* where *keys* lead to, from the outside in; Raises Trouble where nothing can be set.

    A record takes a new name, a list no new index.
    """
    key, *rest = keys
    if isinstance(whole, dict) and isinstance(key, str):
        if rest and key not in whole:
            raise Trouble(_("There is no “{name}” in this record.").format(name=key) + near(key, whole))
        return {**whole, key: with_part(whole[key], rest, value) if rest else value}
    if isinstance(whole, list) and isinstance(key, int):
        if not -len(whole) <= key < len(whole):
            text = _("There is no index {key}; the last one is {last}.")
            raise Trouble(text.format(key=key, last=len(whole) - 1))
        at = key % len(whole)
        return [*whole[:at], with_part(whole[at], rest, value) if rest else value, *whole[at + 1 :]]
    raise Trouble(_("{kind} has no part “{name}” that can be set.").format(kind=describe(whole).capitalize(), name=key))
