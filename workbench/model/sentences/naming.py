"""Which playbook or function of a program a written name means: as it stands in the heading, or normalised."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from workbench.syntax.signatures import normalise_name
from workbench.tools.names import BUILT_IN_TOOLS


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a program: *exact*: all that calls go by, *normal*: of playbooks, *written*: spelling → name."""

    exact: frozenset[str] = frozenset()
    normal: frozenset[str] = frozenset()
    written: tuple[tuple[str, str], ...] = ()
    _by_spelling: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    _spellings: frozenset[str] = field(default=frozenset(), compare=False, repr=False)

    @classmethod
    def of(cls, headings: Iterable[tuple[str, str]], functions: Iterable[str]) -> Names:
        """The names of playbooks with these *headings* (name, as written), and of *functions*."""
        pairs = list(headings)
        normal = frozenset(name for name, _written in pairs)
        exact = normal.union(functions)
        found: dict[str, str] = {}
        for name, written in pairs:
            if written and written not in exact:
                found.setdefault(written, name)
        return cls(exact, normal, tuple(found.items()), found, exact.union(found))

    def named(self, written: str) -> str:
        """The name of what *written* means, in any spelling; empty where nothing here does.

        What is called exactly so comes first, tools that are built in included.
        """
        if written in self.exact:
            return written
        found = self._by_spelling.get(written)
        if found is not None or written in BUILT_IN_TOOLS:
            return found or ""
        normal = normalise_name(written)
        return normal.name if normal.name in self.normal and not normal.problem else ""

    @property
    def spellings(self) -> frozenset[str]:
        """Every word by which a call is exactly one of these."""
        return self._spellings

    def spelled(self, word: str) -> str:
        """The name of what is called exactly *word*; empty where nothing is."""
        return word if word in self.exact else self._by_spelling.get(word, "")

    def target(self, written: str) -> str:
        """*written*, the target of a call, by the name that calls go by; as it is where it is not known here."""
        owner, dot, name = written.rpartition(".")
        if name in self.exact:
            return written
        return f"{owner}{dot}{self.named(name) or name}"
