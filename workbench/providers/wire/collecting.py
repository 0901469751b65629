"""An answer as it comes in: text, calls in pieces, tokens; the same for every protocol."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from workbench.providers.values import Finish, ToolWish
from workbench.providers.wire.json_text import strict_json

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TokenCounts:
    """Tokens as the provider counts them. *input*: all of it; *cached* and *stored* are parts of it, read from and
    written to the provider's cache.
    """

    input: int = 0
    output: int = 0
    cached: int = 0
    stored: int = 0


@dataclass(slots=True)
class _Call:
    id: str = ""
    name: str = ""
    pieces: list[str] = field(default_factory=list)


class CallPieces:
    """Puts calls together whose names and arguments come in pieces, by their index in the stream."""

    def __init__(self) -> None:
        self._by_index: dict[int, _Call] = {}
        self._calls: list[_Call] = []

    def add(self, index: int | None, call_id: str = "", name: str = "", arguments: str = "") -> _Call:
        """The call that the piece belongs to. *index* None: the server counts none, so an id begins a new call."""
        at = max(self._by_index, default=0) + bool(call_id and self._by_index) if index is None else index
        call = self._by_index.get(at)
        if call is None or (call_id and call.id and call_id != call.id):
            call = self._by_index[at] = _Call(call_id, name)
            self._calls.append(call)
        elif not call_id:
            # some servers repeat id and name with every piece
            call.name += name
        call.id = call.id or call_id
        call.pieces.append(arguments)
        return call

    def wishes(self) -> tuple[ToolWish, ...]:
        """The calls, in the order in which they began."""
        return tuple(_wish(call, number) for number, call in enumerate(self._calls))


def _wish(call: _Call, number: int) -> ToolWish:
    written = "".join(call.pieces)
    try:
        arguments = strict_json(written) if written.strip() else {}
    except ValueError:
        arguments = None
    named = call.id or f"call-{number}"
    return ToolWish(named, call.name, arguments if isinstance(arguments, dict) else None, written)


@dataclass(slots=True)
class Collected:
    """What has come so far. *answer_tool*: the name of the tool whose arguments are the answer, empty for none.

    *is_whole*: the server has said that this is all.
    """

    answer_tool: str = ""
    text: list[str] = field(default_factory=list)
    calls: CallPieces = field(default_factory=CallPieces)
    counts: TokenCounts = TokenCounts()
    finish: Finish = Finish.STOP
    model: str = ""
    id: str = ""
    is_whole: bool = False

    def add_text(self, text: str) -> str:
        """*text*, which belongs to the answer."""
        if text:
            self.text.append(text)
        return text

    def add_call(self, index: int | None, call_id: str = "", name: str = "", arguments: str = "") -> str:
        """What of a piece of a call is text of the answer."""
        call = self.calls.add(index, call_id, name, arguments)
        return arguments if call.name == self.answer_tool else ""


def part(value: Any, name: str, kind: type[T]) -> T | None:
    """The field *name* of *value* where that is a mapping and the field is of *kind*, else None."""
    found = value.get(name) if isinstance(value, Mapping) else None
    is_number = isinstance(found, bool) and kind is int
    return found if isinstance(found, kind) and not is_number else None


def text_part(value: Any, name: str) -> str:
    """The text in the field *name*, empty where there is none."""
    return part(value, name, str) or ""


def arguments_part(value: Any, name: str) -> str:
    """Arguments as text, also where a server sends them as an object."""
    found = part(value, name, dict)
    return text_part(value, name) if found is None else json.dumps(found, ensure_ascii=False)
