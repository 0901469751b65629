"""The debug adapter: requests in, what they do, responses and events out."""

from __future__ import annotations

import queue
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from workbench.cli.debug_adapter import evaluating, looking, setting_up, steering
from workbench.cli.debug_adapter.client import Body, Client, Refused
from workbench.cli.debug_adapter.console import Answered, Shown
from workbench.cli.debug_adapter.session import Session
from workbench.cli.debug_adapter.wire import Request, Rubbish
from workbench.errors import WorkbenchError
from workbench.i18n import _

_POLL_S = 0.02
Handler = Callable[[Session, Body], Body | None]
REQUESTS: Mapping[str, Handler] = {
    "initialize": setting_up.initialize,
    "attach": setting_up.attach,
    "setBreakpoints": setting_up.set_breakpoints,
    "setFunctionBreakpoints": setting_up.set_function_breakpoints,
    "setExceptionBreakpoints": setting_up.set_exception_breakpoints,
    "breakpointLocations": setting_up.breakpoint_locations,
    "configurationDone": setting_up.configuration_done,
    "threads": looking.threads,
    "stackTrace": looking.stack_trace,
    "scopes": looking.scopes,
    "variables": looking.variables,
    "setVariable": looking.set_variable,
    "exceptionInfo": looking.exception_info,
    "loadedSources": looking.loaded_sources,
    "source": looking.source,
    "evaluate": evaluating.evaluate_text,
    "completions": evaluating.completions,
    "continue": steering.go_on,
    "next": steering.step_over,
    "stepIn": steering.step_in,
    "stepOut": steering.step_out,
    "pause": steering.pause,
    "terminate": steering.terminate,
    "disconnect": steering.disconnect,
}
"""What carries out each request but ``launch``, which is answered later than the others."""
_LAUNCH = "launch"
_AT_ANY_TIME = frozenset({"initialize", "disconnect"})


@dataclass(frozen=True, slots=True)
class Closed:
    """Nothing more comes from the client."""


Item = Request | Rubbish | Closed | Shown | Answered
Inbox = queue.SimpleQueue[Item]


def serve(client: Client, inbox: Inbox) -> None:
    """Do what the client asks, until it goes; all of it on this thread."""
    session = Session(client, inbox.put)
    while not (session.is_over or client.is_gone):
        try:
            item = inbox.get(timeout=_POLL_S if session.debuggee is not None else None)
        except queue.Empty:
            session.poll()
            continue
        _take(session, item)
        if not session.is_over:
            session.poll()
    if not session.is_over:
        session.leave(ends_run=False)


def _take(session: Session, item: Item) -> None:
    match item:
        case Request():
            carry_out(session, item)
        case Rubbish(reason, None):
            session.client.output(reason, "stderr")
        case Rubbish(reason, seq, command):
            session.client.refuse(seq or 0, command, reason)
        case Closed():
            session.leave(ends_run=False)
        case posted:
            session.take(posted)


def carry_out(session: Session, request: Request) -> None:
    """Carry out *request*, or say why it is refused."""
    try:
        if session.manner is None and request.command not in _AT_ANY_TIME:
            raise Refused(_("The first request must be “initialize”."))
        if request.command == _LAUNCH:
            setting_up.launch(session, request)
            return
        handler = REQUESTS.get(request.command)
        if handler is None:
            raise Refused(_("The request “{name}” is not known.").format(name=request.command))
        body = handler(session, request.arguments)
    except WorkbenchError as error:
        session.client.refuse(request.seq, request.command, str(error))
    else:
        session.client.respond(request, body)
