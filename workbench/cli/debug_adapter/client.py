"""The client, an editor mostly: what is sent to it, and how what it sends is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from workbench.cli.debug_adapter.wire import Request, framed
from workbench.errors import WorkbenchError
from workbench.i18n import _

_ERROR = 1
"""The number of an error of ours: they are told by their texts."""
_OF_BEGINNING = frozenset({"initialize", "launch", "attach"})
Body = Mapping[str, Any]


class Refused(WorkbenchError):
    """A request that is not carried out; the message says why."""


class Client:
    """Numbers what is sent. *write*: takes bytes, raises OSError where nobody reads them.

    *is_gone*: nobody does.
    """

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._write = write
        self._seq = 0
        self.is_gone = False

    def respond(self, request: Request, body: Body | None) -> None:
        """Say that *request* is carried out."""
        answer = {"type": "response", "request_seq": request.seq, "success": True, "command": request.command}
        self._send(answer if body is None else {**answer, "body": body})

    def refuse(self, seq: int, command: str, message: str) -> None:
        """Say that a request is not carried out."""
        error = {"id": _ERROR, "format": message, "showUser": command in _OF_BEGINNING}
        about = {"type": "response", "request_seq": seq, "success": False, "command": command, "message": message}
        self._send({**about, "body": {"error": error}})

    def tell(self, event: str, body: Body | None = None) -> None:
        """Send an event."""
        self._send({"type": "event", "event": event} | ({} if body is None else {"body": body}))

    def output(self, text: str, category: str = "console", **where: Any) -> None:
        """Show *text*, a line of its own. *where*: ``source`` and ``line``."""
        self.tell("output", {"category": category, "output": f"{text}\n", **where})

    def _send(self, message: Mapping[str, Any]) -> None:
        self._seq += 1
        if self.is_gone:
            return
        try:
            self._write(framed({"seq": self._seq, **message}))
        except OSError:
            self.is_gone = True


def need(arguments: Body, name: str, kind: type) -> Any:
    """The argument *name*, which must be there. Raises Refused."""
    found = may(arguments, name, kind)
    if found is None:
        raise Refused(_("The argument “{name}” is missing.").format(name=name))
    return found


def may(arguments: Body, name: str, kind: type) -> Any:
    """The argument *name*; None where it is not there. Raises Refused where it is of another *kind*."""
    found = arguments.get(name)
    is_right = isinstance(found, kind) and not (kind is int and isinstance(found, bool))
    if found is not None and not is_right:
        message = _("The argument “{name}” has the wrong type. It must be of this one: {type}.")
        raise Refused(message.format(name=name, type=_WORDS[kind]))
    return found


def all_of(arguments: Body, name: str, kind: type) -> list[Any]:
    """The entries of the list *name*, all of *kind*; empty where it is not there. Raises Refused."""
    found: list[Any] = may(arguments, name, list) or []
    for each in found:
        may({name: each}, name, kind)
        need({name: each}, name, kind)
    return found


_WORDS = {str: "string", int: "integer", bool: "boolean", list: "array", dict: "object"}
