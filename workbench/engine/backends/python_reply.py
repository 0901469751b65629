"""What a Python child says, read as bytes of a stranger: they become one of a few values, whatever they are."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from workbench.engine.expressions.data import MAX_VALUE, NotData, as_data
from workbench.engine.ports import Asked, CalledBack, LookedUp, Seen, SetByTool
from workbench.i18n import _, numeral

LINE_LIMIT = MAX_VALUE + 1_000
"""How many bytes a reply may have, with what the child writes around the value."""


@dataclass(frozen=True, slots=True)
class Ready:
    """The Python of the playbook is loaded."""


@dataclass(frozen=True, slots=True)
class NotLoaded:
    """The Python of the playbook cannot be loaded; *message* is a sentence."""

    message: str


@dataclass(frozen=True, slots=True)
class Returned:
    """The function gave *value*."""

    value: Any


@dataclass(frozen=True, slots=True)
class Failed:
    """The function failed; *message* is a sentence."""

    message: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """The child has said something else; *message* is a sentence. What it says after that has no meaning."""

    message: str


Reply = Ready | NotLoaded | Returned | Failed | Asked | Unreadable


def reply_in(line: bytes) -> Reply:
    """What the child says in *line*."""
    if len(line) > LINE_LIMIT:
        message = _("The Python code answered with more than {limit} characters and was stopped.")
        return Unreadable(message.format(limit=numeral(MAX_VALUE)))
    try:
        return reply_of(json.loads(line))
    except (ValueError, RecursionError):
        return _nonsense()


def reply_of(said: Any) -> Reply:
    """What the child says with the value *said*."""
    try:
        return _reply(said)
    except NotData as problem:
        return Failed(_("The value it gave cannot be used: {problem}.").format(problem=problem))


def _reply(said: Any) -> Reply:
    match said:
        case {"ready": True}:
            return Ready()
        case {"failed": str(message)}:
            return NotLoaded(message)
        case {"state": "done", "value": value}:
            return Returned(as_data(value))
        case {"state": "failed", "message": str(message)}:
            return Failed(message)
        case {"asks": {"name": str(name), "positional": list(positional), "named": dict(named)}}:
            return CalledBack(name, tuple(as_data(positional)), tuple(as_data(named).items()))
        case {"looks": str(what), "name": str(name)} if what in _SEEN:
            return LookedUp(_SEEN[what], name)
        case {"sets": str(name), "value": value}:
            return SetByTool(name, as_data(value))
    return _nonsense()


_SEEN = {each.value: each for each in Seen}


def _nonsense() -> Unreadable:
    return Unreadable(_("The Python code wrote into its connection to the run and was stopped."))
