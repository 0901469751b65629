"""Names of tools that every provider takes: letters, digits, ``_`` and ``-``, at most 64 of them, each only once."""

from __future__ import annotations

from collections.abc import Iterable

from workbench.regex import regex

_NOT_SAFE = regex(r"[^A-Za-z0-9_-]")
_LONGEST = 64


class Names:
    """The names of the tools of one request, and what they stand for."""

    def __init__(self, names: Iterable[str]) -> None:
        self._safe: dict[str, str] = {}
        self._real: dict[str, str] = {}
        for name in names:
            if name not in self._safe:
                self._add(name)

    def _add(self, name: str) -> None:
        plain = _NOT_SAFE.sub("_", name)[:_LONGEST] or "_"
        safe, number = plain, 2
        while safe in self._real:
            ending = f"_{number}"
            safe, number = plain[: _LONGEST - len(ending)] + ending, number + 1
        self._safe[name], self._real[safe] = safe, name

    def safe(self, name: str) -> str:
        """The name that stands for *name*; of one that is not offered, something like it."""
        return self._safe.get(name) or _NOT_SAFE.sub("_", name)[:_LONGEST] or "_"

    def real(self, safe: str) -> str:
        """What *safe* stands for; itself, where it is nothing that was offered."""
        return self._real.get(safe, safe)
