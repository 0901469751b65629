"""The known name that somebody probably meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

_ENOUGH = 100
"""How many names get a suggestion in one check: comparing costs time, and more help nobody."""
_LIMIT = 500


class Nearest:
    """Suggests names out of *known*; each asked name is compared once."""

    def __init__(self, known: Iterable[str]) -> None:
        self._known = sorted(known)
        self._found: dict[str, str] = {}

    def to(self, name: str) -> str:
        """The nearest known name, or empty."""
        if name not in self._found:
            if len(self._found) >= _ENOUGH or len(self._known) > _LIMIT:
                return ""
            near = get_close_matches(name, self._known, 1)
            self._found[name] = near[0] if near else ""
        return self._found[name]
