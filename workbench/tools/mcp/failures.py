"""What went wrong with a server, in plain words to stand in a sentence.

Imports ``mcp``, so import this where a server is started and no earlier.
"""

from __future__ import annotations

import httpx2
from mcp import MCPError
from mcp_types import CONNECTION_CLOSED
from pydantic import ValidationError

from workbench.errors import RunFailed
from workbench.i18n import _

_LONGEST = 1_000


def reason_of(error: BaseException) -> str:
    """Why something failed, without the full stop; of several failures at once the one that says most."""
    return _words_for(_telling(error)).rstrip(".")[:_LONGEST]


def _telling(error: BaseException) -> BaseException:
    """What stands behind *error*: a group tells nothing, and neither does that a connection was closed."""
    if not isinstance(error, BaseExceptionGroup):
        return error
    found = [_telling(each) for each in error.exceptions]
    return next((each for each in found if not is_closed(each)), found[0])


def is_closed(error: BaseException) -> bool:
    """True when *error* says only that there is no connection any more."""
    if isinstance(error, BaseExceptionGroup):
        return all(map(is_closed, error.exceptions))
    return isinstance(error, MCPError) and error.code == CONNECTION_CLOSED


def is_lost(error: BaseException) -> bool:
    """True when *error* says that there is no connection any more, however it says that."""
    if isinstance(error, BaseExceptionGroup):
        return all(map(is_lost, error.exceptions))
    return is_closed(error) or isinstance(error, httpx2.TransportError)


def _words_for(error: BaseException) -> str:
    match error:
        case RunFailed():
            return str(error)
        case _ if is_closed(error):
            return _("the connection was closed")
        case MCPError():
            return _("it answered: {message} ({code})").format(message=error.message, code=error.code)
        case httpx2.HTTPStatusError():
            code = error.response.status_code
            return _("it answered with {status}").format(status=f"{code} {error.response.reason_phrase}".strip())
        case httpx2.TimeoutException():
            return _("it did not answer in time")
        case httpx2.ConnectError():
            return _("nothing answers at its address")
        case httpx2.TransportError():
            return _("the connection broke off")
        case ValidationError():
            return _("what it sent is no message that it may send")
        case _:
            return str(error) or type(error).__name__
