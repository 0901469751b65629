"""Names that are given once."""

from __future__ import annotations


class FreeNames:
    """Gives names, each only once; what is taken gets a number, and counting goes on where it ended before."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._last: dict[str, int] = {}

    def take(self, *wanted: str, joint: str) -> str:
        """The first of *wanted* that is free, or else the last one with a number behind *joint*."""
        found = next((name for name in wanted if name not in self._taken), "")
        if not found:
            stem = wanted[-1] + joint
            number = self._last.get(stem, 1) + 1
            while f"{stem}{number}" in self._taken:
                number += 1
            self._last[stem] = number
            found = f"{stem}{number}"
        self._taken.add(found)
        return found
