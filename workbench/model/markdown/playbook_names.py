"""What the playbooks of a file are called: the names that calls use, and what each is addressed by."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, count

from workbench.syntax.signatures import Signature


def names_of(signatures: Sequence[Signature]) -> list[str]:
    """The names of the playbooks of one agent.

    ``process_order`` beside ``ProcessOrder`` keeps its spelling as its name, for that alone tells the two apart.
    """
    first = {each.name: at for at, each in reversed([*enumerate(signatures)])}
    first |= {each.name: at for at, each in reversed([*enumerate(signatures)]) if each.written == each.name}
    return [
        each.name if first[each.name] == at or not each.written.isidentifier() else each.written
        for at, each in enumerate(signatures)
    ]


class Addresses:
    """Gives the playbooks of a file, in their order, addresses of which no two are the same."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def own(self, agent: str, name: str) -> str:
        """What the playbook *name* of *agent* is addressed by; empty where that is its name: none before has it."""
        lead = f"{agent}." if agent else ""
        if name not in self._taken:
            self._taken |= {name, f"{lead}{name}"}  # ``Desk.Check`` is the first of that agent as well
            return ""
        ways = chain([f"{lead}{name}"], (f"{lead}{name}.{number}" for number in count(2)))
        address = next(each for each in ways if each not in self._taken)
        self._taken.add(address)
        return address
