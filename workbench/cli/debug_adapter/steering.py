"""Requests by which the client steers a run: on, over, into, out, pause, end."""

from __future__ import annotations

from workbench.cli.debug_adapter.client import Body, may
from workbench.cli.debug_adapter.following import Stop
from workbench.cli.debug_adapter.session import Session
from workbench.engine.debugging.goals import Goal, Going


def go_on(session: Session, _arguments: Body) -> Body:
    """Go on until something stops the run."""
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
