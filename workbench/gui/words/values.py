"""The values of variables, arguments and results, as people read them."""

from __future__ import annotations

import json
from typing import Any

LONGEST_VALUE = 300


def value_text(value: Any) -> str:
    """*value* as JSON on one line, the end left out where it is long."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"
