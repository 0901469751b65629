"""Messages of the Debug Adapter Protocol on the wire: bytes become values, whatever comes, and values become bytes.

A message is a head of lines such as ``Content-Length: 42``, an empty line, and as many bytes of JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from workbench.i18n import _, numeral
from workbench.regex import regex

MOST_BYTES = 16 * 1024 * 1024
"""How long a message may be."""
_MOST_SKIPPED = 2**32
"""A length above this was never meant: what follows is no message."""
_LONGEST_LINE = 4096
_LENGTH = regex(rb"content-length:[ \t]*(\d{1,30})[ \t\r]*\Z", re.IGNORECASE)
_TYPE = regex(rb"content-type:[^\r]*\r?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Request:
    """What the client wants. *seq*: the number that the response names."""

    seq: int
    command: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Rubbish:
    """Bytes that are no request, and why. *seq*, *command*: of the request that they were meant to be, if known."""

    reason: str
    seq: int | None = None
    command: str = ""


Received = Request | Rubbish


def framed(message: Mapping[str, Any]) -> bytes:
    """*message* as bytes; letters that are not ASCII are escaped, so that no text can break it."""
    body = json.dumps(message, ensure_ascii=True, separators=(",", ":"), default=str).encode("ascii")
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


class Unframing:
    """Cuts a stream of bytes into messages, however the bytes come.

    What is no message is told once, and reading goes on at the next head that is one. A message that is too long is
    passed over by its length, so that nothing in it is taken for a message.
    """

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._length: int | None = None
        self._wanted: int | None = None
        self._skip = 0
        self._is_lost = False

    def feed(self, data: bytes) -> Iterator[Received]:
        """The messages that *data* completes."""
        self._bytes += data
        while True:
            if self._skip:
                passed = min(self._skip, len(self._bytes))
                del self._bytes[:passed]
                self._skip -= passed
            if self._skip or not (self._bytes or self._wanted == 0):
                return
            if self._wanted is None:
                line = self._line()
                if line is None:
                    return
                yield from self._head(line)
            elif len(self._bytes) < self._wanted:
                return
            else:
                yield self._body(self._wanted)

    def _line(self) -> bytes | None:
        """The next line of a head; None where it is not whole. One that is too long is cut."""
        end = self._bytes.find(b"\n")
        if end < 0:
            if len(self._bytes) <= _LONGEST_LINE:
                return None
            end = len(self._bytes) - 1
        line = bytes(self._bytes[:end])
        del self._bytes[: end + 1]
        return line

    def _head(self, line: bytes) -> Iterator[Rubbish]:
        if not line.strip():
            if self._length is not None:
                yield from self._begin(self._length)
            return
        found = _LENGTH.search(line)
        if found is not None:
            self._length = int(found[1])
        if found is not None and not found.start():
            return
        if not self._is_lost and (found is not None or not _TYPE.fullmatch(line)):
            self._is_lost = True
            yield Rubbish(_("The client sent bytes that are no message; they were passed over."))

    def _begin(self, length: int) -> Iterator[Rubbish]:
        """Wait for a body of *length* bytes, or pass it over."""
        self._length = None
        if length <= MOST_BYTES:
            self._wanted = length
            return
        self._skip = length if length <= _MOST_SKIPPED else 0
        message = _("A message of the client is too long (bytes: {count}; the most: {limit}). It was passed over.")
        yield Rubbish(message.format(count=numeral(length), limit=numeral(MOST_BYTES)))

    def _body(self, length: int) -> Received:
        body = bytes(self._bytes[:length])
        del self._bytes[:length]
        self._wanted, self._is_lost = None, False
        return read_message(body)


def read_message(body: bytes) -> Received:
    """The request that *body* is."""
    try:
        found = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):
        return Rubbish(_("The client sent a message that is no JSON."))
    if not isinstance(found, dict) or found.get("type") != "request":
        return Rubbish(_("The client sent something that is no request."))
    seq, command, arguments = found.get("seq"), found.get("command"), found.get("arguments")
    if not isinstance(seq, int) or isinstance(seq, bool):
        return Rubbish(_("The client sent a request without a number."))
    if not isinstance(command, str) or not command:
        return Rubbish(_("The request names no command."), seq)
    if arguments is not None and not isinstance(arguments, dict):
        return Rubbish(_("The arguments of a request must be an object."), seq, command)
    return Request(seq, command, arguments or {})
