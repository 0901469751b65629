"""Requests by which the client looks at a run: threads, frames, variables, sources; and at an earlier moment of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.cli.debug_adapter.client import Body, Refused, may, need
from workbench.cli.debug_adapter.evaluating import check_editable, frame_at, give, value_typed
from workbench.cli.debug_adapter.following import Stop
from workbench.cli.debug_adapter.places import generated
from workbench.cli.debug_adapter.session import Session, source_that_ran
from workbench.cli.debug_adapter.stack import FrameAt
from workbench.cli.debug_adapter.variables import (
    Group,
    Handle,
    Held,
    Parent,
    Shown,
    as_text,
    found_by,
    groups_in,
    part_of,
    type_of_value,
)
from workbench.engine.debugging.breakpoints import StopKind
from workbench.engine.journal.run_events import RunPaused, StepEntered
from workbench.i18n import _
from workbench.visible import visible


def threads(session: Session, _arguments: Body) -> Body:
    """Whoever is at work."""
    stacks = session.debuggee.told.stacks if session.debuggee is not None else {}
    return {"threads": [{"id": session.threads.of(stack), "name": name} for stack, name in stacks.items()]}


def stack_trace(session: Session, arguments: Body) -> Body:
    """The playbooks that are at work on a thread, the innermost first."""
    told = session.held.told
    stack = session.threads.value(need(arguments, "threadId", int))
    if stack not in told.stacks:
        raise Refused(_("There is no such thread."))
    found = list(told.frames(stack))
    first, count = may(arguments, "startFrame", int) or 0, may(arguments, "levels", int) or 0
    shown = found[max(0, first) :][: count if count > 0 else None]
    return {"stackFrames": [_frame(session, each) for each in shown], "totalFrames": len(found)}


def _frame(session: Session, frame: FrameAt) -> Mapping[str, Any]:
    assert session.manner is not None
    number, place = session.frames.of(frame.key), frame.path or frame.generated
    named = {"id": number, "name": visible(frame.name)}
    if place is None:
        return {**named, "line": 0, "column": 0, "presentationHint": "subtle"}
    where = {"line": frame.line - 1 + session.manner.line, "column": session.manner.column}
    return {**named, "source": source_that_ran(session, place), **where}


def scopes(session: Session, arguments: Body) -> Body:
    """What can be seen in a frame, in groups."""
    told = session.held.told
    key = frame_at(session, need(arguments, "frameId", int))
    frame = told.frame(key) if key is not None else None
    assert key is not None and frame is not None
    groups = enumerate(groups_in(frame, told))
    return {"scopes": [_scope(session, group, Handle(key, index)) for index, group in groups]}


def _scope(session: Session, group: Group, handle: Handle) -> Mapping[str, Any]:
    hint = {"presentationHint": group.hint} if group.hint else {}
    reference = session.variables.of(handle)
    return {
        "name": group.name,
        "variablesReference": reference,
        "namedVariables": group.count,
        "expensive": False,
    } | hint


def variables(session: Session, arguments: Body) -> Body:
    """The entries of a group, a list or an object."""
    handle, parent = _parent(session, arguments)
    kind = may(arguments, "filter", str)
    part = part_of(parent, kind, may(arguments, "start", int) or 0, may(arguments, "count", int) or 0)
    return {"variables": [_variable(session, each, handle) for each in part]}


def _parent(session: Session, arguments: Body) -> tuple[Handle | Shown, Parent]:
    told = session.held.told
    handle = session.variables.value(need(arguments, "variablesReference", int))
    parent = found_by(handle, told) if isinstance(handle, Handle) else handle
    if parent is None:
        raise Refused(_("There is no such value any more."))
    return handle, parent


def _variable(session: Session, shown: Shown, parent: Handle | Shown) -> Mapping[str, Any]:
    handle = parent.inside(shown.name) if isinstance(parent, Handle) else shown
    found = {"name": visible(shown.name), "value": as_text(shown.value), **references(session, shown, handle)}
    if shown.written:
        found["evaluateName"] = shown.written
    if shown.place is None:
        found["presentationHint"] = {"attributes": ["readOnly"]}
    return found


def references(session: Session, shown: Shown, handle: Handle | Shown) -> dict[str, Any]:
    """What leads to the entries of a value, and its type where the client shows one."""
    found: dict[str, Any] = {"variablesReference": session.variables.of(handle) if shown.count else 0}
    if shown.count:
        found["indexedVariables" if shown.is_list else "namedVariables"] = shown.count
    if session.manner is not None and session.manner.shows_types:
        found["type"] = type_of_value(shown.value)
    return found


def set_variable(session: Session, arguments: Body) -> Body:
    """Give a variable, or an entry in one, another value."""
    handle, parent = _parent(session, arguments)
    name, text = need(arguments, "name", str), need(arguments, "value", str)
    child = parent.child(name)
    if child is None or child.place is None or not isinstance(handle, Handle):
        raise Refused(_("{name} cannot be changed.").format(name=name))
    check_editable(session)
    if isinstance(child.place, Held):
        given = Shown(name, give(session, child.place, text))
        return {"value": as_text(given.value), **references(session, given, handle.inside(name))}
    new = value_typed(session, text, handle.frame)
    session.held.edit(child.place, new)
    shown = Shown(name, new)
    return {"value": as_text(new), **references(session, shown, handle.inside(name))}


def exception_info(session: Session, _arguments: Body) -> Body:
    """What would fail, or be broken."""
    _held, stop = session.held, session.following.stop
    if stop is None or stop.reason != "exception":
        raise Refused(_("The run was not stopped by a failure."))
    is_violation = stop.breakpoint.startswith(StopKind.VIOLATION.value)
    kind = StopKind.VIOLATION if is_violation else StopKind.ERROR
    return {"exceptionId": kind.value, "description": stop.problem, "breakMode": "always"}


def loaded_sources(session: Session, _arguments: Body) -> Body:
    """The files of the program, and what the run has made."""
    found = [source_that_ran(session, path) for path in session.places.files]
    if session.debuggee is not None:
        written = session.debuggee.told.fold.world.written
        made = (generated(agent, name, written) for agent, name in written)
        found += [session.source_of(each) for each in made if each is not None]
    return {"sources": found}


def source(session: Session, arguments: Body) -> Body:
    """The text of what the run has made, or of a file as it is carried out."""
    asked = may(arguments, "source", dict) or {}
    made = session.sources.value(may(asked, "sourceReference", int) or need(arguments, "sourceReference", int))
    if made is None:
        raise Refused(_("There is no such source."))
    return {"content": made.text, "mimeType": "text/markdown"}


def step_back(session: Session, _arguments: Body) -> None:
    """Look at the run as it was when the step before began; nothing is undone."""
    _look(session, [each for each in _begun(session) if each < session.held.told.count][-1:])


def step_far_back(session: Session, _arguments: Body) -> None:
    """Look at the run as it was where it was held before, else when its first step began."""
    events, now, begun = session.held.live.events, session.held.told.count, _begun(session)
    held = [number for number, event in enumerate(events) if isinstance(event.payload, RunPaused)]
    after = (next((each for each in begun if each > number), now) for number in held)
    before = [each for each in after if each < now]
    _look(session, before[-1:] or [each for each in begun if each < now][:1])


def go_forward(session: Session, *, is_step: bool) -> bool:
    """Whether an earlier moment was looked at: then it is a later one, or now, and the run does nothing."""
    debuggee = session.held
    if debuggee.past is None:
        return False
    later = [each for each in _begun(session) if each > debuggee.told.count] if is_step else []
    if later:
        _look(session, later[:1])
    else:
        debuggee.past = None
        show_later(session, Stop("pause"))
    return True


def _begun(session: Session) -> list[int]:
    """The numbers of the events with which steps began."""
    events = session.held.live.events
    return [number for number, event in enumerate(events) if isinstance(event.payload, StepEntered)]


def _look(session: Session, found: list[int]) -> None:
    if not found:
        raise Refused(_("No step began before this moment."))
    session.held.past = session.held.live.before(found[0])
    show_later(session, Stop("step", at=found[0]))


def show_later(session: Session, stop: Stop) -> None:
    """Tell the client of *stop* when what it has asked for is answered."""
    session.following.stop = session.due = stop
    session.forget()
