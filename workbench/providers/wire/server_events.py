"""Events out of the bytes that a server sends, as the standard for server-sent events has it."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass

from workbench.regex import regex

_LINE_END = regex(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One event. *name*: its kind, empty where the server names none."""

    data: str
    name: str = ""


class EventReader:
    """Takes bytes as they come, cut anywhere, and gives the events that are whole.

    What is not UTF-8 becomes a sign for that; comments and fields without a use are passed over.
    """

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._line: list[str] = []
        self._is_after_return = False
        self._data: list[str] = []
        self._name = ""

    def feed(self, data: bytes) -> Iterator[ServerEvent]:
        """The events that *data* completes."""
        for line in self._lines(self._decoder.decode(data)):
            if line:
                self._take(line)
                continue
            if self._data:
                yield ServerEvent("\n".join(self._data), self._name)
            self._data, self._name = [], ""

    def _lines(self, text: str) -> Iterator[str]:
        if not text:
            return
        if self._is_after_return and text[0] == "\n":
            text = text[1:]
        self._is_after_return = text.endswith("\r")
        first, *others = _LINE_END.split(text)
        self._line.append(first)
        for line in others:
            yield "".join(self._line)
            self._line = [line]

    def _take(self, line: str) -> None:
        field, _colon, value = line.partition(":")
        if field == "data":
            self._data.append(value.removeprefix(" "))
        elif field == "event":
            self._name = value.removeprefix(" ")
