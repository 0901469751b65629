"""What went wrong with a model, in words a person can act on, in which no key is."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from workbench.i18n import _, ngettext
from workbench.providers.endpoints import Endpoint
from workbench.providers.wire.collecting import part, text_part
from workbench.providers.wire.json_text import strict_json
from workbench.regex import regex
from workbench.secrets import Redactor

_SHOWN = 300
_TOO_LONG = regex(
    r"context[_ ](?:length|window|size)|exceed_context|maximum context|(?:prompt|input) is too long|too many tokens",
    re.IGNORECASE,
)
_NO_MODEL = regex(r"model[_ ]not[_ ]found|model .{0,80}(?:does not exist|not found)|no such model", re.IGNORECASE)
_USED_UP = regex(r"insufficient_quota|credit balance|billing|quota exceeded", re.IGNORECASE)


class Refused(Exception):
    """A server answered with a status that is no success. *retry_after*: its wish, as sent. *body*: its beginning."""

    def __init__(self, status: int, body: str, retry_after: str = "", location: str = "") -> None:
        super().__init__(status)
        self.status, self.body, self.retry_after, self.location = status, body, retry_after, location

    @property
    def is_too_long(self) -> bool:
        """Whether the request was longer than the model can read."""
        return self.status in {400, 413, 422, 500} and _TOO_LONG.search(self.body) is not None

    @property
    def is_unknown_model(self) -> bool:
        """Whether there is no such model."""
        return self.status == 404 or (self.status == 400 and _NO_MODEL.search(self.body) is not None)

    @property
    def is_used_up(self) -> bool:
        """Whether there is no money left, so that waiting does not help."""
        return self.status == 402 or (self.status in {400, 429} and _USED_UP.search(self.body) is not None)


class Lost(Exception):
    """The connection went before the first byte of an answer came."""


@dataclass(frozen=True, slots=True)
class Failures:
    """Sentences about what failed with *model* of *endpoint*; *redactor* knows the key."""

    endpoint: Endpoint
    model: str
    redactor: Redactor

    def refused(self, refusal: Refused) -> str:
        """What a status means."""
        # who refuses a key likes to repeat parts of it
        words = "" if refusal.status == 401 else self._words(refusal.body)
        return f"{self._meaning(refusal)} {words}".rstrip()

    def _meaning(self, refusal: Refused) -> str:
        status = refusal.status
        if refusal.is_too_long:
            message = _("The request is too long for the model “{model}”. Give it less, or choose one that reads more.")
            return self._filled(message)
        if refusal.is_used_up:
            return self._filled(_("“{name}” has no credit left for this key."))
        if status in {401, 403}:
            if not self.endpoint.key:
                return self._filled(_("“{name}” wants a key, and it has none. Name one in its settings."))
            return self._filled(_("“{name}” did not accept the key. Check the key, and what it may be used for."))
        if refusal.is_unknown_model:
            return self._filled(_("“{name}” has no model “{model}”, or its address is wrong."))
        if 300 <= status < 400:
            message = _("“{name}” has moved to {host}. Nothing was sent there; enter the new address if you trust it.")
            return self._filled(message, host=urlsplit(refusal.location).hostname or "?")
        return self._other(status)

    def _other(self, status: int) -> str:
        number = str(status)
        if status == 429:
            return self._filled(_("“{name}” has had too many requests. Try again later, or set a limit per minute."))
        if status in {503, 529}:
            return self._filled(_("“{name}” is overloaded. Try again later."))
        if status >= 500:
            return self._filled(_("“{name}” failed with an error of its own ({number})."), number=number)
        return self._filled(_("“{name}” refused the request ({number})."), number=number)

    def wait_too_long(self, seconds: float) -> str:
        """A server asks to be left alone for longer than anybody waits."""
        message = ngettext(
            "“{name}” has had too many requests and asks to wait {count} minute. Try again then.",
            "“{name}” has had too many requests and asks to wait {count} minutes. Try again then.",
            max(1, round(seconds / 60)),
        )
        return self._filled(message)

    def unreachable(self, error: Exception) -> str:
        """No connection came about."""
        message = _("“{name}” cannot be reached at {address}. Check the address, and whether the server is running.")
        return f"{self._filled(message, address=self.address)} {self._words(str(error))}".rstrip()

    def lost(self) -> str:
        """The connection went before an answer came, again and again."""
        return self._filled(_("“{name}” closed the connection without an answer. Try again later."))

    def broken_off(self) -> str:
        """The connection went in the middle of an answer."""
        return self._filled(
            _("The connection to “{name}” was lost in the middle of the answer, so it is not complete.")
        )

    def silent(self, seconds: float) -> str:
        """No answer began in time."""
        message = ngettext(
            "“{name}” did not begin to answer within {count} second.",
            "“{name}” did not begin to answer within {count} seconds.",
            math.ceil(seconds),
        )
        return self._filled(message)

    def stuck(self, seconds: float) -> str:
        """An answer began and stopped."""
        message = ngettext(
            "“{name}” stopped in the middle of its answer: nothing came for {count} second.",
            "“{name}” stopped in the middle of its answer: nothing came for {count} seconds.",
            math.ceil(seconds),
        )
        return self._filled(message)

    def unreadable(self, start: str) -> str:
        """What came is nothing that a model sends."""
        message = _("“{name}” sent something that is not an answer of a model. Check its address and protocol.")
        return f"{self._filled(message)} {self._words(start)}".rstrip()

    def too_large(self) -> str:
        """The answer does not end."""
        return self._filled(_("The answer of “{name}” is too large to be used."))

    def told(self, message: str) -> str:
        """A failure that the server tells in the middle of an answer."""
        return f"{self._filled(_('“{name}” gave up in the middle of its answer.'))} {self._words(message)}".rstrip()

    @property
    def address(self) -> str:
        """Where the endpoint is, without anything that could be secret."""
        parts = urlsplit(self.endpoint.url)
        return f"{parts.scheme}://{parts.hostname}" + (f":{parts.port}" if parts.port else "")

    def _filled(self, message: str, **values: str) -> str:
        return message.format(name=self.endpoint.name, model=self.model, **values)

    def _words(self, body: str) -> str:
        """What a server says itself, on one line, redacted first and then shortened."""
        words = " ".join(str(self.redactor.redacted(said_in(body))).split())
        return f"({words[:_SHOWN]}…)" if len(words) > _SHOWN else f"({words})" if words else ""


def said_in(body: str) -> str:
    """The message in the *body* of an error, or all of it."""
    try:
        loaded: Any = strict_json(body)
    except ValueError:
        return body
    error = part(loaded, "error", dict) or {}
    return text_part(error, "message") or text_part(loaded, "error") or text_part(loaded, "message") or body
