"""Regular expressions that are compiled when they are first needed.

The language has hundreds, and a program that starts needs few of them: to compile all took a quarter of the time of a
check. A mistake in one is found by its first use, and a test compiles them all.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast

_PARTS = ("match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer", "pattern", "flags", "groups")


class _Later:
    """Stands for a compiled expression, and has all of its parts from when one of them is first asked for."""

    def __init__(self, source: Any, flags: int) -> None:
        self._written = source, flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(*self._written)
        for part in _PARTS:
            setattr(self, part, getattr(compiled, part))
        return getattr(compiled, name)


def regex(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """The expression *source*, as ``re.compile`` gives it."""
    return cast("re.Pattern[AnyStr]", _Later(source, flags))
