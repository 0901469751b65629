"""How a step of a procedure went, and what is done about one that did not work: fields of questions."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Any

from workbench.model.meaning import Variable

HOW = "how"
AFTERWARDS = "afterwards"


class Went(enum.Enum):
    """How a step went."""

    DONE = "done"
    SKIPPED = "skip"
    FAILED = "did not work"


class Afterwards(enum.Enum):
    """What follows a step that did not work. GO_ON: with the step behind it."""

    AGAIN = "try again"
    GO_ON = "go on"
    STOP = "stop"


WENT = Variable(HOW, is_state=False, type="|".join(each.value for each in Went))
FOLLOWS = Variable(AFTERWARDS, is_state=False, type="|".join(each.value for each in Afterwards))


def is_work(field: Variable) -> bool:
    """Whether *field* asks how a step went, or what follows."""
    return field in (WENT, FOLLOWS)


def went(answer: Mapping[str, Any]) -> Went | None:
    """How the step went by *answer*; None where that was not the question."""
    said = _values(answer).get(HOW)
    return Went(said) if said in _WENT else None


def afterwards(answer: Mapping[str, Any]) -> Afterwards | None:
    """What follows by *answer*; None where that was not the question."""
    said = _values(answer).get(AFTERWARDS)
    return Afterwards(said) if said in _FOLLOWS else None


def _values(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    values = answer.get("values")
    return values if isinstance(values, Mapping) else {}


_WENT = frozenset(each.value for each in Went)
_FOLLOWS = frozenset(each.value for each in Afterwards)
