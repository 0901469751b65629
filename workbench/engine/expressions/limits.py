"""How much one evaluation may do and make, and how it fails.

Work is counted in nodes of the expression; what C code does inside one node is charged by
the size of what it reads or makes. The limits keep the worst expression below a few
milliseconds and megabytes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workbench.errors import RunFailed
from workbench.i18n import _, numeral

MAX_WORK = 20_000
MAX_TEXT = 400_000
MAX_ITEMS = 100_000
MAX_BITS = 2_048

MAX_FILLED = 2_000_000
"""How long all that is put into one text may be together."""

_SCALARS = frozenset({int, float, bool, type(None)})

Lookup = Callable[[str, bool], object]
Caller = Callable[[str, list[Any], dict[str, Any]], object]
"""What a call of a playbook or a tool gives: its target, and its values by place and by name."""


class EvaluationFailed(RunFailed):
    """An expression has no value; *position* is a 0-based offset into its source."""

    def __init__(self, message: str, position: int = 0) -> None:
        super().__init__(message)
        self.position = position


class VariableUnknown(EvaluationFailed):
    """A variable that was never set was read."""


class UnknownName(LookupError):
    """Raised by a lookup for a name it does not have; *known* are those it has."""

    def __init__(self, name: str, known: tuple[str, ...] = ()) -> None:
        super().__init__(name)
        self.known = known


class Trouble(Exception):
    """A failure inside one operation, before it is known where in the source that stands."""


class Mixed(Trouble):
    """An operation does not work with *left* and *right*."""

    def __init__(self, message: str, left: object, right: object) -> None:
        super().__init__(message)
        self.left = left
        self.right = right


class Frame:
    """One evaluation under way: where names come from, who makes calls (None: nobody), and the work that is left."""

    __slots__ = ("bound", "caller", "left", "lookup")

    def __init__(self, lookup: Lookup, caller: Caller | None = None) -> None:
        self.lookup = lookup
        self.caller = caller
        self.bound: dict[str, Any] = {}
        self.left = MAX_WORK

    def charge(self, work: int) -> None:
        """Take *work* from what is left. Raises Trouble when there is not enough."""
        self.left -= work
        if self.left < 0:
            raise Trouble(_("This is too much work for one step; split it into several steps."))

    def read(self, value: object) -> None:
        """Charge for going through *value* once, and through what it contains."""
        if isinstance(value, str):
            self.charge(len(value) >> 6)
        elif isinstance(value, (list, tuple, dict, set)):
            self.charge(len(value) >> 3)

    def read_deeply(self, value: object) -> None:
        """Charge for a walk through all levels of *value*, as comparing or printing it does."""
        waiting = [value]
        while waiting:
            current = waiting.pop()
            if isinstance(current, str):
                self.charge(1 + (len(current) >> 6))
            elif isinstance(current, dict):
                self.charge(1 + len(current))
                waiting.extend(current)
                waiting.extend(current.values())
            elif isinstance(current, (list, tuple, set)):
                if _SCALARS.issuperset(map(type, current)):
                    self.charge(1 + (len(current) >> 3))
                else:
                    self.charge(1 + len(current))
                    waiting.extend(current)

    def make_text(self, length: int) -> None:
        """Allow a text of *length*. Raises Trouble."""
        if length > MAX_TEXT:
            raise too_long_text(MAX_TEXT)
        self.charge(length >> 6)

    def make_items(self, count: int) -> None:
        """Allow a list of *count* items. Raises Trouble."""
        if count > MAX_ITEMS:
            raise too_many_items()
        self.charge(count >> 3)


def too_long_text(most: int) -> Trouble:
    """What a text of more than *most* characters is refused with."""
    return Trouble(_("This would make a text of more than {limit} characters.").format(limit=numeral(most)))


def too_many_items() -> Trouble:
    """What a list that is too long is refused with."""
    return Trouble(_("This would make a list of more than {limit} items.").format(limit=numeral(MAX_ITEMS)))
