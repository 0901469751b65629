"""The known name that somebody probably meant."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches

from workbench.regex import regex

_ENOUGH = 100
"""How many names get a suggestion in one check: comparing costs time, and more help nobody."""
_LIMIT = 500


class Nearest:
    """Suggests names out of *known*, unless they are very many; each asked name is compared once."""

    def __init__(self, *known: Collection[str]) -> None:
        are_few = sum(map(len, known)) <= _LIMIT
        self._known = sorted({name for names in known for name in names}) if are_few else []
        self._found: dict[str, str] = {}

    def to(self, name: str) -> str:
        """The nearest known name, or empty."""
        if name not in self._found:
            if len(self._found) >= _ENOUGH:
                return ""
            near = get_close_matches(name, self._known, 1)
            self._found[name] = near[0] if near else ""
        return self._found[name]


def is_other_in_row(one: str, other: str) -> bool:
    """Whether both are told apart by a number or a letter alone, as steps are: then neither is meant by the other."""
    return _ORDINAL.sub("", one) == _ORDINAL.sub("", other)


_ORDINAL = regex(r"\d+|(?<![^\W_])[A-Za-z](?![^\W_])")
