"""What stands in the place of what the world would have said, or has said, because a person wanted it so."""

from __future__ import annotations

import enum
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from workbench.engine.journal.payload import LATER
from workbench.i18n import _


class How(enum.Enum):
    """MOCK: the call was not made. EDIT: it was made, and gave something else. PIN: it was answered in a run before."""

    MOCK = "mock"
    EDIT = "edit"
    PIN = "pin"


@dataclass(frozen=True, slots=True)
class Instead:
    """Why a result or an answer is not that of a tool, or of who was asked.

    *by*: the person. *original*: what was said, *failure*: why the call has failed, where it was made. *run*: whose
    answer it is, where it was given in a run before.
    """

    how: How
    by: str = ""
    original: Any = field(default=None, metadata=LATER)
    failure: str = field(default="", metadata=LATER)
    run: str = field(default="", metadata=LATER)


@dataclass(frozen=True, slots=True)
class MockedCall:
    """What a call gives that is not made: *value*, or *failure* where it is to fail. *by*: who wants it so."""

    value: Any = None
    failure: str = field(default="", metadata=LATER)
    by: str = ""

    @property
    def instead(self) -> Instead:
        """What the result says of it."""
        return Instead(How.MOCK, self.by)


@dataclass(frozen=True, slots=True)
class Noted:
    """Where it stands that a call has begun: on which machine, in which ledger. A lack of it says so only there."""

    machine: str = ""
    ledger: str = ""


NOWHERE = Noted()


def with_instead(text: str, instead: Instead | None) -> str:
    """*text*, which tells a result or an answer, with the reason why it is none of the tool, or of who was asked."""
    return text if instead is None else f"{text} ({_words(instead)})".strip()


def _words(instead: Instead) -> str:
    person = instead.by or _("a person")
    match instead.how:
        case How.MOCK:
            return _("mock, set by {person}; the call was not made").format(person=person)
        case How.PIN:
            return _("answer kept from run {run} by {person}").format(run=instead.run, person=person)
        case How.EDIT if instead.failure:
            message = _("changed by {person}; the call had failed: {message}")
            return message.format(person=person, message=instead.failure)
        case How.EDIT:
            original = json.dumps(said_in(instead.original), ensure_ascii=False)
            return _("changed by {person}; it was {original}").format(person=person, original=original)


def said_in(answer: Any) -> Any:
    """What *answer* says, where it is one as it is journaled: yes or no, the only value, all by name, or the text."""
    if not isinstance(answer, Mapping) or "text" not in answer or not answer.keys() <= {"decision", "values", "text"}:
        return answer
    if "decision" in answer:
        return answer["decision"]
    values = dict(answer.get("values") or {})
    return next(iter(values.values())) if len(values) == 1 else values or answer["text"]
