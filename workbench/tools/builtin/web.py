"""Pages and data from the web: read, never sent."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError, Future
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from workbench.errors import Cancelled, RunFailed
from workbench.i18n import _, numeral
from workbench.tools.builtin.rules import BuiltinRules
from workbench.tools.values import Preview
from workbench.visible import hidden, visible

if TYPE_CHECKING:
    import httpx2

_MOST_REDIRECTS = 5
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_BODY_SHOWN = 500


class Fetcher:
    """Fetches one thing at a time; ``cancel`` ends that, and keeps everything later from beginning."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._work: Future[str] | None = None
        self._is_cancelled = False

    def get(self, rules: BuiltinRules, arguments: Mapping[str, Any], _on_output: Callable[[str], None]) -> str:
        """The text behind an address.

        Raises RunFailed, in words that leave out what may be secret in an address, and Cancelled.
        """
        from workbench.async_loop import shared_loop  # noqa: PLC0415 - takes a while to import

        url = _checked(arguments["url"])
        with self._lock:
            if self._is_cancelled:
                raise Cancelled
            self._work = shared_loop().submit(_text(url, rules))
        try:
            return self._work.result()
        except CancelledError as error:
            raise Cancelled from error

    def cancel(self) -> None:
        """Give up; callable from any thread."""
        with self._lock:
            self._is_cancelled = True
            if self._work is not None:
                self._work.cancel()


def show_get(_rules: BuiltinRules, arguments: Mapping[str, Any]) -> Preview:
    """The request."""
    return Preview(f"GET {visible(_checked(arguments['url']))}")


def _checked(url: str) -> str:
    """*url*, which leads to the web. Raises RunFailed."""
    try:
        parts = urlsplit(url.strip())
        is_web = parts.scheme.lower() in {"http", "https"} and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        is_web = False
    if not is_web or next(hidden(url), None) is not None or any(character.isspace() for character in url.strip()):
        raise RunFailed(_("Only addresses that begin with http:// or https:// and a host can be read."))
    return url.strip()


def told(url: str) -> str:
    """*url* as far as it can hold no secret: scheme, host and port."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


async def _text(url: str, rules: BuiltinRules) -> str:
    import httpx2  # noqa: PLC0415 - the web is seldom needed

    timeout = httpx2.Timeout(min(30.0, rules.time_limit_s))
    try:
        async with httpx2.AsyncClient(timeout=timeout, follow_redirects=False, trust_env=False) as client:
            return await _within(client, url, rules)
    except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, OSError, ValueError) as error:
        reason = _("it took too long") if isinstance(error, httpx2.TimeoutException) else _("no connection")
        message = _("{address} could not be read: {reason} ({kind}).")
        raise RunFailed(message.format(address=told(url), reason=reason, kind=type(error).__name__)) from None


async def _within(client: httpx2.AsyncClient, url: str, rules: BuiltinRules) -> str:
    import asyncio  # noqa: PLC0415 - takes a while to import

    try:
        async with asyncio.timeout(rules.time_limit_s):
            return await _followed(client, url, rules)
    except TimeoutError:
        message = _("{address} took longer than {limit} s.")
        raise RunFailed(message.format(address=told(url), limit=numeral(rules.time_limit_s, "g"))) from None


async def _followed(client: httpx2.AsyncClient, url: str, rules: BuiltinRules) -> str:
    """What is behind *url*, redirects followed as long as they stay with the same host."""
    for _number in range(_MOST_REDIRECTS):
        async with client.stream("GET", url) as response:
            if response.status_code not in _REDIRECTS or "location" not in response.headers:
                return await _body(response, url, rules.download_limit)
            url = _next(url, response.headers["location"])
    raise RunFailed(_("{address} leads on and on.").format(address=told(url)))


def _next(url: str, location: str) -> str:
    """Where a redirect leads. Raises RunFailed where that is another host, or less safe: nobody has allowed that."""
    target = _checked(urljoin(url, location))
    before, after = urlsplit(url), urlsplit(target)
    is_safer = before.scheme == "http" and after.scheme == "https" and before.hostname == after.hostname
    if not is_safer and (before.scheme, before.netloc) != (after.scheme, after.netloc):
        message = _("{address} leads on to {target}, which nobody has allowed. Read that address itself.")
        raise RunFailed(message.format(address=told(url), target=told(target)))
    return target


async def _body(response: httpx2.Response, url: str, limit: int) -> str:
    pieces: list[bytes] = []
    size = 0
    async for piece in response.aiter_bytes():
        size += len(piece)
        if size > limit:
            message = _("{address} gives more than {limit} bytes.")
            raise RunFailed(message.format(address=told(url), limit=numeral(limit)))
        pieces.append(piece)
    text = b"".join(pieces).decode(response.encoding or "utf-8", "replace")
    if response.status_code >= 400:
        message = _("{address} answered {status}: {text}")
        raise RunFailed(message.format(address=told(url), status=response.status_code, text=text[:_BODY_SHOWN]))
    return text
