"""What bars have in common besides their lanes: the texts that they name by number, and what models have cost."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from typing import NamedTuple


class Message(NamedTuple):
    """One from an agent to another, which have these numbers in the columns."""

    sent_ns: int
    read_ns: int
    sender: int
    reader: int


class Costs:
    """What models have cost in a run, in the order in which they answered."""

    def __init__(self) -> None:
        self._times = array("q")
        self._tokens, self._dollars = array("d", (0.0,)), array("d", (0.0,))  # up to each of the times

    def add(self, at_ns: int, tokens: int, dollars: float | None) -> None:
        """A model answered at *at_ns*. *dollars* None: no price is known."""
        self._tokens.append(self._tokens[-1] + tokens)
        self._dollars.append(self._dollars[-1] + (dollars or 0.0))
        self._times.append(at_ns)

    @property
    def is_money(self) -> bool:
        """Whether dollars are counted; else tokens are, since no price is known."""
        return self._dollars[-1] > 0

    @property
    def total(self) -> float:
        """All of them."""
        return (self._dollars if self.is_money else self._tokens)[-1]

    def between(self, start_ns: float, end_ns: float) -> float:
        """What answered after *start_ns*, and at *end_ns* at the latest."""
        sums = self._dollars if self.is_money else self._tokens
        return sums[bisect_right(self._times, end_ns)] - sums[bisect_right(self._times, start_ns)]


class Texts:
    """Names, addresses and agents, each kept once and called by its number."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        """The number of *text*, which is kept from now on."""
        number = self._numbers.setdefault(text, len(self._texts))
        if number == len(self._texts):
            self._texts.append(text)
        return number

    def known(self, text: str) -> int | None:
        """The number of *text*, None where it is not kept, or empty."""
        return self._numbers.get(text) if text else None

    def at(self, number: int) -> str:
        """The text with *number*."""
        return self._texts[number]
