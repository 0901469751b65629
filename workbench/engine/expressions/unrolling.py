"""How an expression comes to a value that holds calls of playbooks and tools: it is evaluated again after each.

An evaluation goes as far as the first call whose result is not known, which the run then makes as any other. What the
expression has read up to there is kept besides the results, for the call may change it: so each evaluation comes to
the same places as the one before, and which calls are made at all follows from the values, as in Python.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from typing import Any

from workbench.engine.expressions.limits import EvaluationFailed, Lookup, UnknownName
from workbench.i18n import _

Reads = tuple[list[Any], ...]
"""What an expression has read, one after the other: the name as written and its value, where it had one."""


@dataclass(frozen=True, slots=True)
class Unrolled:
    """How far the expressions of an instruction have come.

    *reads*: up to the last call that was begun. *results*: of the calls that are done. *is_open*: one is under way.
    """

    reads: Reads = ()
    results: tuple[Any, ...] = ()
    is_open: bool = False

    def begun(self, reads: Reads) -> Unrolled:
        """After another call has begun."""
        return Unrolled((*self.reads, *reads), self.results, is_open=True)

    def corrected(self, name: str, value: Any) -> Unrolled:
        """As if *name* had had *value* all the time: somebody has said how it is to be read."""
        reads = tuple([name, value] if read[0] == name and len(read) > 1 else read for read in self.reads)
        return Unrolled(reads, self.results, self.is_open)

    def given(self, result: Any) -> Unrolled:
        """After the call under way has given *result*."""
        return Unrolled(self.reads, (*self.results, result))


NOT_UNROLLED = Unrolled()


class CallWanted(EvaluationFailed):
    """The value depends on a call that has not been made."""

    def __init__(self, target: str, positional: list[Any], named: dict[str, Any]) -> None:
        super().__init__(_("{name} cannot be called here.").format(name=target))
        self.target, self.positional, self.named = target, positional, named


class Unrolling:
    """One evaluation of all expressions of an instruction, in their order, after *known*.

    *lookup*: the value that a name has now. *own*: names without a dollar sign that no call can change.
    """

    def __init__(self, known: Unrolled, lookup: Lookup, own: Container[str]) -> None:
        self._known, self._lookup, self._own = known, lookup, own
        self._read = self._called = 0
        self._fresh: list[list[Any]] = []

    @property
    def fresh(self) -> Reads:
        """What was read after all that was known."""
        return tuple(self._fresh)

    def read(self, name: str, is_state: bool) -> object:  # noqa: FBT001 - a lookup is called like this
        """The value that a name had when it was first read here. Raises UnknownName where there was none."""
        if not is_state and name in self._own:
            return self._lookup(name, is_state)
        key = f"${name}" if is_state else name
        if self._read < len(self._known.reads):
            return self._known_value(key, name)
        try:
            value = self._lookup(name, is_state)
        except UnknownName:
            self._fresh.append([key])
            raise
        self._fresh.append([key, value])
        return value

    def _known_value(self, key: str, name: str) -> object:
        read = self._known.reads[self._read]
        self._read += 1
        if read[0] != key:
            raise EvaluationFailed(_("This step is read otherwise by now than when the run came to it."))
        if len(read) == 1:
            raise UnknownName(name)
        return read[1]

    def call(self, target: str, positional: list[Any], named: dict[str, Any]) -> object:
        """What the next call has given. Raises CallWanted where it has not been made."""
        if self._called == len(self._known.results):
            raise CallWanted(target, positional, named)
        self._called += 1
        return self._known.results[self._called - 1]
