"""What events say: one frozen value per kind of event, written and read by ``codec``.

A field without a default stands in every body; any other is left out where it has its default. To
add an event, add a class to ``run_events``, ``language_events`` or ``steplist_events``, and its name
to the table of the codec.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final


class _Nothing:
    """Stands where a value that may be None is not there."""

    def __repr__(self) -> str:
        return "NOTHING"


NOTHING: Final = _Nothing()


SPREAD: Final[Mapping[str, bool]] = {"is_spread": True}
"""Marks a field whose own fields stand in the body itself, all or none of them."""
LATER: Final[Mapping[str, bool]] = {"is_later": True}
"""Marks a field that earlier versions did not write: it is left out where it has its default."""


@dataclass(frozen=True, slots=True)
class EventPayload:
    """The base of all. *kept*: the body as it was read, where this version would not write it in exactly this way.

    A journal is chained by hashes, so what was read must be written back unchanged.
    """

    kept: Mapping[str, Any] | None = field(default=None, kw_only=True, repr=False)


@dataclass(frozen=True, slots=True)
class UnknownEvent(EventPayload):
    """An event of another version, called *name*; *kept* is its body."""

    name: str


@dataclass(frozen=True, slots=True)
class Leading(EventPayload):
    """An event that may lead on. *pc*: the index of the next instruction, the machine's own business; None: stay."""

    pc: int | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True)
class Giving(Leading):
    """A call that is done with its event. *gives*: its result, where an instruction takes it; else it leads on.

    *reads*: of a call in an expression; what that has read since the call before, as in ``Unrolled``.
    """

    gives: Any = field(default=NOTHING, kw_only=True)
    reads: tuple[Any, ...] | None = field(default=None, kw_only=True)
