"""Requests by which a session begins: who the client is, what is run, and where it stops."""

from __future__ import annotations

from contextlib import redirect_stderr
from io import StringIO
from typing import Any

from workbench.cli.debug_adapter.breakpoints import FILTERS, path_of
from workbench.cli.debug_adapter.client import Body, Refused, may, need
from workbench.cli.debug_adapter.launching import launch_of
from workbench.cli.debug_adapter.places import Places
from workbench.cli.debug_adapter.session import Manner, Prepared, Session
from workbench.cli.debug_adapter.wire import Request
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
