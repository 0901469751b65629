"""The debug adapter: requests in, what they do, responses and events out.

Here are also the requests that carry a session from its beginning (who the client is, what is run, where it stops) to
its end (on, over, into, out, pause, end).
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr
from dataclasses import dataclass, replace
from io import StringIO
from typing import Any

from workbench.cli.debug_adapter import evaluating, looking
from workbench.cli.debug_adapter.breakpoints import FILTERS, path_of
from workbench.cli.debug_adapter.client import Body, Client, Refused, may, need
from workbench.cli.debug_adapter.console import Answered, Shown
from workbench.cli.debug_adapter.following import Stop
from workbench.cli.debug_adapter.launching import launch_of
from workbench.cli.debug_adapter.places import Places, ahead
from workbench.cli.debug_adapter.session import Manner, Prepared, Session
from workbench.cli.debug_adapter.session import restart as begin_again
from workbench.cli.debug_adapter.wire import Request, Rubbish
from workbench.engine.debugging.goals import Goal, Going
from workbench.engine.journal.run_events import RunPaused
from workbench.engine.running.controls import SkipStep
from workbench.errors import WorkbenchError
from workbench.i18n import _
from workbench.syntax.diagnostics import Severity
from workbench.visible import visible

CAPABILITIES = (
    "supportsConfigurationDoneRequest",
    "supportsFunctionBreakpoints",
    "supportsConditionalBreakpoints",
    "supportsHitConditionalBreakpoints",
    "supportsLogPoints",
    "supportsExceptionFilterOptions",
    "supportsExceptionInfoRequest",
    "supportsBreakpointLocationsRequest",
    "supportsEvaluateForHovers",
    "supportsClipboardContext",
    "supportsCompletionsRequest",
    "supportsRestartRequest",
    "supportsGotoTargetsRequest",
    "supportsStepBack",
    "supportsSetVariable",
    "supportsLoadedSourcesRequest",
    "supportsDelayedStackTraceLoading",
    "supportsTerminateRequest",
    "supportTerminateDebuggee",
)
"""What the adapter can do besides what every one can."""


def initialize(session: Session, arguments: Body) -> Body:
    """Who the client is; what the adapter can do."""
    if session.manner is not None:
        raise Refused(_("The session has been initialised already."))
    if may(arguments, "pathFormat", str) not in {None, "path"}:
        raise Refused(_("Only paths of the system are understood, and no addresses of other kinds."))
    line, column = (int(may(arguments, f"{name}StartAt1", bool) is not False) for name in ("lines", "columns"))
    session.manner = Manner(line, column, bool(may(arguments, "supportsVariableType", bool)))
    filters = [
        {"filter": name, "label": str(label), "description": str(what), "default": name == "error"}
        | {"supportsCondition": True}
        for name, (_kind, label, what) in FILTERS.items()
    ]
    return {**dict.fromkeys(CAPABILITIES, True), "exceptionBreakpointFilters": filters}


def launch(session: Session, request: Request) -> None:
    """Read the playbook; the request is answered when the breakpoints are set and the run has begun."""
    if session.prepared is not None:
        raise Refused(_("A session runs one playbook; start another session for the next one."))
    with redirect_stderr(StringIO()) as said:
        found = launch_of(request.arguments)
    session.prepared = Prepared(found, Places(found.program), request)
    if said.getvalue():
        session.client.output(visible(said.getvalue().rstrip("\n")), "stderr")
    for finding in found.program.diagnostics:
        if finding.severity is not Severity.INFO:
            path, line, _column = found.program.place(finding.span.start)
            session.client.output(visible(f"{path}:{line}: {finding.message}"), "stderr")
    session.client.tell("initialized")


def attach(_session: Session, _arguments: Body) -> Body:
    """Always refused."""
    raise Refused(
        _("A run that is going on belongs to the program that carries it out. Use “launch”; see also workbench resume.")
    )


def configuration_done(session: Session, _arguments: Body) -> None:
    """Begin the run, and answer the request that wanted it."""
    prepared, _places = session.prepared, session.places
    assert prepared is not None
    if session.has_begun:
        raise Refused(_("The run has begun already."))
    session.has_begun = True
    try:
        with redirect_stderr(StringIO()) as said:
            session.begin()
    except WorkbenchError as error:
        session.client.refuse(prepared.request.seq, prepared.request.command, str(error))
        session.client.tell("terminated")
        return
    if said.getvalue():
        session.client.output(visible(said.getvalue().rstrip("\n")), "stderr")
    session.client.respond(prepared.request, None)


def set_breakpoints(session: Session, arguments: Body) -> Body:
    """Those of one file."""
    path = path_of(need(arguments, "source", dict))
    assert session.manner is not None
    told = session.table.set_lines(path, arguments, session.places, session.manner.line)
    return _set(session, told)


def set_function_breakpoints(session: Session, arguments: Body) -> Body:
    """Those that are set by a name."""
    return _set(session, session.table.set_names(arguments, session.places))


def set_exception_breakpoints(session: Session, arguments: Body) -> Body:
    """Those for failures and violations."""
    return _set(session, session.table.set_filters(arguments))


def _set(session: Session, told: Any) -> Body:
    if session.debuggee is not None and session.prepared is not None:
        session.debuggee.run.controls.breakpoints = session.prepared.stops(session.table)
    return {"breakpoints": told}


def breakpoint_locations(session: Session, arguments: Body) -> Body:
    """The lines at which a run can stop."""
    assert session.manner is not None
    shift = 1 - session.manner.line
    path = path_of(need(arguments, "source", dict))
    first = need(arguments, "line", int) + shift
    last = (may(arguments, "endLine", int) or first - shift) + shift
    return {"breakpoints": [{"line": line - shift} for line in session.places.between(path, first, last)]}


def restart(session: Session, arguments: Body) -> None:
    """End the run, and begin another one of the playbook as its files are now."""
    prepared = session.prepared
    if prepared is None or not session.has_begun:
        raise Refused(_("No run has begun yet."))
    request = replace(prepared.request, arguments=may(arguments, "arguments", dict) or prepared.request.arguments)
    try:
        with redirect_stderr(StringIO()) as said:
            begin_again(session, launch_of(request.arguments), request)
    except WorkbenchError:
        if session.debuggee is None:
            session.client.tell("terminated")
        raise
    if said.getvalue():
        session.client.output(visible(said.getvalue().rstrip("\n")), "stderr")


def goto_targets(session: Session, arguments: Body) -> Body:
    """The step at a line, where the run can come to it by leaving out those before."""
    assert session.manner is not None
    line = need(arguments, "line", int) + 1 - session.manner.line
    spot = session.places.at(path_of(need(arguments, "source", dict)), line)
    if spot is None or spot.address not in _ahead(session):
        return {"targets": []}
    number = session.targets.of(spot.address)
    return {"targets": [{"id": number, "label": spot.address, "line": spot.line - 1 + session.manner.line}]}


def goto(session: Session, arguments: Body) -> None:
    """Leave out all steps before the one that was chosen."""
    address, steps = session.targets.value(need(arguments, "targetId", int)), _ahead(session)
    evaluating.check_editable(session)
    if address not in steps:
        raise Refused(_("The run cannot come to this step by leaving out others."))
    session.following.is_quiet = True
    try:
        for _step in range(steps.index(address)):
            session.held.order(SkipStep(), RunPaused)
    finally:
        session.following.is_quiet = False
    looking.show_later(session, Stop("goto"))


def _ahead(session: Session) -> list[str]:
    """The steps that the run can come to by leaving out others; none where it is not held before a step."""
    debuggee = session.held
    fold = debuggee.live.fold
    is_held_at_answer = bool(fold.frames) and (fold.top.said is not None or bool(fold.top.intents))
    if not fold.frames or is_held_at_answer or fold.pending is not None or debuggee.past is not None:
        return []
    return ahead(session.places, fold.top.agent, fold.top.playbook, fold.top.pc)


def go_on(session: Session, _arguments: Body) -> Body:
    """Go on until something stops the run."""
    if looking.go_forward(session, is_step=False):
        return {"allThreadsContinued": True}
    run = session.held.run
    session.go_on()
    run.go_on()
    return {"allThreadsContinued": True}


def step_over(session: Session, _arguments: Body) -> None:
    """Go on past what the next step calls."""
    _step(session, Going.OVER)


def step_in(session: Session, _arguments: Body) -> None:
    """Go on to the next step, wherever it is."""
    _step(session, Going.INTO)


def step_out(session: Session, _arguments: Body) -> None:
    """Go on until the playbook is left."""
    _step(session, Going.OUT)


def _step(session: Session, going: Going) -> None:
    if looking.go_forward(session, is_step=True):
        return
    run = session.held.run
    session.go_on("step")
    run.step(Goal(going))


def pause(session: Session, _arguments: Body) -> None:
    """Stop before the next step; at once where the run waits for an answer."""
    run = session.running.run
    if session.following.stop is not None:
        return
    session.following.expects = "pause"
    run.pause()
    if session.conversation.is_asking:
        session.following.hold(Stop("pause", is_asking=True))


def terminate(session: Session, _arguments: Body) -> None:
    """End the run."""
    session.running.run.stop()


def disconnect(session: Session, arguments: Body) -> None:
    """The client goes; the run can be resumed, unless it is to be ended."""
    session.leave(ends_run=bool(may(arguments, "terminateDebuggee", bool)))


_POLL_S = 0.02
Handler = Callable[[Session, Body], Body | None]
REQUESTS: Mapping[str, Handler] = {
    "initialize": initialize,
    "attach": attach,
    "setBreakpoints": set_breakpoints,
    "setFunctionBreakpoints": set_function_breakpoints,
    "setExceptionBreakpoints": set_exception_breakpoints,
    "breakpointLocations": breakpoint_locations,
    "configurationDone": configuration_done,
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
    "restart": restart,
    "gotoTargets": goto_targets,
    "goto": goto,
    "stepBack": looking.step_back,
    "reverseContinue": looking.step_far_back,
    "continue": go_on,
    "next": step_over,
    "stepIn": step_in,
    "stepOut": step_out,
    "pause": pause,
    "terminate": terminate,
    "disconnect": disconnect,
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
            launch(session, request)
            return
        handler = REQUESTS.get(request.command)
        if handler is None:
            raise Refused(_("The request “{name}” is not known.").format(name=request.command))
        body = handler(session, request.arguments)
    except WorkbenchError as error:
        session.client.refuse(request.seq, request.command, str(error))
    else:
        session.client.respond(request, body)
